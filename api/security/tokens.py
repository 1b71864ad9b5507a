"""Tokens: they prove who signed in; the session row that one names decides whether it still holds.

python-jose is used here and nowhere else.
"""

from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from jose import jwt
from jose.exceptions import ExpiredSignatureError

from api.core import clock
from api.core.errors import TokenError
from api.core.ids import new_id

ALGORITHM = "HS256"
ISSUER = "king-of-fans"
AUDIENCE = "fanclub-api"
ADMIN_AUDIENCE = "admin"
TOKEN_LIFE = timedelta(days=7)
LONGEST_TOKEN = 4096
CLOCK_SKEW_SECONDS = 30
REQUIRED_CLAIMS = {
    f"require_{claim}": True for claim in ("aud", "iat", "exp", "nbf", "iss", "sub", "jti")
}

# The library verifies whatever it requires.
ANY_EXPIRY = {"require_exp": False, "verify_exp": False}


class ExpiredTokenError(TokenError):
    """The token is ours and its time is over; it is told like any dead token."""


class TokenCodec:
    """Signs and checks tokens of one audience: HS256 with the claims of contract B-13."""

    def __init__(self, key: str, *, audience: str = AUDIENCE, life: timedelta = TOKEN_LIFE) -> None:
        self._key = key
        self._audience = audience
        self._life = life

    def issue(self, user_id: UUID, session_id: UUID, issued_at: datetime) -> str:
        """Return a token that lives as long as those of its audience do."""
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
        """Return the user and session that ``token`` names.

        Raises:
            ExpiredTokenError: it was one of ours.
            TokenError: it is not one of ours, or not valid now.
        """
        if len(token) > LONGEST_TOKEN:
            raise TokenError
        try:
            claims = self._decode(token, REQUIRED_CLAIMS)
            user_id, session_id = UUID(claims["sub"]), UUID(claims["sid"])
        except ExpiredSignatureError as error:
            raise self._expired(token) from error
        except Exception as error:  # the library leaks RecursionError and others on hostile input
            raise TokenError from error
        issued_at, expires_at = claims["iat"], claims["exp"]
        if type(issued_at) is not int or type(expires_at) is not int:
            raise TokenError
        if issued_at > clock.now().timestamp() + CLOCK_SKEW_SECONDS:
            raise TokenError
        return user_id, session_id

    def _decode(self, token: str, options: dict[str, bool]) -> dict[str, Any]:
        claims: dict[str, Any] = jwt.decode(
            token,
            self._key,
            algorithms=[ALGORITHM],
            audience=self._audience,
            issuer=ISSUER,
            options=options,
        )
        return claims

    def _expired(self, token: str) -> TokenError:
        """Tell one of ours from another audience's: the library looks at the time first."""
        try:
            self._decode(token, REQUIRED_CLAIMS | ANY_EXPIRY)
        except Exception:  # the library leaks others on hostile input
            return TokenError()
        return ExpiredTokenError()
