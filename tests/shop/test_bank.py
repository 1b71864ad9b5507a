"""The bank's statements: imported once, matched to confirmed transfers, and what is missing."""

import asyncio
import json
from datetime import date, timedelta
from typing import Any

import httpx
import pytest
import time_machine
from api.foundation.core import clock
from api.foundation.core.ids import new_id
from api.foundation.security.rights import Role
from api.money.ledger_audit.repository.audit_run import broken_invariants_in
from api.shop.repository import bank_statements
from sqlalchemy.ext.asyncio import AsyncEngine

from tests.back_office import ADMIN, OperatorClient, operator_client, operator_client_of
from tests.conftest import RunningApp, SignedIn
from tests.shop.carts import count
from tests.shop.test_transfers import agreed, confirm, order
from tests.waiting import until_blocked

STATEMENTS = f"{ADMIN}/bank-statements"
LINES = f"{ADMIN}/bank-lines"
MISSING = f"{ADMIN}/bank-transfers"
MAPPING = {"date": "Day", "amount": "Credit", "reference": "Ref", "narration": "Remarks"}
CHECK = "transfers_in_bank"


@pytest.fixture
async def finance(app: RunningApp) -> OperatorClient:
    return await operator_client(app, "olu", Role.FINANCE)


def ago(days: int) -> date:
    return clock.lagos_day(clock.now()) - timedelta(days=days)


def line(
    amount: object = 5001, reference: str = "NIP 0001 abc", narration: str = "", days: int = 1
) -> tuple[str, ...]:
    """Return a row of a statement; by default that of ``confirm``'s transfer."""
    return (str(ago(days)), str(amount), reference, narration)


def sheet(
    *rows: tuple[str, ...],
    header: tuple[str, ...] = ("date", "amount", "reference", "narration"),
) -> bytes:
    return "\r\n".join(
        ",".join('"{}"'.format(cell.replace('"', '""')) for cell in row) for row in (header, *rows)
    ).encode()


async def upload(
    by: OperatorClient,
    content: bytes | None,
    digest: str | None = None,
    *,
    mapping: object = None,
    key: str | None = None,
) -> httpx.Response:
    files: dict[str, Any] = {} if content is None else {"file": ("s.csv", content, "text/csv")}
    if mapping is not None:
        text = mapping if isinstance(mapping, str) else json.dumps(mapping)
        files["mapping"] = (None, text)
    if digest is not None or not files:
        files["digest"] = (None, digest or "")
    headers = by.headers | ({"Idempotency-Key": key} if key else {})
    return await by.client.post(STATEMENTS, files=files, headers=headers)


async def checked(by: OperatorClient, content: bytes, **options: Any) -> dict[str, Any]:
    answer = await upload(by, content, **options)
    assert answer.status_code == 200, answer.text
    review: dict[str, Any] = answer.json()["data"]
    return review


async def imported(by: OperatorClient, *rows: tuple[str, ...], **options: Any) -> dict[str, Any]:
    content = sheet(*rows)
    review = await checked(by, content, **options)
    answer = await upload(by, content, review["digest"], **options)
    assert answer.status_code == 200, answer.text
    done: dict[str, Any] = answer.json()["data"]
    return done


async def confirmed(by: OperatorClient, placed: dict[str, Any], **changes: Any) -> httpx.Response:
    answer = await confirm(by, placed, **{"paidOn": str(ago(1))} | changes)
    assert answer.status_code in {200, 202}, answer.text
    return answer


async def lines(by: OperatorClient, state: str | None = None) -> list[dict[str, Any]]:
    answer = await by.get(LINES if state is None else f"{LINES}?state={state}")
    assert answer.status_code == 200, answer.text
    rows: list[dict[str, Any]] = answer.json()["data"]["rows"]
    return rows


async def match(
    by: OperatorClient, found: dict[str, Any], placed: dict[str, Any], *, key: str | None = None
) -> httpx.Response:
    body = {"orderId": placed["orderId"], "reason": "The bank says so"}
    return await by.post(f"{LINES}/{found['id']}/match", body, key=key)


async def today(by: OperatorClient) -> Any:
    return (await by.get(f"{ADMIN}/today")).json()["data"]["bank"]


def refused(answer: httpx.Response) -> tuple[int, str]:
    return answer.status_code, answer.json()["error"]["code"]


async def audits(app: RunningApp) -> list[str]:
    rows = await app.database.fetch_rows(
        "SELECT action FROM audit_entry WHERE target_type LIKE 'bank_%' ORDER BY id"
    )
    return [row["action"] for row in rows]


async def test_a_file_whose_columns_are_taken_for_others_has_no_new_lines(
    finance: OperatorClient,
) -> None:
    rows = [("2026-11-20", "5000", "NIP 1", "Ada"), ("2026-11-20", "5000", "NIP 1", "Ada")]
    first = await imported(finance, *rows)

    swapped = {"date": "date", "amount": "amount", "reference": "narration"}
    again = await imported(finance, *rows, mapping=swapped | {"narration": "reference"})

    assert (first["new"], first["known"]) == (2, 0)
    assert (again["new"], again["known"]) == (0, 2)
    assert len(await lines(finance)) == 2


async def test_a_statement_is_checked_and_then_imported_once(
    app: RunningApp, finance: OperatorClient
) -> None:
    content = sheet(line(), line(700, "A-1", "Ada Obi"), line(-300), line(700, "A-1", "Ada Obi"))

    review = await checked(finance, content)
    nothing = await count(app, "bank_statement"), await count(app, "bank_line")
    done = await upload(finance, content, review["digest"], key="import-once")
    repeated = await upload(finance, content, review["digest"], key="import-once")
    again = await upload(finance, content, review["digest"])

    assert review | {"digest": ""} == {
        **{"digest": "", "applied": False, "rows": 4, "new": 3, "known": 0, "skipped": 1},
        **{"matched": 0, "ambiguous": 0, "problems": []},
    }
    assert nothing == (0, 0)
    assert done.json()["data"] == review | {"applied": True}
    assert repeated.json() == done.json()
    assert again.json()["data"] == review | {"applied": True, "new": 0, "known": 3}
    assert await count(app, "bank_line") == 3
    assert await audits(app) == ["import", "import"]
    assert [one["reference"] for one in await lines(finance)] == ["A-1", "A-1", "NIP 0001 abc"]


async def test_the_nth_equal_line_is_the_same_line_in_every_statement(
    app: RunningApp, finance: OperatorClient
) -> None:
    first = await imported(finance, line(days=2), line(), line())
    second = await imported(finance, line(), line(), line(), line(1))
    third = await imported(finance, line())

    assert [(one["new"], one["known"]) for one in (first, second, third)] == [
        *((3, 0), (2, 2), (0, 1)),
    ]
    assert await count(app, "bank_line") == 5


async def test_of_many_imports_at_once_each_line_is_written_once(live_server: RunningApp) -> None:
    olu = await operator_client(live_server, "olu", Role.FINANCE)
    contents = [sheet(*[line(one)] * 3, line(one + 1)) for one in (1, 2)]
    digests = [(await checked(olu, content))["digest"] for content in contents]
    kemi, bisi = [
        await operator_client(live_server, name, Role.FINANCE) for name in ("kemi", "bisi")
    ]

    answers = await asyncio.gather(
        *(
            upload(who, content, digest)
            for who in (olu, kemi, bisi)
            for content, digest in zip(contents, digests, strict=True)
        )
    )

    assert {answer.status_code for answer in answers} == {200}
    assert sum(answer.json()["data"]["new"] for answer in answers) == 7
    assert await count(live_server, "bank_line") == 7
    assert await count(live_server, "bank_statement") == 2


@pytest.mark.parametrize("first", ["line", "confirmation"])
async def test_a_line_and_a_transfer_meet_whichever_comes_first(
    app: RunningApp, member: SignedIn, finance: OperatorClient, first: str
) -> None:
    placed = await order(app, member)
    if first == "line":
        done = await imported(finance, line(reference="nip-0001-ABC", days=4))
        await confirmed(finance, placed)
    else:
        await confirmed(finance, placed)
        done = await imported(finance, line(reference="nip-0001-ABC", days=4))

    (found,) = await lines(finance, "matched")
    assert (done["matched"], done["ambiguous"]) == (0 if first == "line" else 1, 0)
    assert (found["state"], found["matchedBy"], found["reason"], found["candidates"]) == (
        *("matched", None, None),
        [],
    )
    assert found["transfer"] == {
        "orderId": placed["orderId"],
        "orderNumber": placed["orderNumber"],
        "bank": "058",
        "reference": "NIP0001ABC",
        "amount": 5001,
        "paidOn": str(ago(1)),
    }
    assert (found["date"], found["amount"], found["order"]) == (str(ago(4)), 5001, None)
    assert await today(finance) == {"lines": 0, "transfers": 0}


@pytest.mark.parametrize(
    ("reference", "narration"),
    [
        ("000013261125101500", "TRF NIP0001ABC from ADA OBI"),
        ("000013261125101500", "ADA OBI/{number}/GTB"),
        ("{number}", ""),
        ("", "trf {bare} thanks"),
        ("REF-NIP0001ABC-77", ""),
        ("77", "from Ada: nip 0001/ABC"),
        ("", "FOR {number}-ADA"),
    ],
)
async def test_the_reference_or_the_orders_number_may_stand_among_other_words(
    app: RunningApp, member: SignedIn, finance: OperatorClient, reference: str, narration: str
) -> None:
    placed = await order(app, member)
    words = {"number": placed["orderNumber"], "bare": placed["orderNumber"].replace("-", "")}
    await confirmed(finance, placed)

    row = line(reference=reference.format(**words), narration=narration.format(**words))
    done = await imported(finance, row)

    assert done["matched"] == 1


async def test_of_a_transfer_two_people_agreed_to_the_line_is_found_as_well(
    app: RunningApp, member: SignedIn, finance: OperatorClient
) -> None:
    kemi = await operator_client(app, "kemi", Role.FINANCE)
    await imported(finance, line(12_000))
    waiting = await confirm(finance, await order(app, member), amount=12_000, confirmAmount=12_000)

    assert (await agreed(kemi, waiting)).status_code == 200

    assert len(await lines(finance, "matched")) == 1


@pytest.mark.parametrize(
    ("row", "state"),
    [
        (line(days=5), "unmatched"),
        (line(5001.5), "unmatched"),
        (line(reference="another one"), "ambiguous"),
        (line(reference="NIP 0001", narration="of abc"), "ambiguous"),
    ],
)
async def test_another_amount_or_day_is_no_match_and_another_reference_is_for_a_person(
    app: RunningApp, member: SignedIn, finance: OperatorClient, row: tuple[str, ...], state: str
) -> None:
    placed = await order(app, member)
    await confirmed(finance, placed)

    done = await imported(finance, row)

    (found,) = await lines(finance, state)
    assert (done["matched"], done["ambiguous"]) == (0, int(state == "ambiguous"))
    assert [one["orderId"] for one in found["candidates"]] == (
        [placed["orderId"]] if state == "ambiguous" else []
    )
    assert (await today(finance))["lines"] == 1


async def test_a_word_is_no_reference(
    app: RunningApp, member: SignedIn, finance: OperatorClient
) -> None:
    await confirmed(finance, await order(app, member), reference="transfer")
    await confirmed(finance, await order(app, member), reference="- - - -")

    done = await imported(
        finance, line(narration="TRANSFER FROM A SPONSOR", reference=""), line(reference="- - - -")
    )

    assert (done["matched"], done["ambiguous"]) == (0, 2)


async def test_equal_amounts_are_told_apart_by_their_references(
    app: RunningApp, member: SignedIn, rival: SignedIn, finance: OperatorClient
) -> None:
    for who, reference in ((member, "AAAA1111"), (rival, "BBBB2222")):
        await confirmed(finance, await order(app, who), reference=reference)

    done = await imported(
        finance, line(reference="BBBB2222"), line(reference="AAAA1111"), line(reference="CCCC3333")
    )

    assert (done["matched"], done["ambiguous"]) == (2, 0)
    assert {
        one["reference"]: one["transfer"]["reference"] for one in await lines(finance, "matched")
    } == {
        "AAAA1111": "AAAA1111",
        "BBBB2222": "BBBB2222",
    }
    assert [one["reference"] for one in await lines(finance, "unmatched")] == ["CCCC3333"]


async def test_two_lines_that_could_be_one_transfer_are_decided_by_a_person(
    app: RunningApp, member: SignedIn, finance: OperatorClient
) -> None:
    kemi = await operator_client(app, "kemi", Role.FINANCE)
    placed = await order(app, member)
    await confirmed(finance, placed)

    done = await imported(finance, line(), line())
    waiting = await lines(finance, "ambiguous")
    answer = await match(kemi, waiting[0], placed, key="match-once")
    repeated = await match(kemi, waiting[0], placed, key="match-once")
    again = await match(kemi, waiting[0], placed)
    other = await match(kemi, waiting[1], placed)

    assert (done["matched"], done["ambiguous"]) == (0, 2)
    found = answer.json()["data"]
    assert (found["state"], found["reason"], found["matchedBy"]["id"]) == (
        *("matched", "The bank says so"),
        str(kemi.id),
    )
    assert repeated.json() == answer.json()
    assert refused(again) == refused(other) == (409, "wrong_state")
    assert other.json()["data"] == {"status": "matched"}
    assert [one["id"] for one in await lines(finance, "unmatched")] == [waiting[1]["id"]]
    assert await audits(app) == ["import", "match"]
    assert await today(finance) == {"lines": 1, "transfers": 0}


async def test_a_match_by_hand_can_make_the_remaining_matches_unambiguous(
    app: RunningApp, member: SignedIn, finance: OperatorClient
) -> None:
    kemi = await operator_client(app, "kemi", Role.FINANCE)
    placed = await order(app, member)
    number = placed["orderNumber"]
    await confirmed(finance, placed, amount=2500.5, reference="first 1")
    await confirmed(finance, placed, amount=2500.5, reference="second 2")
    done = await imported(
        finance, line(2500.5, number, "part", days=1), line(2500.5, number, "rest", days=1)
    )
    waiting = await lines(finance, "ambiguous")

    answer = await match(kemi, waiting[0], placed)

    assert (done["matched"], done["ambiguous"]) == (0, 2)
    assert answer.status_code == 200
    matched = await lines(finance, "matched")
    assert {one["transfer"]["reference"] for one in matched} == {"FIRST1", "SECOND2"}


async def test_a_person_cannot_hide_a_transfer_behind_another_amount_or_order(
    app: RunningApp, member: SignedIn, rival: SignedIn, finance: OperatorClient
) -> None:
    kemi = await operator_client(app, "kemi", Role.FINANCE)
    placed, unpaid = await order(app, member), await order(app, rival)
    await confirmed(finance, placed)
    await imported(finance, line(5000, "somebody"))
    (found,) = await lines(finance)

    other_amount = await match(kemi, found, placed)
    no_transfer = await match(kemi, found, unpaid)
    no_order = await match(kemi, found, {"orderId": "0190b5c2-7d3e-7a41-9c55-0f2b8d1e6a70"})
    no_line = await match(kemi, {"id": placed["orderId"]}, placed)

    assert refused(other_amount) == refused(no_transfer) == (422, "validation_failed")
    assert other_amount.json()["error"]["fields"] == {
        "orderId": "This order has no confirmed transfer of ₦5,000."
    }
    assert refused(no_order) == (422, "validation_failed")
    assert no_order.json()["error"]["fields"] == {"orderId": "There is no such order."}
    assert refused(no_line) == (404, "not_found")
    assert await audits(app) == ["import"]


async def test_operators_cannot_match_a_transfer_of_their_own_order(
    app: RunningApp, member: SignedIn, finance: OperatorClient
) -> None:
    placed = await order(app, member)
    await confirmed(finance, placed)
    await imported(finance, line(reference="else"))
    (found,) = await lines(finance, "ambiguous")
    own = await operator_client_of(app, member, Role.OWNER)

    refusal = await match(own, found, placed)
    by_another = await match(finance, found, placed)

    assert refused(refusal) == (409, "own_proposal")
    assert by_another.status_code == 200


async def test_the_only_operator_may_match_a_transfer_of_their_own_order(
    app: RunningApp, member: SignedIn
) -> None:
    own = await operator_client_of(app, member, Role.OWNER)
    await confirmed(
        await operator_client(app, "seun", Role.SHOP), placed := await order(app, member)
    )
    await imported(own, line(reference="else"))
    (found,) = await lines(own, "ambiguous")

    by_number = await own.post(
        f"{LINES}/{found['id']}/match", {"orderId": placed["orderNumber"].lower(), "reason": "Mine"}
    )

    assert by_number.status_code == 200, by_number.text


async def test_of_many_matches_at_once_a_line_and_a_transfer_have_one(
    live_server: RunningApp,
) -> None:
    olu, kemi = [await operator_client(live_server, name, Role.FINANCE) for name in ("olu", "kemi")]
    member = await live_server.member("ada")
    placed = await order(live_server, member)
    await confirmed(olu, placed)
    await imported(olu, line(), line())
    waiting = await lines(olu, "ambiguous")

    answers = await asyncio.gather(*(match(kemi, found, placed) for found in waiting * 4))

    assert sorted(answer.status_code for answer in answers) == [200, *[409] * 7]
    assert len(await lines(olu, "matched")) == 1


async def test_an_import_and_a_confirmation_at_once_miss_no_match(live_server: RunningApp) -> None:
    olu, kemi = [await operator_client(live_server, name, Role.FINANCE) for name in ("olu", "kemi")]
    members = [await live_server.member(name) for name in ("ada", "ben", "chi")]
    orders = [await order(live_server, member) for member in members]
    content = sheet(*[line(reference=f"REF-{at}-777") for at in range(3)])
    digest = (await checked(kemi, content))["digest"]

    answers = await asyncio.gather(
        *(
            confirm(olu, placed, reference=f"ref {at} 777", paidOn=str(ago(1)))
            for at, placed in enumerate(orders)
        ),
        upload(kemi, content, digest),
    )

    assert {answer.status_code for answer in answers} == {200}
    assert len(await lines(olu, "matched")) == 3
    assert await broken_invariants_in(live_server.database) == []


async def test_a_confirmation_finds_the_line_of_an_import_that_is_under_way(
    app: RunningApp, member: SignedIn, finance: OperatorClient
) -> None:
    placed, statement = await order(app, member), new_id()
    mapping = {"id": statement, "digest": "d", "mapping": {}, "imported_at": clock.now()}
    words = "NIP0001ABC"
    async with app.database.transaction() as tx:
        await bank_statements.lock_matching(tx)
        await bank_statements.insert_statement(tx, mapping)
        await bank_statements.insert_lines(
            tx,
            statement,
            [bank_statements.NewBankLine(new_id(), ago(1), 500_100, words, "", 1, "d", 1, words)],
        )
        confirming = asyncio.create_task(confirm(finance, placed, paidOn=str(ago(1))))
        await until_blocked(app.database, confirming)
    assert (await confirming).status_code == 200

    assert len(await lines(finance, "matched")) == 1


async def test_an_unmatched_line_with_an_orders_number_offers_the_confirmation(
    app: RunningApp, member: SignedIn, rival: SignedIn, finance: OperatorClient
) -> None:
    placed, paid = await order(app, member), await order(app, rival)
    await confirmed(finance, paid)
    await confirmed(finance, placed, amount=1000, reference="first part")

    await imported(
        finance,
        line(4001, placed["orderNumber"].lower(), "of Ada"),
        line(70, paid["orderNumber"]),
        line(80, "", f"TRF {placed['orderNumber']} FC-ZZZZZZ"),
        line(90, "FC-ZZZZZZ"),
    )

    found = {one["amount"]: one["order"] for one in await lines(finance, "unmatched")}
    assert found == {
        4001: {
            "id": placed["orderId"],
            "number": placed["orderNumber"],
            "status": "pending",
            "total": 5001,
            "received": 1000,
        },
        70: None,
        80: found[4001],
        90: None,
    }
    await confirmed(finance, placed, amount=4001, reference=placed["orderNumber"])
    (matched,) = await lines(finance, "matched")
    assert (matched["amount"], matched["order"]) == (4001, None)


async def test_a_line_that_names_an_order_offers_it_also_when_it_could_be_anothers_transfer(
    app: RunningApp, member: SignedIn, rival: SignedIn, finance: OperatorClient
) -> None:
    placed, other = await order(app, member), await order(app, rival)
    await confirmed(finance, other)

    await imported(finance, line(reference=placed["orderNumber"]))

    (found,) = await lines(finance, "ambiguous")
    assert found["order"]["id"] == placed["orderId"]
    assert [one["orderId"] for one in found["candidates"]] == [other["orderId"]]
    await confirmed(finance, placed, reference=placed["orderNumber"])
    (matched,) = await lines(finance, "matched")
    assert matched["transfer"]["orderId"] == placed["orderId"]


async def test_today_says_what_is_missing_once_there_is_a_statement(
    app: RunningApp, member: SignedIn, rival: SignedIn, finance: OperatorClient
) -> None:
    await confirmed(finance, await order(app, member), paidOn=str(ago(2)))
    placed = await order(app, rival)
    await confirmed(finance, placed, reference="Other 1", paidOn=str(ago(3)))
    shop, owner = (
        await operator_client(app, "seun", Role.SHOP),
        await operator_client(app, "ngozi", Role.OWNER),
    )
    before = await today(finance)
    listed_before = (await finance.get(MISSING)).json()["data"]["rows"]

    await imported(finance, line(1), line(2))

    assert (before, listed_before) == ({"lines": 0, "transfers": 0}, [])
    (missing,) = (await finance.get(MISSING)).json()["data"]["rows"]
    assert (missing["orderId"], missing["reference"], missing["confirmedBy"]["id"]) == (
        *(placed["orderId"], "OTHER1"),
        str(finance.id),
    )
    assert (await shop.get(MISSING)).status_code == 404
    assert await today(finance) == await today(owner) == {"lines": 2, "transfers": 1}
    assert "bank" not in (await shop.get(f"{ADMIN}/today")).json()["data"]


async def test_the_proof_finds_a_transfer_that_the_bank_never_saw(
    app: RunningApp, member: SignedIn, rival: SignedIn, finance: OperatorClient
) -> None:
    await confirmed(finance, await order(app, member), paidOn=str(ago(8)))
    await confirmed(finance, await order(app, rival), reference="Other 1", paidOn=str(ago(7)))
    before = await broken_invariants_in(app.database)
    await imported(finance, line(9, "else"))

    proof = (await finance.post(f"{ADMIN}/proofs")).json()["data"]
    broken = {one["name"]: one["examples"] for one in proof["checks"] if not one["ok"]}
    await imported(finance, line(days=9))

    assert before == []
    assert list(broken) == [CHECK]
    assert [one.split(" ", 1)[1] for one in broken[CHECK]] == ["058 NIP0001ABC"]
    assert await broken_invariants_in(app.database) == []


async def test_a_transfer_confirmed_before_credits_were_recorded_needs_no_line(
    app: RunningApp, member: SignedIn, finance: OperatorClient, owner: AsyncEngine
) -> None:
    await confirmed(finance, await order(app, member), paidOn=str(ago(30)))
    await imported(finance, line(9, "else"))
    async with owner.begin() as connection:
        await connection.exec_driver_sql("UPDATE operator_credit SET is_imported = true")

    assert (await today(finance))["transfers"] == 0
    assert CHECK not in await broken_invariants_in(app.database)


async def test_the_mapping_of_the_newest_statement_is_remembered(
    app: RunningApp, finance: OperatorClient
) -> None:
    header = ("Remarks", "Debit", "Credit", "Day", "Ref", "Balance")
    title = ("Statement of account", "", "", "", "", "")
    rows = [
        ("Opening balance", "", "", "", "", "1,000.00"),
        ("Ada", "", "₦5,001.00", ago(1).strftime("%d/%m/%Y"), "A", "6,001.00"),
        ("Fee", "50.00", "", ago(1).strftime("%d/%m/%Y"), "B", "5,951.00"),
        ("", "", "", "", "", ""),
    ]
    content = sheet(("",) * 6, header, *rows, header=title)

    unknown = await upload(finance, content)
    review = await checked(finance, content, mapping=MAPPING)
    still_unknown = await upload(finance, content)
    done = await upload(finance, content, review["digest"], mapping=MAPPING)
    again = await checked(finance, content)
    plain = await checked(finance, sheet(line()))

    assert refused(unknown) == refused(still_unknown) == (422, "validation_failed")
    assert unknown.json()["error"]["fields"] == {
        "file": "The file has no column “date”. "
        "Its columns are Remarks, Debit, Credit, Day, Ref, Balance."
    }
    assert (review["rows"], review["new"], review["problems"]) == (3, 1, [])
    assert done.status_code == 200
    assert (again["new"], again["known"], again["digest"]) == (0, 1, review["digest"])
    assert (plain["new"], plain["known"]) == (1, 0), "the default columns are tried as well"
    (found,) = await lines(finance)
    assert (found["narration"], found["amount"]) == ("Ada", 5001)


async def test_a_column_of_the_mapping_that_the_file_lacks_is_named_with_those_it_has(
    finance: OperatorClient,
) -> None:
    title = ("Account", "0123456789", "", "")
    content = sheet(("Day", "Credit", "Remarks", ""), ("x", "1", "", ""), header=title)

    lacking = await upload(finance, content, mapping=MAPPING | {"date": "Trans Date"})
    none = await upload(finance, content, mapping=dict.fromkeys(MAPPING, "Other"))
    twice = await upload(
        finance, sheet(header=("Day", "Day", "Credit", "Ref", "Remarks")), mapping=MAPPING
    )

    columns = "Its columns are Day, Credit, Remarks."
    assert refused(lacking) == (422, "validation_failed")
    assert lacking.json()["error"]["fields"] == {
        "mapping.date": f"The file has no column “Trans Date”. {columns}",
        "mapping.reference": f"The file has no column “Ref”. {columns}",
    }
    assert none.json()["error"]["fields"] == {
        f"mapping.{name}": f"The file has no column “Other”. {columns}" for name in MAPPING
    }
    assert twice.json()["error"]["fields"] == {"mapping.date": "The column Day is there twice."}


async def test_a_file_with_a_great_many_columns_is_answered_with_the_first_of_them(
    finance: OperatorClient,
) -> None:
    header = tuple(f"{number:03}{'x' * 200}" for number in range(100))

    answer = await upload(finance, sheet(header=header), mapping=MAPPING)

    said = answer.json()["error"]["fields"]["mapping.date"]
    assert said.count("xxx…") == 20
    assert said.endswith(", and 80 more.")


async def test_semicolons_part_cells_as_well_also_below_a_title(finance: OperatorClient) -> None:
    content = f"Statement, November\n\ndate;amount;reference;narration\n{ago(1)};5,001;A;x\n"

    review = await checked(finance, content.encode("utf-8-sig"))

    assert (review["rows"], review["new"], review["problems"]) == (1, 1, [])


async def test_another_file_or_mapping_than_was_checked_is_not_imported(
    app: RunningApp, finance: OperatorClient
) -> None:
    content = sheet(line())
    digest = (await checked(finance, content))["digest"]
    swapped = {
        "date": "date",
        "amount": "amount",
        "reference": "narration",
        "narration": "reference",
    }

    other_file = await upload(finance, sheet(line(1)), digest)
    other_mapping = await upload(finance, content, digest, mapping=swapped)

    assert refused(other_file) == refused(other_mapping) == (409, "stale")
    assert await count(app, "bank_line") == 0


async def test_a_row_that_cannot_be_read_is_named_and_nothing_is_imported(
    app: RunningApp, finance: OperatorClient
) -> None:
    tomorrow = str(ago(-1))
    content = sheet(
        line("1,234.50"),
        line("12.345"),
        line("=1+1"),
        line(10**10),
        ("31/02/2026", "5", "", ""),
        (tomorrow, "5", "", ""),
        ("soon", "5", "", ""),
        ("soon", "-5", "", ""),
    )

    review = await checked(finance, content)
    answer = await upload(finance, content, review["digest"])

    assert (review["rows"], review["new"], review["skipped"]) == (8, 1, 1)
    assert [(one["row"], one["column"]) for one in review["problems"]] == [
        *((3, "amount"), (4, "amount"), (5, "amount"), (6, "date"), (7, "date"), (8, "date")),
    ]
    assert review["problems"][0]["reason"] == "An amount has at most two decimals."
    assert refused(answer) == (409, "import_has_problems")
    assert answer.json()["data"] == review
    assert (await count(app, "bank_line"), await audits(app)) == (0, [])


@pytest.mark.parametrize(
    ("written", "naira"),
    [
        *(("5001", 5001), ("5,001.50", 5001.5), ("₦ 5,001", 5001), ("NGN5001.5", 5001.5)),
        *(("1,005,001.00 CR", 1_005_001), ("+7", 7), ("0.01", 0.01), ("5.", 5)),
    ],
)
async def test_an_amount_is_read_as_banks_write_it(
    finance: OperatorClient, written: str, naira: float
) -> None:
    await imported(finance, line(written))

    assert [one["amount"] for one in await lines(finance)] == [naira]


@pytest.mark.parametrize(
    "written", ["", "0.00", "-5", "(5,000.00)", "5.00 DR", "\u22125", "₦-5", "--"]
)
async def test_what_brought_no_money_in_is_no_line(finance: OperatorClient, written: str) -> None:
    done = await imported(finance, line(written))

    assert (done["rows"], done["new"], done["problems"]) == (1, 0, [])


@pytest.mark.parametrize(
    ("written", "month_first"),
    [
        *(("2026-11-05", False), ("2026-11-05 14:03:11", False), ("2026/11/5", False)),
        *(("05/11/2026", False), ("5-11-26", False), ("05.11.2026 10:15", False)),
        *(("05-Nov-2026", False), ("5 November 2026", False), ("05NOV26", False)),
        *(("11/05/2026", True), ("2026-11-05T08:00:00Z", True)),
    ],
)
async def test_a_date_is_read_as_banks_write_it(
    finance: OperatorClient, written: str, month_first: bool
) -> None:
    mapping = {name: name for name in ("date", "amount", "reference", "narration")}
    await imported(finance, (written, "1", "", ""), mapping=mapping | {"monthFirst": month_first})

    assert [one["date"] for one in await lines(finance)] == ["2026-11-05"]


@pytest.mark.parametrize(
    ("content", "field"),
    [
        (None, "file"),
        (b"", "file"),
        ("date,amount\n".encode("utf-16"), "file"),
        ("date,amount,reference,narration\n2026-11-05,1,é,x".encode("latin-1"), "file"),
        (b"2026-11-05,5001,A,B\n", "file"),
        (b"date,amount,reference\n2026-11-05,1,A\n", "file"),
        (b"date,amount,amount,reference,narration\n", "file"),
        (b'date,amount,reference,narration\n"2026', "file"),
        (b"date,amount,reference,narration\n" + b"2026-11-05,1,A,B\n" * 10_001, "file"),
    ],
)
async def test_a_file_that_is_no_statement_is_refused(
    app: RunningApp, finance: OperatorClient, content: bytes | None, field: str
) -> None:
    answer = await upload(finance, content)

    assert refused(answer) == (422, "validation_failed")
    assert list(answer.json()["error"]["fields"]) == [field]
    assert await count(app, "bank_statement") == 0


async def test_a_file_above_two_megabytes_is_refused(finance: OperatorClient) -> None:
    answer = await upload(finance, b"x" * 2_097_153)

    assert refused(answer) == (413, "too_large")


@pytest.mark.parametrize(
    "mapping", ["x", "[]", "{}", '{"date": 1}', MAPPING | {"other": "x"}, MAPPING | {"date": ""}]
)
async def test_a_mapping_that_is_none_is_refused(finance: OperatorClient, mapping: object) -> None:
    answer = await upload(finance, sheet(line()), mapping=mapping)

    assert refused(answer) == (422, "validation_failed")
    assert list(answer.json()["error"]["fields"]) == ["mapping"]


async def test_words_of_the_bank_are_text_and_never_longer_than_they_may_be(
    finance: OperatorClient,
) -> None:
    await imported(finance, line(1, "=HYPERLINK(1)", "a\tb\n\x00 c"), line(2, "r" * 300, "n" * 900))

    (long, short) = await lines(finance)
    assert (short["reference"], short["narration"]) == ("=HYPERLINK(1)", "a b c")
    assert (len(long["reference"]), len(long["narration"])) == (100, 500)


async def test_lines_need_money_read_and_an_import_needs_a_fresh_code(
    app: RunningApp, finance: OperatorClient
) -> None:
    seun = await operator_client(app, "seun", Role.SHOP)
    soon = clock.now() + app.asgi.state.services.operators.life.fresh

    with time_machine.travel(soon, tick=False):
        stale = await upload(finance, sheet(line()))

    assert refused(stale) == (409, "fresh_code_needed")
    assert await lines(finance) == []
    assert (await seun.get(LINES)).status_code == 404
    assert (await upload(seun, sheet(line()))).status_code == 404


async def test_lines_that_are_not_matched_are_one_list_as_long_as_today_says(
    app: RunningApp, member: SignedIn, finance: OperatorClient
) -> None:
    await confirm(finance, await order(app, member))
    await imported(finance, line(5001), line(9, "else"), line(8, "other"))

    async def amounts(state: str) -> list[float]:
        answer = await finance.get(f"{LINES}?state={state}")
        assert answer.status_code == 200, answer.text
        return [one["amount"] for one in answer.json()["data"]["rows"]]

    assert await amounts("matched") == [5001]
    assert await amounts("unmatched") == await amounts("open") == [8, 9]
    assert len(await amounts("open")) == (await today(finance))["lines"]
    assert (await finance.get(f"{LINES}?state=closed")).status_code == 422


async def test_pages_of_lines_follow_each_other(finance: OperatorClient) -> None:
    await imported(finance, *[line(one) for one in range(1, 6)])

    seen: list[int] = []
    path = f"{LINES}?limit=2&state=unmatched"
    while path:
        page = (await finance.get(path)).json()["data"]
        seen += [one["amount"] for one in page["rows"]]
        path = f"{LINES}?limit=2&state=unmatched&before={page['next']}" if page["next"] else ""

    assert seen == [5, 4, 3, 2, 1]
