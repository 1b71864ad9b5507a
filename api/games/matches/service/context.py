"""The dependencies of matches and feeds."""

from dataclasses import dataclass, field

from api.foundation.database.database import Database
from api.games.matches.ports import MatchObserver, NoPredictions, NullMatchObserver, Predictions


@dataclass(frozen=True)
class FixtureContext:
    """The database, the key of pushed feeds, the predictions, and the observer of matches."""

    database: Database
    feed_key: str = field(repr=False)
    predictions: Predictions = field(default_factory=NoPredictions)
    follower: MatchObserver = field(default_factory=NullMatchObserver)
