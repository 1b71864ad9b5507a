"""The demo members' chat messages, so that the rooms are not empty."""

from dataclasses import dataclass

PUBLIC: None = None


@dataclass(frozen=True)
class DemoLine:
    """One message; ``club`` is a demo club's slug, or None for the Public tab."""

    club: str | None
    person: str
    minutes_ago: int
    words: str


LINES = (
    DemoLine("enyimba", "chioma", 1480, "Who is going to Aba on Saturday?"),
    DemoLine("enyimba", "emeka", 1476, "Three of us from Umuahia. We leave at nine."),
    DemoLine("enyimba", "ngozi", 1471, "Save me a seat, I'll bring the drum."),
    DemoLine("enyimba", "obinna", 95, "The captain trained with the ball again this morning."),
    DemoLine("enyimba", "chioma", 92, "Then I'll sleep well tonight 💙"),
    DemoLine("enyimba", "kelechi", 31, "Daily quest had a hard one today. Four of five for me."),
    DemoLine(PUBLIC, "tunde", 1502, "Good evening from Ikenne. Who else watched the late game?"),
    DemoLine(PUBLIC, "aisha", 1499, "Half of it. Then NEPA took the other half."),
    DemoLine(PUBLIC, "femi", 1497, "Radio never fails me 📻"),
    DemoLine(PUBLIC, "yetunde", 410, "Battle Zone tonight. No mercy for anybody."),
    DemoLine(PUBLIC, "hauwa", 407, "We said that last week, and look at the board now 😄"),
    DemoLine(PUBLIC, "efe", 58, "Is the scarf in the shop the long one?"),
    DemoLine(PUBLIC, "folake", 55, "Yes, and it is warm. I wear it in the office."),
)
