"""Mails and backups for operators."""
