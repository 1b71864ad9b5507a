"""What of a text can be seen."""

import re
import unicodedata

# Unicode's Default_Ignorable_Code_Point, and the empty braille cell. Some of them are letters by
# category (Hangul fillers) and some marks (variation selectors).
DRAWN_AS_NOTHING = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e"
    "\u2060-\u206f\u2800\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8"
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
SEEN = frozenset("LNPS")  # letters, numbers, punctuation and symbols
READ = frozenset("LN")


def is_seen(text: str) -> bool:
    """Say whether at least one character of a text is drawn, and not only on top of another."""
    return _has_one_of(SEEN, text)


def can_be_read(name: str) -> bool:
    """Say whether a name has a letter or a number: some symbols are drawn as nothing, too."""
    return _has_one_of(READ, name)


def _has_one_of(kinds: frozenset[str], text: str) -> bool:
    shown = DRAWN_AS_NOTHING.sub("", text)
    return any(unicodedata.category(character)[0] in kinds for character in shown)
