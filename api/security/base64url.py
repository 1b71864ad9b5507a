"""Base64url without padding (RFC 4648, section 5), with exactly one spelling for any bytes."""

import base64
import re

ALPHABET = re.compile(r"[A-Za-z0-9_-]*")


def encode(content: bytes) -> str:
    """Write bytes as base64url without padding."""
    return base64.urlsafe_b64encode(content).rstrip(b"=").decode()


def decode(text: str) -> bytes:
    """Return the bytes that ``text`` writes, if it is what ``encode`` writes for them.

    Python's decoder skips letters outside the alphabet and ignores the last bits, so that many
    texts would be one token.

    Raises:
        ValueError: other letters, padding, white space, a wrong length, or last bits that are set.
    """
    if not ALPHABET.fullmatch(text):
        raise ValueError("This is no base64url")
    content = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    if encode(content) != text:
        raise ValueError("This is base64url with other last bits")
    return content
