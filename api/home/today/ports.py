from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from api.foundation.database.database import Database
from api.foundation.security.members import Member
from api.games.predictions.enums import PredictState
from api.games.predictions.ports import ToPredict


@dataclass(frozen=True)
class RunningClubBattle:
    """A battle of the member's club, from its lobby to full time."""

    path: str
    ends_at: datetime | None = None


class Predictor(Protocol):
    """Reads a member's open predictions; the predictor's only access to the home screen."""

    async def to_predict(self, database: Database, member: Member, now: datetime) -> ToPredict:
        """Return the member's open matches."""


class ClubBattles(Protocol):
    """Reads the battles of clubs; their only access to the home screen."""

    async def running(
        self, database: Database, member: Member, now: datetime
    ) -> RunningClubBattle | None:
        """Return the battle the member can join now, or None."""


class NoPredictor:
    """A home screen without the predictor."""

    async def to_predict(self, _database: Database, _member: Member, _now: datetime) -> ToPredict:
        """Return no open matches."""
        return ToPredict(PredictState.NONE)


class NoClubBattles:
    """A home screen without club battles."""

    async def running(
        self, _database: Database, _member: Member, _now: datetime
    ) -> RunningClubBattle | None:
        """Return None."""
        return None
