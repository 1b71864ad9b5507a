"""The Battle Zone's socket events."""

import functools

from typing_extensions import override

from api.foundation.core import clock
from api.foundation.core.metrics import Metrics
from api.foundation.database.batch import Batcher
from api.foundation.database.database import Database
from api.foundation.realtime.namespaces import EventHandler, MemberNamespace
from api.foundation.security.identity import Identity
from api.foundation.security.members import Member
from api.foundation.wire.acknowledgements import Acknowledgement
from api.games.battle import service
from api.games.battle.enums import EntryState, StepKind
from api.games.battle.live import Arena, Player
from api.games.battle.rules import outcomes
from api.games.battle.rules.situation import PlayerSocket, Step
from api.games.battle.schemas import (
    AnswerQuestion,
    BattleEvent,
    EnterBattle,
    Entered,
    NextQuestion,
    StartTimer,
    TakenOver,
    TimerStarted,
)


class BattleNamespace(MemberNamespace):
    """``/battle-ground``: every step is stored before it is emitted."""

    def __init__(self, *, identity: Identity, metrics: Metrics, database: Database) -> None:
        super().__init__("/battle-ground", identity=identity, metrics=metrics)
        self._database = database
        self.arena = Arena(database, self.emit_here)
        self._judge = Batcher(functools.partial(service.judge, database))
        self.handle("enter_battle_zone", EventHandler(EnterBattle, self._enter))
        self.handle("next_question", EventHandler(NextQuestion, self._go_on))
        self.handle("answer_question", EventHandler(AnswerQuestion, self._answer_question))
        self.handle("start_timer", EventHandler(StartTimer, self._start_timer))

    @override
    async def prepare(self, sid: str, member: Member) -> None:
        """Make this socket addressable from other workers, which may have to take over its seat."""
        await self.enter_room(sid, sid)

    @override
    async def left(self, sid: str, member: Member) -> None:
        """Stop the countdown of a socket that is gone; the question still runs in the database."""
        self.arena.leave(sid)

    async def _enter(self, member: Member, sid: str, payload: EnterBattle) -> Acknowledgement:
        seat = _seat(member, sid, payload)
        step = await service.enter(self._database, seat, clock.now(), resume=payload.resume)
        if step.get("previous_sid"):
            await self._give_up_seat(step["previous_sid"])
        service.require_allowed(step)
        await self._join(member, sid)
        return await self._show(member, sid, step)

    async def _go_on(self, member: Member, sid: str, payload: NextQuestion) -> Acknowledgement:
        step = await service.go_on(self._database, _seat(member, sid, payload), clock.now())
        return await self._show(member, sid, step)

    async def _answer_question(
        self, member: Member, sid: str, payload: AnswerQuestion
    ) -> Acknowledgement:
        seat = _seat(member, sid, payload)
        given = service.given_answer(seat, payload.question_id, payload.answer, clock.now())
        step = await self._judge.submit(given)
        service.require_allowed(step)
        return await self._show(member, sid, step)

    async def _start_timer(self, member: Member, sid: str, payload: StartTimer) -> Acknowledgement:
        now = clock.now()
        deadline_at = await service.start_timer(
            self._database, _seat(member, sid, payload), payload.question_id, now
        )
        if deadline_at is not None:
            self.arena.start(sid, member.user_id, str(payload.question_id), deadline_at)
        return _acknowledged(TimerStarted(deadline_at=deadline_at, server_now=now))

    async def _show(self, member: Member, sid: str, step: Step) -> Acknowledgement:
        now = clock.now()
        match step["kind"]:
            case StepKind.QUESTION:
                question = outcomes.as_question(step, now)
                self.arena.start(sid, member.user_id, question.question.id, question.deadline_at)
                await self.emit_here([sid], "new_question", question)
                return _acknowledged(Entered(state=EntryState.QUESTION))
            case StepKind.RESULT:
                self.arena.stop(sid)
                await self.emit_here([sid], "answer_result", outcomes.as_result(step))
                return _acknowledged(Entered(state=EntryState.RESULT))
            case StepKind.FINISHED:
                finished = outcomes.as_finished(step, clock.next_midnight(now))
                await self.emit_here([sid], "no_more_questions", finished)
            case StepKind.ATTEMPTED:
                attempted = outcomes.as_attempted(clock.next_midnight(now))
                await self.emit_here([sid], "attempted_all_question", attempted)
            case StepKind.EMPTY:
                await self.emit_here([sid], "empty_question", outcomes.as_empty())
            case _:
                return _acknowledged(Entered(state=EntryState.IDLE))
        return _acknowledged(Entered(state=EntryState.ENDED))

    async def _join(self, member: Member, sid: str) -> None:
        row = await service.challenger(self._database, member)
        self.arena.join(Player(sid, member.user_id, row.model_dump(mode="json", by_alias=True)))

    async def _give_up_seat(self, sid: str) -> None:
        """Disconnect the socket that had the seat, on any worker."""
        self.arena.leave(sid)
        taken_over = TakenOver(message="You opened Battle Zone on another device")
        await self.push("session_taken_over", taken_over, room=sid)
        await self.disconnect(sid)


def _seat(member: Member, sid: str, payload: BattleEvent) -> PlayerSocket:
    if payload.user_id is not None:
        member.require_self(payload.user_id)
    if payload.club_id not in {None, member.club_id}:
        member.require_self(payload.club_id)
    return PlayerSocket(member.user_id, member.club_id, sid)


def _acknowledged(content: Entered | TimerStarted) -> Acknowledgement:
    return Acknowledgement(
        status=200, message="OK", data=content.model_dump(mode="json", by_alias=True)
    )
