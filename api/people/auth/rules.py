"""Rules of signing up and in: validation, code lifetimes and limits."""

import secrets
from datetime import timedelta

from api.foundation.database.rate_limit import Limit
from api.foundation.wire.emails import canonical_email

CODE_LENGTH = 6
CODE_LIFE = timedelta(minutes=10)
CODE_PAUSE = timedelta(seconds=60)
CODES_PER_DAY = 5
CODES_PER_EMAIL = 20  # a day, for all networks together
TRIES_PER_CODE = 5
SMS_PER_DAY = 3  # per number and Lagos day; the table's constraint has the same number
# Per email and network, and per email for all networks where its member did not sign in lately.
# Counted whether the email has an account or not.
RESET_PAUSE = Limit("reset-pause", 1, CODE_PAUSE)
RESETS_PER_NETWORK = Limit("reset-network", CODES_PER_DAY, timedelta(days=1))
RESETS_PER_EMAIL = Limit("reset-email", 20, timedelta(days=1))
# Per network, and separate from sign-ins. Requests for a code send mail, so all of them count; of
# the others only those that are refused.
RESET_MAILS = Limit("reset-mail", 300, timedelta(minutes=1))
REFUSED_RESETS = Limit("reset-calls", 300, timedelta(minutes=1))
REFUSED_ACTIVATIONS = Limit("activation", 300, timedelta(minutes=1))
MAX_CODE_INPUT_LENGTH = 16  # allows the spaces of a pasted code

ATTEMPT_LIFE = timedelta(hours=24)
ATTEMPTS_PER_ADDRESS = 20  # more than the codes of a day, so that those with a mailed code are kept

FREE_ATTEMPTS = 10
ATTEMPT_MEMORY = timedelta(minutes=10)
FIRST_DELAY = timedelta(seconds=30)
MAX_DELAY = timedelta(minutes=15)

SESSIONS_PER_MEMBER = 10
SEEN_EVERY = timedelta(minutes=5)  # how often a used session is recorded

MINUTE_SECONDS = 60
HOUR_SECONDS = 3600

SHORTEST_PASSWORD = 8
MAX_PASSWORD_LENGTH = 128
MAX_PASSWORD_INPUT_LENGTH = 1024  # no password is longer, and hashing costs time
MAX_INVITE_LENGTH = 32  # allows the spaces of a pasted code; validated where it is used
MAX_CLAIM_LENGTH = 200

UNKNOWN_DEVICE = "Unknown device"
# In this order: most browsers also claim to be the later ones.
BROWSERS = (
    ("OPR/", "Opera"),
    ("Opera Mini", "Opera Mini"),
    ("SamsungBrowser", "Samsung Internet"),
    ("UCBrowser", "UC Browser"),
    ("Edg", "Edge"),
    ("Firefox", "Firefox"),
    ("FxiOS", "Firefox"),
    ("CriOS", "Chrome"),
    ("Chrome", "Chrome"),
    ("Safari", "Safari"),
)
SYSTEMS = (
    ("Android", "Android"),
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("KAIOS", "KaiOS"),
    ("Windows", "Windows"),
    ("Macintosh", "Mac"),
    ("Linux", "Linux"),
)


def describe_device(user_agent: str) -> str | None:
    """Return a description of a device that its owner recognises, or None if unknown.

    Nothing else of the user agent is stored.
    """
    browser = next((name for mark, name in BROWSERS if mark in user_agent), None)
    system = next((name for mark, name in SYSTEMS if mark in user_agent), None)
    if browser and system:
        return f"{browser} on {system}"
    return browser or system


def check_username(username: str) -> str:
    """Return the email a member signs in with, in canonical form.

    Raises:
        ValueError: not an email (spec 5).
    """
    return canonical_email(username, empty="Username is required", invalid="Invalid username input")


def check_entered_password(password: str) -> str:
    """Return ``password``.

    Raises:
        ValueError: it is longer than any password, or not a valid text.
    """
    if len(password) > MAX_PASSWORD_INPUT_LENGTH:
        raise ValueError(f"Password must be at most {MAX_PASSWORD_LENGTH} characters")
    return _encodable(password)


def _encodable(password: str) -> str:
    try:
        password.encode()
    except UnicodeEncodeError:
        raise ValueError("Password has characters that cannot be used") from None
    return password


def check_code(code: str) -> str:
    """Return ``code`` without spaces.

    Raises:
        ValueError: it is longer than any code.
    """
    if len(code) > MAX_CODE_INPUT_LENGTH:
        raise ValueError(f"The code has {CODE_LENGTH} digits")
    return "".join(code.split())


def describe_wait(seconds: int) -> str:
    """Format a wait for display."""
    if seconds < 2 * MINUTE_SECONDS:
        return f"{seconds} seconds"
    if seconds < 2 * HOUR_SECONDS:
        return f"{-(-seconds // MINUTE_SECONDS)} minutes"
    return f"{-(-seconds // HOUR_SECONDS)} hours"


def check_password(password: str) -> str:
    """Return ``password``.

    Raises:
        ValueError: it is empty, too short, too long or not storable (contract B-15).
    """
    if not password.strip():
        raise ValueError("Password is required")  # spec 5: empty after trimming
    if len(password) < SHORTEST_PASSWORD:
        raise ValueError(f"Password must be at least {SHORTEST_PASSWORD} characters")
    if len(password) > MAX_PASSWORD_LENGTH:
        raise ValueError(f"Password must be at most {MAX_PASSWORD_LENGTH} characters")
    return _encodable(password)


def accept_terms(accepted: bool) -> bool:
    """Return True; raise ``ValueError`` unless the terms were accepted."""
    if not accepted:
        raise ValueError("Please accept the terms and conditions")
    return accepted


def draw_code() -> str:
    """Return six random digits."""
    return f"{secrets.randbelow(10**CODE_LENGTH):0{CODE_LENGTH}d}"


def read_invite(written: object) -> str | None:
    """Return the given invite code, or None if it cannot be one; accepts any type."""
    return _short_text(written, MAX_INVITE_LENGTH)


def read_claim(written: object) -> str | None:
    """Return the given claim, or None if it cannot be one; accepts any type."""
    return _short_text(written, MAX_CLAIM_LENGTH)


def _short_text(written: object, limit: int) -> str | None:
    if not isinstance(written, str) or not 0 < len(written) <= limit:
        return None
    return written if written.isascii() and "\0" not in written else None


def mask_phone(phone: str) -> str:
    """Return a phone number of which only its owner recognises the rest."""
    return f"•••• {phone[-4:]}"
