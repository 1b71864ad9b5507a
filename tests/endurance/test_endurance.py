"""Short runs of the long tests."""

import asyncio
import os
from collections import Counter
from collections.abc import Iterator

import pytest

from tests.endurance import (
    accounts,
    away,
    battle,
    chat,
    crash,
    ledger,
    rolls,
    seeded_faults,
    stadium,
    starvation,
)
from tests.endurance.credits.matrix import cells
from tests.endurance.credits.proving import make_app, prove, quick_postgres
from tests.endurance.money_faults import FAULTS, Fault
from tests.endurance.month.living import run as live_through_a_month
from tests.endurance.place import durable_postgres


@pytest.fixture(autouse=True)
def _no_surrounding_settings() -> Iterator[None]:
    kept = os.environ.pop("DATABASE_URL", None)
    yield
    if kept is not None:
        os.environ["DATABASE_URL"] = kept


def test_six_hundred_random_ledger_operations_equal_the_model() -> None:
    with durable_postgres() as (server, _):
        asyncio.run(ledger.prove(server.url(), operations=600, seed=7))


def test_a_shop_killed_four_times_while_it_sells_loses_and_doubles_nothing() -> None:
    tally, database_kills = crash.run(kills=4, buyers=4)

    assert database_kills == 1
    assert tally.refused == 0


def test_two_minutes_without_mail_and_provider_lose_no_letter_and_no_payment() -> None:
    assert "all were in and credited after" in away.run(people=4, minutes=2)


def test_forty_random_battles_equal_the_model() -> None:
    with durable_postgres() as (server, _):
        place = battle.prove(server.url(), sequences=40, seed_number=7)

    assert place.sequences >= 40


def test_a_chat_killed_twice_while_phones_come_and_go_keeps_every_message_in_order() -> None:
    tally = chat.run(cycles=24, kills=2)

    assert tally.cycles >= 24


def test_thirty_times_two_people_with_one_address_get_only_what_was_mailed_for_them() -> None:
    with durable_postgres() as (server, _):
        outcomes = asyncio.run(accounts.prove(server.url(), sequences=30, seed=7))

    assert outcomes["sequences"] == 30


def test_thirty_random_sequences_of_operators_and_some_cases_equal_the_model() -> None:
    some = list(cells())[::83]
    with quick_postgres() as (server, folder):
        app = make_app(server.url(), folder)
        place = asyncio.run(prove(app, server.url(), some, sequences=30, seed=7))

    assert place.sequences == 30
    assert place.seen["cells of the matrix"] == len(some) == 6


def test_two_releases_while_members_buy_and_chat_lose_and_double_nothing() -> None:
    by_sighup, by_sigterm = rolls.run(2, rolls.People(sockets=10, buyers=2, pause_seconds=0.2))

    assert by_sighup.rolls == by_sigterm.rolls == 1


def test_no_other_member_is_refused_while_one_member_and_one_network_flood_everything() -> None:
    outcome = starvation.run(people=1, rounds=1, clients=1)

    assert outcome.refused == Counter()
    assert len(outcome.idle) == len(outcome.pressed) == 10
    assert set(outcome.attack) == set(outcome.answers) - {"profile"}


def test_a_crowd_behind_two_addresses_signs_up_and_those_who_do_no_work_do_not() -> None:
    outcome = stadium.run(phones=90, addresses=2, attackers=2)

    assert outcome.joined == 90
    assert outcome.attack[428] > 0
    assert max(outcome.levels) == 1


def test_five_days_of_money_with_kills_equal_the_model_to_the_kobo() -> None:
    short = "--events 500 --days 5 --members 24 --kills-every 2 --seed 7"

    report = live_through_a_month(short.split())

    assert report.done.total() >= 500
    assert report.kills >= 2
    assert "The ledger balances" in report.proof


def test_every_seeded_fault_has_its_place_and_tests_that_are_there() -> None:
    for fault in FAULTS:
        assert seeded_faults.faulty(fault, seeded_faults.ROOT) != ""
        for test in fault.tests:
            path, _, name = test.partition("::")
            assert f"def {name}(" in (seeded_faults.ROOT / "tests" / path).read_text(), test
    assert len({fault.name for fault in FAULTS}) == len(FAULTS) >= 25


def test_seeded_faults_are_caught_and_harmless_or_broken_programs_are_not() -> None:
    rules = "api/money/payments/rules.py"
    tests = ("money/payments/test_rules.py::test_the_day_is_counted_in_lagos",)
    harmless = Fault(
        "harmless", "Nothing.", rules, 'CURRENCY = "NGN"', 'CURRENCY = "N" "GN"', tests
    )
    broken = Fault("broken", "All.", rules, 'CURRENCY = "NGN"', "CURRENCY = NGN", tests)
    caught = seeded_faults.chosen(["funding-day-of-utc"])

    assert seeded_faults.run([*caught, harmless, broken]) == ["harmless", "broken"]


def test_a_seeded_fault_whose_text_is_gone_fails_the_run() -> None:
    gone = Fault("gone", "Nothing.", "api/money/payments/rules.py", "no such text", "", ())

    with pytest.raises(seeded_faults.UnfitFaultError):
        seeded_faults.run([gone])
