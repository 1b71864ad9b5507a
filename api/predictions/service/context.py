"""The dependencies of the predictor's calls."""

from dataclasses import dataclass

from api.database.database import Database
from api.fixtures.service.context import FixtureContext


@dataclass(frozen=True)
class PredictionContext:
    """The database, and matches as they are shown."""

    database: Database
    fixtures: FixtureContext
