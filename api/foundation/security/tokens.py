"""Tokens: they prove who signed in; the session row they refer to decides whether they are valid.

The only module that uses python-jose.
"""

from datetime import datetime, timedelta
from uuid import UUID

from jose import jwt

from api.foundation.core import clock
from api.foundation.core.errors import TokenError
from api.foundation.core.ids import new_id
from api.foundation.security import base64url

ALGORITHM = "HS256"
ISSUER = "king-of-fans"
AUDIENCE = "fanclub-api"
ADMIN_AUDIENCE = "admin"
TOKEN_LIFE = timedelta(days=7)
MAX_TOKEN_LENGTH = 4096
CLOCK_SKEW_SECONDS = 30
REQUIRED_CLAIMS = {f"require_{claim}": True for claim in ("aud", "iss", "sub", "jti")}

# The library would use the system clock; times are compared below, with our clock.
OWN_CLOCK = {f"verify_{claim}": False for claim in ("iat", "nbf", "exp")}


class ExpiredTokenError(TokenError):
    """The token is ours and has expired; the response is that of any invalid token."""


class TokenCodec:
    """Signs and verifies tokens of one audience: HS256 with the claims of contract B-13."""

    def __init__(self, key: str, *, audience: str = AUDIENCE, life: timedelta = TOKEN_LIFE) -> None:
        self._key = key
        self._audience = audience
        self._life = life

    def issue(self, user_id: UUID, session_id: UUID, issued_at: datetime) -> str:
        """Return a token with the lifetime of its audience."""
        moment = int(issued_at.timestamp())
        claims = {
            "iss": ISSUER,
            "aud": self._audience,
            "sub": str(user_id),
            "sid": str(session_id),
            "jti": str(new_id()),
            "iat": moment,
            "nbf": moment,
            "exp": moment + int(self._life.total_seconds()),
        }
        token: str = jwt.encode(claims, self._key, algorithm=ALGORITHM)
        return token

    def read(self, token: str) -> tuple[UUID, UUID]:
        """Return the user id and session id in ``token``.

        Raises:
            ExpiredTokenError: it was ours but has expired.
            TokenError: it is not one of ours, or not valid now.
        """
        if len(token) > MAX_TOKEN_LENGTH:
            raise TokenError
        try:
            for part in token.split("."):
                base64url.decode(part)  # the library accepts many spellings of one token
            claims = jwt.decode(
                token,
                self._key,
                algorithms=[ALGORITHM],
                audience=self._audience,
                issuer=ISSUER,
                options=REQUIRED_CLAIMS | OWN_CLOCK,
            )
            user_id, session_id = UUID(claims["sub"]), UUID(claims["sid"])
            times = claims["iat"], claims["nbf"], claims["exp"]
        except Exception as error:  # hostile input raises RecursionError and others
            raise TokenError from error
        if any(type(moment) is not int for moment in times):
            raise TokenError
        issued_at, begins_at, expires_at = times
        now = clock.now().timestamp()
        if max(issued_at, begins_at) > now + CLOCK_SKEW_SECONDS:
            raise TokenError
        if expires_at <= now:
            raise ExpiredTokenError
        return user_id, session_id
