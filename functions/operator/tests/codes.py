"""Prints what a camera reads on pages of a PDF as JSON: for each page given, the kind and the text of each code, by libraries that are not ours."""

import json
import sys

import zxingcpp
from pypdfium2 import PdfDocument

# Pixels in a point, as of a scan with 216 dots an inch.
SCALE = 3

document = PdfDocument(sys.argv[1])
pages = []
for number in sys.argv[2:]:
    picture = document[int(number)].render(scale=SCALE, grayscale=True)
    view = memoryview(picture.buffer).cast("B").cast("B", shape=[picture.height, picture.stride])
    pages.append([[str(code.format), code.text] for code in zxingcpp.read_barcodes(view)])
print(json.dumps(pages))
