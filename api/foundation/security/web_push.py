"""Web Push: messages encrypted for one browser (RFC 8291, RFC 8188) and signed by us (RFC 8292)."""

import hashlib
import json
import os
from datetime import datetime, timedelta
from urllib.parse import urlsplit

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from api.foundation.security import base64url

CURVE = ec.SECP256R1()
SCALAR_BYTES = 32
POINT_BYTES = 65
AUTH_BYTES = 16
SALT_BYTES = 16
RECORD_BYTES = 4096
LAST_RECORD = b"\x02"
SIGNATURE_LIVES = timedelta(hours=12)  # push services accept 24 hours at most


class VapidKey:
    """The key that identifies us to push services; ``private`` is its 32 bytes as base64url.

    ``subject`` is their contact address for problems: ``mailto:`` or ``https:``.

    Raises:
        ValueError: ``private`` is no key.
    """

    def __init__(self, private: str, *, subject: str) -> None:
        scalar = decode_key(private)
        if len(scalar) != SCALAR_BYTES:
            raise ValueError("A VAPID key has 32 bytes, as base64url")
        self._key = ec.derive_private_key(int.from_bytes(scalar), CURVE)
        self._subject = subject
        self.public = base64url.encode(_point(self._key))

    @classmethod
    def generate(cls) -> str:
        """Return a new private key."""
        number = ec.generate_private_key(CURVE).private_numbers().private_value
        return base64url.encode(number.to_bytes(SCALAR_BYTES))

    def authorization(self, endpoint: str, now: datetime) -> str:
        """Return the header that authorizes us at an endpoint's service."""
        address = urlsplit(endpoint)
        claims = {
            "aud": f"{address.scheme}://{address.netloc}",
            "exp": int((now + SIGNATURE_LIVES).timestamp()),
            "sub": self._subject,
        }
        signed = ".".join(_json({"typ": "JWT", "alg": "ES256"}, claims))
        r, s = decode_dss_signature(self._key.sign(signed.encode(), ec.ECDSA(SHA256())))
        signature = base64url.encode(r.to_bytes(SCALAR_BYTES) + s.to_bytes(SCALAR_BYTES))
        return f"vapid t={signed}.{signature}, k={self.public}"


def decode_key(text: str) -> bytes:
    """Decode a key in base64url (else ``ValueError``); some browsers and tools pad it."""
    return base64url.decode(text.rstrip("="))


def check_browser_keys(p256dh: bytes, auth: bytes) -> None:
    """Raise ``ValueError`` unless a browser could have created the keys."""
    if len(p256dh) != POINT_BYTES or len(auth) != AUTH_BYTES:
        raise ValueError("A browser's key has 65 bytes, its secret 16")
    ec.EllipticCurvePublicKey.from_encoded_point(CURVE, p256dh)


def encrypt(
    content: bytes,
    p256dh: bytes,
    auth: bytes,
    *,
    ephemeral: ec.EllipticCurvePrivateKey | None = None,
    salt: bytes | None = None,
) -> bytes:
    """Return ``content`` as one ``aes128gcm`` record that only this browser can decrypt.

    ``ephemeral`` and ``salt`` are random for each message; only test vectors pass them.
    """
    ours = ephemeral or ec.generate_private_key(CURVE)
    salt = salt or os.urandom(SALT_BYTES)
    theirs = ec.EllipticCurvePublicKey.from_encoded_point(CURVE, p256dh)
    info = b"WebPush: info\0" + p256dh + _point(ours)
    secret = HKDF(SHA256(), 32, salt=auth, info=info).derive(ours.exchange(ec.ECDH(), theirs))
    key = HKDF(SHA256(), 16, salt=salt, info=b"Content-Encoding: aes128gcm\0").derive(secret)
    nonce = HKDF(SHA256(), 12, salt=salt, info=b"Content-Encoding: nonce\0").derive(secret)
    header = salt + RECORD_BYTES.to_bytes(4) + bytes([POINT_BYTES]) + _point(ours)
    return header + AESGCM(key).encrypt(nonce, content + LAST_RECORD, None)


def digest_of(endpoint: str) -> bytes:
    """Return the digest that identifies an endpoint where its address must not be stored."""
    return hashlib.sha256(endpoint.encode()).digest()


def _point(key: ec.EllipticCurvePrivateKey) -> bytes:
    return key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


def _json(*parts: dict[str, object]) -> list[str]:
    return [base64url.encode(json.dumps(part, separators=(",", ":")).encode()) for part in parts]
