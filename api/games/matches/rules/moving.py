"""State changes of a match, the updates they cause, and limits of requests."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from api.games.matches.enums import FixtureNews as News
from api.games.matches.enums import FixtureState as State
from api.games.matches.enums import TeamSide as Side
from api.games.matches.errors import FixtureStateError, TooEarlyError

Goals = tuple[int, int] | None
Scored = tuple[tuple[Side, int], ...]

MAX_GOALS = 30
MAX_MINUTES = 130  # of a goal, extra time included
HALF_MINUTES = 45
NEWS_FOR = timedelta(hours=6)  # the longest match, delays included
FIRST_VERSION = 1  # of a match that was never changed
MATCH_LASTS = timedelta(hours=2)  # in a calendar, the break included
MAX_WATCHED = 20
MAX_FEED_ROWS = 200  # per request
MAX_IMPORTED = 1000
MAX_SPAN = timedelta(days=120)
BEHIND = timedelta(days=14)  # range of a calendar without dates
AHEAD = timedelta(days=28)

OFF = frozenset({State.SCHEDULED, State.CANCELLED, State.AWARDED})
MOVES: Mapping[State, frozenset[State]] = {
    State.SCHEDULED: frozenset(
        {
            *(State.SCHEDULED, State.LIVE, State.FINISHED),
            *(State.POSTPONED, State.CANCELLED, State.AWARDED),
        }
    ),
    State.LIVE: frozenset({State.LIVE, State.HALF_TIME, State.FINISHED, State.ABANDONED}),
    State.HALF_TIME: frozenset({State.HALF_TIME, State.LIVE, State.FINISHED, State.ABANDONED}),
    State.POSTPONED: OFF | {State.POSTPONED},
    State.ABANDONED: OFF | {State.ABANDONED},
    State.FINISHED: frozenset({State.FINISHED, State.AWARDED}),
    State.AWARDED: frozenset(),
    State.CANCELLED: frozenset(),
}
"""The allowed next states of each state; the same state is a correction."""

AFTER_KICK_OFF = frozenset({State.LIVE, State.HALF_TIME, State.FINISHED, State.ABANDONED})
WITH_GOALS = frozenset({State.LIVE, State.HALF_TIME, State.FINISHED, State.AWARDED})
WITHOUT_GOALS = frozenset({State.SCHEDULED, State.POSTPONED, State.CANCELLED})
RUNNING = frozenset({State.LIVE, State.HALF_TIME})
CAME_TO: Mapping[State, News] = {
    State.SCHEDULED: News.MOVED,
    State.HALF_TIME: News.HALF_TIME,
    State.FINISHED: News.FULL_TIME,
    **dict.fromkeys((State.POSTPONED, State.CANCELLED, State.ABANDONED, State.AWARDED), News.OFF),
}


@dataclass(frozen=True)
class MatchStatus:
    state: State
    goals: Goals
    kick_off_at: datetime


def require_move(old: State, new: State, kick_off_at: datetime, now: datetime) -> None:
    """Raise unless the state change is allowed now.

    Raises:
        FixtureStateError: it does not follow from the match's state.
        TooEarlyError: the match has not kicked off.
    """
    if new not in MOVES[old]:
        raise FixtureStateError(content={"status": old.value})
    if new in AFTER_KICK_OFF and kick_off_at > now:
        raise TooEarlyError


def phase_started_at(
    old: State | None, new: State, started_at: datetime | None, now: datetime
) -> datetime | None:
    """Return when the current phase began; None if none runs."""
    if new not in RUNNING:
        return None
    return started_at if new is old else now


def half_of(old: State, new: State, half: int | None) -> int | None:
    """Return the current half, 1 or 2; None if none runs."""
    if new is not State.LIVE:
        return None
    if old is State.HALF_TIME:
        return 2
    return half if old is State.LIVE else 1


def minute_of(
    state: State, half: int | None, started_at: datetime | None, now: datetime
) -> int | None:
    """Return the current minute, at most 45 and 90; None if no half runs."""
    if state is State.HALF_TIME:
        return HALF_MINUTES
    if half is None or started_at is None:
        return None
    played = int((now - started_at) / timedelta(minutes=1)) + 1
    return HALF_MINUTES * (half - 1) + max(1, min(played, HALF_MINUTES))


def goals_problem(state: State, home: int | None, away: int | None) -> str | None:
    """Return why the goals do not fit the state, or None."""
    goals = {home is None, away is None}
    if len(goals) > 1:
        return "Give the goals of both teams, or of none"
    if state in WITH_GOALS and True in goals:
        return "A match that was played has goals"
    if state in WITHOUT_GOALS and False in goals:
        return "A match that was not played has no goals"
    return None


def scored_after(scored: Scored, before: Goals, goals: Goals, minute: int | None) -> Scored:
    """Return the scored goals after a change: surplus ones are dropped, new ones scored now.

    ``before`` are the previous goals. Without a ``minute`` new goals are not recorded.
    """
    if goals is None:
        return ()
    kept: list[tuple[Side, int]] = []
    for side, was, wanted in zip(Side, before or (0, 0), goals, strict=True):
        kept += [one for one in scored if one[0] is side][:wanted]
        if minute is not None:
            kept += [(side, minute)] * (wanted - was)
    return tuple(sorted(kept, key=lambda one: one[1]))


def what_happened(old: MatchStatus, new: MatchStatus) -> News | None:
    """Return the update screens receive for a change; None if they do not need one."""
    if new.state is not old.state:
        if new.state is State.LIVE:
            return News.SECOND_HALF if old.state is State.HALF_TIME else News.KICK_OFF
        return CAME_TO[new.state]
    if new.goals != old.goals:
        both = zip(new.goals or (0, 0), old.goals or (0, 0), strict=True)
        is_less = any(now < then for now, then in both)
        return News.CORRECTION if is_less or new.state not in RUNNING else News.GOAL
    return News.MOVED if new.kick_off_at != old.kick_off_at else None


def is_only_noted(version: int, state: State, kick_off_at: datetime, now: datetime) -> bool:
    """Return whether screens need no update of a match: a new one to come, or a past one."""
    is_old = kick_off_at < now - NEWS_FOR
    return version == FIRST_VERSION and (state is State.SCHEDULED or is_old)


def news_of(state: State) -> News:
    """Return the update for a match whose last changes were missed."""
    return CAME_TO.get(state, News.CORRECTION)
