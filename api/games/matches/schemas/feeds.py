import re
from datetime import datetime
from typing import Annotated, Any

from pydantic import (
    AfterValidator,
    BeforeValidator,
    ConfigDict,
    Field,
    ValidationInfo,
    field_validator,
)

from api.foundation.core import clock
from api.foundation.wire.schemas import Moment, WireInput, WireModel
from api.games.matches.enums import FixtureState, TeamSide
from api.games.matches.rules.moving import MAX_FEED_ROWS, goals_problem
from api.games.matches.schemas.common import Goals, ScoredGoal, TeamText, Text, to_milliseconds

FEW_DIGITS = re.compile(r"[0-9]{1,4}")


def _read_text(value: object) -> object:
    """Parse a text or number as text; empty is None."""
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    return None if value == "" else value


def _read_number(value: object) -> object:
    if isinstance(value, str):
        text = value.strip()
        return int(text) if FEW_DIGITS.fullmatch(text) else text or None
    return value


def _read_lagos(value: object) -> object:
    """Parse a time without an offset as Lagos time; reject a date alone."""
    if not isinstance(value, str) or ":" not in value:
        return value
    try:
        moment = datetime.fromisoformat(value.strip())
    except ValueError:
        return value
    return value if moment.tzinfo is not None else moment.replace(tzinfo=clock.LAGOS)


def _read_state(value: object) -> object:
    return FixtureState.SCHEDULED if value is None or value == "" else value


def _read_scored(value: object) -> object:
    """Parse `home 12; away 45` as a list."""
    if not isinstance(value, str):
        return value
    found = []
    for part in filter(None, (one.strip() for one in value.split(";"))):
        side, _, minute = part.partition(" ")
        found.append({"side": side, "minute": _read_number(minute)})
    return found or None


FeedText = Annotated[Text | None, BeforeValidator(_read_text)]
FeedName = Annotated[Text, BeforeValidator(_read_text)]
FeedGoals = Annotated[Goals | None, BeforeValidator(_read_number)]


class FeedRow(WireInput):
    """A match from a feed; ``scored`` None means the minutes of the goals are unknown."""

    model_config = ConfigDict(alias_generator=None)

    ref: FeedName
    competition: FeedName
    season: FeedName
    round: FeedText = None
    home: TeamText
    away: TeamText
    kick_off_at: Annotated[Moment, AfterValidator(to_milliseconds), BeforeValidator(_read_lagos)]
    venue: FeedText = None
    state: Annotated[FixtureState, BeforeValidator(_read_state)] = Field(
        default=FixtureState.SCHEDULED, strict=False
    )
    home_goals: FeedGoals = None
    away_goals: Annotated[FeedGoals, Field(validate_default=True)] = None
    scored: Annotated[list[ScoredGoal] | None, BeforeValidator(_read_scored)] = None

    @field_validator("away_goals")
    @classmethod
    def _goals_fit(cls, away: int | None, info: ValidationInfo) -> int | None:
        known = info.data
        if {"state", "home_goals"} <= known.keys():
            problem = goals_problem(known["state"], known["home_goals"], away)
            if problem is not None:
                raise ValueError(problem)
        return away

    @field_validator("scored")
    @classmethod
    def _scored_fits(
        cls, scored: list[ScoredGoal] | None, info: ValidationInfo
    ) -> list[ScoredGoal] | None:
        for side in TeamSide:
            goals = info.data.get(f"{side}_goals") or 0
            if sum(one.side is side for one in scored or ()) > goals:
                raise ValueError("More goals are listed than were scored")
        return scored

    @property
    def goals(self) -> tuple[int, int] | None:
        """The goals of both teams, or None."""
        home, away = self.home_goals, self.away_goals
        return None if home is None or away is None else (home, away)


class FeedPush(WireInput):
    """The body of a push: rows as in ``FeedRow``, each validated separately."""

    rows: Annotated[list[dict[str, Any]], Field(max_length=MAX_FEED_ROWS)]


class FeedRefusal(WireModel):
    """Why a row is refused: a code or a sentence; ``column`` null means the whole row."""

    row: int
    column: str | None
    reason: str = Field(examples=["unknown_team"])


class FeedOutcome(WireModel):
    """The outcome of the rows, which count from 1."""

    accepted: int
    unchanged: int
    refused: list[FeedRefusal]


class FixtureImport(WireModel):
    """The result of checking a file; send it again with ``digest`` to import it."""

    digest: str
    applied: bool
    rows: int
    accepted: int
    unchanged: int
    problems: list[FeedRefusal]


IMPORT_FORM: dict[str, Any] = {
    "requestBody": {
        "required": True,
        "content": {
            "multipart/form-data": {
                "schema": {
                    "type": "object",
                    "required": ["file"],
                    "properties": {
                        "file": {"type": "string", "format": "binary"},
                        "digest": {
                            "type": "string",
                            "maxLength": 64,
                            "description": "The digest the check returned: imports the file",
                        },
                    },
                }
            }
        },
    }
}
"""The OpenAPI description of the body, which is streamed and not parsed by a model."""
