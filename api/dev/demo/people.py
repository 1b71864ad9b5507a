"""The demo's members. Only those who sign in have a password."""

from dataclasses import dataclass


@dataclass(frozen=True)
class DemoPerson:
    """A demo member; ``club`` is a demo club's slug, ``wallet_kobo`` what the wallet opens with."""

    slug: str
    first_name: str
    last_name: str
    club: str
    phone: str
    email: str
    wallet_kobo: int = 0
    is_operator: bool = False
    signs_in: bool = True


PEOPLE = (
    DemoPerson(
        "ada",
        "Ada Grace",
        "Obi",
        "enyimba",
        "+2348030000001",
        "ada@example.com",
        wallet_kobo=2_500_000,
    ),
    DemoPerson("bello", "Bello", "Musa", "arsenal", "+2348030000002", "bello@example.com"),
    DemoPerson(
        "ops",
        "Ops",
        "Desk",
        "enyimba",
        "+2348030000003",
        "ops@example.com",
        is_operator=True,
    ),
)
