"""The demo's clubs: real names, colours of our choosing, generated crests, no trademarks."""

from dataclasses import dataclass

NIGERIA = "NPFL"
ENGLAND = "Premier League"


@dataclass(frozen=True)
class DemoClub:
    """A club of the demo: ``competition`` groups the sign-up list, None puts it under Others.

    ``colours`` are two sRGB hex colours whose contrast to each other is at least 3.
    """

    slug: str
    name: str
    competition: str | None
    colours: tuple[str, str]


CLUBS = (
    DemoClub("enyimba", "Enyimba", NIGERIA, ("#0b4ea2", "#ffffff")),
    DemoClub("kano-pillars", "Kano Pillars", NIGERIA, ("#006b3f", "#ffd166")),
    DemoClub("rangers-international", "Rangers International", NIGERIA, ("#b3121d", "#ffffff")),
    DemoClub("remo-stars", "Remo Stars", NIGERIA, ("#16357a", "#7fd1ff")),
    DemoClub("arsenal", "Arsenal", ENGLAND, ("#c8102e", "#ffffff")),
    DemoClub("chelsea", "Chelsea", ENGLAND, ("#0a3d91", "#f4f1e6")),
    DemoClub("liverpool", "Liverpool", ENGLAND, ("#a50d26", "#ffe08a")),
    DemoClub("manchester-united", "Manchester United", ENGLAND, ("#1c1c1c", "#ff5a4d")),
    DemoClub("street-ballers", "Street Ballers", None, ("#2b1a4a", "#f7b32b")),
)
