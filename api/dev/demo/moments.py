"""The demo's shared moments.

Each clip of ``clips`` shows a pitch that was drawn on a browser's canvas and recorded as WebM; its
poster is the last frame as WebP. They show no people and have no sound.
"""

from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

FOLDER = Path(__file__).resolve().parent / "clips"


@dataclass(frozen=True)
class DemoMoment:
    """A moment that ``person`` shared ``ago``, and the members who applaud it.

    ``clip`` is the name of the video and the poster in ``FOLDER``, without extension.
    """

    clip: str
    person: str
    title: str
    content: str
    ago: timedelta
    applauded_by: tuple[str, ...]

    @property
    def video(self) -> Path:
        """The path of the clip."""
        return FOLDER / f"{self.clip}.webm"

    @property
    def poster(self) -> Path:
        """The path of the poster."""
        return FOLDER / f"{self.clip}.webp"


MOMENTS = (
    DemoMoment(
        "enyimba-goal",
        "chioma",
        "Top left, and the terrace came down",
        "Drawn from memory: ninetieth minute, no chance for the keeper.",
        timedelta(hours=3),
        ("emeka", "ngozi", "amaka", "kelechi"),
    ),
    DemoMoment(
        "enyimba-drums",
        "emeka",
        "The goal that the drums called for",
        "You have to imagine the drums.",
        timedelta(days=1, hours=2),
        ("chioma", "uju"),
    ),
    DemoMoment(
        "arsenal-corner",
        "yetunde",
        "Straight from the corner",
        "We counted it twice.",
        timedelta(hours=6),
        ("femi", "ebere"),
    ),
)
