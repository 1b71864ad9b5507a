"""Email addresses in one canonical form, so that each has a single spelling."""

import re
import unicodedata

import idna

MAX_EMAIL_LENGTH = 254
FORBIDDEN = r"@\x00-\x20\x7f<>\"(),:;\[\]\\"
LOCAL = re.compile(f"[^{FORBIDDEN}]+")
DOMAIN = re.compile(rf"[^{FORBIDDEN}.]+(\.[^{FORBIDDEN}.]+)+")


def canonical_email(
    written: str, *, empty: str = "Email is required", invalid: str = "Invalid email input"
) -> str:
    """Return an address trimmed, its local part in lower case, its domain as lower-case A-labels.

    The local part must be ASCII: PostgreSQL and Python disagree on how other letters fold. A domain
    in other letters is converted to the ASCII form that DNS uses (IDNA, UTS 46).

    Raises:
        ValueError: not an address; the message is ``empty``, ``invalid`` or names the limit.
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
    if len(email) > MAX_EMAIL_LENGTH:
        raise ValueError(f"Email must be at most {MAX_EMAIL_LENGTH} characters")
    if not (email.isascii() and LOCAL.fullmatch(local) and DOMAIN.fullmatch(domain)):
        raise ValueError(invalid)
    return email
