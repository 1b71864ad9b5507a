"""What codes look like, and who is rewarded; no database here."""

import secrets
from dataclasses import dataclass
from uuid import UUID, uuid5

REWARD_POINTS = 10
CAP = 5  # rewards of an inviter in a season
DAYS_TO_PLAY = 3  # of those that count for a streak (F-33), unless the friend has paid
CODE_LENGTH = 8
# Without what is mistaken for something else when it is read out.
ALPHABET = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"


def new_code() -> str:
    """Return a code that nobody can guess: 8 of 31 signs."""
    return "".join(secrets.choice(ALPHABET) for _ in range(CODE_LENGTH))


def read_code(written: str) -> str | None:
    """Return a code as it is kept, however it was typed; None for what cannot be one."""
    code = written.strip().upper()
    is_code = len(code) == CODE_LENGTH and set(code) <= set(ALPHABET)
    return code if is_code else None


@dataclass(frozen=True)
class Company:
    """Who invited whom, as far as a reward depends on it."""

    has_operator: bool
    shares_browser: bool
    is_inviter_here: bool
    rewarded_this_season: int


def rewards(company: Company) -> tuple[bool, bool]:
    """Say whether the inviter and the invited are rewarded.

    Nobody is when one of them is an operator, or when both came in from one browser. An inviter who
    has left, is suspended or has been rewarded often enough in the season gets nothing more.
    """
    if company.has_operator or company.shares_browser:
        return False, False
    return company.is_inviter_here and company.rewarded_this_season < CAP, True


def award_reference(invited_id: UUID, *, of_inviter: bool) -> UUID:
    """Return what names the points of one of the two."""
    return uuid5(invited_id, "inviter" if of_inviter else "invited")
