from enum import StrEnum


class AttemptOutcome(StrEnum):
    """How an attempt ended; it has exactly one outcome."""

    RIGHT = "right"
    WRONG = "wrong"
    TIMEOUT = "timeout"


class StepKind(StrEnum):
    """The result of a member's event."""

    QUESTION = "question"
    RESULT = "result"
    FINISHED = "finished"
    ATTEMPTED = "attempted"
    EMPTY = "empty"
    IDLE = "idle"
    REFUSED = "refused"


class TodayState(StrEnum):
    """The state of a member's day: a question runs, another can be asked, or none is left."""

    RUNNING = "running"
    OPEN = "open"
    DONE = "done"


class EntryState(StrEnum):
    """The acknowledgement of a step: a question or its result follows, an end, or nothing."""

    QUESTION = "question"
    RESULT = "result"
    ENDED = "ended"
    IDLE = "idle"


class DoorState(StrEnum):
    """The state of the Battle Zone for a member."""

    RUNNING = "running"
    OPEN = "open"
    DONE = "done"
    LOCKED = "locked"
    RANK_CLOSED = "rank_closed"
    UPCOMING = "upcoming"
    OVER = "over"
    EMPTY = "empty"
