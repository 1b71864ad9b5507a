"""Sanitizes browsers' texts for the log; pure functions."""

import re

from api.foundation.core.logs import HIDDEN

# In this order: an address loses its query before the rest is checked.
REPLACED = (
    (re.compile(r"((?:https?:/|(?<!\S))/[^\s?#]*)[?#]\S*"), r"\1"),
    # Bounded length: otherwise a text full of at signs would take quadratic time.
    (re.compile(r"[^\s@%]{1,64}(?:@|%40)[^\s@%]{1,255}\.[^\s@%]{1,63}", re.IGNORECASE), HIDDEN),
    (re.compile(r"\b[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\b", re.IGNORECASE), "{id}"),
    (re.compile(r"\bBearer\s+\S+|\beyJ[\w-]+(?:\.[\w-]+)*", re.IGNORECASE), HIDDEN),
    (re.compile(r"(?=[\w+=-]*\d)[\w+=-]{32,}"), HIDDEN),  # a key or a digest
    (re.compile(r"\+?\d(?:[ ().-]?\d){8,}"), HIDDEN),  # a phone, an account, a card
)


def one_line(text: str) -> str:
    """Replace unprintable characters, including line breaks, by single spaces."""
    return " ".join("".join(sign if sign.isprintable() else " " for sign in text).split())


def without_persons(text: str) -> str:
    """Remove queries of addresses, contacts, ids, tokens and long numbers."""
    for pattern, replacement in REPLACED:
        text = pattern.sub(replacement, text)
    return text
