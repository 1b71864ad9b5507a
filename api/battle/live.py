"""What lives only while sockets play: the countdowns and the list of challengers.

All countdowns of a worker share one timer. It turns fifty times a second through fifty slots;
a round lies in the slot of its deadline's fiftieth of a second, so that each is visited once a
second and no turn keeps answers waiting. Nothing here decides anything: a round that is lost with
its worker was only not counted down, and its attempt ends in the database all the same.
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

from api.battle import rules, service
from api.battle.rules import Step
from api.battle.schemas import ChallengersList, TimeUp, TimeUpdate
from api.core import clock
from api.core.supervisor import Job
from api.database.database import Database
from api.database.lanes import Lane
from api.http.wire import Content, WireModel
from api.ranking import service as ranking
from api.ranking.schemas import Standing

log = structlog.get_logger(__name__)

SLOTS = 50  # turns of the timer a second: each writes to a fiftieth of the players
GRACE_SECONDS = 0.6  # a little more than what an answer is granted
RETRY_SECONDS = 1.0
LIST_SECONDS = 2.0  # how often a member's list of challengers may be sent
POLL_INTERVAL_SECONDS = 0.2  # how often a share of the players is looked at, and every newcomer
AT_ONCE = 20  # lists written before others get a turn
SWEEP_SECONDS = 2.0
REST_SECONDS = 15.0  # how often the timer says that it lives while nobody plays
STUMBLE_SECONDS = 1.0  # the longest pause after bad turns: countdowns go on meanwhile
ABANDONED_SECONDS = 2.0  # a deadline this long past has no worker that counts it


class Tell(Protocol):
    """Sends one event to sockets of this worker."""

    async def __call__(self, sids: Iterable[str], event: str, payload: WireModel | Content) -> None:
        """Send ``payload`` to each of ``sids`` that is still connected."""


@dataclass
class Player:
    """A socket in the Battle Zone, its row of the list, and which list it was shown last."""

    sid: str
    user_id: UUID
    row: Content
    shown: tuple[int, Standing] | None = None
    looked_at: float = -inf


@dataclass
class Round:
    """One running question of one socket; ``due`` is its deadline on the monotonic clock."""

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

    def __init__(self, database: Database, tell: Tell) -> None:
        self._database = database
        self._boards = database.lane(Lane.BOARDS)
        self._tell = tell
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
        """Let a socket see the challengers from now on."""
        self._players[player.sid] = player
        self._in_use.set()

    def leave(self, sid: str) -> None:
        """Forget a socket; its question's time runs on in the database."""
        self._players.pop(sid, None)
        self.stop(sid)

    def start(self, sid: str, user_id: UUID, question_id: str, deadline_at: datetime) -> None:
        """Count a question down for ``sid``, instead of any other."""
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
        """Return what has to be done again and again: counting, listing and sweeping."""
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
        """Visit the slots whose time has come since the last turn; another comes while any play."""
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
        """Send the list to those for whom it changed, a share of the players at a time."""
        due = self._due_for_the_list()
        if not due:
            return
        board = await ranking.challengers(
            self._boards, [player.user_id for player in due], clock.now()
        )
        best = ChallengersList(data=[row for _, row in board.best]).model_dump(mode="json")["data"]
        if best != self._best:
            self._best, self._edition = best, self._edition + 1
        places = {user_id: place for place, (user_id, _) in enumerate(board.best)}
        for number, player in enumerate(due, start=1):
            await self._show(player, board.standing(player.user_id), places.get(player.user_id))
            if number % AT_ONCE == 0:
                await asyncio.sleep(0)  # answers go first

    def _due_for_the_list(self) -> list[Player]:
        """Return who has just come, and a tenth of those who have not been looked at lately."""
        now = time.monotonic()
        share = ceil(len(self._players) * POLL_INTERVAL_SECONDS / LIST_SECONDS)
        newcomers = [player for player in self._players.values() if player.shown is None]
        others = islice(
            (
                player
                for player in self._players.values()
                if player.shown is not None and now - player.looked_at >= LIST_SECONDS
            ),
            share,
        )
        due = [*newcomers, *others]
        for player in due:
            player.looked_at = now
        return due

    async def _show(self, player: Player, mine: Standing, place: int | None) -> None:
        """Send the list, with the member marked or added below, unless it is as it was.

        A member without points is added, too, with no rank.
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
        await self._tell([player.sid], "challengers_list", {"data": rows})

    async def sweep(self) -> None:
        """End the attempts that nobody counts down: dropped phones, ended workers."""
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
                await self._tell([running.sid], "time_up", TimeUp(question_id=running.question_id))
        for seconds, sids in remaining.items():
            await self._tell(sids, "time_update", TimeUpdate(remaining_time=seconds))

    async def _end(self, overdue: list[Round]) -> None:
        """End attempts that ran out here; whoever was answered meanwhile has the result already."""
        try:
            steps = await service.end_overdue(
                self._database, clock.now(), [running.user_id for running in overdue]
            )
        except Exception:  # whatever it was, the time-outs are due all the same
            log.exception("time-outs could not be stored")
            again = time.monotonic() + RETRY_SECONDS
            self._ending.extend((again, running) for running in overdue)
            return
        await self._emit_results(steps)

    async def _emit_results(self, steps: Sequence[Step]) -> None:
        """Tell those of the members who play on this worker; the others are elsewhere or away."""
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
                await self._tell([sid], "answer_result", rules.as_result(step))
