"""Background folding of the boards in each worker."""

import asyncio

from api.foundation.core.supervisor import SKIPPED, Job, Skipped
from api.foundation.database.database import Database
from api.games.ranking.events import PointsAwarded
from api.games.ranking.service import boards
from api.people.clubs.service import queries as clubs_queries

FOLD_SECONDS = 1.0  # delay for awards of workers that have died
SIZES_SECONDS = 5.0
REST_SECONDS = 0.1  # awards within this time are folded together


class BoardFolder:
    """Folds soon after an award of this worker, and regularly for other workers' awards."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self.awarded = asyncio.Event()

    def jobs(self) -> list[Job]:
        """Return the jobs that fold the boards and the clubs' sizes."""
        return [
            Job(
                name="fold",
                step=self.fold,
                every_seconds=FOLD_SECONDS,
                rest_seconds=REST_SECONDS,
                wake=self.awarded,
            ),
            Job(name="club_sizes", step=self.fold_sizes, every_seconds=SIZES_SECONDS),
        ]

    async def on_points_awarded(self, _event: PointsAwarded) -> None:
        """Trigger folding."""
        self.awarded.set()

    async def fold(self) -> Skipped | None:
        """Fold pending awards, unless another worker is folding."""
        return None if await boards.fold(self._database) else SKIPPED

    async def fold_sizes(self) -> Skipped | None:
        """Fold the changes of club sizes; readers add those not folded yet."""
        return None if await clubs_queries.fold_sizes(self._database) else SKIPPED
