"""A member's quest: opening, submitting, and the time of the next one.

No right answer is revealed before the submit: the statement that reads a quest's questions excludes
it. Locks are acquired in one order: the idempotency key, the attempt, the member's totals.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any
from uuid import UUID

from api.foundation.core.clock import lagos_day, next_midnight
from api.foundation.core.errors import InvalidFieldError
from api.foundation.core.ids import new_id
from api.foundation.database.database import Database, Transaction
from api.foundation.database.days import Day, DayActivity
from api.foundation.database.idempotency import Attempt, once
from api.games.achievements.enums import BadgeKey
from api.games.achievements.service import badges as achievements_badges
from api.games.achievements.service import streaks
from api.games.invites import service as invites
from api.games.questions.schemas import label_options
from api.games.ranking.enums import PointSource
from api.games.ranking.repository.awards import Award
from api.games.ranking.service import boards, seasons
from api.games.trivia import rules
from api.games.trivia.enums import QuestState
from api.games.trivia.errors import AlreadyAttemptedError, NoDailyQuestError
from api.games.trivia.repository import attempts, sets
from api.games.trivia.repository.attempts import QuestAttempt, QuestQuestion
from api.games.trivia.schemas import (
    DailyAttempt,
    ReviewedQuestion,
    SubmitAnswer,
    SubmitInput,
    TriviaQuestion,
)

ROUTE = "trivia"


@dataclass(frozen=True)
class Quest:
    """The questions a member may answer now; empty and not submitted means there are none."""

    questions: list[TriviaQuestion]
    is_submitted: bool


@dataclass(frozen=True)
class QuestToday:
    """The state of the day's quest; ``points`` and ``correct`` once it is done.

    ``total`` is its number of questions.
    """

    state: QuestState
    total: int
    points: int | None = None
    correct: int | None = None


@dataclass(frozen=True)
class Submitted:
    """The outcome of a submit; ``replayed`` if an earlier call with the key made it."""

    answer: SubmitAnswer
    replayed: bool


async def open_quest(
    database: Database, user_id: UUID, club_id: UUID, *, size: int, now: datetime
) -> Quest:
    """Return the questions of the Lagos day at ``now``; always the same, in the same order.

    The first request of a club freezes its set of up to ``size`` questions. An empty bank freezes
    nothing, so that questions added later that day are asked.
    """
    day = lagos_day(now)
    attempt = await attempts.read_attempt(database, user_id, day)
    if attempt is None:
        async with database.transaction() as tx:
            await _begin(tx, user_id, club_id, day, size, now)
        attempt = await attempts.read_attempt(database, user_id, day)
    if attempt is None:
        return Quest([], is_submitted=False)
    if attempt.submitted_at is not None:
        return Quest([], is_submitted=True)
    ids = [UUID(item["question"]) for item in attempt.shown]
    asked = await attempts.list_questions(database, ids)
    return Quest(
        [
            TriviaQuestion(**_shown(item, asked[question_id]))
            for item, question_id in zip(attempt.shown, ids, strict=True)
        ],
        is_submitted=False,
    )


async def _begin(
    tx: Transaction, user_id: UUID, club_id: UUID, day: date, size: int, now: datetime
) -> None:
    """Insert a member's attempt at the club's frozen set, unless the set is empty."""
    questions = await sets.read_set(tx, club_id, day)
    if not questions:
        await freeze_set(tx, club_id, day, size)
        questions = await sets.read_set(tx, club_id, day)
    if questions:
        shown = rules.draw_order(questions)
        await attempts.insert_attempt(
            tx, attempts.NewAttempt(new_id(), user_id, club_id, day, shown, now)
        )


async def freeze_set(tx: Transaction, club_id: UUID, day: date, size: int) -> None:
    """Freeze a club's questions of a day, unless there are none.

    The club's schedule is used, else that for all clubs, without questions retired since; without a
    schedule the set is drawn.
    """
    await sets.lock_schedule(tx, day, shared=True)
    drawn = await sets.list_scheduled(tx, club_id, day) or rules.draw_set(
        await sets.list_candidates(tx, club_id, day), day, size
    )
    if drawn:
        await sets.insert_set(tx, club_id, day, drawn)


async def daily_attempt(database: Database, user_id: UUID, now: datetime) -> DailyAttempt:
    """Return the member's attempt of the Lagos day at ``now``."""
    day = lagos_day(now)
    attempt = await attempts.read_attempt(database, user_id, day)
    async with database.transaction() as tx:
        review = []
        if attempt is not None and attempt.choices is not None:
            review = await _review(tx, attempt.shown, attempt.choices)
    points = None if attempt is None else attempt.points
    streak = await streaks.read_streak(database, user_id, now)
    return DailyAttempt(
        points=points,
        point=points,
        correct=None if attempt is None else attempt.correct,
        total=len(review) or None,
        day=day,
        streak=streak.days,
        next_at=next_midnight(now),
        server_now=now,
        review=review,
    )


async def quest_today(
    database: Database, user_id: UUID, club_id: UUID, *, size: int, now: datetime
) -> QuestToday:
    """Return the state of the quest of the Lagos day at ``now``; never draws a set."""
    day = lagos_day(now)
    row = await attempts.read_today(database, user_id, club_id, day)
    if row.is_submitted:
        return QuestToday(QuestState.DONE, row.questions or 0, row.points, row.correct)
    total = row.questions
    if total is None:
        scheduled = await sets.list_scheduled(database, club_id, day)
        total = len(scheduled) or await sets.count_askable(database, club_id, size)
    return QuestToday(QuestState.OPEN if total else QuestState.NONE, total)


async def submit(
    database: Database, user_id: UUID, form: SubmitInput, key: str | None, now: datetime
) -> Submitted:
    """Judge the member's answers and award the points, once per day.

    The attempt is the one whose questions are answered, today's or, within the grace period,
    yesterday's. Unanswered questions are wrong (contract B-54); a submit without any answer is
    rejected.

    Raises:
        InvalidFieldError: ``choices`` is invalid, empty, or answers other questions.
        NoDailyQuestError: no questions were served, or their time is over.
        KeyReusedError: the idempotency key was used for other answers.
    """
    try:
        choices = rules.read_choices(form.choices)
    except ValueError as error:
        raise InvalidFieldError.of("choices", str(error)) from None
    attempt = Attempt.of(user_id, ROUTE, key, {"choices": choices})
    review: list[ReviewedQuestion] = []

    async def judge(tx: Transaction) -> dict[str, Any]:
        outcome, judged = await _judge(tx, user_id, choices, now)
        review.extend(judged)
        return outcome

    async with database.transaction() as tx:
        outcome, is_replayed = await once(tx, attempt, judge)
        if is_replayed:
            done = await attempts.read_attempt_by_id(tx, UUID(outcome["attempt"]))
            review.extend(await _review(tx, done.shown, done.choices or {}))
    return Submitted(_answer(outcome, review), replayed=is_replayed)


async def _judge(
    tx: Transaction, user_id: UUID, choices: Mapping[str, str | None], now: datetime
) -> tuple[dict[str, Any], list[ReviewedQuestion]]:
    """Judge the answered attempt and award its points; return outcome and review.

    Answers are judged only if each belongs to a question of the attempt; otherwise the attempt is
    unchanged.
    """
    attempt = await _lock_meant(tx, user_id, choices, now)
    asked = {item["question"] for item in attempt.shown}
    given = {question: key for question, key in choices.items() if question in asked and key}
    review = await _review(tx, attempt.shown, given)
    correct = sum(one.chosen == one.right for one in review)
    earns = await boards.earns(tx, user_id)
    points = correct * rules.POINTS_PER_QUESTION if earns else 0
    await attempts.change_submitted(tx, attempt.id, given, correct=correct, points=points, now=now)
    await boards.award(
        tx,
        Award(
            id=new_id(),
            user_id=user_id,
            club_id=attempt.club_id,
            season_id=await seasons.season_at(tx, rules.scored_at(attempt.day, now)),
            source=PointSource.TRIVIA,
            source_id=attempt.id,
            question_id=None,
            points=points,
            answered=len(given),
            right=correct,
            elapsed_ms=0,
            detail={"right": correct, "of": len(review)},
            day=attempt.day,
            now=now,
        ),
    )
    await streaks.count_day(tx, user_id, attempt.day, now)
    badges = [BadgeKey.FIRST_QUEST]
    if correct == len(review):
        badges.append(BadgeKey.PERFECT_QUEST)
    await achievements_badges.earn(tx, [(user_id, key) for key in badges], now)
    await invites.reward(tx, user_id, now)
    outcome = {
        "attempt": str(attempt.id),
        "points": points,
        "correct": correct,
        "total": len(review),
        "streak": await streaks.streak_days(tx, user_id, now),
    }
    return outcome, review


async def _lock_meant(
    tx: Transaction, user_id: UUID, choices: Mapping[str, str | None], now: datetime
) -> QuestAttempt:
    """Lock and return the open attempt whose questions are answered; the latest if several.

    The questions of an attempt never change, so it can be chosen before it is locked.
    """
    oldest, today = rules.open_days(now)
    open_attempts = await attempts.list_open_attempts(tx, user_id, oldest, today)
    if not open_attempts:
        raise NoDailyQuestError
    meant = max(open_attempts, key=lambda one: (rules.named_questions(one.shown, choices), one.day))
    if rules.named_questions(meant.shown, choices) < len(choices):
        if await attempts.was_shown_before(tx, user_id, oldest, list(choices)):
            raise NoDailyQuestError
        raise InvalidFieldError.of("choices", rules.OTHER_QUESTIONS)
    held = await attempts.lock_attempt(tx, meant.id)
    if held.submitted_at is not None:
        raise AlreadyAttemptedError(content={"points": held.points})
    return held


async def _review(
    tx: Transaction, shown: list[dict[str, Any]], choices: Mapping[str, str]
) -> list[ReviewedQuestion]:
    """Return the questions as shown, with the chosen key, the right one and the explanation."""
    ids = [UUID(item["question"]) for item in shown]
    answers = await attempts.list_answers(tx, ids)
    return [
        ReviewedQuestion(
            **_shown(item, answers[question_id]),
            chosen=choices.get(item["question"]),
            right=rules.right_key(item["order"], answers[question_id].right_option),
            explanation=answers[question_id].explanation,
        )
        for item, question_id in zip(shown, ids, strict=True)
    ]


def _shown(item: Mapping[str, Any], question: QuestQuestion) -> dict[str, Any]:
    options = [question.options[place] for place in item["order"]]
    return {
        "id": question.id,
        "question": question.question,
        "options": label_options(options),
    }


def _answer(outcome: Mapping[str, Any], review: list[ReviewedQuestion]) -> SubmitAnswer:
    return SubmitAnswer(
        point=outcome["points"],
        points=outcome["points"],
        correct=outcome["correct"],
        total=outcome["total"],
        review=review,
        streak=outcome["streak"],
    )


async def count_day(database: Database, day: Day) -> DayActivity:
    """Return the quests submitted in a day; a member has one."""
    members = await attempts.list_who_submitted(database, day)
    return DayActivity(len(members), members)
