"""Rules of signing up and in: what fits, how long codes live, how delays grow."""

import secrets
from datetime import timedelta

from api.database.rate_limit import Limit
from api.http.emails import canonical_email

CODE_LENGTH = 6
CODE_LIFE = timedelta(minutes=10)
CODE_PAUSE = timedelta(seconds=60)
CODES_PER_DAY = 5
TRIES_PER_CODE = 5
# Of a forgotten password: for one email from one network, and for one email from all networks
# that no member came from lately. They are counted whether the email has an account or not.
RESET_PAUSE = Limit("reset-pause", 1, CODE_PAUSE)
RESETS_PER_NETWORK = Limit("reset-network", CODES_PER_DAY, timedelta(days=1))
RESETS_PER_EMAIL = Limit("reset-email", 20, timedelta(days=1))
# Calls of one network for forgotten passwords, apart from its sign-ins.
RESET_CALLS = Limit("reset-calls", 300, timedelta(minutes=1))
MAX_CODE_INPUT_LENGTH = 16  # with the spaces a paste may carry

ATTEMPT_LIFE = timedelta(hours=24)
ATTEMPTS_PER_ADDRESS = 20  # more than the codes of a day: one that waits for its code is kept

FREE_ATTEMPTS = 10
ATTEMPT_MEMORY = timedelta(minutes=10)
FIRST_DELAY = timedelta(seconds=30)
MAX_DELAY = timedelta(minutes=15)

SESSIONS_PER_MEMBER = 10
SEEN_EVERY = timedelta(minutes=5)  # how often a session that is used is noted

MINUTE_SECONDS = 60
HOUR_SECONDS = 3600

SHORTEST_PASSWORD = 8
MAX_PASSWORD_LENGTH = 128
MAX_PASSWORD_INPUT_LENGTH = 1024  # longer ones are nobody's, and hashing them is work
MAX_INVITE_LENGTH = 32  # with spaces a paste may carry; who looks at it knows what codes are

UNKNOWN_DEVICE = "Unknown device"
# In this order: most browsers also claim to be the ones further down.
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
    """Return what a person recognises a device by, None when nothing is known of it.

    Only these words are kept of what the browser says of itself.
    """
    browser = next((name for mark, name in BROWSERS if mark in user_agent), None)
    system = next((name for mark, name in SYSTEMS if mark in user_agent), None)
    if browser and system:
        return f"{browser} on {system}"
    return browser or system


def check_username(username: str) -> str:
    """Return the email that a member signs in with, in canonical form.

    Raises:
        ValueError: not an email (spec 5).
    """
    return canonical_email(username, empty="Username is required", invalid="Invalid username input")


def check_entered_password(password: str) -> str:
    """Return ``password``.

    Raises:
        ValueError: it is longer than any password, or no text that could be one.
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
    """Return ``code`` without the spaces a paste may carry.

    Raises:
        ValueError: it is longer than any code.
    """
    if len(code) > MAX_CODE_INPUT_LENGTH:
        raise ValueError(f"The code has {CODE_LENGTH} digits")
    return "".join(code.split())


def describe_wait(seconds: int) -> str:
    """Return a wait as a person says it."""
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
    """Return True.

    Raises:
        ValueError: the terms were not accepted.
    """
    if not accepted:
        raise ValueError("Please accept the terms and conditions")
    return accepted


def draw_code() -> str:
    """Return six random digits."""
    return f"{secrets.randbelow(10**CODE_LENGTH):0{CODE_LENGTH}d}"


def read_invite(written: object) -> str | None:
    """Return what was written down of an invite; None for what cannot be one, a text or not."""
    if not isinstance(written, str) or not 0 < len(written) <= MAX_INVITE_LENGTH:
        return None
    return written if written.isascii() and "\0" not in written else None
