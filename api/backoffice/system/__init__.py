"""Mails and backups as operators see them.

Words: *mail* (a stored job that sends one, or a notification whose mail is scheduled), *dead* (not
retried until an operator does so), *backup* (a run of the nightly process).
"""
