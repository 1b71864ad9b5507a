"""Flutterwave's wire, version 3, imitated: payments, verification, the hosted page, the webhook.

Words: *merchant* (who owns the keys), *tx_ref* (the merchant's own name of a payment), *link* (the
hosted page of one payment). Amounts are major units, as on the provider's wire.

The shapes follow developer.flutterwave.com: "Flutterwave Standard", "Transaction verification" and
"Webhooks".
"""
