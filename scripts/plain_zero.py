"""Makes web/shared/ui/plain-zero/plain-zero.woff2: the portal's font with the digit zero alone, and that without its slash (D-PORTAL-15).

Needs `pip install fonttools==4.68.0 brotli==1.2.1`; to be run when the font changes.
"""

from pathlib import Path

from fontTools import subset
from fontTools.ttLib import TTFont
from fontTools.ttLib.tables import ttProgram
from fontTools.ttLib.tables._g_l_y_f import GlyphCoordinates

ROOT = Path(__file__).parent.parent
FONT = "atkinson-hyperlegible-next"
SOURCE = ROOT / f"node_modules/@fontsource-variable/{FONT}/files/{FONT}-latin-wght-normal.woff2"
TARGET = ROOT / "web/shared/ui/plain-zero/plain-zero.woff2"
NAME = "Zaehlwerk Plain Zero"

# The contours of the font's zeros: outline, and what the slash leaves of the counter on its lower left and upper right.
OUTLINE = range(16)
# From the counter's leftmost point to its lowest, the quarter that the slash does not touch.
QUARTER = [23, 24, 25, 26, 16]
ENDS = [15, 26, 38]


def counter(points: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """The whole counter: its lower left quarter, mirrored. Linear, and so the same for points and for what a weight adds to them."""
    quarter = [points[at] for at in QUARTER]
    left, lowest = quarter[0][1], quarter[-1][0]
    right_quarter = [(2 * lowest - x, y) for x, y in quarter]
    lower = quarter + right_quarter[-2::-1]
    upper = [(x, 2 * left - y) for x, y in lower[-2:0:-1]]
    return lower + upper


def without_slash(font: TTFont, name: str) -> None:
    """Takes the slash out of a zero, in every weight."""
    glyph = font["glyf"][name]
    if glyph.endPtsOfContours != ENDS:
        raise SystemExit(f"{name} is drawn otherwise than it was: {glyph.endPtsOfContours}")
    points, flags = list(glyph.coordinates), list(glyph.flags)
    inner = counter(points)
    glyph.coordinates = GlyphCoordinates([points[at] for at in OUTLINE] + inner)
    lower = [flags[at] for at in QUARTER] + [flags[at] for at in QUARTER][-2::-1]
    glyph.flags = bytearray([flags[at] for at in OUTLINE] + lower + lower[-2:0:-1])
    glyph.endPtsOfContours = [len(OUTLINE) - 1, len(OUTLINE) + len(inner) - 1]
    glyph.numberOfContours = 2
    glyph.program = ttProgram.Program()
    glyph.recalcBounds(font["glyf"])
    for variation in font["gvar"].variations[name]:
        deltas = variation.coordinates
        variation.coordinates = [deltas[at] for at in OUTLINE] + counter(deltas) + deltas[-4:]


def main() -> None:
    font = TTFont(SOURCE)
    options = subset.Options(layout_features=["tnum", "pnum"], hinting=False, notdef_outline=False, name_IDs=[0, 1, 2, 3, 4, 5, 6, 13, 14])
    subsetter = subset.Subsetter(options)
    subsetter.populate(text="0")
    subsetter.subset(font)
    # The tabular one is made of it.
    without_slash(font, font.getBestCmap()[ord("0")])
    # The licence asks for another name.
    for record in font["name"].names:
        if record.nameID in (1, 3, 4, 6):
            record.string = NAME.replace(" ", "") if record.nameID == 6 else NAME
    font.flavor = "woff2"
    font.save(TARGET)
    print(f"{TARGET.relative_to(ROOT)}: {TARGET.stat().st_size} bytes")


main()
