"""Thousands of files with a few bytes changed: refused or repaired, never a crash."""

import io
import random

import pytest
from api.foundation.core.errors import DomainError
from api.foundation.media.mp4 import check_mp4, looks_like_mp4
from api.foundation.media.pictures import Frame, renew_picture
from api.foundation.media.videos import NotAVideoError, blank
from api.foundation.media.webm import check_webm, looks_like_webm

from tests.community.moments.forms import GOOD_VIDEOS, PICTURE_KINDS, picture, sample

ROUNDS = 3000
RUNS = (b"\xff" * 4, bytes(4), b"\x7f\xff\xff\xff", b"\0\0\0\1", b"\x80\0\0\0")


def mutated(content: bytes, chance: random.Random) -> bytes:
    changed = bytearray(content)
    for _ in range(chance.choice((1, 1, 2, 4, 16))):
        at = chance.randrange(len(changed))
        match chance.randrange(4):
            case 0:
                changed[at] ^= 1 << chance.randrange(8)
            case 1:
                changed[at : at + 4] = chance.choice(RUNS)
            case 2:
                del changed[at : at + chance.randrange(1, 64)]
            case _:
                changed[at:at] = chance.randbytes(chance.randrange(1, 32))
        changed = changed or bytearray(b"x")
    return bytes(changed)


def checked(content: bytes) -> bytes:
    """Return a video as it would be stored."""
    handle = io.BytesIO(content)
    if looks_like_mp4(content):
        blank(handle, check_mp4(handle, len(content)))
    elif looks_like_webm(content):
        blank(handle, check_webm(handle, len(content)))
    else:
        raise NotAVideoError
    return handle.getvalue()


def test_a_mutated_video_is_refused_or_stored_as_a_video_that_passes_again() -> None:
    chance = random.Random(2026)  # noqa: S311 a failure must be replayable
    stored = 0
    for _ in range(ROUNDS):
        content = mutated(sample(chance.choice((*GOOD_VIDEOS, "captioned.mp4"))), chance)
        try:
            kept = checked(content)
        except DomainError:
            continue
        stored += 1
        assert len(kept) == len(content)
        assert checked(kept) == kept

    assert 0 < stored < ROUNDS


@pytest.mark.filterwarnings("default")  # decoders also complain of what they then refuse
def test_a_mutated_picture_is_refused_or_written_anew() -> None:
    chance = random.Random(2026)  # noqa: S311 a failure must be replayable
    goods = [picture(kind, (60, 40), quality=80) for kind in PICTURE_KINDS]
    renewed = 0
    for _ in range(ROUNDS):
        try:
            written = renew_picture(io.BytesIO(mutated(chance.choice(goods), chance)), Frame(64))
        except DomainError:
            continue
        renewed += 1
        assert written.read(4) == b"RIFF"

    assert 0 < renewed < ROUNDS
