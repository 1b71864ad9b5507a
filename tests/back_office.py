"""Test operators: members with a role and a TOTP secret, signed in to the back office."""

from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from uuid import UUID

import httpx
from api.foundation.core import clock
from api.foundation.core.ids import new_id
from api.foundation.security.one_time_codes import code_at, new_secret
from api.foundation.security.rights import Role
from api.people.operators.service import phones

from tests.conftest import PASSWORD, RunningApp, SignedIn, TokenCalls

ADMIN = "/api/v1/admin"


@dataclass
class OperatorClient(TokenCalls):
    """An operator with a live back-office session."""

    id: UUID
    member: SignedIn
    secret: str
    token: str
    client: httpx.AsyncClient

    async def patch(self, path: str, body: Any) -> httpx.Response:
        return await self.client.patch(path, json=body, headers=self.headers)

    def code(self, *, steps: int = 0) -> str:
        """Return the current TOTP code, or that of another step."""
        return code_at(self.secret, clock.now() + timedelta(seconds=30 * steps))


async def appoint(app: RunningApp, member: SignedIn, *roles: Role) -> tuple[UUID, str]:
    """Make a member an operator with a TOTP secret; return the operator's id and the secret."""
    operator_id, secret = new_id(), new_secret()
    async with app.database.transaction() as tx:
        await tx.execute(
            "INSERT INTO operator (id, user_id, roles) VALUES ($1, $2, $3)",
            operator_id,
            member.id,
            [role.value for role in roles],
        )
        sealer = app.asgi.state.services.operators.sealer
        await phones.set_secret(tx, sealer, operator_id, secret)
    return operator_id, secret


async def sign_in(
    app: RunningApp, email: str, code: str, *, password: str = PASSWORD
) -> httpx.Response:
    body = {"email": email, "password": password, "code": code}
    return await app.client.post(f"{ADMIN}/sign-in", json=body)


async def operator_client_of(app: RunningApp, member: SignedIn, *roles: Role) -> OperatorClient:
    """Sign a member in to the back office with roles."""
    operator_id, secret = await appoint(app, member, *roles)
    answer = await sign_in(app, member.email, code_at(secret, clock.now()))
    assert answer.status_code == 200, answer.text
    return OperatorClient(operator_id, member, secret, answer.json()["data"]["token"], app.client)


async def operator_client(app: RunningApp, name: str, *roles: Role) -> OperatorClient:
    """Create a member and sign them in to the back office."""
    return await operator_client_of(app, await app.member(name), *roles)
