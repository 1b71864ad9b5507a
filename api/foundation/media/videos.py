"""Checks that a file is an MP4 or WebM that browsers can play, and clears its metadata.

The bytes decide, never a name or a claimed type. A file whose structure does not add up to its very
last byte is damaged. What is not played (locations, titles, attachments, padding) is blanked in
place, so that a video reveals only its pictures and sound.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import BinaryIO

from api.foundation.core.errors import DomainError

MAX_DURATION_SECONDS = 600.0
MAX_SIDE = 8192
ZEROS = bytes(64 * 1024)


class NotAVideoError(DomainError):
    """The file is neither MP4 nor WebM, or holds no moving pictures."""

    status = 415
    code = "not_a_video"
    message = "Please select a video."  # spec 5


class UnplayableVideoError(DomainError):
    """It is a video, but of a kind that browsers do not play."""

    status = 415
    code = "unplayable_video"
    message = "This kind of video does not play everywhere. Please choose an MP4 or WebM video."


class DamagedVideoError(DomainError):
    """It claims to be MP4 or WebM but is inconsistent; ``reason`` is for logs and tests."""

    status = 422
    code = "damaged_video"
    message = "This video is damaged or incomplete. Please choose another one."

    def __init__(self, reason: str) -> None:
        super().__init__()
        self.reason = reason


@dataclass(frozen=True)
class Blank:
    """A range to overwrite: ``header`` at ``offset``, then zeros up to ``end``."""

    offset: int
    header: bytes
    end: int


def blank(handle: BinaryIO, blanks: Sequence[Blank]) -> None:
    """Overwrite the ranges in place; the file's size stays."""
    for stretch in blanks:
        handle.seek(stretch.offset)
        handle.write(stretch.header)
        left = stretch.end - stretch.offset - len(stretch.header)
        while left > 0:
            left -= handle.write(ZEROS[: min(left, len(ZEROS))])
    handle.flush()


def check_length(seconds: float) -> None:
    """Reject a duration that no video of the allowed size has.

    Raises:
        DamagedVideoError: it is negative, endless or not a number.
    """
    if not 0 <= seconds <= MAX_DURATION_SECONDS:
        raise DamagedVideoError("length")


def check_sides(width: int, height: int) -> None:
    """Reject a picture size without an area, or beyond what decoders accept.

    Raises:
        DamagedVideoError: it is.
    """
    if not (1 <= width <= MAX_SIDE and 1 <= height <= MAX_SIDE):
        raise DamagedVideoError("sides")
