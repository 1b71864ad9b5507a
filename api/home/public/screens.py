"""The addresses of the app's screens, as ``web/src/app/routes.tsx`` has them."""

import re

PATTERNS = (
    "/",
    *("/signin", "/signup", "/activate-account/:id", "/forgot-password", "/reset-password"),
    *("/wallet", "/products", "/product/:id", "/orders", "/checkout", "/shopping", "/shopping/:id"),
    *("/profile", "/subscriptions", "/posts", "/chats", "/trivia-questions", "/battle-zone"),
    *("/leaderboard", "/points", "/badges", "/calendar", "/predictions", "/match/:id"),
    *("/news", "/news/:slug", "/notifications", "/settings", "/backups", "/logs"),
)
_SCREEN = re.compile(
    "|".join(re.sub(r":\w+", "[^/]+", pattern) for pattern in PATTERNS), re.IGNORECASE
)


def is_screen(path: str) -> bool:
    """Return whether the app has a screen at a path, ignoring case and a slash at the end."""
    return _SCREEN.fullmatch(path.rstrip("/") or "/") is not None
