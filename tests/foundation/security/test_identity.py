"""Tokens: only ours, only before they expire, only while their session lives."""

import base64
import string
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest
from api.foundation.core import clock
from api.foundation.core.errors import TokenError
from api.foundation.core.ids import new_id
from api.foundation.security import base64url
from api.foundation.security.passwords import HashingTurn, LaneName, PasswordHasher
from api.foundation.security.tokens import ADMIN_AUDIENCE, AUDIENCE, TokenCodec
from jose import jwt

KEY = "a key of at least thirty-two bytes!!"
NOW = int(clock.now().timestamp())
CLAIMS: dict[str, Any] = {
    "iss": "king-of-fans",
    "aud": "fanclub-api",
    "sub": str(new_id()),
    "sid": str(new_id()),
    "jti": str(new_id()),
    "iat": NOW,
    "nbf": NOW,
    "exp": NOW + 3600,
}


def test_an_issued_token_names_its_user_and_session() -> None:
    user_id, session_id = new_id(), new_id()
    token = TokenCodec(KEY).issue(user_id, session_id, clock.now())

    assert TokenCodec(KEY).read(token) == (user_id, session_id)


@pytest.mark.parametrize("audience", [AUDIENCE, ADMIN_AUDIENCE])
def test_a_token_holds_ids_and_times_alone(audience: str) -> None:
    token = TokenCodec(KEY, audience=audience).issue(new_id(), new_id(), clock.now())
    claims = jwt.get_unverified_claims(token)

    assert claims.keys() == CLAIMS.keys()
    assert (claims["iss"], claims["aud"]) == ("king-of-fans", audience)
    for name in ("sub", "sid", "jti"):
        UUID(claims[name])
    assert {type(claims[name]) for name in ("iat", "nbf", "exp")} == {int}


def test_the_claims_below_are_good_so_that_each_change_is_what_fails() -> None:
    assert TokenCodec(KEY).read(jwt.encode(CLAIMS, KEY, algorithm="HS256"))


@pytest.mark.parametrize(
    "changes",
    [
        {"iss": "somebody"},
        {"aud": "another-api"},
        {"sub": "42"},
        {"sub": None},
        {"sid": "42"},
        {"sid": None},
        {"jti": None},
        {"exp": NOW - 1},
        {"exp": None},
        {"exp": str(NOW + 3600)},
        {"iat": NOW + 3600},
        {"iat": None},
        {"nbf": NOW + 3600},
        {"nbf": None},
        {"iss": None},
        {"aud": None},
    ],
)
def test_a_token_with_a_wrong_or_missing_claim_is_refused(changes: dict[str, Any]) -> None:
    claims = {name: value for name, value in (CLAIMS | changes).items() if value is not None}

    with pytest.raises(TokenError):
        TokenCodec(KEY).read(jwt.encode(claims, KEY, algorithm="HS256"))


@pytest.mark.parametrize("algorithm", ["HS384", "HS512"])
def test_another_algorithm_is_refused(algorithm: str) -> None:
    with pytest.raises(TokenError):
        TokenCodec(KEY).read(jwt.encode(CLAIMS, KEY, algorithm=algorithm))


def test_another_key_is_refused() -> None:
    with pytest.raises(TokenError):
        TokenCodec(KEY).read(jwt.encode(CLAIMS, KEY + "x", algorithm="HS256"))


def test_a_changed_token_is_refused() -> None:
    token = TokenCodec(KEY).issue(new_id(), new_id(), clock.now() - timedelta(minutes=1))
    header, body, signature = token.split(".")
    hostile = [
        "",
        ".",
        "..",
        token[:-2],
        f"{header}.{body}.",
        f"{header}.{body}",
        f"{body}.{header}.{signature}",
        "[" * 3000,
        "WyI" * 1000 + f".{body}.{signature}",
        token + "x" * 5000,
    ]

    for text in hostile:
        with pytest.raises(TokenError):
            TokenCodec(KEY).read(text)


def with_other_last_bits(text: str) -> list[str]:
    """Return the texts that a lenient decoder reads as the bytes of unpadded base64url."""
    padding = "=" * (-len(text) % 4)
    found = [text[:-1] + letter for letter in string.ascii_letters + string.digits + "-_"]
    content = base64.urlsafe_b64decode(text + padding)
    return [
        each
        for each in found
        if each != text and base64.urlsafe_b64decode(each + padding) == content
    ]


def spellings_of(token: str) -> list[str]:
    """Return texts that a lenient decoder reads as the same three parts."""
    head, body, signature = token.split(".")
    odd = ["=", " ", "\n", "\t", "\r\n", "!", "\0", "\N{NO-BREAK SPACE}"]
    last = with_other_last_bits(signature)
    assert len(last) == 3  # two bits are left over
    standard = signature.replace("-", "+").replace("_", "/")
    return [
        *(f"{head}.{body}.{each}" for each in [*last, standard] if each != signature),
        *(f"{head}.{body}.{signature}{each}" for each in odd),
        *(f"{head}.{body}.{signature[:9]}{each}{signature[9:]}" for each in odd),
        *(f"{each}{token}" for each in odd),
        *(f"{head}{each}.{body}.{signature}" for each in odd),
        *(f"{head}.{body}{each}.{signature}" for each in odd),
    ]


@pytest.mark.parametrize("audience", [AUDIENCE, ADMIN_AUDIENCE])
def test_a_token_has_one_spelling(audience: str) -> None:
    codec = TokenCodec(KEY, audience=audience)
    token = codec.issue(new_id(), new_id(), clock.now())
    assert codec.read(token)
    for text in spellings_of(token):
        with pytest.raises(TokenError):
            codec.read(text)


@pytest.mark.parametrize("content", [b"", b"a", b"ab", b"abc", bytes(range(256)), b"\xff" * 32])
def test_bytes_have_one_spelling_in_base64url(content: bytes) -> None:
    text = base64url.encode(content)
    assert base64url.decode(text) == content
    standard = text.replace("-", "+").replace("_", "/")
    others = [standard] if standard != text else []
    others += [text + "=", text + "\n", " " + text, text + "+", text + "é", "A", "AAAAA"]
    if len(content) % 3:
        others += with_other_last_bits(text)
    for other in others:
        with pytest.raises(ValueError, match="base64"):
            base64url.decode(other)


def test_a_key_that_a_token_brings_or_names_is_never_used() -> None:
    foreign = "another key of at least thirty-two bytes"
    symmetric = {"kty": "oct", "k": base64.urlsafe_b64encode(foreign.encode()).decode()}

    for header in (
        {"jwk": symmetric},
        {"jku": "http://127.0.0.1:9/keys.json"},
        {"x5u": "http://127.0.0.1:9/key.pem"},
        {"x5c": ["MIIB"]},
        {"kid": foreign},
        {"kid": "../../../../dev/null"},
    ):
        token = jwt.encode(CLAIMS, foreign, algorithm="HS256", headers=header)
        with pytest.raises(TokenError):
            TokenCodec(KEY).read(token)
        assert TokenCodec(KEY).read(jwt.encode(CLAIMS, KEY, algorithm="HS256", headers=header))


async def test_a_password_hash_has_the_documented_cost_and_salt() -> None:
    hasher = PasswordHasher()
    try:
        hashed = await hasher.hash("a long password", HashingTurn(LaneName.SIGN_UP, "tests"))
    finally:
        hasher.close()

    assert hashed.startswith("$argon2id$v=19$m=19456,t=2,p=1$")
    salt = hashed.split("$")[4]
    assert len(base64.b64decode(salt + "==")) == 128 // 8
