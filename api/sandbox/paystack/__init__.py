"""Paystack's wire, imitated: the merchant API, the hosted checkout and the signed webhook.

Words: *merchant* (who owns the keys), *secret key* (server to server), *public key* (the
checkout's calls), *access code* (opens one transaction's checkout), *transaction* (one attempt to
be paid, with a merchant's unique *reference*), *step* (what a card asks for next: PIN, OTP, phone,
bank).

The shapes follow the provider's published documentation; amounts are integers in kobo.
"""
