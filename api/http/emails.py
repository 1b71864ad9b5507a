"""Email addresses: one canonical form, so that one person is one text everywhere."""

import re
import unicodedata

import idna

LONGEST_EMAIL = 254
NEVER = r"@\x00-\x20\x7f<>\"(),:;\[\]\\"
LOCAL = re.compile(f"[^{NEVER}]+")
DOMAIN = re.compile(rf"[^{NEVER}.]+(\.[^{NEVER}.]+)+")


def canonical_email(
    written: str, *, empty: str = "Email is required", invalid: str = "Invalid email input"
) -> str:
    """Return an address trimmed, its local part in lower case, its domain as lower-case A-labels.

    A local part has ASCII letters alone: which others are capitals of which is not agreed on, by
    PostgreSQL and Python for two. A domain's other letters become the ASCII that DNS is asked for.

    Raises:
        ValueError: it is no address; with the sentence ``empty``, ``invalid`` or on its length.
    """
    text = unicodedata.normalize("NFC", written).strip()
    if not text:
        raise ValueError(empty)
    local, _, domain = text.rpartition("@")
    if not domain.isascii():
        try:
            domain = idna.encode(domain, uts46=True).decode()
        except idna.IDNAError:
            raise ValueError(invalid) from None
    email = f"{local}@{domain}".lower()
    if len(email) > LONGEST_EMAIL:
        raise ValueError(f"Email must be at most {LONGEST_EMAIL} characters")
    if not (email.isascii() and LOCAL.fullmatch(local) and DOMAIN.fullmatch(domain)):
        raise ValueError(invalid)
    return email
