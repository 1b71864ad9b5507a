"""Base64url without padding (RFC 4648, section 5), with exactly one spelling for any bytes."""

import base64
import re

ALPHABET = re.compile(r"[A-Za-z0-9_-]*")


def encode(content: bytes) -> str:
    """Encode bytes as base64url without padding."""
    return base64.urlsafe_b64encode(content).rstrip(b"=").decode()


def decode(text: str) -> bytes:
    """Decode ``text`` if it is exactly what ``encode`` returns.

    Python's decoder skips other characters and ignores trailing bits, so many texts would be one
    token.

    Raises:
        ValueError: other characters, padding, whitespace, a wrong length, or trailing bits.
    """
    if not ALPHABET.fullmatch(text):
        raise ValueError("This is no base64url")
    content = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    if encode(content) != text:
        raise ValueError("This is base64url with other last bits")
    return content
