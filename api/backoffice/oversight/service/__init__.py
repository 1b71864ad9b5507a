"""The back office: signing in, audited writes, approval by a second person."""
