"""Subset the fonts of the preview pictures to Latin, Greek and Cyrillic letters.

Usage (once, when a font is updated; the results in api/home/public/cards/typefaces are committed):

    npm pack @expo-google-fonts/noto-sans@0.4.2 @expo-google-fonts/big-shoulders@0.4.1
    # unpack the two archives into folders, then:
    pip install fonttools
    python scripts/card-fonts.py NOTO_SANS_FOLDER BIG_SHOULDERS_FOLDER TARGET

The pictures need whole files, not web fonts cut by script: one line may mix all letters. The names
stay, because resvg ignores a font without a family name, and so does ``.notdef``, by which the
lettering recognises letters that a font lacks.
"""

import sys
from pathlib import Path

from fontTools import subset
from fontTools.ttLib import TTFont

RANGES = [(0x20, 0x7F), (0xA0, 0x530), (0x1E00, 0x1F00), (0x2010, 0x2028)]
RANGES += [(0x20A0, 0x20C0), (0x2190, 0x2194)]
SIGNS = [0x2030, 0x2032, 0x2033, 0x2039, 0x203A, 0x2122, 0x2212, 0x2260, 0x2264, 0x2265]
LETTERS = [*(code for start, end in RANGES for code in range(start, end)), *SIGNS]


def cut(source: Path, target: Path) -> None:
    """Write to ``target`` the glyphs of ``LETTERS`` that ``source`` has."""
    options = subset.Options()
    options.layout_features = ["kern", "liga", "mark", "mkmk", "ccmp", "locl", "lnum"]
    options.hinting = False
    options.name_IDs = ["*"]
    options.name_languages = ["*"]
    options.glyph_names = False
    options.notdef_outline = True
    font = TTFont(source)
    subsetter = subset.Subsetter(options)
    subsetter.populate(unicodes=LETTERS)
    subsetter.subset(font)
    font.save(target)
    print(f"{target.name} {target.stat().st_size / 1000:.1f} kB")


def main(noto: Path, shoulders: Path, target: Path) -> None:
    """Subset both fonts into ``target`` and copy their licences beside them."""
    cut(noto / "700Bold" / "NotoSans_700Bold.ttf", target / "noto-sans-bold.ttf")
    extra_bold = shoulders / "800ExtraBold" / "BigShoulders_800ExtraBold.ttf"
    cut(extra_bold, target / "big-shoulders-extrabold.ttf")
    (target / "noto-sans.LICENSE.txt").write_bytes((noto / "LICENSE_FONT").read_bytes())
    (target / "big-shoulders.LICENSE.txt").write_bytes((shoulders / "LICENSE_FONT").read_bytes())


if __name__ == "__main__":
    main(*(Path(argument) for argument in sys.argv[1:4]))
