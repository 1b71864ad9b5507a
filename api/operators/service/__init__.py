"""The back office at work: signing in, writing with an audit row, asking a second person."""

from api.operators.service.approvals import change, decide, list_approvals, propose
from api.operators.service.context import (
    ApprovalKind,
    Approved,
    Execute,
    Executors,
    OperatorContext,
    TodayFigures,
    Waiting,
)
from api.operators.service.jobs import list_jobs, run_job
from api.operators.service.looking import AuditSearch, list_audit, list_deeds, today
from api.operators.service.operators import (
    NEW_OPERATOR,
    NEW_ROLES,
    change_operator,
    change_roles_approved,
    create_approved,
    is_operator,
    list_operators,
    make_operator,
    propose_operator,
    reseal,
    set_secret,
)
from api.operators.service.sessions import (
    end_sessions,
    me,
    note_use,
    read_session,
    refresh,
    sign_in,
    sign_out,
)
from api.operators.service.settings import (
    TRANSFER_ACCOUNT,
    change_account_approved,
    change_settings,
    read_settings,
)
from api.operators.service.writing import Deed, audited, audited_console, perform

__all__ = [
    "NEW_OPERATOR",
    "NEW_ROLES",
    "TRANSFER_ACCOUNT",
    "ApprovalKind",
    "Approved",
    "AuditSearch",
    "Deed",
    "Execute",
    "Executors",
    "OperatorContext",
    "TodayFigures",
    "Waiting",
    "audited",
    "audited_console",
    "change",
    "change_account_approved",
    "change_operator",
    "change_roles_approved",
    "change_settings",
    "create_approved",
    "decide",
    "end_sessions",
    "is_operator",
    "list_approvals",
    "list_audit",
    "list_deeds",
    "list_jobs",
    "list_operators",
    "make_operator",
    "me",
    "note_use",
    "perform",
    "propose",
    "propose_operator",
    "read_session",
    "read_settings",
    "refresh",
    "reseal",
    "run_job",
    "set_secret",
    "sign_in",
    "sign_out",
    "today",
]
