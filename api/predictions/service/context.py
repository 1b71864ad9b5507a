"""What the calls of the predictor work with."""

from dataclasses import dataclass

from api.database.database import Database
from api.fixtures.service import FixtureContext


@dataclass(frozen=True)
class PredictionContext:
    """The database, and matches as they are shown."""

    database: Database
    fixtures: FixtureContext
