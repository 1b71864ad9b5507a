"""A fake of Flutterwave's API, version 3: payments, verification, hosted page and webhook.

Terms: *merchant* (the owner of the keys), *tx_ref* (the merchant's own id of a payment), *link*
(the hosted page of one payment). Amounts are major units, as on the provider's wire.

The shapes follow developer.flutterwave.com: "Flutterwave Standard", "Transaction verification" and
"Webhooks".
"""
