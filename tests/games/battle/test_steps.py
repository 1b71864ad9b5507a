"""Every step of the Battle Zone, by the test's clock."""

import asyncio
from collections import Counter
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

import pytest
from api.foundation.core import clock
from api.foundation.core.errors import DomainError
from api.foundation.core.ids import new_id
from api.games.battle import service
from api.games.battle.enums import StepKind
from api.games.battle.errors import NoAnswerError, NotServedError, TakenOverError
from api.games.battle.rules.situation import PlayerSocket, Step
from api.games.questions.schemas import KEYS

from tests.conftest import RunningApp, SignedIn
from tests.games.battle.conftest import another_key, right_key


def at_noon() -> datetime:
    """Return noon of today in Lagos, so that no test meets midnight by chance."""
    return clock.now().astimezone(clock.LAGOS).replace(hour=12, minute=0, second=0, microsecond=0)


class Game:
    """A member at play, whose clock advances only on request."""

    def __init__(self, app: RunningApp, member: SignedIn) -> None:
        self.app = app
        self.member = member
        self.now = at_noon()

    def seat(self, sid: str) -> PlayerSocket:
        return PlayerSocket(self.member.id, self.member.club_id, sid)

    async def enter(self, sid: str = "phone", *, resume: bool = False) -> Step:
        step = await service.enter(self.app.database, self.seat(sid), self.now, resume=resume)
        service.require_allowed(step)
        return step

    async def go_on(self, sid: str = "phone") -> Step:
        return await service.go_on(self.app.database, self.seat(sid), self.now)

    async def answer(self, question_id: str, key: str, sid: str = "phone") -> Step:
        given = service.given_answer(self.seat(sid), UUID(question_id), key, self.now)
        [step] = await service.judge(self.app.database, [given])
        service.require_allowed(step)
        return step

    async def answer_rightly(self, step: Step, sid: str = "phone") -> Step:
        key = await right_key(self.app, self.member, step["question_id"])
        return await self.answer(step["question_id"], key, sid)

    async def sweep(self) -> list[Step]:
        return await service.end_overdue(self.app.database, self.now)

    def wait(self, **span: float) -> None:
        self.now += timedelta(**span)

    async def count(self, what: str) -> Any:
        row = await self.app.database.fetch_row(f"SELECT {what} AS found")
        assert row is not None
        return row["found"]


@pytest.fixture
async def game(app: RunningApp, member: SignedIn) -> Game:
    await app.open_season()
    await app.add_questions(30)
    await app.subscribe(member)
    return Game(app, member)


async def test_five_questions_a_day_then_the_end_then_come_back_tomorrow(game: Game) -> None:
    step = await game.enter()
    seen = []
    for number in range(1, 6):
        assert step["kind"] == StepKind.QUESTION
        assert (step["number"], step["total"]) == (number, 5)
        seen.append(step["question_id"])
        result = await game.answer_rightly(step)
        assert result["outcome"] == "right"
        assert result["points"] == 10 * number
        step = await game.go_on()
    assert len(set(seen)) == 5
    assert step["kind"] == StepKind.FINISHED
    assert (step["points"], step["cnt"], step["answered_correctly"]) == (50, 5, 5)
    assert (await game.go_on())["kind"] == StepKind.ATTEMPTED
    assert (await game.enter())["kind"] == StepKind.ATTEMPTED


async def test_a_question_shows_its_four_options_and_never_the_right_one(game: Game) -> None:
    step = await game.enter()
    assert sorted(step["options"]) == ["Right", "Wrong 1", "Wrong 2", "Wrong 3"]
    assert not {"right", "right_option", "explanation"} & set(step)


async def test_options_come_in_many_orders(app: RunningApp, game: Game) -> None:
    orders = set()
    for _ in range(12):
        step = await game.enter()
        orders.add(tuple(step["options"]))
        await game.answer(step["question_id"], "A")
        game.wait(days=1)
    assert len(orders) > 3


async def test_a_wrong_answer_shows_the_right_one_and_its_reason(game: Game) -> None:
    step = await game.enter()
    key = another_key(await right_key(game.app, game.member, step["question_id"]))
    result = await game.answer(step["question_id"], key)
    assert result["outcome"] == "wrong"
    assert step["options"][result["right"]] == "Right"
    assert KEYS[result["answer"]] == key
    assert result["explanation"] == "Because it is right."
    assert result["points"] == 0


async def test_fifty_answers_at_once_give_one_result_and_one_award(game: Game) -> None:
    step = await game.enter()
    key = await right_key(game.app, game.member, step["question_id"])
    results = await asyncio.gather(
        *(
            game.answer(step["question_id"], key if number % 2 else another_key(key))
            for number in range(50)
        )
    )
    assert sum(result.get("fresh", False) for result in results) == 1
    assert len({result["outcome"] for result in results}) == 1
    won = results[0]["outcome"] == "right"
    assert await game.count("(SELECT count(*) FROM point_entry)") == int(won)
    assert await game.count("(SELECT answered FROM member_season)") == 1


@pytest.mark.parametrize(("late_ms", "outcome"), [(0, "right"), (500, "right"), (501, "timeout")])
async def test_half_a_second_after_the_deadline_is_granted_and_no_more(
    game: Game, late_ms: int, outcome: str
) -> None:
    step = await game.enter()
    game.wait(seconds=15, milliseconds=late_ms)
    assert (await game.answer_rightly(step))["outcome"] == outcome


async def test_an_empty_answer_ends_the_question_only_when_its_time_is_up(game: Game) -> None:
    step = await game.enter()
    game.wait(seconds=14)
    with pytest.raises(NoAnswerError):
        await game.answer(step["question_id"], "")
    game.wait(seconds=1)
    assert (await game.answer(step["question_id"], ""))["outcome"] == "timeout"
    game.wait(seconds=60)
    late = await game.answer_rightly(step)
    assert late["outcome"] == "timeout"
    assert "fresh" not in late


async def test_a_question_that_was_not_served_cannot_be_answered(
    game: Game, rival: SignedIn
) -> None:
    step = await game.enter()
    with pytest.raises(NotServedError):
        await game.answer(str(new_id()), "A")
    await game.app.subscribe(rival)
    other = Game(game.app, rival)
    await other.enter("their phone")
    if (await other.enter("their phone"))["question_id"] != step["question_id"]:
        with pytest.raises(NotServedError):
            await other.answer(step["question_id"], "A", "their phone")


async def test_coming_back_meets_the_same_question_with_the_time_that_is_left(game: Game) -> None:
    step = await game.enter()
    game.wait(seconds=6)
    for again in (
        await game.enter(),
        await game.enter("phone after restart", resume=True),
        await game.go_on("phone after restart"),
    ):
        assert again["kind"] == StepKind.QUESTION
        assert again["question_id"] == step["question_id"]
        assert again["deadline_ms"] == step["deadline_ms"]
        assert again["options"] == step["options"]
        assert again["resumed"]
    assert await game.count("(SELECT count(*) FROM battle_attempt)") == 1


async def test_coming_back_after_the_time_meets_the_time_out(game: Game) -> None:
    step = await game.enter()
    game.wait(minutes=5)
    result = await game.enter(resume=True)
    assert (result["kind"], result["outcome"]) == (StepKind.RESULT, "timeout")
    assert result["question_id"] == step["question_id"]
    assert (await game.go_on())["number"] == 2


async def test_a_resume_between_two_questions_shows_the_last_result_and_opens_nothing(
    game: Game,
) -> None:
    step = await game.enter()
    result = await game.answer_rightly(step)
    again = await game.enter("phone after a tunnel", resume=True)
    assert again["kind"] == StepKind.RESULT
    assert again["question_id"] == result["question_id"]
    assert again["points_awarded"] == 10
    assert await game.count("(SELECT count(*) FROM battle_attempt)") == 1


async def test_a_resume_of_nothing_opens_nothing(game: Game) -> None:
    assert (await game.enter(resume=True))["kind"] == StepKind.IDLE
    assert await game.count("(SELECT count(*) FROM battle_attempt)") == 0


async def test_the_sweep_records_the_time_out_of_a_closed_laptop_once(game: Game) -> None:
    step = await game.enter()
    game.wait(seconds=15.5)
    assert await game.sweep() == []
    game.wait(seconds=0.1)
    ended = await asyncio.gather(*(game.sweep() for _ in range(10)))
    assert [one["question_id"] for some in ended for one in some] == [step["question_id"]]
    assert await game.count("(SELECT outcome FROM battle_attempt)") == "timeout"
    assert (await game.answer_rightly(step))["outcome"] == "timeout"


async def test_an_answer_and_a_sweep_at_once_agree(game: Game) -> None:
    for _ in range(5):
        step = await game.enter()
        game.wait(seconds=15.6)
        answering = asyncio.create_task(game.answer_rightly(step))
        sweeps = await asyncio.gather(*(game.sweep() for _ in range(5)))
        result = await answering
        assert result["outcome"] == "timeout"
        assert sum(len(some) for some in sweeps) + result.get("fresh", False) == 1


async def test_a_second_phone_takes_over_and_the_first_can_do_nothing(game: Game) -> None:
    step = await game.enter("first")
    taken = await game.enter("second")
    assert taken["previous_sid"] == "first"
    assert taken["question_id"] == step["question_id"]
    with pytest.raises(TakenOverError):
        await game.answer(step["question_id"], "A", "first")
    with pytest.raises(TakenOverError):
        await game.go_on("first")
    assert (await game.answer_rightly(step, "second"))["outcome"] == "right"


async def test_the_first_sign_of_the_question_restarts_its_time_once(game: Game) -> None:
    step = await game.enter()
    game.wait(seconds=2.5)
    seat, question_id = game.seat("phone"), UUID(step["question_id"])
    moved = await service.start_timer(game.app.database, seat, question_id, game.now)
    assert moved == game.now + timedelta(seconds=15)
    game.wait(seconds=0.2)
    assert await service.start_timer(game.app.database, seat, question_id, game.now) is None
    game.wait(seconds=14.9)
    assert (await game.answer_rightly(step))["outcome"] == "right"


async def test_a_late_or_foreign_sign_restarts_nothing(game: Game) -> None:
    step = await game.enter()
    question_id = UUID(step["question_id"])
    database = game.app.database
    strange = game.seat("another")
    assert await service.start_timer(database, strange, question_id, game.now) is None
    game.wait(seconds=3.1)
    seat = game.seat("phone")
    assert await service.start_timer(database, seat, question_id, game.now) is None
    past = game.now - timedelta(seconds=60)
    assert await service.start_timer(database, seat, question_id, past) is None


async def test_midnight_in_lagos_opens_a_new_quota_and_keeps_the_running_question(
    game: Game,
) -> None:
    game.now = game.now.replace(hour=23, minute=59, second=50)
    step = await game.enter()
    yesterday = clock.lagos_day(game.now)
    game.wait(seconds=12)
    assert (await game.go_on())["question_id"] == step["question_id"]
    assert (await game.answer_rightly(step))["outcome"] == "right"
    assert await game.count("(SELECT day FROM point_entry)") == yesterday
    following = await game.go_on()
    assert following["number"] == 1
    assert await game.count("(SELECT max(day) FROM battle_attempt)") == yesterday + timedelta(1)


async def test_no_question_comes_back_within_thirty_days(game: Game) -> None:
    seen: Counter[str] = Counter()
    for _ in range(6):
        step = await game.enter()
        while step["kind"] == StepKind.QUESTION:
            seen[step["question_id"]] += 1
            await game.answer(step["question_id"], "A")
            step = await game.go_on()
        game.wait(days=1)
    assert len(seen) == 30
    assert set(seen.values()) == {1}
    assert (await game.enter())["kind"] == StepKind.EMPTY
    game.wait(days=26)
    assert (await game.enter())["kind"] == StepKind.QUESTION


async def test_an_empty_bank_and_another_clubs_questions_are_both_nothing(
    app: RunningApp, member: SignedIn, rival: SignedIn
) -> None:
    await app.open_season()
    await app.subscribe(member)
    game = Game(app, member)
    assert (await game.enter())["kind"] == StepKind.EMPTY
    await app.add_questions(3, club_id=rival.club_id)
    await app.add_questions(3, kind="trivia")
    assert (await game.go_on())["kind"] == StepKind.EMPTY
    await app.add_questions(1, club_id=member.club_id)
    assert (await game.go_on())["kind"] == StepKind.QUESTION


async def test_higher_ranks_meet_harder_questions_first(app: RunningApp, member: SignedIn) -> None:
    await app.open_season(ranks=(("rookie", 10), ("super-fan", 500)), quota=4)
    await app.subscribe(member)
    easy = {str(one) for one in await app.add_questions(2, difficulty=1)}
    middle = {str(one) for one in await app.add_questions(2, difficulty=2)}
    game = Game(app, member)
    first = await game.enter()
    assert first["question_id"] in easy
    assert (await game.answer_rightly(first))["promoted_to"] == "super-fan"
    second = await game.go_on()
    assert second["question_id"] in middle
    await game.answer(second["question_id"], "A")


async def test_promotion_is_told_once_and_with_the_next_goal(game: Game) -> None:
    step = await game.enter()
    goals = []
    for _ in range(5):
        result = await game.answer_rightly(step)
        goals.append((result["promoted_to"], result["next_rank"], result["points_to_next"]))
        step = await game.go_on()
    assert goals[3] == (None, "super-fan", 10)
    assert goals[4] == ("super-fan", "king-of-fans", 70)


async def refused(game: Game, sid: str = "phone") -> DomainError:
    with pytest.raises(DomainError) as caught:
        await game.enter(sid)
    with pytest.raises(DomainError) as again:
        await game.go_on(sid)
    assert again.value.code == caught.value.code
    return caught.value


async def test_without_a_plan_there_is_no_battle(app: RunningApp, member: SignedIn) -> None:
    await app.open_season()
    await app.add_questions(5)
    refusal = await refused(Game(app, member))
    assert (refusal.status, refusal.code) == (402, "plan_required")


async def test_a_plan_that_ends_between_two_questions_ends_the_battle(game: Game) -> None:
    step = await game.enter()
    game.wait(days=40)
    await game.answer(step["question_id"], "A")
    assert (await refused(game)).code == "plan_required"


async def test_before_the_season_the_door_says_when_it_opens(
    app: RunningApp, member: SignedIn
) -> None:
    await app.open_season(starts_in=timedelta(days=3))
    await app.subscribe(member)
    refusal = await refused(Game(app, member))
    assert refusal.code == "season_not_begun"
    opens_at = datetime.fromisoformat(refusal.content["opensAt"])
    assert abs(opens_at - clock.now() - timedelta(days=3)) < timedelta(minutes=1)


async def test_after_the_season_the_door_says_so(app: RunningApp, member: SignedIn) -> None:
    await app.open_season(starts_in=timedelta(days=-9), lasts=timedelta(days=5))
    await app.subscribe(member)
    assert (await refused(Game(app, member))).code == "season_over"


async def test_a_question_served_in_the_season_counts_when_it_ends_meanwhile(
    game: Game,
) -> None:
    step = await game.enter()
    async with game.app.database.transaction() as tx:
        await tx.execute("UPDATE season SET ends_at = $1", game.now + timedelta(seconds=3))
    game.wait(seconds=5)
    assert (await game.answer_rightly(step))["points_awarded"] == 10
    assert (await refused(game)).code == "season_over"


@pytest.mark.parametrize(("starts_in", "ends_in", "key"), [(1, 2, "opensAt"), (-2, -1, "closedAt")])
async def test_a_rank_plays_only_in_its_window(
    game: Game, starts_in: int, ends_in: int, key: str
) -> None:
    async with game.app.database.transaction() as tx:
        await tx.execute(
            "UPDATE battle_rank SET starts_at = $1, ends_at = $2 WHERE rank = 'rookie'",
            game.now + timedelta(days=starts_in),
            game.now + timedelta(days=ends_in),
        )
    refusal = await refused(game)
    assert refusal.code == "rank_closed"
    assert refusal.content["rank"] == "rookie"
    assert [one for one in ("opensAt", "closedAt") if refusal.content[one]] == [key]
