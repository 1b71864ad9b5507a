"""SQL of sign-ups, credentials, codes and sessions."""
