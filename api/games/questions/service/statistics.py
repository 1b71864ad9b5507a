"""Statistics of answers, counted at night so that no player waits for them."""

from collections import Counter, defaultdict
from datetime import datetime, timedelta
from uuid import UUID

from api.foundation.core import clock
from api.foundation.core.ids import first_id_at
from api.foundation.core.supervisor import SKIPPED, Job, Skipped
from api.foundation.database.database import Database
from api.games.questions.repository import statistics
from api.games.questions.repository.statistics import COUNT_SECONDS, Answers, QuestionCount
from api.games.questions.rules import judging

POLL_INTERVAL_SECONDS = 600.0  # how often a worker checks whether it is time
NIGHT = timedelta(hours=3)  # after midnight in Lagos, when few play
WINDOW = timedelta(days=90)  # the attempts that count


async def count_now(database: Database, now: datetime) -> bool:
    """Count the answers of the last 90 days; return False if another worker is counting."""
    answers = await statistics.count_answers(database, first_id_at(now - WINDOW))
    counts = _counts(answers, now)
    async with database.transaction() as tx:
        if not await statistics.try_lock_statistics(tx):
            return False
        await statistics.replace_statistics(tx, counts, now)
    return True


def statistics_job(database: Database, *, at_night: bool = True) -> Job:
    """Return the job that counts every night on one worker; or repeatedly unless ``at_night``."""

    async def step() -> Skipped | None:
        now = clock.now()
        last = await statistics.read_last_count(database)
        tonight = clock.midnight(clock.lagos_day(now)) + NIGHT
        is_due = now >= tonight and not (last is not None and tonight <= last <= now)
        if at_night and not is_due:
            return SKIPPED
        return None if await count_now(database, now) else SKIPPED

    return Job(
        name="question_statistics",
        step=step,
        every_seconds=POLL_INTERVAL_SECONDS,
        limit_seconds=4 * COUNT_SECONDS,
    )


async def count_flagged(database: Database) -> int:
    """Count the questions whose answers suggest a problem."""
    return await statistics.count_flagged(database)


def _counts(answers: Answers, now: datetime) -> list[QuestionCount]:
    chosen: dict[UUID, Counter[int | None]] = defaultdict(Counter)
    asked_by: dict[UUID, Counter[str]] = defaultdict(Counter)
    right_by: dict[UUID, Counter[str]] = defaultdict(Counter)
    for row in answers.choices:
        question_id, rank, times = row.question_id, row.rank, row.times
        if question_id not in answers.right_options:
            continue
        chosen[question_id][row.option] += times
        if rank is not None:
            asked_by[question_id][rank] += times
            if row.option == answers.right_options[question_id]:
                right_by[question_id][rank] += times
    return [
        QuestionCount(
            question_id=question_id,
            asked=options.total(),
            right_count=options[answers.right_options[question_id]],
            median_ms=answers.medians.get(question_id),
            by_rank=[
                {"rank": rank, "asked": asked, "right": right_by[question_id][rank]}
                for rank, asked in sorted(asked_by[question_id].items())
            ],
            flags=[
                flag.value for flag in judging.flags_of(options, answers.right_options[question_id])
            ],
            counted_at=now,
        )
        for question_id, options in chosen.items()
    ]
