"""Prints the text of each page of a PDF as a JSON list, read by a library that is not ours."""

import json
import sys

from pypdf import PdfReader

print(json.dumps([page.extract_text() for page in PdfReader(sys.argv[1]).pages]))
