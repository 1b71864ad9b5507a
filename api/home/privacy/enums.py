from enum import StrEnum


class ErasurePolicy(StrEnum):
    """What erasing a member does to a table's rows."""

    KEPT = "kept"
    """The books: money, points and what they rest on, under an id that names nobody any more."""
    DELETED = "deleted"
    CLEARED = "cleared"
    """The row stays and its personal columns are emptied."""
