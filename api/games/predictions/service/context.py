"""The dependencies of the predictor's calls."""

from dataclasses import dataclass

from api.foundation.database.database import Database
from api.games.matches.service.context import FixtureContext


@dataclass(frozen=True)
class PredictionContext:
    """The database, and matches as they are shown."""

    database: Database
    fixtures: FixtureContext
