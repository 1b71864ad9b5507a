"""Boxes: browsers with their keys and their messages, one folder each."""

import base64
import json
import os
import re
import secrets
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
    load_pem_private_key,
)

NAME = re.compile(r"[0-9a-f]{32}")
CURVE = ec.SECP256R1()
SALT_BYTES, SIZE_BYTES, POINT_BYTES = 16, 4, 65
HEADER_BYTES = SALT_BYTES + SIZE_BYTES + 1 + POINT_BYTES


class UnreadableError(Exception):
    """A message was not encrypted for the box's keys."""


@dataclass(frozen=True)
class BrowserBox:
    """One browser: its folder holds its keys, its answer and its messages."""

    folder: Path

    @property
    def name(self) -> str:
        """The box's name, which is part of its endpoint."""
        return self.folder.name

    @property
    def answer(self) -> int:
        """The status that senders get."""
        return int((self.folder / "answer").read_text())

    def answer_with(self, status: int) -> None:
        """Set the status that senders get."""
        (self.folder / "answer").write_text(str(status))

    @property
    def keys(self) -> dict[str, str]:
        """The keys that messages must be encrypted for."""
        return {"p256dh": _write(_point(self._private)), "auth": _write(self._auth)}

    def store(self, content: bytes, ttl: int) -> None:
        """Decrypt a message and store it.

        Raises:
            UnreadableError: it was not encrypted for this box.
        """
        message = self._open(content) | {"ttl": ttl}
        name = f"{time.time_ns():020}-{secrets.token_hex(4)}"
        draft = self.folder / f"{name}.draft"
        draft.write_text(json.dumps(message))
        draft.rename(self.folder / f"{name}.json")

    def messages(self) -> list[dict[str, Any]]:
        """Return the messages, in order."""
        return [json.loads(path.read_text()) for path in sorted(self.folder.glob("*.json"))]

    def _open(self, content: bytes) -> dict[str, Any]:
        salt, sender = content[:SALT_BYTES], content[HEADER_BYTES - POINT_BYTES : HEADER_BYTES]
        try:
            theirs = ec.EllipticCurvePublicKey.from_encoded_point(CURVE, sender)
            info = b"WebPush: info\0" + _point(self._private) + sender
            shared = self._private.exchange(ec.ECDH(), theirs)
            secret = HKDF(SHA256(), 32, salt=self._auth, info=info).derive(shared)
            key = HKDF(SHA256(), 16, salt=salt, info=b"Content-Encoding: aes128gcm\0")
            nonce = HKDF(SHA256(), 12, salt=salt, info=b"Content-Encoding: nonce\0")
            clear = AESGCM(key.derive(secret)).decrypt(
                nonce.derive(secret), content[HEADER_BYTES:], None
            )
            message: dict[str, Any] = json.loads(clear.rstrip(b"\0")[:-1])
        except Exception as error:
            raise UnreadableError from error
        return message

    @property
    def _private(self) -> ec.EllipticCurvePrivateKey:
        key = load_pem_private_key((self.folder / "key.pem").read_bytes(), None)
        if not isinstance(key, ec.EllipticCurvePrivateKey):
            raise TypeError
        return key

    @property
    def _auth(self) -> bytes:
        return (self.folder / "auth").read_bytes()


class Boxes:
    """All boxes in ``folder``, which several server processes may share."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def make(self) -> BrowserBox:
        """Return a new box, which answers 201."""
        box = BrowserBox(self._folder / secrets.token_hex(16))
        box.folder.mkdir(parents=True)
        key = ec.generate_private_key(CURVE)
        (box.folder / "key.pem").write_bytes(
            key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
        )
        (box.folder / "auth").write_bytes(os.urandom(16))
        box.answer_with(201)
        return box

    def find(self, name: str) -> BrowserBox | None:
        """Return the box of a name."""
        folder = self._folder / name
        return BrowserBox(folder) if NAME.fullmatch(name) and folder.is_dir() else None


def _point(key: ec.EllipticCurvePrivateKey) -> bytes:
    return key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


def _write(content: bytes) -> str:
    return base64.urlsafe_b64encode(content).rstrip(b"=").decode()
