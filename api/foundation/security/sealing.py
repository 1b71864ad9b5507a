"""Encryption of values that the database must not reveal: AES-256-GCM under a derived key.

A sealed value contains its key's id, so that the key can be rotated: the new key seals, and the
previous one still opens.
"""

import hashlib
import json
import os
from typing import Any

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

FORMAT = b"\x01"
KEY_ID_BYTES = 4
NONCE_BYTES = 12
HEADER_BYTES = len(FORMAT) + KEY_ID_BYTES


class UnsealableError(Exception):
    """A sealed value was modified or moved to another place, or its key is not configured."""


class Sealer:
    """Seals JSON values for one place each: a value copied to another place does not open."""

    def __init__(self, secret: str, *, secret_before: str | None = None) -> None:
        self._current, cipher = _derive(secret)
        self._ciphers = {self._current: cipher}
        if secret_before is not None:
            key_id, cipher_before = _derive(secret_before)
            self._ciphers.setdefault(key_id, cipher_before)

    @property
    def header(self) -> bytes:
        """The prefix of every value sealed with the current key."""
        return FORMAT + self._current

    def seal(self, value: Any, place: str) -> bytes:
        """Return ``value`` encrypted for ``place``."""
        nonce = os.urandom(NONCE_BYTES)
        clear = json.dumps(value, separators=(",", ":")).encode()
        return (
            self.header + nonce + self._ciphers[self._current].encrypt(nonce, clear, place.encode())
        )

    def open(self, sealed: bytes, place: str) -> Any:
        """Return the sealed value.

        Raises:
            UnsealableError: it was not sealed for ``place`` by one of our keys.
        """
        cipher = self._ciphers.get(bytes(sealed[len(FORMAT) : HEADER_BYTES]))
        if sealed[: len(FORMAT)] != FORMAT or cipher is None:
            raise UnsealableError
        nonce = sealed[HEADER_BYTES : HEADER_BYTES + NONCE_BYTES]
        try:
            clear = cipher.decrypt(nonce, sealed[HEADER_BYTES + NONCE_BYTES :], place.encode())
        except (InvalidTag, ValueError) as error:
            raise UnsealableError from error
        return json.loads(clear)


def _derive(secret: str) -> tuple[bytes, AESGCM]:
    """Return a key's public id and its cipher."""
    key = HKDF(SHA256(), 32, salt=None, info=b"king-of-fans profile").derive(secret.encode())
    return hashlib.sha256(b"id" + key).digest()[:KEY_ID_BYTES], AESGCM(key)
