from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol
from uuid import UUID

from api.foundation.database.database import Runner, Transaction
from api.games.matches.enums import FixtureSource
from api.games.matches.rules.rows import MatchRow
from api.games.matches.schemas.members import CrowdPrediction, OwnPrediction


@dataclass(frozen=True)
class FeedLine:
    """A row of a feed: its position, and its values by column.

    The columns are those of ``FeedRow``. Numbers may be given as texts and vice versa; a time
    without an offset is in Lagos.
    """

    row: int
    values: Mapping[str, Any]


class FixtureFeed(Protocol):
    """A source of matches. Reading is idempotent: known content changes nothing."""

    @property
    def source(self) -> FixtureSource:
        """The source its matches are stored under; a ``ref`` is unique per source."""

    async def read(self, since: datetime | None) -> Sequence[FeedLine]:
        """Return at least the changes since then; None means everything.

        Raises:
            DomainError: the feed cannot be read.
        """


@dataclass(frozen=True)
class MatchPredictions:
    """The predictions of a match, by the requesting member and by all."""

    own: OwnPrediction | None = None
    crowd: CrowdPrediction | None = None


class Predictions(Protocol):
    """Reads predictions; the only access to the predictor for what members see of matches."""

    async def read(
        self, runner: Runner, user_id: UUID, fixture_ids: Sequence[UUID]
    ) -> Mapping[UUID, MatchPredictions]:
        """Return the predictions of some matches; a match without any may be missing."""


class NoPredictions:
    """Predictions of an application without a predictor."""

    async def read(
        self, _runner: Runner, _user_id: UUID, _fixture_ids: Sequence[UUID]
    ) -> Mapping[UUID, MatchPredictions]:
        """Return nothing."""
        return {}


class MatchObserver(Protocol):
    """Observes changes of matches, in the transaction that writes them."""

    async def follow(self, tx: Transaction, before: MatchRow, after: MatchRow) -> None:
        """React to a change of a match; both rows are of it, and the caller holds its lock."""


class NullMatchObserver:
    """Ignores changes of matches."""

    async def follow(self, _tx: Transaction, _before: MatchRow, _after: MatchRow) -> None:
        """Do nothing."""
