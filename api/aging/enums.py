"""What can be made older."""

from enum import StrEnum


class AgedKind(StrEnum):
    """Of what a row is moved into the past."""

    ORDER = "order"
    SUBSCRIPTION = "subscription"
    FUNDING = "funding"
    APPROVAL = "approval"
    MEMBER = "member"
    PROOF = "proof"
    FIXTURE = "fixture"
