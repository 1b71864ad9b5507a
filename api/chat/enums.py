"""Words of the chat."""

from enum import StrEnum


class PostOutcome(StrEnum):
    """What became of a message that was sent."""

    STORED = "stored"
    REPLAYED = "replayed"
    KNOWN = "known"
    REUSED = "reused"
    NOT_JOINED = "not_joined"
    MUTED = "muted"
    TOO_MANY = "too_many"
    REPEATED = "repeated"
    GONE = "gone"


class ReactionKey(StrEnum):
    """What a member may feel about a message."""

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
    """What a moderator has done."""

    HIDE = "hide"
    RESTORE = "restore"
    DISMISS = "dismiss"
    MUTE = "mute"
    UNMUTE = "unmute"
    BAN = "ban"
    UNBAN = "unban"


ON_MESSAGES = frozenset({ModerationAction.HIDE, ModerationAction.RESTORE, ModerationAction.DISMISS})
LIFTING = frozenset({ModerationAction.UNMUTE, ModerationAction.UNBAN})
