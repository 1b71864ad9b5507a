"""``python -m api.dev.demo.pictures``: draw the demo products as small flat SVG files.

Every picture is a square of 800 units: a tinted ground with a disc, a shadow, and the product in
three tones. The files are committed; a test compares them with what is drawn here.
"""

from collections.abc import Callable
from pathlib import Path

from api.dev.demo.clothes import (
    away_jersey,
    bucket_hat,
    cap,
    home_jersey,
    retro_jersey,
    scarf,
    tracksuit,
    training_top,
)
from api.dev.demo.things import boot_bag, flag, football, mug, vuvuzela, water_bottle

FOLDER = Path(__file__).resolve().parent / "pictures"

PICTURES: dict[str, Callable[[], str]] = {
    "home-jersey": home_jersey,
    "away-jersey": away_jersey,
    "retro-jersey": retro_jersey,
    "club-scarf": scarf,
    "terrace-cap": cap,
    "bucket-hat": bucket_hat,
    "enamel-mug": mug,
    "water-bottle": water_bottle,
    "training-top": training_top,
    "tracksuit": tracksuit,
    "match-football": football,
    "hand-flag": flag,
    "vuvuzela": vuvuzela,
    "boot-bag": boot_bag,
}


def main() -> None:
    """Write every picture."""
    FOLDER.mkdir(exist_ok=True)
    for slug, draw in PICTURES.items():
        (FOLDER / f"{slug}.svg").write_text(draw(), encoding="utf-8")


if __name__ == "__main__":
    main()
