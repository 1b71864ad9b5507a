"""Rows of matches."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID


@dataclass(frozen=True)
class MatchRow:
    id: UUID
    competition_id: UUID
    round: str | None
    home_id: UUID
    away_id: UUID
    kick_off_at: datetime
    venue: str | None
    state: str
    phase_started_at: datetime | None
    half: int | None
    home_goals: int | None
    away_goals: int | None
    scored: list[dict[str, Any]]
    source: str
    ref: str | None
    locked: bool
    version: int
    updated_at: datetime

    def goals(self) -> tuple[int, int] | None:
        """Return the goals of both teams, or None."""
        if self.home_goals is None or self.away_goals is None:
            return None
        return self.home_goals, self.away_goals


@dataclass(frozen=True)
class NamedMatchRow(MatchRow):
    competition: str
    season: str
    demo: bool
    has_table: bool
    home_club_id: UUID | None
    home_name: str
    away_club_id: UUID | None
    away_name: str
