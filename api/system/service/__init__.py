"""Mails and backups for operators."""

from api.system.service.backups import ask_for_backup, backup_job, list_backups
from api.system.service.mails import count_dead_mails, list_mails, retry_mail

__all__ = [
    "ask_for_backup",
    "backup_job",
    "count_dead_mails",
    "list_backups",
    "list_mails",
    "retry_mail",
]
