"""SQL of sign-ups, credentials, codes and sessions."""

from api.auth.repository.codes import (
    Asking,
    Code,
    end_codes,
    list_recent_codes,
    look_at_code,
    replace_code,
    use_code,
)
from api.auth.repository.passwords import (
    change_password,
    is_origin_known,
    keep_browser,
    keep_origin,
    read_password_hash,
    renew_hash,
)
from api.auth.repository.sessions import (
    NewSession,
    change_others_revoked,
    change_revoked,
    change_seen,
    list_sessions,
    open_session,
    read_session,
)
from api.auth.repository.sign_ups import (
    change_code_used,
    end_attempts,
    insert_attempt,
    list_attempts,
    lock_address,
    lock_attempt,
    read_attempt,
    was_activated_with,
)

__all__ = [
    "Asking",
    "Code",
    "NewSession",
    "change_code_used",
    "change_others_revoked",
    "change_password",
    "change_revoked",
    "change_seen",
    "end_attempts",
    "end_codes",
    "insert_attempt",
    "is_origin_known",
    "keep_browser",
    "keep_origin",
    "list_attempts",
    "list_recent_codes",
    "list_sessions",
    "lock_address",
    "lock_attempt",
    "look_at_code",
    "open_session",
    "read_attempt",
    "read_password_hash",
    "read_session",
    "renew_hash",
    "replace_code",
    "use_code",
    "was_activated_with",
]
