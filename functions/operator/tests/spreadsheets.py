"""Reads a table with libraries that are not ours and prints its rows as JSON: `FILE` (xlsx), or `FILE ENCODING SEPARATOR` (csv)."""

import csv
import json
import sys

import openpyxl


def workbook(path):
    """Each cell as value, type and format of openpyxl."""
    sheet = openpyxl.load_workbook(path).active
    rows = [[[str(cell.value), cell.data_type, cell.number_format] for cell in row] for row in sheet.iter_rows()]
    return {"rows": rows, "frozen": sheet.freeze_panes}


def table(path, encoding, separator):
    """Each cell as text."""
    with open(path, encoding=encoding, newline="") as file:
        return {"rows": list(csv.reader(file, delimiter=separator, strict=True))}


print(json.dumps(workbook(sys.argv[1]) if len(sys.argv) == 2 else table(*sys.argv[1:])))
