"""Two people sign up with the same email address, thousands of times.

``python -m tests.endurance.accounts [--sequences N] [--seed S]``

Each sequence has a new address. Both people sign up with it, request codes, enter the codes of any
mail on any of their pages, sign in and wait, sometimes concurrently. A model that only knows which
code was mailed for which form predicts each response:

* a code is accepted only on the page of the form it was mailed for;
* only the password of that form opens the account;
* entering the newest code of a form in time, without earlier wrong guesses, activates the account.
"""

import argparse
import asyncio
import random
import sys
import time
from collections import Counter
from dataclasses import dataclass, field
from uuid import UUID

import structlog
from api.app.factories import make_sealer
from api.foundation.core.config import Settings
from api.foundation.core.errors import NotFoundError, TooManyRequestsError
from api.foundation.core.events import Bus, DomainEvent
from api.foundation.core.metrics import Metrics
from api.foundation.database.challenges import ChallengeGate
from api.foundation.database.database import Database, Transaction
from api.foundation.database.rate_limit import RateLimiter
from api.foundation.jobs.kinds import JobKind, PayloadT
from api.foundation.jobs.queue import JobQueue
from api.foundation.security.challenges import Challenges
from api.foundation.security.events import SecurityLog
from api.foundation.security.passwords import PasswordHasher
from api.foundation.security.tokens import TokenCodec
from api.games.invites.service import StoredInvitations
from api.home.public.service.questions import VisitorClaims
from api.people.auth.enums import CodeChannel, CodePurpose
from api.people.auth.errors import (
    CodeTooSoonError,
    NotActivatedError,
    WrongCodeError,
    WrongCredentialsError,
)
from api.people.auth.jobs import CodeMail
from api.people.auth.repository import sign_ups
from api.people.auth.schemas import SignInAnswer, SignInInput, SignUpInput
from api.people.auth.service import signing_in, signing_up
from api.people.auth.service.context import AuthContext, Caller
from api.people.users.errors import AccountExistsError
from structlog.typing import EventDict
from typing_extensions import override

from tests.endurance.place import CLUB, add_club, durable_postgres

AT_ONCE = 5
LENGTH = (6, 16)
STEPS = (
    *("sign_up", "sign_up", "resend", "resend", "sign_in", "enter"),
    *("enter", "guess", "wait", "wait"),
)
FORMS_PER_PERSON = 3
PAUSES_SECONDS = (61, 61, 660)
SURELY_GOOD_SECONDS = 540
TRIES = 5
PEOPLE = ("owner", "stranger")
HASH_MEMORY_KIB = 64


@dataclass(eq=False)
class Form:
    """One page of one person: the sign-up it shows, and the content of its newest mail."""

    person: str
    attempt_id: UUID
    password: str
    first_name: str
    letters: list[str] = field(default_factory=list)
    newest_is_open: bool = False
    age_seconds: int = 0
    wrong_tries: int = 0

    def is_sure(self, code: str) -> bool:
        """Return whether the model guarantees that ``code`` is accepted on this page."""
        is_good = self.newest_is_open and self.age_seconds < SURELY_GOOD_SECONDS
        return is_good and self.wrong_tries < TRIES and code == self.letters[-1]


@dataclass(eq=False)
class Sequence:
    """Two people, one address, and the model of the expected state."""

    number: int
    context: AuthContext
    mailed: dict[UUID, list[str]]
    chance: random.Random
    outcomes: Counter[str]
    forms: list[Form] = field(default_factory=list)
    winner: Form | None = None
    took: set[UUID] = field(default_factory=set)
    is_alone: bool = True

    @property
    def email(self) -> str:
        return f"two.{self.number}@example.com"

    @property
    def spelling(self) -> str:
        return self.chance.choice((self.email, self.email, self.email.title()))

    @property
    def caller(self) -> Caller:
        return Caller(f"10.{self.number >> 16}.{self.number >> 8 & 255}.{self.number & 255}")

    async def play(self) -> None:
        """Do random steps, some concurrently, then compare the final state with the model."""
        await self.sign_up()
        for _ in range(self.chance.randint(*LENGTH)):
            self.is_alone = self.chance.random() < 0.7
            steps = 1 if self.is_alone else self.chance.randint(2, 3)
            await asyncio.gather(*(self.step() for _ in range(steps)))
            self.read_mail()
        await self.compare()

    async def step(self) -> None:
        await getattr(self, self.chance.choice(STEPS))()

    async def sign_up(self) -> None:
        person = self.chance.choice(PEOPLE)
        if sum(form.person == person for form in self.forms) >= FORMS_PER_PERSON:
            return
        place = len(self.forms)
        name = f"{person.title()} {'abcdefgh'[place]}"
        password = f"{person} chose words {self.chance.getrandbits(40)}"
        body = {
            "firstName": name,
            "lastName": "Obi",
            "email": self.spelling,
            "phone": f"+234{8_000_000_000 + self.number * 10 + PEOPLE.index(person)}",
            "password": password,
            "club": str(CLUB),
            "tnc": True,
        }
        try:
            answer = await signing_up.sign_up(
                self.context, SignUpInput.model_validate(body), self.caller
            )
        except AccountExistsError:
            assert not self.is_alone or self.winner is not None, "no account exists"
            self.outcomes["sign-up refused"] += 1
            return
        assert not self.is_alone or self.winner is None, "a sign-up after activation"
        self.forms.append(Form(person, answer.id, password, name))
        self.read_mail()
        if self.is_alone:
            was_mailed = bool(self.forms[-1].letters)
            assert was_mailed == (answer.retry_after == 0), "said what is not so"
        self.outcomes["sign-up"] += 1

    async def resend(self) -> None:
        form = self.chance.choice(self.forms)
        try:
            await signing_up.resend_code(
                self.context, form.attempt_id, CodeChannel.EMAIL, self.caller
            )
        except CodeTooSoonError:
            self.outcomes["resend too soon"] += 1
        except NotFoundError:
            assert not self.is_alone or self.winner is not None, "a sign-up is gone"
            self.outcomes["resend after the end"] += 1
        else:
            self.outcomes["resend"] += 1

    async def sign_in(self) -> None:
        form = self.chance.choice(self.forms)
        try:
            answer = await self._sign_in(form)
        except NotActivatedError as error:
            self.named(form, error.content["id"])
            assert not self.is_alone or self.winner is None
            self.outcomes["sign-in before activation"] += 1
        except WrongCredentialsError:
            assert not self.is_alone or self.winner not in {None, form}
            self.outcomes["sign-in refused"] += 1
        except TooManyRequestsError:
            self.outcomes["sign-in locked"] += 1
        else:
            self.took.add(form.attempt_id)
            assert answer.user.id == form.attempt_id, "a password opened another's account"
            self.outcomes["sign-in"] += 1

    def named(self, form: Form, attempt_id: str) -> None:
        assert attempt_id == str(form.attempt_id), "another's sign-up was named"

    async def enter(self) -> None:
        """Enter a code of any mail on any page."""
        letters = [code for form in self.forms for code in form.letters]
        if not letters:
            return
        form = self.chance.choice(self.forms)
        own = self.chance.random() < 0.3 and form.letters
        await self._enter(form, form.letters[-1] if own else self.chance.choice(letters))

    async def guess(self) -> None:
        await self._enter(self.chance.choice(self.forms), f"{self.chance.randrange(10**6):06d}")

    async def _enter(self, form: Form, code: str) -> None:
        is_sure = self.is_alone and form.is_sure(code) and self.winner is None
        try:
            answered = await signing_up.activate(self.context, form.attempt_id, code, self.caller)
        except WrongCodeError:
            form.wrong_tries += 1
            assert not is_sure, "the right code was refused"
            self.outcomes["code refused"] += 1
            return
        assert answered.id == form.attempt_id
        self.read_mail()
        assert code in form.letters, "a code was taken that was not mailed for this form"
        assert self.winner in {None, form}, "two forms became accounts"
        self.winner = form
        self.outcomes["code taken"] += 1

    async def wait(self) -> None:
        seconds = self.chance.choice(PAUSES_SECONDS)
        async with self.context.database.transaction() as tx:
            # All of an address in one order, like all code that decides about it: otherwise two
            # deadlock.
            await sign_ups.lock_address(tx, self.context.address(self.email))
            await tx.execute(
                "UPDATE mailed_code SET created_at = created_at - make_interval(secs => $1), "
                "expires_at = expires_at - make_interval(secs => $1) WHERE address = $2",
                seconds,
                self.context.address(self.email),
            )
        for form in self.forms:
            form.age_seconds += seconds

    def read_mail(self) -> None:
        """Assign each form the mails that were sent for it."""
        for form in self.forms:
            come = self.mailed.get(form.attempt_id, [])
            if len(come) > len(form.letters):
                form.letters = list(come)
                # The order of concurrent events is unknown.
                form.newest_is_open = self.is_alone
                form.age_seconds = form.wrong_tries = 0

    async def compare(self) -> None:
        """Check the final state: at most one account, which is the winner's in every respect."""
        self.is_alone = True
        rows = await self.context.database.fetch_rows(
            "SELECT id, first_name FROM user_account WHERE email = $1", self.email
        )
        expected = [] if self.winner is None else [(self.winner.attempt_id, self.winner.first_name)]
        assert [(row["id"], row["first_name"]) for row in rows] == expected
        for form in self.forms:
            await self.forgive()
            opened = await self._opens(form)
            assert opened == (form is self.winner), "the wrong password opens the account"
        if self.winner is not None:
            assert self.took <= {self.winner.attempt_id}
            left = await self.context.database.fetch_rows(
                "SELECT id FROM sign_up_attempt WHERE address = $1",
                self.context.address(self.email),
            )
            assert left == [], "an ended sign-up was kept"

    async def forgive(self) -> None:
        """Reset wrong passwords so far: their delays are not tested here."""
        await self.context.database.fetch_row("DELETE FROM sign_in_guard")
        await self.context.database.fetch_row(
            "DELETE FROM rate_limit WHERE bucket LIKE 'sign-in-unknown-networks:%'"
        )

    async def _sign_in(self, form: Form) -> SignInAnswer:
        entered = SignInInput(username=self.spelling, password=form.password)
        return await signing_in.sign_in(
            self.context, entered.username, entered.password, self.caller
        )

    async def _opens(self, form: Form) -> bool:
        try:
            await self._sign_in(form)
        except (NotActivatedError, WrongCredentialsError):
            return False
        return True


@dataclass(frozen=True)
class Mailed(DomainEvent):
    """A mail was stored, and its transaction is committed."""

    mail: CodeMail


class Collecting(JobQueue):
    """A queue that runs jobs on commit, without storing them."""

    @override
    async def enqueue(
        self, tx: Transaction, kind: JobKind[PayloadT], payload: PayloadT, *, key: str
    ) -> None:
        assert isinstance(payload, CodeMail)
        tx.record(Mailed(payload))


def make_context(url: str, mailed: dict[UUID, list[str]]) -> AuthContext:
    """Return the services of sign-up and sign-in, with mail replaced by ``mailed``."""
    settings = Settings(database_url=url)
    bus, security = Bus(), SecurityLog(Metrics())
    database = Database(url, runtime_role=settings.database_runtime_role, pool_size=10, bus=bus)
    key = settings.code_key.get_secret_value()

    async def collect(event: Mailed) -> None:
        assert event.mail.purpose is CodePurpose.ACTIVATION
        mailed.setdefault(event.mail.subject_id, []).append(event.mail.code)

    bus.subscribe(Mailed, collect)
    limiter = RateLimiter(database, key=key, leniency=100, security=security)
    return AuthContext(
        database,
        PasswordHasher(memory_kib=HASH_MEMORY_KIB),
        TokenCodec(settings.token_key.get_secret_value()),
        key,
        limiter,
        ChallengeGate(database, limiter, Challenges(key)),
        security,
        Collecting(make_sealer(settings)),
        settings.session_idle,
        StoredInvitations(),
        VisitorClaims(key),
    )


async def prove(url: str, sequences: int, seed: int) -> Counter[str]:
    """Play the sequences and check each.

    Raises:
        AssertionError: a response differs from the model's, or too little happened.
    """
    mailed: dict[UUID, list[str]] = {}
    context = make_context(url, mailed)
    outcomes: Counter[str] = Counter()
    numbers = iter(range(sequences))

    async def play_some() -> None:
        for number in numbers:
            chance = random.Random(seed * 1_000_003 + number)  # noqa: S311 a workload must be replayable
            sequence = Sequence(number, context, mailed, chance, outcomes)
            try:
                await sequence.play()
            except AssertionError as error:
                raise AssertionError(f"sequence {number} of seed {seed}: {error}") from error
            outcomes["sequences"] += 1
            outcomes[
                f"opened by the {sequence.winner.person if sequence.winner else 'nobody'}"
            ] += 1

    try:
        await add_club(context.database)
        await asyncio.gather(*(play_some() for _ in range(AT_ONCE)))
    finally:
        context.hasher.close()
        await context.database.close()
    assert outcomes["sequences"] == sequences
    for name in ("opened by the owner", "opened by the stranger", "code refused"):
        assert outcomes[name] >= sequences // 10, f"{name}: only {outcomes[name]}"
    for name in ("resend", "sign-in before activation", "sign-up refused"):
        assert outcomes[name] > 0, f"{name} never happened"
    return outcomes


def drop(_logger: object, _method: str, _entry: EventDict) -> EventDict:
    """Silence the log, which has forty lines per sequence."""
    raise structlog.DropEvent


def main() -> int:
    """Run the test from the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sequences", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=2026)
    chosen = parser.parse_args()
    structlog.configure(processors=[drop])
    began = time.monotonic()
    with durable_postgres() as (server, _):
        outcomes = asyncio.run(prove(server.url(), chosen.sequences, chosen.seed))
    seconds = time.monotonic() - began
    for name, count in sorted(outcomes.items()):
        print(f"{count:8} {name}")
    print(f"{chosen.sequences} sequences, seed {chosen.seed}, {seconds:.0f} s: the model holds")
    return 0


if __name__ == "__main__":
    sys.exit(main())
