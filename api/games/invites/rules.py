"""The form of codes, and who is rewarded; independent of the database."""

import secrets
from dataclasses import dataclass
from uuid import UUID, uuid5

REWARD_POINTS = 10
CAP = 5  # rewards of an inviter in a season
DAYS_TO_PLAY = 3  # counts days that count for a streak (F-33); not needed if the friend has paid
CODE_LENGTH = 8
# Without characters that are confused when read out.
ALPHABET = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"


def new_code() -> str:
    """Return an unguessable code: 8 of 31 characters."""
    return "".join(secrets.choice(ALPHABET) for _ in range(CODE_LENGTH))


def read_code(written: str) -> str | None:
    """Normalize a code, however it was typed; None if it cannot be one."""
    code = written.strip().upper()
    is_code = len(code) == CODE_LENGTH and set(code) <= set(ALPHABET)
    return code if is_code else None


@dataclass(frozen=True)
class RewardFacts:
    has_operator: bool
    shares_browser: bool
    is_inviter_here: bool
    rewarded_this_season: int


def rewards(company: RewardFacts) -> tuple[bool, bool]:
    """Return whether the inviter and the invited member are rewarded.

    Neither is if one of them is an operator, or if both joined from one browser. An inviter gets no
    reward if their account is deleted or suspended, or if they have reached the season's cap.
    """
    if company.has_operator or company.shares_browser:
        return False, False
    return company.is_inviter_here and company.rewarded_this_season < CAP, True


def award_reference(invited_id: UUID, *, of_inviter: bool) -> UUID:
    """Return the reference of the points of one of the two."""
    return uuid5(invited_id, "inviter" if of_inviter else "invited")
