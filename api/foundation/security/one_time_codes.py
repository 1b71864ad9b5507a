"""Operators' TOTP codes: RFC 6238 with SHA-1, six digits, thirty seconds.

The only module that uses pyotp.
"""

from datetime import datetime

from pyotp import TOTP, random_base32
from pyotp.utils import strings_equal

ISSUER = "King of Fans"
STEPS_EITHER_SIDE = 1


def new_secret() -> str:
    """Return a random secret of 160 bits in base 32."""
    return random_base32()


def code_at(secret: str, moment: datetime) -> str:
    """Return the TOTP code at ``moment``."""
    return TOTP(secret).at(moment)


def fitting_steps(secret: str, code: str, moment: datetime) -> list[int]:
    """Return the steps around ``moment`` with this code, oldest first; usually none or one."""
    totp = TOTP(secret)
    now = totp.timecode(moment)
    return [
        step
        for step in range(now - STEPS_EITHER_SIDE, now + STEPS_EITHER_SIDE + 1)
        if strings_equal(code, totp.generate_otp(step))
    ]


def provisioning_uri(secret: str, email: str) -> str:
    """Return the ``otpauth://`` address for an authenticator app."""
    return TOTP(secret).provisioning_uri(name=email, issuer_name=ISSUER)
