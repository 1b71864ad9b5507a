"""What today needs of games that are plugged in: the predictor, and battles of clubs."""

from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from api.database.database import Database
from api.security.members import Member
from api.today.enums import PredictState


@dataclass(frozen=True)
class ToPredict:
    """How many matches a member can predict and has not; ``closes_at`` is the first deadline."""

    state: PredictState
    left: int = 0
    closes_at: datetime | None = None


@dataclass(frozen=True)
class RunningClubBattle:
    """A battle of the member's club, from its lobby to full time."""

    path: str
    ends_at: datetime | None = None


class Predictor(Protocol):
    """Knows what a member can predict; the predictor's one way to the home screen."""

    async def to_predict(self, database: Database, member: Member, now: datetime) -> ToPredict:
        """Return what there is to predict."""


class ClubBattles(Protocol):
    """Knows the battles of clubs; their one way to the home screen."""

    async def running(
        self, database: Database, member: Member, now: datetime
    ) -> RunningClubBattle | None:
        """Return the battle that the member can join now, or None."""


class NoPredictor:
    """Nothing is predicted."""

    async def to_predict(self, _database: Database, _member: Member, _now: datetime) -> ToPredict:
        """Return that there is nothing."""
        return ToPredict(PredictState.NONE)


class NoClubBattles:
    """No club battles."""

    async def running(
        self, _database: Database, _member: Member, _now: datetime
    ) -> RunningClubBattle | None:
        """Return none."""
        return None
