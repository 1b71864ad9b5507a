"""Changes of a match from any source: validation, storage and announcement.

Callers hold ``repository.lock_writing``, so there is one writer at a time.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from api.foundation.core.errors import NotFoundError
from api.foundation.core.ids import new_id
from api.foundation.database.database import Transaction
from api.games.matches.enums import FixtureState, TeamSide
from api.games.matches.errors import FixtureLockedError, SameFixtureError
from api.games.matches.repository import queries, writing
from api.games.matches.rules import moving
from api.games.matches.rules.moving import Goals, MatchStatus, Scored
from api.games.matches.rules.rows import MatchRow, NamedMatchRow
from api.games.matches.schemas.members import FixtureAnnouncement
from api.games.matches.service.context import FixtureContext
from api.games.matches.service.serializers import clubs_of, headline

CHANNEL = "fixture"


@dataclass(frozen=True)
class MatchDraft:
    """The new content of a match; ``scored`` None is derived from the goals."""

    competition_id: UUID
    round: str | None
    home_id: UUID
    away_id: UUID
    kick_off_at: datetime
    venue: str | None
    state: FixtureState
    goals: Goals
    scored: Scored | None = None

    def is_as(self, held: MatchRow) -> bool:
        """Return whether a stored match already has this content."""
        return (
            held.competition_id == self.competition_id
            and held.round == self.round
            and (held.home_id, held.away_id) == (self.home_id, self.away_id)
            and (held.kick_off_at, held.venue) == (self.kick_off_at, self.venue)
            and held.state == self.state
            and held.goals() == self.goals
            and self.scored in {None, scored_in(held)}
        )


def scored_in(row: MatchRow) -> Scored:
    """Return the scored goals of a row."""
    return tuple((TeamSide(one["side"]), one["minute"]) for one in row.scored)


async def write_match(
    context: FixtureContext,
    tx: Transaction,
    held: MatchRow | None,
    wanted: MatchDraft,
    origin: Mapping[str, Any],
    now: datetime,
) -> NamedMatchRow:
    """Insert or update a match, announce it to screens on commit, and return it.

    ``held`` is the locked current row; None inserts a match. ``origin`` identifies the writer.

    Raises:
        TooEarlyError: it cannot have been played before its kick-off.
        FixtureStateError: the change does not follow from its state.
        SameFixtureError: the teams have another match at that time.
        FixtureLockedError: same, for a feed, and an operator has written the other match.
    """
    fixture_id = new_id() if held is None else held.id
    values = await require_writable(tx, held, wanted, origin, now)
    clubs: set[UUID] = set()
    if held is None:
        await writing.insert_fixture(tx, {"id": fixture_id, **values})
    else:
        if (held.home_id, held.away_id) != (wanted.home_id, wanted.away_id):
            clubs |= clubs_of(await read(tx, fixture_id))
        await writing.change_fixture(tx, fixture_id, values)
    row = await read(tx, fixture_id)
    if held is not None:
        await context.follower.follow(tx, held, row)
    what = moving.what_happened(
        _previous_status(held, wanted), MatchStatus(wanted.state, wanted.goals, wanted.kick_off_at)
    )
    state = FixtureState(row.state)
    if what is not None and not moving.is_only_noted(row.version, state, row.kick_off_at, now):
        news = FixtureAnnouncement(clubs=sorted(clubs | clubs_of(row)), update=headline(row, what))
        await writing.announce(tx, CHANNEL, news.model_dump_json(by_alias=True))
    return row


async def require_writable(
    tx: Transaction,
    held: MatchRow | None,
    wanted: MatchDraft,
    origin: Mapping[str, Any],
    now: datetime,
) -> dict[str, Any]:
    """Return the values ``write_match`` would write; raises the same errors, writes nothing."""
    values = {**_values(held, wanted, now), **origin}
    same = await writing.find_same_match(tx, values, None if held is None else held.id)
    if same is not None:
        is_feed = "ref" in origin
        raise FixtureLockedError if is_feed and same.locked else SameFixtureError
    return values


async def read(tx: Transaction, fixture_id: UUID) -> NamedMatchRow:
    """Return a match with the names of its teams and competition."""
    row = await queries.read_fixture(tx, fixture_id)
    if row is None:
        raise NotFoundError
    return row


def _previous_status(held: MatchRow | None, wanted: MatchDraft) -> MatchStatus:
    """Return the previous state of a match; for a new one, scheduled at its own kick-off."""
    if held is None:
        return MatchStatus(FixtureState.SCHEDULED, None, wanted.kick_off_at)
    return MatchStatus(FixtureState(held.state), held.goals(), held.kick_off_at)


def _values(held: MatchRow | None, wanted: MatchDraft, now: datetime) -> dict[str, Any]:
    old = _previous_status(held, wanted)
    moving.require_move(old.state, wanted.state, wanted.kick_off_at, now)
    half, started_at = (None, None) if held is None else (held.half, held.phase_started_at)
    scored = wanted.scored
    if scored is None:
        known = () if held is None else scored_in(held)
        minute = moving.minute_of(old.state, half, started_at, now)
        scored = moving.scored_after(known, old.goals, wanted.goals, minute)
    home_goals, away_goals = wanted.goals or (None, None)
    return {
        "competition_id": wanted.competition_id,
        "round": wanted.round,
        "home_id": wanted.home_id,
        "away_id": wanted.away_id,
        "kick_off_at": wanted.kick_off_at,
        "venue": wanted.venue,
        "state": wanted.state,
        "phase_started_at": moving.phase_started_at(old.state, wanted.state, started_at, now),
        "half": moving.half_of(old.state, wanted.state, half),
        "home_goals": home_goals,
        "away_goals": away_goals,
        "scored": [{"side": side.value, "minute": minute} for side, minute in scored],
        "updated_at": now,
    }
