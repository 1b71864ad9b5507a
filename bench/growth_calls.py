"""A member's typical calls: the request, and what is kept of the response."""

import asyncio
import json
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import uuid4

from bench.growth_people import Person
from bench.harness import BenchError, get, post
from bench.load import body_length

CALLERS = 4
Request = Callable[[Person], str]


@dataclass(frozen=True)
class Call:
    """One call; ``keeps`` names the part of the response's ``data`` that later calls need.

    A member can make an ``is_once`` call only once.
    """

    name: str
    request: Request
    status: int = 200
    is_once: bool = False
    keeps: str | None = None


def reads(name: str, path: str, keeps: str | None = None) -> Call:
    """Return a call that reads ``path`` with the member's values filled in."""
    return Call(
        name,
        lambda p: get(path.format(user=p.user_id, club=p.club_id, **p.known), p.token),
        keeps=keeps,
    )


def choices(person: Person) -> str:
    """Return answers to the questions shown to a member."""
    shown = person.known.get("quest") or []
    return json.dumps([{"question": one["id"], "answer": "A"} for one in shown])


def calls(product: str, plan: str) -> list[Call]:
    """Return the calls in a member's order."""
    cart = {
        "carts": [{"id": product, "quantity": 1}],
        "billing": {
            "firstName": "Bench",
            "lastName": "Member",
            "phone": "08031234567",
            "address": "1 Long Street, Lagos",
        },
    }
    boards = [
        reads(f"board {period}, {scope}", f"/api/v1/leaderboard?scope={scope}&period={period}")
        for period in ("day", "week", "month", "season")
        for scope in ("club", "all")
    ]
    return [
        reads("profile", "/api/v1/users/{user}"),
        reads("dashboard", "/api/v1/dashboard/statistics/{user}"),
        reads("balance", "/api/v1/payment/wallet-balance/{user}"),
        reads("statement", "/api/v1/payment/statement/{user}"),
        reads("statement of days", "/api/v1/payment/statement/{user}?from=2026-01-01&kind=fund"),
        reads("months", "/api/v1/payment/statement/{user}/months"),
        reads("funding limits", "/api/v1/payment/funding-limits"),
        reads("products", "/api/v1/products"),
        reads("product", f"/api/v1/products/{product}"),
        reads("checkout options", "/api/v1/products/checkout-options"),
        reads("orders", "/api/v1/products/user/{user}"),
        *boards,
        reads("board, page 20", "/api/v1/leaderboard?scope=all&period=season&page=20"),
        reads("points", "/api/v1/points/{user}"),
        reads("battle config", "/api/v1/battle-ground-config"),
        reads("plans", "/api/v1/subscription"),
        reads("own plan", "/api/v1/users/plan/validate/{user}"),
        reads("sessions", "/api/v1/sessions/{user}"),
        reads("moments", "/api/v1/moment/post/user/{user}"),
        Call(
            "join chat",
            lambda p: post(
                "/api/v1/join-chat", {"club_name": p.club, "id": p.user_id}, token=p.token
            ),
        ),
        reads("chat unread", "/api/v1/chat-unread"),
        reads("chat newest", "/api/v1/chat-messages/{club}"),
        reads("chat public", "/api/v1/chat-messages/Public", keeps="messages"),
        reads("chat before", "/api/v1/chat-messages/Public?before={messages[0][id]}"),
        reads("chat after", "/api/v1/chat-messages/Public?after={messages[0][id]}"),
        reads("quest", "/api/v1/question/daily-trivial-question/{club}/{user}", keeps="quest"),
        Call(
            "quest submit",
            lambda p: post(
                "/api/v1/question/submit-trivia-question",
                {"choices": choices(p)},
                token=p.token,
                key=str(uuid4()),
            ),
            status=201,
            is_once=True,
        ),
        reads("quest attempt", "/api/v1/question/attempted-daily-trivial-question/{club}/{user}"),
        *(
            Call(
                f"checkout, {method}",
                lambda p, method=method: post(  # type: ignore[misc]
                    "/api/v1/products/checkout",
                    cart | {"paymentMethod": method},
                    token=p.token,
                    key=str(uuid4()),
                ),
                status=201,
                is_once=True,
            )
            for method in ("wallet", "bank-transfer")
        ),
        Call(
            "prepare funding",
            lambda p: post(
                "/api/v1/payment/prepare-wallet-funding",
                {"amount": 500},
                token=p.token,
                key=str(uuid4()),
            ),
            is_once=True,
        ),
        Call(
            "buy a plan",
            lambda p: post(
                "/api/v1/users/subscription",
                {"subscriptionId": plan},
                token=p.token,
                key=str(uuid4()),
            ),
            status=201,
            is_once=True,
        ),
    ]


async def make(call: Call, port: int, people: Sequence[Person]) -> list[float]:
    """Have everyone make a call, a few at a time; return the milliseconds of each.

    Raises:
        BenchError: a response had another status.
    """
    shares = [people[first::CALLERS] for first in range(CALLERS)]
    taken = await asyncio.gather(*(one_after_the_other(call, port, share) for share in shares))
    return [one for share in taken for one in share]


async def one_after_the_other(call: Call, port: int, people: Sequence[Person]) -> list[float]:
    """Make a call for one member after the other, over one connection."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    taken = []
    for person in people:
        request = call.request(person).encode()
        started = time.perf_counter()
        writer.write(request)
        head = await reader.readuntil(b"\r\n\r\n")
        body = await reader.readexactly(body_length(head))
        taken.append((time.perf_counter() - started) * 1000)
        if int(head[9:12]) != call.status:
            raise BenchError(f"{call.name} was answered with {head[9:12]!r}: {body[:400]!r}")
        if call.keeps is not None:
            content: dict[str, Any] = json.loads(body)
            person.known[call.keeps] = content["data"]
    writer.close()
    return taken
