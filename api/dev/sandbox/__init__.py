"""Sandbox: provider fakes that speak the real wire protocol; independent of the application."""
