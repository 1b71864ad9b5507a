"""Sandbox: imitated providers that speak the real wire; they know nothing of the application."""
