"""Prints the text of each page of a PDF as a JSON list: all of it, and what stands in the window of an envelope, read by a library that is not ours."""

import json
import sys

from pypdfium2 import PdfDocument

MM = 72 / 25.4
HEIGHT = 297

pages = []
for page in PdfDocument(sys.argv[1]):
    text = page.get_textpage()
    # DIN 5008, form B: the field is 85 x 45 mm, 20 mm from the left and 45 mm from the top.
    window = text.get_text_bounded(left=20 * MM, bottom=(HEIGHT - 90) * MM, right=105 * MM, top=(HEIGHT - 45) * MM)
    pages.append({"text": text.get_text_range(), "window": window})
print(json.dumps(pages))
