"""The provider's published test cards, and their behaviour when charged."""

import hmac
from dataclasses import dataclass
from enum import StrEnum


class CardStep(StrEnum):
    """What a card requires before it pays."""

    PIN = "pin"
    OTP = "otp"
    PHONE = "phone"
    BANK = "3DS"


@dataclass(frozen=True, slots=True, kw_only=True)
class TestCard:
    """One published card: its secrets, its steps in order, and its outcome.

    Attributes:
        name: Identifies the card where its number must not be stored.
        refusal: The issuer's message if the card never pays; None if it pays.
    """

    __test__ = False  # pytest collects every class called Test*

    name: str
    title: str
    number: str
    cvv: str
    brand: str
    pin: str | None = None
    otp: str | None = None
    steps: tuple[CardStep, ...] = ()
    refusal: str | None = None

    def accepts(self, step: CardStep, answer: str) -> bool:
        """Return whether ``answer`` is what the issuer expects at ``step``."""
        if step is CardStep.PHONE:
            return answer.isdecimal() and 10 <= len(answer) <= 14
        expected = {CardStep.PIN: self.pin, CardStep.OTP: self.otp, CardStep.BANK: "authorize"}[
            step
        ]
        return expected is not None and hmac.compare_digest(expected.encode(), answer.encode())

    def step_after(self, step: CardStep) -> CardStep | None:
        """Return the step after ``step``, or None if the card pays."""
        position = self.steps.index(step) + 1
        return self.steps[position] if position < len(self.steps) else None


TEST_CARDS = (
    TestCard(
        name="success",
        title="Pays at once",
        number="4084084084084081",
        cvv="408",
        brand="visa",
    ),
    TestCard(
        name="pin",
        title="Asks for a PIN",
        number="507850785078507812",
        cvv="081",
        brand="verve",
        pin="1111",
        steps=(CardStep.PIN,),
    ),
    TestCard(
        name="pin-otp",
        title="PIN, then OTP",
        number="5060666666666666666",
        cvv="123",
        brand="verve",
        pin="1234",
        otp="123456",
        steps=(CardStep.PIN, CardStep.OTP),
    ),
    TestCard(
        name="pin-phone-otp",
        title="PIN, phone, then OTP",
        number="507850785078507804",
        cvv="884",
        brand="verve",
        pin="0000",
        otp="123456",
        steps=(CardStep.PIN, CardStep.PHONE, CardStep.OTP),
    ),
    TestCard(
        name="bank",
        title="Asks the bank (3-D Secure)",
        number="4084080000000409",
        cvv="000",
        brand="visa",
        steps=(CardStep.BANK,),
    ),
    TestCard(
        name="declined",
        title="Is declined",
        number="4084080000005408",
        cvv="001",
        brand="visa",
        refusal="Declined",
    ),
    TestCard(
        name="no-token",
        title="PIN, then no token",
        number="507850785078507853",
        cvv="082",
        brand="verve",
        pin="0000",
        steps=(CardStep.PIN,),
        refusal="Token Not Generated. Customer Not Enrolled on Token Platform",
    ),
    TestCard(
        name="insufficient",
        title="Has insufficient funds",
        number="4084080000670037",
        cvv="787",
        brand="visa",
        refusal="Insufficient Funds",
    ),
)


def find_card(number: str) -> TestCard | None:
    """Return the published card with this number, or None: no other number is accepted."""
    return next((card for card in TEST_CARDS if card.number == number), None)


def card_named(name: str) -> TestCard:
    """Return the card with the name stored in a transaction.

    Raises:
        LookupError: No card has this name.
    """
    for card in TEST_CARDS:
        if card.name == name:
            return card
    raise LookupError(name)
