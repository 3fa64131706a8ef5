"""Prints what is drawn on pages of a PDF as JSON: for each page given, the bounds of its filled shapes, and whether y grows downwards."""

import json
import sys

from pypdf import PageObject, PdfReader


def drawn(page: PageObject) -> dict[str, object]:
    points: list[list[float]] = []
    shapes: list[list[float]] = []
    is_flipped = False
    for operands, operator in page.get_contents().operations:
        values = [float(value) for value in operands] if operator in (b"cm", b"m", b"l", b"re") else []
        match operator:
            case b"cm":
                is_flipped |= values[3] < 0
            case b"m":
                points = [values]
            case b"l":
                points.append(values)
            case b"h" if len(points) >= 4:
                xs, ys = zip(*points)
                shapes.append([min(xs), min(ys), max(xs), max(ys)])
            case b"re":
                x, y, width, height = values
                shapes.append([x, y, x + width, y + height])
    return {"flipped": is_flipped, "shapes": shapes}


pages = PdfReader(sys.argv[1]).pages
print(json.dumps([drawn(pages[int(number)]) for number in sys.argv[2:]]))
