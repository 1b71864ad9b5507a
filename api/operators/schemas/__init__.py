"""Shapes of the back office's own calls."""

from api.operators.schemas.approvals import (
    ApprovalAnswer,
    ApprovalChange,
    AuditAnswer,
    Decided,
    DecideInput,
    PendingApproval,
    Proposed,
    Subject,
)
from api.operators.schemas.common import (
    Page,
    Reason,
)
from api.operators.schemas.operators import (
    AdminSignInAnswer,
    AdminSignInInput,
    FreshInput,
    NewOperator,
    NewRoles,
    OperatorAnswer,
    OperatorChange,
    OperatorInput,
    OperatorMe,
    OperatorName,
    Today,
)
from api.operators.schemas.settings import (
    JobAnswer,
    NewTransferAccount,
    OfficeSettings,
    SettingsInput,
    StartedJob,
    TransferAccount,
    TransferAccountAnswer,
)

__all__ = [
    "AdminSignInAnswer",
    "AdminSignInInput",
    "ApprovalAnswer",
    "ApprovalChange",
    "AuditAnswer",
    "DecideInput",
    "Decided",
    "FreshInput",
    "JobAnswer",
    "NewOperator",
    "NewRoles",
    "NewTransferAccount",
    "OfficeSettings",
    "OperatorAnswer",
    "OperatorChange",
    "OperatorInput",
    "OperatorMe",
    "OperatorName",
    "Page",
    "PendingApproval",
    "Proposed",
    "Reason",
    "SettingsInput",
    "StartedJob",
    "Subject",
    "Today",
    "TransferAccount",
    "TransferAccountAnswer",
]
