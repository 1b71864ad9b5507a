from enum import StrEnum


class NoteSubject(StrEnum):
    """What notes can be about, as the audit log calls it."""

    ORDER = "order"
    MEMBER = "member"
