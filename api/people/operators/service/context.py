"""Dependencies of operators' sign-in."""

from dataclasses import dataclass

from api.foundation.database.database import Database
from api.foundation.database.rate_limit import RateLimiter
from api.foundation.database.sign_in_limits import SignInGate
from api.foundation.security.events import SecurityEvent, SecurityLog
from api.foundation.security.operators import AdminSessionLife
from api.foundation.security.passwords import PasswordHasher
from api.foundation.security.sealing import Sealer
from api.foundation.security.tokens import TokenCodec


@dataclass(frozen=True)
class OperatorContext:
    """Dependencies of operators' sign-in, built once per process."""

    database: Database
    hasher: PasswordHasher
    codec: TokenCodec
    limiter: RateLimiter
    sealer: Sealer
    security: SecurityLog
    life: AdminSessionLife
    allows_code_reuse: bool

    @property
    def sign_in_gate(self) -> SignInGate:
        """Limits sign-in attempts of operators; many unknown networks raise an alert."""
        flooded = SecurityEvent.OPERATOR_SIGN_IN_DELAYED
        return SignInGate(
            "admin-sign-in", self.database, self.limiter, self.security, flooded=flooded
        )
