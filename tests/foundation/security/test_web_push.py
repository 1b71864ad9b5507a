"""Web Push: the examples of RFC 8291, appendix A, and the content of a signature."""

import base64
import json
from datetime import UTC, datetime

import pytest
from api.foundation.security.base64url import decode, encode
from api.foundation.security.web_push import (
    VapidKey,
    check_browser_keys,
    encrypt,
)
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.hashes import SHA256

CURVE = ec.SECP256R1()
PLAIN = b"When I grow up, I want to be a watermelon"
SALT = "DGv6ra1nlYgDCS1FRnbzlw"
OUR_PRIVATE = "yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"
THEIR_PUBLIC = (
    "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
)
AUTH = "BTBZMqHH6r4Tts7J_aSIgg"
SEALED = (
    "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27ml"
    "mlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPT"
    "pK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
)
NOW = datetime(2027, 3, 1, 11, 0, tzinfo=UTC)


def test_a_message_is_sealed_as_the_standards_example() -> None:
    number = int.from_bytes(decode(OUR_PRIVATE))

    sealed = encrypt(
        PLAIN,
        decode(THEIR_PUBLIC),
        decode(AUTH),
        ephemeral=ec.derive_private_key(number, CURVE),
        salt=decode(SALT),
    )

    assert encode(sealed) == SEALED


def test_no_two_messages_are_sealed_alike() -> None:
    keys = decode(THEIR_PUBLIC), decode(AUTH)

    assert encrypt(PLAIN, *keys) != encrypt(PLAIN, *keys)


def test_a_signature_names_the_service_the_end_and_whom_to_write_to() -> None:
    key = VapidKey(VapidKey.generate(), subject="mailto:post@fans.example")

    header = key.authorization("https://web.push.apple.com/Qabc?x=1", NOW)

    scheme, _, rest = header.partition(" ")
    token, public = (part.partition("=")[2] for part in rest.split(", "))
    head, claims, signature = token.split(".")
    assert (scheme, public) == ("vapid", key.public)
    assert json.loads(decode(head)) == {"typ": "JWT", "alg": "ES256"}
    assert json.loads(decode(claims)) == {
        "aud": "https://web.push.apple.com",
        "exp": int(NOW.timestamp()) + 12 * 3600,
        "sub": "mailto:post@fans.example",
    }
    raw = decode(signature)
    numbers = encode_dss_signature(int.from_bytes(raw[:32]), int.from_bytes(raw[32:]))
    point = ec.EllipticCurvePublicKey.from_encoded_point(CURVE, decode(public))
    point.verify(numbers, f"{head}.{claims}".encode(), ec.ECDSA(SHA256()))
    with pytest.raises(InvalidSignature):
        point.verify(numbers, f"{head}.{claims}x".encode(), ec.ECDSA(SHA256()))


@pytest.mark.parametrize("private", ["", "AAAA", "no key!", base64.b64encode(bytes(31)).decode()])
def test_what_is_no_key_is_refused_at_once(private: str) -> None:
    with pytest.raises(ValueError, match=r"VAPID|base64url"):
        VapidKey(private, subject="mailto:post@fans.example")


@pytest.mark.parametrize(
    ("p256dh", "auth"),
    [
        (bytes(65), bytes(16)),
        (b"\x04" + bytes(64), bytes(16)),
        (decode(THEIR_PUBLIC)[:33], bytes(16)),
        (decode(THEIR_PUBLIC), bytes(15)),
    ],
)
def test_keys_that_no_browser_makes_are_refused(p256dh: bytes, auth: bytes) -> None:
    with pytest.raises(ValueError, match=r".+"):
        check_browser_keys(p256dh, auth)
