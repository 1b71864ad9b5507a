"""Operators' oversight: proposals decided, the audit read, settings changed, Today, jobs.

Domains do not import it: they propose through ``api.foundation.approvals`` and leave audit entries
through ``api.foundation.audit``. ``api.app.back_office`` carries out approved proposals.
"""
