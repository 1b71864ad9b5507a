from enum import StrEnum


class ErasurePolicy(StrEnum):
    """What erasing a member does to a table's rows."""

    KEPT = "kept"
    """Records of money and points and their evidence, under an id that identifies no person."""
    DELETED = "deleted"
    CLEARED = "cleared"
    """The row stays and its personal columns are emptied."""
