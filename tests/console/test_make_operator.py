"""``python -m api.console make-operator`` as an operator runs it."""

from urllib.parse import parse_qs, urlsplit

from api.foundation.core import clock
from api.foundation.security.one_time_codes import code_at
from api.foundation.security.rights import Role

from tests.back_office import ADMIN, appoint, operator_client, sign_in
from tests.conftest import RunningApp, SignedIn
from tests.console.command_line import acts, run


def secret_in(output: str) -> str:
    """Return the secret in the address that a command has printed."""
    address = urlsplit(output.strip())
    assert (address.scheme, address.netloc) == ("otpauth", "totp")
    return parse_qs(address.query)["secret"][0]


async def roles_of(app: RunningApp, member: SignedIn) -> list[str]:
    roles = await app.database.fetch_value(
        "SELECT roles FROM operator WHERE user_id = $1", member.id
    )
    return list(roles)


async def test_a_member_becomes_an_operator_with_a_phone_that_is_shown_once(
    app: RunningApp, member: SignedIn
) -> None:
    url = app.settings.database_url
    first = await run("make-operator", "ADA@example.com", "--role", "owner", url=url)
    again = await run("make-operator", member.email, "--role", "shop", url=url)

    assert first.returncode == 0, first.stderr
    assert (again.returncode, again.stdout) == (0, f"{member.email} is an operator.\n")
    assert await roles_of(app, member) == ["owner", "shop"]
    secret = secret_in(first.stdout)
    entered = await sign_in(app, member.email, code_at(secret, clock.now()))
    assert entered.status_code == 200
    assert secret not in first.stderr
    assert [act["action"] for act in acts(first)] == ["make_operator"]
    rows = await app.database.fetch_rows(
        "SELECT action, operator_id, right_used, after_state FROM audit_entry ORDER BY id"
    )
    assert [dict(row) for row in rows] == [
        {
            "action": "make-operator",
            "operator_id": None,
            "right_used": "console",
            "after_state": after,
        }
        for after in (
            {"roles": ["owner"], "totpSecret": "changed"},
            {"roles": ["owner", "shop"]},
        )
    ]


async def test_another_phone_voids_the_old_one_and_ends_the_sessions(app: RunningApp) -> None:
    operator = await operator_client(app, "olu", Role.OWNER)
    url = app.settings.database_url
    answer = await run("make-operator", operator.member.email, "--reset-totp", url=url)

    assert answer.returncode == 0, answer.stderr
    assert (await operator.get(f"{ADMIN}/me")).status_code == 401
    old = await sign_in(app, operator.member.email, operator.code(steps=1))
    new = code_at(secret_in(answer.stdout), clock.now())
    assert old.status_code == 400
    assert (await sign_in(app, operator.member.email, new)).status_code == 200
    assert await roles_of(app, operator.member) == ["owner"]


async def test_the_first_owner_who_has_no_phone_yet_is_given_one(
    app: RunningApp, member: SignedIn
) -> None:
    await appoint(app, member, Role.OWNER)
    await app.database.execute("UPDATE operator SET totp_secret = NULL")
    url = app.settings.database_url

    answer = await run("make-operator", member.email, "--role", "shop", "--reset-totp", url=url)

    assert answer.returncode == 0, answer.stderr
    entered = await sign_in(app, member.email, code_at(secret_in(answer.stdout), clock.now()))
    assert entered.status_code == 200
    assert await roles_of(app, member) == ["owner", "shop"]


async def test_nobody_and_nothing_is_refused(app: RunningApp, member: SignedIn) -> None:
    url = app.settings.database_url
    unknown = await run("make-operator", "nobody@example.com", "--role", "owner", url=url)
    no_role = await run("make-operator", member.email, url=url)
    no_such_role = await run("make-operator", member.email, "--role", "boss", url=url)

    assert [one.returncode for one in (unknown, no_role, no_such_role)] == [1, 1, 2]
    assert "Nobody has an account with this email." in unknown.stderr
    assert await app.database.fetch_value("SELECT count(*) FROM operator") == 0
