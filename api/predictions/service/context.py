"""What the calls of the predictor work with."""

from dataclasses import dataclass
from datetime import timedelta

from api.database.database import Database
from api.database.rate_limit import Limit, RateLimiter
from api.fixtures.service import FixtureContext

WRITES = Limit("prediction", 60, timedelta(minutes=1))


@dataclass(frozen=True)
class PredictionContext:
    """The database, matches as they are shown, and how often a member may write."""

    database: Database
    fixtures: FixtureContext
    limiter: RateLimiter
