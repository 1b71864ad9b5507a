"""Says whether a file is a real MP4 or WebM that a browser can play, and clears its side notes.

The bytes decide, never a name or a claimed type. A file whose structure does not add up to its very
last byte is damaged. What plays nothing (places, titles, attachments, padding) is blanked where it
stands, so that a video tells no more than its pictures and sound.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import BinaryIO

from api.core.errors import DomainError

MAX_DURATION_SECONDS = 600.0
LARGEST_SIDE = 8192
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
    """It claims to be MP4 or WebM and does not hold together; ``reason`` is for logs and tests."""

    status = 422
    code = "damaged_video"
    message = "This video is damaged or incomplete. Please choose another one."

    def __init__(self, reason: str) -> None:
        super().__init__()
        self.reason = reason


@dataclass(frozen=True)
class Blank:
    """A stretch to overwrite: ``header`` at ``offset``, then zeros up to ``end``."""

    offset: int
    header: bytes
    end: int


def blank(handle: BinaryIO, blanks: Sequence[Blank]) -> None:
    """Overwrite every stretch in place; the file's size stays."""
    for stretch in blanks:
        handle.seek(stretch.offset)
        handle.write(stretch.header)
        left = stretch.end - stretch.offset - len(stretch.header)
        while left > 0:
            left -= handle.write(ZEROS[: min(left, len(ZEROS))])
    handle.flush()


def check_length(seconds: float) -> None:
    """Refuse a length that no video of our size has.

    Raises:
        DamagedVideoError: it is negative, endless or not a number.
    """
    if not 0 <= seconds <= MAX_DURATION_SECONDS:
        raise DamagedVideoError("length")


def check_sides(width: int, height: int) -> None:
    """Refuse a picture without an area, or beyond what decoders take.

    Raises:
        DamagedVideoError: it is.
    """
    if not (1 <= width <= LARGEST_SIDE and 1 <= height <= LARGEST_SIDE):
        raise DamagedVideoError("sides")
