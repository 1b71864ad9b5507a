"""``prove``: verifies that every kobo of the ledger is accounted for."""

from argparse import Namespace

from api.console.acts import audit_act
from api.console.opened import open_database
from api.foundation.core.config import Settings
from api.foundation.core.money import format_naira
from api.money.ledger_audit import service
from api.money.ledger_audit.enums import ProofSource


async def prove(settings: Settings, _options: Namespace) -> bool:
    """Verify the whole ledger, store and print the result, and return whether it balances."""
    async with open_database(settings) as database:
        proof = await service.prove(database, ProofSource.CONSOLE)
        async with database.transaction() as tx:
            await service.keep(tx, proof)
            await audit_act(tx, "prove", "ledger_proof", proof.id, ok=proof.ok)
    for one in proof.found:
        said = f"{one.count}, such as {'; '.join(one.examples)}" if one.count else "Holds."
        print(f"{'FAIL' if one.count else 'ok'} {one.name}: {said}")
    verdict = "balances" if proof.ok else "does not balance"
    difference = format_naira(proof.difference_kobo)
    print(f"The ledger {verdict}: {proof.transfers} transfers, difference {difference}.")
    return proof.ok
