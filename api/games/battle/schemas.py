"""Wire shapes of the Battle Zone: its configuration and its socket events (spec 3, 7)."""

from typing import Annotated, Any

from pydantic import BeforeValidator, ConfigDict, Field, model_validator

from api.foundation.wire.schemas import ExistingId, Id, Instant, WireInput, WireModel
from api.games.battle.enums import EntryState, TodayState
from api.games.questions.schemas import KEYS
from api.games.ranking.enums import SeasonState
from api.games.ranking.schemas import ChallengerRow


class BattleToday(WireModel):
    """A member's day: ``left`` of ``of`` questions can still be asked.

    ``nextAt`` is when the next day's questions open, null on the season's last day.
    """

    state: TodayState
    left: int = Field(examples=[5])
    of: int = Field(examples=[5])
    next_at: Instant | None


class BattleConfig(WireModel):
    """The season's rules (spec 3); ``question_time_limit`` in seconds.

    ``today`` is the calling member's, null unless the season is open.
    """

    point_per_question: int = Field(alias="point_per_question", examples=[10])
    question_time_limit: int = Field(alias="question_time_limit", examples=[15])
    questions_per_day: int = Field(alias="questions_per_day", examples=[5])
    start_date: Instant = Field(alias="start_date")
    end_date: Instant = Field(alias="end_date")
    name: str = Field(examples=["2026/27"])
    state: SeasonState
    server_now: Instant
    today: BattleToday | None


class BattleEvent(WireInput):
    """A payload from a client.

    ``userId`` and ``clubId``, if sent, must be the member's own. Clocks and other fields are
    ignored: the server decides.
    """

    model_config = ConfigDict(extra="ignore")

    user_id: ExistingId | None = None
    club_id: ExistingId | None = None


class EnterBattle(BattleEvent):
    """A member enters; ``resume``, sent after a lost connection, never opens a new question."""

    resume: bool = False


class NextQuestion(BattleEvent):
    """A request for the next question."""


def _key(value: object) -> object:
    if isinstance(value, str) and (value == "" or value in KEYS):
        return value
    raise ValueError("Choose one of the options")


class AnswerQuestion(BattleEvent):
    """The chosen key, or an empty answer when the time is up; ``timeLeft`` is ignored."""

    question_id: Id
    answer: Annotated[str, BeforeValidator(_key)]


class StartTimer(BattleEvent):
    """The question is on screen; the payload is the question itself (spec 7), or its id."""

    question_id: Id

    @model_validator(mode="before")
    @classmethod
    def _read_question(cls, payload: Any) -> Any:  # noqa: ANN401 unvalidated payload
        if not isinstance(payload, dict) or "questionId" in payload:
            return payload
        question = payload.get("question")
        named = question if isinstance(question, dict) else payload
        return {**payload, "questionId": named.get("id")}


class ShownQuestion(WireModel):
    """A question as members see it; ``options`` is JSON text of labels by key (spec 3)."""

    id: str
    question: str
    options: str = Field(examples=['{"A":"Lagos","B":"Aba","C":"Kano","D":"Enugu"}'])


class NewQuestion(WireModel):
    """A question, running until ``deadlineAt`` by the server's clock; times are in seconds."""

    question: ShownQuestion
    time_limit: int
    remaining_time: int
    deadline_at: Instant
    server_now: Instant
    number: int
    total: int
    rank: str
    resumed: bool


class TimeUpdate(WireModel):
    """Sent once a second while a question runs."""

    remaining_time: int


class TimeUp(WireModel):
    """The deadline has passed."""

    question_id: str


class AnswerResult(WireModel):
    """The result of a question; keys are those shown to this member."""

    question_id: str
    is_correct: bool
    point_awarded: int
    timed_out: bool
    answer: str | None
    right_answer: str
    explanation: str
    number: int
    total: int
    points: int
    battle_points: int
    badge: str
    promoted_to: str | None
    next_rank: str | None
    points_to_next: int | None


class AttemptedAll(WireModel):
    """Today's questions were all served before."""

    message: str
    next_opens_at: Instant


class Tally(WireModel):
    """Points, questions answered, and how many of them were right."""

    points: int
    cnt: int
    answered_correctly: int


class DayTally(Tally):
    """A day's tally; ``timedOut`` of the ``served`` questions ran out of time."""

    served: int
    timed_out: int


class NoMoreQuestions(Tally):
    """The visit's last question is answered; the tally is the season's, ``today`` the day's."""

    today: DayTally
    message: str
    next_opens_at: Instant


class EmptyQuestion(WireModel):
    """The bank has no question for this member."""

    message: str


class ChallengersList(WireModel):
    """The season's best members of all clubs, and the caller if not among them.

    The member's own ``rank`` is null without points.
    """

    data: list[ChallengerRow]


class TakenOver(WireModel):
    """The member plays from another socket now."""

    message: str


class Entered(WireModel):
    """The outcome of entering or continuing."""

    state: EntryState


class TimerStarted(WireModel):
    """The new deadline, or null if it did not change."""

    deadline_at: Instant | None
    server_now: Instant
