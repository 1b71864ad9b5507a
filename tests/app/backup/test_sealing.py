"""Encrypted files can only be opened completely, under their own name and key."""

import io
import os

import pytest
from api.app.backup.errors import BackupError
from api.app.backup.sealing import MAGIC, PIECE_BYTES, SALT_BYTES, TAG_BYTES, Seal
from typing_extensions import override

SECRET = "a key of a backup, thirty-two bytes"
HEAD = len(MAGIC) + SALT_BYTES


def sealed(content: bytes, name: str = "database.dump") -> bytes:
    return b"".join(Seal(SECRET).pieces(io.BytesIO(content), name))


def opened(content: bytes, name: str = "database.dump", secret: str = SECRET) -> bytes:
    return b"".join(Seal(secret).open(io.BytesIO(content), name))


@pytest.mark.parametrize(
    "size", [0, 1, PIECE_BYTES - 1, PIECE_BYTES, PIECE_BYTES + 1, 2 * PIECE_BYTES]
)
def test_what_was_sealed_opens(size: int) -> None:
    content = os.urandom(size)

    assert opened(sealed(content)) == content


def test_a_pipe_that_gives_a_little_at_a_time_is_sealed_by_whole_pieces() -> None:
    content = os.urandom(PIECE_BYTES + 5)

    class Pipe(io.BytesIO):
        @override
        def read(self, size: int | None = -1, /) -> bytes:
            return super().read(min(size or -1, 70_001))

    written = b"".join(Seal(SECRET).pieces(Pipe(content), "database.dump"))

    assert len(written) == HEAD + len(content) + 2 * TAG_BYTES
    assert opened(written) == content


def test_no_text_is_readable_and_no_two_files_are_alike() -> None:
    one, other = sealed(b"Adaeze" * 1000), sealed(b"Adaeze" * 1000)

    assert b"Adaeze" not in one
    assert one[len(MAGIC) :] != other[len(MAGIC) :]


@pytest.mark.parametrize("place", [0, len(MAGIC), HEAD, HEAD + 100, -1])
def test_a_flipped_bit_anywhere_is_found(place: int) -> None:
    damaged = bytearray(sealed(b"x" * 1000))
    damaged[place] ^= 1

    with pytest.raises(BackupError, match=r"^database\.dump is damaged"):
        opened(bytes(damaged))


def test_pieces_cannot_be_cut_off_swapped_or_added() -> None:
    whole = sealed(os.urandom(3 * PIECE_BYTES))
    piece = PIECE_BYTES + TAG_BYTES
    head, pieces = whole[:HEAD], [whole[HEAD + at * piece :][:piece] for at in range(3)]

    for other in (pieces[:2], pieces[:0], [pieces[1], pieces[0], pieces[2]], [*pieces, pieces[2]]):
        with pytest.raises(BackupError):
            opened(head + b"".join(other))


def test_another_name_or_another_key_does_not_open_it() -> None:
    written = sealed(b"content")

    with pytest.raises(BackupError, match=r"media\.json is damaged"):
        opened(written, "media.json")
    with pytest.raises(BackupError, match="BACKUP_KEY is not its key"):
        opened(written, secret="another key of thirty-two bytes..")
