"""The machinery as operators see it: mails on their way, and backups.

Words: *mail* (a stored job that sends one, or a notification whose mail waits for its time),
*dead* (not tried again until an operator says so), *backup* (a run of the nightly process).
"""
