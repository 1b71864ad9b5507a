"""Subset the web fonts to the product's languages: English, Yoruba, Igbo, Hausa and the naira sign.

Usage (once, when a font is updated; the results in src/fonts are committed):

    npm pack @fontsource-variable/noto-sans@5.3.0 @fontsource/big-shoulders@5.3.0
    # unpack the two archives into folders, then:
    pip install fonttools brotli
    python scripts/subset-fonts.py NOTO_SANS_FOLDER BIG_SHOULDERS_FOLDER src/fonts

Subsets first and narrows the weight axis afterwards: the other order fails inside fonttools with
``KeyError: 'space'``.
"""

import sys
from pathlib import Path

from fontTools import subset
from fontTools.ttLib import TTFont
from fontTools.varLib import instancer

LATIN = [*range(0x20, 0x7F), *range(0xA0, 0x100), 0x2013, 0x2014, 0x2018, 0x2019, 0x201C, 0x201D]
LATIN += [0x2022, 0x2026, 0x2212]
# The naira sign, the hooked letters of Hausa, the dotted letters and tone marks of Yoruba and Igbo.
NAIJA = [ord(letter) for letter in "₦ƁɓƊɗƘƙƳƴṢṣẸẹỌọỊịỤụŃńǸǹṄṅ\u0300\u0301"]
TEXT_WEIGHTS = (400, 700)


def cut(source: Path, letters: list[int], target: Path, weights: tuple[int, int] | None) -> None:
    """Write to ``target`` as woff2 the glyphs of ``letters`` that ``source`` has."""
    options = subset.Options()
    options.layout_features = ["kern", "liga", "mark", "mkmk", "ccmp", "locl", "tnum", "lnum"]
    options.flavor = "woff2"
    font = TTFont(source)
    subsetter = subset.Subsetter(options)
    subsetter.populate(unicodes=letters)
    subsetter.subset(font)
    if weights:
        instancer.instantiateVariableFont(font, {"wght": weights}, inplace=True)
    font.flavor = "woff2"
    font.save(target)
    print(f"{target.name} {target.stat().st_size / 1000:.1f} kB")


def main(noto: Path, shoulders: Path, target: Path) -> None:
    """Subset both families into ``target`` and copy their licences beside them."""
    text = noto / "files"
    cut(text / "noto-sans-latin-wght-normal.woff2", LATIN, target / "noto-sans.woff2", TEXT_WEIGHTS)
    for part in ("latin-ext", "vietnamese"):
        source = text / f"noto-sans-{part}-wght-normal.woff2"
        name = "naija" if part == "latin-ext" else "dots"
        cut(source, NAIJA, target / f"noto-sans-{name}.woff2", TEXT_WEIGHTS)
    display = shoulders / "files"
    cut(display / "big-shoulders-latin-800-normal.woff2", LATIN, target / "big-shoulders.woff2", None)
    for part in ("latin-ext", "vietnamese"):
        source = display / f"big-shoulders-{part}-800-normal.woff2"
        name = "naija" if part == "latin-ext" else "dots"
        cut(source, NAIJA, target / f"big-shoulders-{name}.woff2", None)
    (target / "noto-sans.LICENSE.txt").write_bytes((noto / "LICENSE").read_bytes())
    (target / "big-shoulders.LICENSE.txt").write_bytes((shoulders / "LICENSE").read_bytes())


if __name__ == "__main__":
    main(*(Path(argument) for argument in sys.argv[1:4]))
