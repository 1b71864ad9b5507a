"""Rules of signing up and in: what fits, how long codes live, how delays grow."""

import re
import secrets
from datetime import timedelta

CODE_LENGTH = 6
CODE_LIFE = timedelta(minutes=15)
CODE_PAUSE = timedelta(seconds=60)
CODES_PER_DAY = 5
TRIES_PER_CODE = 5

FREE_ATTEMPTS = 10
ATTEMPT_MEMORY = timedelta(minutes=10)
FIRST_DELAY = timedelta(seconds=30)
LONGEST_DELAY = timedelta(minutes=15)

SESSIONS_PER_MEMBER = 10

SHORTEST_PASSWORD = 8
LONGEST_PASSWORD = 128
LONGEST_EMAIL = 254
EMAIL = re.compile(r"[^@\s<>\"(),:;\[\]\\]+@[^@\s<>\"(),:;\[\]\\.]+(\.[^@\s<>\"(),:;\[\]\\.]+)+")

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


def check_email(email: str) -> str:
    """Return ``email``.

    Raises:
        ValueError: it is empty or not an address (spec 5).
    """
    if not email:
        raise ValueError("Email is required")
    if len(email) > LONGEST_EMAIL or EMAIL.fullmatch(email) is None:
        raise ValueError("Invalid email input")
    return email


def check_password(password: str) -> str:
    """Return ``password``.

    Raises:
        ValueError: it is empty, too short, too long or not storable (contract B-15).
    """
    if not password.strip():
        raise ValueError("Password is required")
    if len(password) < SHORTEST_PASSWORD:
        raise ValueError(f"Password must be at least {SHORTEST_PASSWORD} characters")
    if len(password) > LONGEST_PASSWORD:
        raise ValueError(f"Password must be at most {LONGEST_PASSWORD} characters")
    if not password.isprintable():
        raise ValueError("Password has characters that cannot be used")
    return password


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
