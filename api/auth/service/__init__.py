"""Signing up, activating, signing in and out, and the forgotten password."""

from api.auth.service.context import AuthContext, Caller
from api.auth.service.passwords import (
    admitted_reset,
    check_password,
    reset_password,
    send_reset_code,
)
from api.auth.service.sessions import (
    list_sessions,
    read_session,
    record_seen,
    revoke_all,
    revoke_others,
    sessions_of,
    sign_out,
)
from api.auth.service.signing_in import sign_in
from api.auth.service.signing_up import activate, resend_code, sign_up

__all__ = [
    "AuthContext",
    "Caller",
    "activate",
    "admitted_reset",
    "check_password",
    "list_sessions",
    "read_session",
    "record_seen",
    "resend_code",
    "reset_password",
    "revoke_all",
    "revoke_others",
    "send_reset_code",
    "sessions_of",
    "sign_in",
    "sign_out",
    "sign_up",
]
