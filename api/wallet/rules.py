"""Rules of the ledger's references: what names a movement, once for ever."""

BANK_REFERENCES = "transfer:"  # of money that came over a bank and not through a provider


def bank_reference(bank: str, reference: str) -> str:
    """Return the ledger reference of a bank's payment; letter case and spaces say nothing."""
    return f"{BANK_REFERENCES}{bank}:{plain_reference(reference)}"


def plain_reference(reference: str) -> str:
    """Return a bank's reference in the one form that it counts in."""
    return "".join(reference.split()).upper()
