"""A fake of Paystack's API: merchant calls, the hosted checkout and the signed webhook.

Terms: *merchant* (the owner of the keys), *secret key* (server to server), *public key* (the
checkout's calls), *access code* (opens one transaction's checkout), *transaction* (one attempt to
be paid, with a merchant's unique *reference*), *step* (what a card requires next: PIN, OTP, phone,
bank).

The shapes follow the provider's published documentation; amounts are integers in kobo.
"""
