"""The versions of the legal texts."""

import functools
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from api.people.legal.enums import LegalPage

TEXTS = Path(__file__).with_name("texts")
TITLES = {
    LegalPage.PRIVACY: "Privacy policy",
    LegalPage.REFUND: "Refund policy",
    LegalPage.TERMS: "Terms and conditions",
}
DESCRIPTIONS = {
    LegalPage.PRIVACY: "What King of Fans stores about you, why, for how long, and your rights "
    "under the Nigeria Data Protection Act 2023.",
    LegalPage.REFUND: "When you get money back for orders, plans and wallet fundings, how, and how "
    "fast.",
    LegalPage.TERMS: "The agreement between you and the club: account, wallet, shop, plans, games, "
    "chat, suspension, deletion and the law that applies.",
}


@dataclass(frozen=True)
class TextVersion:
    """A version of all three texts; ``digest`` is that of the files before they are filled."""

    name: str
    published_on: date
    digest: str


# A changed text needs a new entry at the end: a test compares the last digest with the files. The
# publisher's details are filled in later, so they make no version.
VERSIONS = (
    TextVersion(
        "1.0",
        date(2026, 11, 27),
        "f559b2bf755e35d1442f55ec478e3b8d9548cf8da1000410573715e45171304d",
    ),
)
CURRENT = VERSIONS[-1]


@functools.cache
def text_of(page: LegalPage) -> str:
    """Return the text of a page, with ``$name`` and others to fill in."""
    return (TEXTS / f"{page.value}.html").read_text(encoding="utf-8")
