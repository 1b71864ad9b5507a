"""Auth: sign-up, activation, sign-in and sessions.

Terms: *activation code*, *reset code* (six digits by mail), *session* (one sign-in, revocable),
*token* (the signed claim on a session).
"""
