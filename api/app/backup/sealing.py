"""Encryption of a backup's files: AES-256-GCM in chunks, so that no file has to fit in memory.

Each chunk is bound to its position and to whether it is the last one (the STREAM construction), and
each file to its name: chunks cannot be reordered or truncated, nor files swapped.
"""

import hashlib
import hmac
import os
import struct
from collections.abc import Iterator
from typing import BinaryIO, Protocol

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from api.app.backup.errors import BackupError

MAGIC = b"king-of-fans backup 1\n"
SALT_BYTES = 32
PIECE_BYTES = 1024 * 1024
TAG_BYTES = 16
PLACE = struct.Struct(">8xI")  # a nonce of 12 bytes; each file has its own key
LAST, NOT_LAST = b"last", b"more"


class ByteSource(Protocol):
    """A source that is read in chunks: a file, or a program's output."""

    def read(self, size: int, /) -> bytes:
        """Return up to ``size`` bytes; none at the end."""


class Seal:
    """Seals and opens a backup's files with one key; without a key it changes nothing."""

    def __init__(self, key: str | None) -> None:
        self._key = None if key is None else key.encode()

    @property
    def is_sealing(self) -> bool:
        """Whether there is a key."""
        return self._key is not None

    def sign(self, content: bytes) -> str:
        """Return a manifest's checksum in hexadecimal; with a key it is also a signature."""
        if self._key is None:
            return hashlib.sha256(content).hexdigest()
        key = _derive(self._key, b"", "manifest")
        return hmac.new(key, content, hashlib.sha256).hexdigest()

    def pieces(self, source: ByteSource, name: str) -> Iterator[bytes]:
        """Yield the bytes to write for a file of that name."""
        if self._key is None:
            yield from _read(source, PIECE_BYTES)
            return
        salt = os.urandom(SALT_BYTES)
        cipher = AESGCM(_derive(self._key, salt, name))
        yield MAGIC + salt
        for number, piece, is_last in _numbered(source, PIECE_BYTES):
            yield cipher.encrypt(PLACE.pack(number), piece, LAST if is_last else NOT_LAST)

    def open(self, source: BinaryIO, name: str) -> Iterator[bytes]:
        """Yield the content of a file of that name.

        Raises:
            BackupError: it was modified or truncated, is another file, or has another key.
        """
        if self._key is None:
            yield from _read(source, PIECE_BYTES)
            return
        head = source.read(len(MAGIC) + SALT_BYTES)
        if not head.startswith(MAGIC) or len(head) < len(MAGIC) + SALT_BYTES:
            raise BackupError(f"{name} is damaged: it does not begin as an encrypted file does.")
        cipher = AESGCM(_derive(self._key, head[len(MAGIC) :], name))
        try:
            for number, piece, is_last in _numbered(source, PIECE_BYTES + TAG_BYTES):
                yield cipher.decrypt(PLACE.pack(number), piece, LAST if is_last else NOT_LAST)
        except InvalidTag:
            raise BackupError(f"{name} is damaged, or BACKUP_KEY is not its key.") from None


def _derive(key: bytes, salt: bytes, name: str) -> bytes:
    info = b"king-of-fans backup: " + name.encode()
    return HKDF(algorithm=SHA256(), length=32, salt=salt, info=info).derive(key)


def _read(source: ByteSource, size: int) -> Iterator[bytes]:
    """Yield chunks of ``size`` bytes, the last one shorter; a pipe returns fewer at a time."""
    piece = b""
    while more := source.read(size - len(piece)):
        piece += more
        if len(piece) == size:
            yield piece
            piece = b""
    if piece:
        yield piece


def _numbered(source: ByteSource, size: int) -> Iterator[tuple[int, bytes, bool]]:
    """Yield index, chunk and whether it is the last one; an empty file has one empty chunk."""
    number, waiting = 0, b""
    for piece in _read(source, size):
        if number or waiting:
            yield number, waiting, False
            number += 1
        waiting = piece
    yield number, waiting, True
