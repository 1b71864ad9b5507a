"""Proofs of work in ALTCHA's format: a small computation that costs a crowd of requests dearly.

The only module that uses altcha. A challenge is signed and stored nowhere; a database stores which
ones were used (``api/foundation/database/challenges.py``).
"""

import secrets
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from altcha import Payload, create_challenge, verify_solution

from api.foundation.security.digests import keyed_digest

CHALLENGE_LIFE = timedelta(minutes=10)
ALGORITHM = "PBKDF2/SHA-256"  # native in browsers, so that they are hardly slower than an attacker
COST = 2_000  # iterations of a key; creating a challenge derives one, checking a solution none
KEYS = 200  # derived at most for a challenge of level 1, and half of them at least
MAX_LEVEL = 8
MAX_SOLUTION_LENGTH = 4_096  # a solution has about 900 characters


@dataclass(frozen=True)
class Solution:
    """A solved challenge that has not expired; ``nonce`` identifies the challenge."""

    nonce: str
    level: int
    expires_at: datetime


class Challenges:
    """Creates challenges, and checks solutions; both for one purpose at a time."""

    def __init__(self, key: str) -> None:
        self._secret = keyed_digest(key, "challenge")
        self._key_secret = keyed_digest(key, "challenge's key")

    def create(self, purpose: str, level: int, now: datetime) -> dict[str, Any]:
        """Return a challenge; a level of 2 is twice the work of 1."""
        max_keys = KEYS * level
        challenge = create_challenge(
            ALGORITHM,
            COST,
            counter=max_keys - secrets.randbelow(max_keys // 2),
            expires_at=now + CHALLENGE_LIFE,
            data={"purpose": purpose, "level": level},
            hmac_secret=self._secret,
            hmac_key_secret=self._key_secret,
        )
        return challenge.to_dict()

    def read(self, payload: str, purpose: str) -> Solution | None:
        """Return the solution in ``payload`` (base64 of JSON), or None unless it is right.

        It may have been used before.
        """
        if not 0 < len(payload) <= MAX_SOLUTION_LENGTH:
            return None
        try:
            given = Payload.from_base64(payload)
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            return None
        result = verify_solution(given, self._secret, hmac_key_secret=self._key_secret)
        if not result.verified:
            return None
        parameters = given.challenge.parameters  # signed by us from here on
        data, expires_at = parameters.data, parameters.expires_at
        if data is None or expires_at is None or data["purpose"] != purpose:
            return None
        ends = datetime.fromtimestamp(expires_at, UTC)
        return Solution(parameters.nonce, data["level"], ends)
