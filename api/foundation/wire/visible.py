"""Visibility of characters."""

import re
import unicodedata

# Unicode's Default_Ignorable_Code_Point, and the empty braille cell. By category some of them are
# letters (Hangul fillers) and some marks (variation selectors).
DRAWN_AS_NOTHING = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e"
    "\u2060-\u206f\u2800\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8"
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
SEEN = frozenset("LNPS")  # letters, numbers, punctuation and symbols
READ = frozenset("LN")


def is_seen(text: str) -> bool:
    """Return whether a text has a visible character that does not combine with another."""
    return _has_one_of(SEEN, text)


def can_be_read(name: str) -> bool:
    """Return whether a name has a letter or a number: some symbols may be drawn as nothing, too."""
    return _has_one_of(READ, name)


def _has_one_of(kinds: frozenset[str], text: str) -> bool:
    shown = DRAWN_AS_NOTHING.sub("", text)
    return any(unicodedata.category(character)[0] in kinds for character in shown)
