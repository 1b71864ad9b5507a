"""The demo's clubs: real names, colours of our choosing, generated crests, no trademarks."""

from dataclasses import dataclass

NIGERIA = "NPFL"
ENGLAND = "Premier League"


@dataclass(frozen=True)
class DemoClub:
    """A club of the demo: ``competition`` groups the sign-up list, None puts it under Others.

    ``colours`` are two sRGB hex colours whose contrast to each other is at least 3. ``town`` is
    where it plays at home; without matches, None.
    """

    slug: str
    name: str
    competition: str | None
    colours: tuple[str, str]
    town: str | None = None


CLUBS = (
    DemoClub("enyimba", "Enyimba", NIGERIA, ("#0b4ea2", "#ffffff"), "Aba"),
    DemoClub("kano-pillars", "Kano Pillars", NIGERIA, ("#006b3f", "#ffd166"), "Kano"),
    DemoClub(
        "rangers-international", "Rangers International", NIGERIA, ("#b3121d", "#ffffff"), "Enugu"
    ),
    DemoClub("remo-stars", "Remo Stars", NIGERIA, ("#16357a", "#7fd1ff"), "Ikenne"),
    DemoClub("arsenal", "Arsenal", ENGLAND, ("#c8102e", "#ffffff"), "London"),
    DemoClub("chelsea", "Chelsea", ENGLAND, ("#0a3d91", "#f4f1e6"), "London"),
    DemoClub("liverpool", "Liverpool", ENGLAND, ("#a50d26", "#ffe08a"), "Liverpool"),
    DemoClub(
        "manchester-united", "Manchester United", ENGLAND, ("#1c1c1c", "#ff5a4d"), "Manchester"
    ),
    DemoClub("street-ballers", "Street Ballers", None, ("#2b1a4a", "#f7b32b")),
)
