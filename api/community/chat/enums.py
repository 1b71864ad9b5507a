from enum import StrEnum


class PostOutcome(StrEnum):
    """The outcome of posting a message."""

    STORED = "stored"
    REPLAYED = "replayed"
    KNOWN = "known"
    REUSED = "reused"
    NOT_JOINED = "not_joined"
    MUTED = "muted"
    TOO_MANY = "too_many"
    SLOW_MODE = "slow_mode"
    REPEATED = "repeated"
    GONE = "gone"


class ReactionKey(StrEnum):
    """A reaction to a message."""

    GOAL = "goal"
    FIRE = "fire"
    LAUGH = "laugh"
    CLAP = "clap"
    LOVE = "love"
    PAIN = "pain"


class ReportReason(StrEnum):
    """Why a member reports a message."""

    SPAM = "spam"
    ABUSE = "abuse"
    HATE = "hate"
    OTHER = "other"


class ModerationAction(StrEnum):
    """The actions of a moderator."""

    HIDE = "hide"
    RESTORE = "restore"
    DISMISS = "dismiss"
    MUTE = "mute"
    UNMUTE = "unmute"
    BAN = "ban"
    UNBAN = "unban"


ON_MESSAGES = frozenset({ModerationAction.HIDE, ModerationAction.RESTORE, ModerationAction.DISMISS})
LIFTING = frozenset({ModerationAction.UNMUTE, ModerationAction.UNBAN})
