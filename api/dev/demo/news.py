"""The demo's articles about the product's features, in the tone of a club."""

from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

FOLDER = Path(__file__).resolve().parent / "covers"


@dataclass(frozen=True)
class DemoArticle:
    """An article for all clubs, published ``ago``; ``body`` is Markdown.

    ``cover`` is the name of the picture in ``FOLDER``, without extension.
    """

    title: str
    cover: str
    ago: timedelta
    body: str

    @property
    def picture(self) -> Path:
        """The path of the picture, drawn by ``api.dev.demo.covers``."""
        return FOLDER / f"{self.cover}.webp"


ARTICLES = (
    DemoArticle(
        "Matches, results and the table are here",
        "match-night",
        timedelta(hours=2),
        """Open **Matches** at the bottom of the screen: who your club plays next, how it played,
and where it stands.

- During a match, goals appear automatically, with no need to reload.
- *Add to my calendar* puts a match into your phone's own calendar.
- *All clubs* shows every other club.

The season that you see in this demo is made up, and says so wherever it is shown.
""",
    ),
    DemoArticle(
        "Five questions a day keep your streak alive",
        "daily-quest",
        timedelta(hours=20),
        """The **Daily Quest** asks five questions about football each day. Your whole club gets
the same five.

Each right answer earns 5 points. After you submit, you see the correct answers, and why. The next
five come at midnight in Lagos.
""",
    ),
    DemoArticle(
        "How the Battle Zone makes a King of Fans",
        "king-of-fans",
        timedelta(days=2),
        """Answer against the clock, and rise: from Rookie, rank by rank, to **King of Fans**.

1. Every right answer in the Battle Zone is worth 10 points.
2. The server keeps the clock, so a slow network never costs you a question.
3. If your connection drops, you return to the same question with the time you have left.

The season's dates and ranks are on the Battle Zone's screen.
""",
    ),
    DemoArticle(
        "Your wallet, to the kobo",
        "wallet",
        timedelta(days=4),
        """Fund your wallet once, and buy without typing a card again.

Every transaction is in your **statement**, with what it was for, month by month, as a file if you
want one. What you pay twice by accident comes to your wallet: nothing is lost between your bank
and us.
""",
    ),
    DemoArticle(
        "Jerseys in your size, and how to track them",
        "jerseys",
        timedelta(days=6),
        """The shop tells you what is left in your size before you pay, and what delivery to your
state costs.

Each order has a page: paid, on its way, delivered. You can cancel it until it leaves, and the money
is back in your wallet at once.
""",
    ),
    DemoArticle(
        "Low on data? You don't need much",
        "low-data",
        timedelta(days=9),
        """The app is made for a phone on a slow network.

- It opens without a network, with what you read last.
- Videos wait until you tap them, and tell their size first.
- **Low data** in the settings leaves pictures out.

Put it on your home screen: *Install the app* is in the settings.
""",
    ),
)
