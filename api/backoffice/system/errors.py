from api.foundation.core.errors import DomainError, UnavailableError


class MailNotDeadError(DomainError):
    """The mail is still pending; ``data.status`` says where."""

    status = 409
    code = "wrong_state"
    message = "This mail is still on its way."


class NoBackupProcessError(UnavailableError):
    """No process that takes backups has sent a heartbeat lately."""

    code = "no_backup_process"
    message = "No process that takes backups is running. Please start it and try again."
