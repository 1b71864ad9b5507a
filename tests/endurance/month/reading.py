"""Members' reads."""

from tests.endurance.month.actor import Actor
from tests.endurance.month.callers import (
    kobo,
)
from tests.endurance.month.model import (
    Funding,
    Member,
    Order,
    Period,
)


class ReadingEvents(Actor):
    """Events of reading."""

    async def receipt(self) -> None:
        def subjects(member: Member) -> list[Order | Period | Funding]:
            fundings = [
                one
                for one in member.fundings[-10:]
                if one.state != "review" and not one.is_creditable
            ]
            return [*member.orders[-10:], *member.periods[-3:], *fundings]

        async with self._one(subjects) as subject:
            name, net = self._paid_by(subject)
            answer = await self._member_call(subject.member, "GET", f"receipts/{name}")
            answer.must_be("not_paid" if net is None else 200)
            if net is not None:
                number = self.model.receipts.setdefault(name, answer.data["number"])
                assert number == answer.data["number"], f"{name} has two receipts"
                assert kobo(answer.data["net"]) == net, f"{name}: {answer.data['net']}, not {net}"

    @staticmethod
    def _paid_by(subject: Order | Period | Funding) -> tuple[str, int | None]:
        """Return the name of a receipt, and what was paid and not refunded, None for nothing."""
        match subject:
            case Order():
                net = subject.total - subject.refunded if subject.is_paid else None
                return f"order/{subject.id}", net
            case Period():
                net = subject.amount - subject.refunded if subject.amount else None
                return f"subscription/{subject.id}", net
            case Funding():
                net = subject.amount if subject.state == "succeeded" else None
                return f"funding/{subject.reference}", net

    async def read_wallet(self) -> None:
        async with self._any_member() as member:
            answer = await self._member_call(member, "GET", f"payment/wallet-balance/{member.id}")
            self._is_said(member, answer.data["balance"])
