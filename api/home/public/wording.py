"""Dates, minutes and scores as a page shows them, in Lagos time."""

from datetime import datetime, timedelta, timezone
from uuid import UUID

from api.games.matches.enums import FixtureState
from api.games.matches.schemas.members import FixtureAnswer
from api.home.public.schemas import PublicClub

MIN_SHOWN_FANS = 50  # fewer look like an empty place
LAGOS = timezone(timedelta(hours=1))  # no summer time
HALF_MINUTES = 45
MAX_DESCRIPTION_LENGTH = 160
DECIDED = frozenset({FixtureState.FINISHED, FixtureState.AWARDED})
RUNNING = frozenset({FixtureState.LIVE, FixtureState.HALF_TIME})
STATES = {
    FixtureState.HALF_TIME: "Half-time",
    FixtureState.FINISHED: "Full time",
    FixtureState.POSTPONED: "Postponed",
    FixtureState.CANCELLED: "Cancelled",
    FixtureState.ABANDONED: "Abandoned",
    FixtureState.AWARDED: "Awarded",
}


def day_and_time(moment: datetime) -> str:
    """Return a time as ``Sat 5 Dec, 4:00 pm``."""
    return f"{day(moment)}, {clock_time(moment)}"


def day(moment: datetime) -> str:
    """Return the day of a time as ``Sat 5 Dec``."""
    there = moment.astimezone(LAGOS)
    return f"{there:%a} {there.day} {there:%b}"


def long_day(moment: datetime) -> str:
    """Return the day of a time as ``5 December 2026``."""
    there = moment.astimezone(LAGOS)
    return f"{there.day} {there:%B} {there.year}"


def clock_time(moment: datetime) -> str:
    """Return a time of day as ``4:00 pm``."""
    there = moment.astimezone(LAGOS)
    return f"{there.hour % 12 or 12}:{there:%M} {'am' if there.hour < 12 else 'pm'}"


def state_of(match: FixtureAnswer, now: datetime) -> str:
    """Return a match's kick-off, minute (``63'``, ``90+``) or end."""
    if match.state is FixtureState.SCHEDULED:
        return day_and_time(match.kick_off_at)
    if match.state is not FixtureState.LIVE:
        return STATES[match.state]
    if match.phase_started_at is None:
        return "Live"
    is_second = match.half == 2
    played = max(0, int((now - match.phase_started_at).total_seconds()) // 60)
    if played >= HALF_MINUTES:
        return "90+" if is_second else "45+"
    return f"{played + 1 + (HALF_MINUTES if is_second else 0)}'"


def score_of(match: FixtureAnswer) -> str | None:
    """Return a score as ``2-1``, or None before the kick-off."""
    return None if match.goals is None else f"{match.goals.home}-{match.goals.away}"


def outcome_for(match: FixtureAnswer, club_id: UUID) -> str | None:
    """Return ``Won``, ``Drawn`` or ``Lost`` for a club's match; None before its end."""
    if match.goals is None or match.state not in DECIDED:
        return None
    own, other = match.goals.home, match.goals.away
    if match.home.club_id != club_id:
        own, other = other, own
    return "Drawn" if own == other else "Won" if own > other else "Lost"


def has_crowd(fans: int) -> bool:
    """Return whether there are enough fans to show their number."""
    return fans >= MIN_SHOWN_FANS


def fans_of(club: PublicClub) -> str:
    """Return the number of a club's fans, or an invitation while there are few."""
    if has_crowd(club.members):
        return f"{club.members:,} fans"
    return f"Be one of the first {club.name} fans here"


def shorten(text: str, limit: int = MAX_DESCRIPTION_LENGTH) -> str:
    """Return text in one line of at most ``limit`` characters, cut at a word."""
    line = " ".join(text.split())
    if len(line) <= limit:
        return line
    words, _, _ = line[:limit].rpartition(" ")
    return f"{words or line[: limit - 1]}…"
