"""What lives only while the process does: the worker's share of folding the boards."""

import asyncio

from api.clubs import service as clubs
from api.core.supervisor import TAKEN, Job, Taken
from api.database.database import Database
from api.ranking import service
from api.ranking.events import PointsAwarded

FOLD_SECONDS = 1.0  # awards of workers that have died wait for so long
SIZES_SECONDS = 5.0
REST_SECONDS = 0.1  # awards that come together are folded together


class BoardFolder:
    """Folds soon after an award of this worker, and now and then for the others."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self.awarded = asyncio.Event()

    def jobs(self) -> list[Job]:
        """Return what folds again and again: the boards, and the clubs' sizes."""
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

    async def hear(self, _event: PointsAwarded) -> None:
        """Take notice that there is something to fold."""
        self.awarded.set()

    async def fold(self) -> Taken | None:
        """Fold what is pending, unless another worker is at it."""
        return None if await service.fold(self._database) else TAKEN

    async def fold_sizes(self) -> Taken | None:
        """Add who came and left to the clubs' sizes; readers add what is not folded yet."""
        return None if await clubs.fold_sizes(self._database) else TAKEN
