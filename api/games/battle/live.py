"""State of connected players: the countdowns and the list of challengers.

All countdowns of a worker share one timer. It turns fifty times a second through fifty slots; a
round is in the slot of its deadline's fiftieth of a second, so that each is visited once a second
and no turn delays answers. The timer decides nothing: if a worker dies with its rounds, their
attempts still end in the database.
"""

import asyncio
import time
from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import islice
from math import ceil, inf
from typing import Protocol
from uuid import UUID

import structlog

from api.foundation.core import clock
from api.foundation.core.supervisor import Job
from api.foundation.database.database import Database
from api.foundation.database.lanes import Priority
from api.foundation.wire.schemas import Content, WireModel
from api.games.battle import service
from api.games.battle.rules import outcomes
from api.games.battle.rules.situation import Step
from api.games.battle.schemas import ChallengersList, TimeUp, TimeUpdate
from api.games.ranking.schemas import BoardPlace
from api.games.ranking.service import boards

log = structlog.get_logger(__name__)

SLOTS = 50  # turns of the timer per second: each writes to a fiftieth of the players
GRACE_SECONDS = 0.6  # slightly more than the grace period of an answer
RETRY_SECONDS = 1.0
LIST_SECONDS = 2.0  # how often a member's list of challengers may be sent
POLL_INTERVAL_SECONDS = 0.2  # how often a share of the players is checked, and every newcomer
AT_ONCE = 20  # lists written before yielding to other tasks
SWEEP_SECONDS = 2.0
REST_SECONDS = 15.0  # how often the timer reports that it is alive while there are no players
STUMBLE_SECONDS = 1.0  # the longest pause after failed turns, as countdowns continue meanwhile
ABANDONED_SECONDS = 2.0  # a deadline this long past is not counted by any worker


class Emit(Protocol):
    """Emits an event to sockets of this worker."""

    async def __call__(self, sids: Iterable[str], event: str, payload: WireModel | Content) -> None:
        """Send ``payload`` to each of ``sids`` that is still connected."""


@dataclass
class Player:
    """A socket in the Battle Zone, its row of the list, and the version it was last sent."""

    sid: str
    user_id: UUID
    row: Content
    shown: tuple[int, BoardPlace] | None = None
    checked_at: float = -inf


@dataclass
class Round:
    """A running question of a socket; ``due`` is its deadline on the monotonic clock."""

    sid: str
    user_id: UUID
    question_id: str
    due: float
    slot: int = field(init=False)
    is_up: bool = False

    def __post_init__(self) -> None:
        self.slot = ceil(self.due * SLOTS) % SLOTS


class Arena:
    """The players of one worker."""

    def __init__(self, database: Database, emit: Emit) -> None:
        self._database = database
        self._boards = database.lane(Priority.BOARDS)
        self._emit = emit
        self._players: dict[str, Player] = {}
        self._rounds: dict[str, Round] = {}
        self._slots: list[dict[str, Round]] = [{} for _ in range(SLOTS)]
        self._ending: deque[tuple[float, Round]] = deque()
        self._turned = int(time.monotonic() * SLOTS)
        self._tasks: set[asyncio.Task[None]] = set()
        self._best: list[Content] = []
        self._edition = 0
        self._in_use = asyncio.Event()

    def join(self, player: Player) -> None:
        """Add a socket that receives the list of challengers."""
        self._players[player.sid] = player
        self._in_use.set()

    def leave(self, sid: str) -> None:
        """Remove a socket; the database still ends its question in time."""
        self._players.pop(sid, None)
        self.stop(sid)

    def start(self, sid: str, user_id: UUID, question_id: str, deadline_at: datetime) -> None:
        """Start the countdown of a question for ``sid``, replacing any other."""
        self.stop(sid)
        due = time.monotonic() + (deadline_at - clock.now()).total_seconds()
        running = Round(sid, user_id, question_id, due)
        self._rounds[sid] = running
        self._slots[running.slot][sid] = running
        self._in_use.set()

    def stop(self, sid: str) -> None:
        """Stop the countdown of ``sid``."""
        running = self._rounds.pop(sid, None)
        if running is not None:
            self._slots[running.slot].pop(sid, None)

    def jobs(self) -> list[Job]:
        """Return the jobs of counting, listing and sweeping."""
        return [
            Job(
                name="battle_timer",
                step=self.turn,
                every_seconds=REST_SECONDS,
                rest_seconds=1 / SLOTS,
                wake=self._in_use,
                max_backoff_seconds=STUMBLE_SECONDS,
            ),
            Job(
                name="battle_challengers",
                step=self.show_challengers,
                every_seconds=POLL_INTERVAL_SECONDS,
                max_backoff_seconds=STUMBLE_SECONDS,
            ),
            Job(name="battle_sweep", step=self.sweep, every_seconds=SWEEP_SECONDS),
        ]

    async def turn(self) -> None:
        """Visit the slots due since the last turn; schedule another one while there are players."""
        now = int(time.monotonic() * SLOTS)
        for moment in range(max(self._turned + 1, now - SLOTS + 1), now + 1):
            await self._visit(moment)
        self._turned = now
        overdue = []
        while self._ending and self._ending[0][0] <= time.monotonic():
            _, running = self._ending.popleft()
            if self._rounds.get(running.sid) is running:
                overdue.append(running)
        if overdue:
            task = asyncio.create_task(self._end(overdue))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        if self._players or self._rounds or self._ending:
            self._in_use.set()

    async def show_challengers(self) -> None:
        """Send the list to players for whom it changed, a share of them at a time."""
        due = self._due_for_the_list()
        if not due:
            return
        board = await boards.challengers(
            self._boards, [player.user_id for player in due], clock.now()
        )
        best = ChallengersList(data=[row for _, row in board.best]).model_dump(mode="json")["data"]
        if best != self._best:
            self._best, self._edition = best, self._edition + 1
        places = {user_id: place for place, (user_id, _) in enumerate(board.best)}
        for number, player in enumerate(due, start=1):
            await self._show(player, board.place_of(player.user_id), places.get(player.user_id))
            if number % AT_ONCE == 0:
                await asyncio.sleep(0)  # let answers run first

    def _due_for_the_list(self) -> list[Player]:
        """Return the newcomers, and a tenth of the players not checked recently."""
        now = time.monotonic()
        share = ceil(len(self._players) * POLL_INTERVAL_SECONDS / LIST_SECONDS)
        newcomers = [player for player in self._players.values() if player.shown is None]
        others = islice(
            (
                player
                for player in self._players.values()
                if player.shown is not None and now - player.checked_at >= LIST_SECONDS
            ),
            share,
        )
        due = [*newcomers, *others]
        for player in due:
            player.checked_at = now
        return due

    async def _show(self, player: Player, mine: BoardPlace, place: int | None) -> None:
        """Send the list if it changed, with the member marked, or added below.

        A member without points is added with no rank.
        """
        seen = (self._edition, mine)
        if seen == player.shown:
            return
        player.shown = seen
        rows = self._best
        if place is not None:
            rows = [*rows[:place], {**rows[place], "me": True}, *rows[place + 1 :]]
        else:
            rows = [*rows, {**player.row, "rank": mine.rank, "points": mine.points}]
        await self._emit([player.sid], "challengers_list", {"data": rows})

    async def sweep(self) -> None:
        """End attempts that no worker counts down: lost connections, ended workers."""
        long_ago = clock.now() - timedelta(seconds=ABANDONED_SECONDS)
        await self._emit_results(await service.end_overdue(self._database, long_ago))

    async def _visit(self, moment: int) -> None:
        remaining: dict[int, list[str]] = {}
        for running in list(self._slots[moment % SLOTS].values()):
            seconds = round(running.due - moment / SLOTS)
            if seconds > 0:
                remaining.setdefault(seconds, []).append(running.sid)
            elif not running.is_up:
                running.is_up = True
                self._ending.append((running.due + GRACE_SECONDS, running))
                await self._emit([running.sid], "time_up", TimeUp(question_id=running.question_id))
        for seconds, sids in remaining.items():
            await self._emit(sids, "time_update", TimeUpdate(remaining_time=seconds))

    async def _end(self, overdue: list[Round]) -> None:
        """End the overdue attempts of this worker; those answered meanwhile keep their result."""
        try:
            steps = await service.end_overdue(
                self._database, clock.now(), [running.user_id for running in overdue]
            )
        except Exception:  # whatever the error, the time-outs are still due
            log.exception("time-outs could not be stored")
            again = time.monotonic() + RETRY_SECONDS
            self._ending.extend((again, running) for running in overdue)
            return
        await self._emit_results(steps)

    async def _emit_results(self, steps: Sequence[Step]) -> None:
        """Emit results to members who play on this worker, and skip the others."""
        if not steps:
            return
        sids = {
            (str(running.user_id), running.question_id): running.sid
            for running in self._rounds.values()
        }
        for step in steps:
            sid = sids.get((step["user_id"], step["question_id"]))
            if sid is not None:
                self.stop(sid)
                await self._emit([sid], "answer_result", outcomes.as_result(step))
