"""``python -m api.dev.demo.covers``: draw the pictures of the demo articles as WebP files.

Every picture is 1200 by 675 pixels, and what matters is in its central square: lists show that one
alone, and previews cover the lower half with the title. The files are committed; a test compares
them with what is drawn here.
"""

import io
from collections.abc import Callable
from pathlib import Path

import resvg_py
from PIL import Image

from api.dev.demo.grounds import low_data, match_night
from api.dev.demo.prizes import jerseys, king, quest, wallet
from api.dev.demo.scenery import HEIGHT, WIDTH
from api.home.public.cards.lettering import Typeface

FOLDER = Path(__file__).resolve().parent / "covers"
QUALITY = 74

COVERS: dict[str, Callable[[], str]] = {
    "match-night": match_night,
    "daily-quest": quest,
    "king-of-fans": king,
    "wallet": wallet,
    "jerseys": jerseys,
    "low-data": low_data,
}


def draw(slug: str) -> Image.Image:
    """Return a picture as RGB."""
    png = resvg_py.svg_to_bytes(
        svg_string=COVERS[slug](),
        width=WIDTH,
        height=HEIGHT,
        skip_system_fonts=True,
        font_files=[str(face.path) for face in Typeface],
    )
    with Image.open(io.BytesIO(png), formats=("PNG",)) as picture:
        return picture.convert("RGB")


def main() -> None:
    """Write every picture."""
    FOLDER.mkdir(exist_ok=True)
    for slug in COVERS:
        draw(slug).save(FOLDER / f"{slug}.webp", "WEBP", quality=QUALITY, method=6)


if __name__ == "__main__":
    main()
