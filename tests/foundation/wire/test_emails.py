"""An email address has one canonical form, however it is written."""

import sys
from contextlib import suppress

import pytest
from api.foundation.wire.emails import canonical_email


@pytest.mark.parametrize(
    ("written", "canonical"),
    [
        (" Ada.Obi+fan@Example.COM\n", "ada.obi+fan@example.com"),
        ("ada@B\N{LATIN CAPITAL LETTER U WITH DIAERESIS}cher.example", "ada@xn--bcher-kva.example"),
        ("ada@bu\N{COMBINING DIAERESIS}cher.example", "ada@xn--bcher-kva.example"),
        ("ada@XN--BCHER-KVA.example", "ada@xn--bcher-kva.example"),
        ("ada@\N{FULLWIDTH LATIN SMALL LETTER E}xample.com", "ada@example.com"),
        ("ada@my_club.example", "ada@my_club.example"),
    ],
)
def test_every_spelling_of_an_address_is_one_text(written: str, canonical: str) -> None:
    assert canonical_email(written) == canonical
    assert canonical_email(canonical) == canonical


@pytest.mark.parametrize(
    "written",
    [
        "v\N{LATIN CAPITAL LETTER I WITH DOT ABOVE}ctim@example.com",
        "v\N{LATIN SMALL LETTER DOTLESS I}ctim@example.com",
        "v\N{LATIN SMALL LETTER LONG S}ctim@example.com",
        "ada@example",
        "ada@.example.com",
        "ada@exa mple.com",
        "ada@\N{SNOWMAN}.example",
        "ada@b\N{LATIN SMALL LETTER U WITH DIAERESIS}cher",
        "ada@@example.com",
        "@example.com",
        "ada@",
        "ada",
        "ada@example.com\0",
    ],
)
def test_what_is_no_address_is_refused(written: str) -> None:
    with pytest.raises(ValueError, match=r"^Invalid email input$"):
        canonical_email(written)


def test_an_address_has_at_most_254_characters_in_its_canonical_form() -> None:
    long = "a" * 242 + "@example.com"
    assert canonical_email(long) == long
    for written in ("a" + long, f"{'a' * 240}@\N{LATIN SMALL LETTER U WITH DIAERESIS}.example"):
        with pytest.raises(ValueError, match="at most 254 characters"):
            canonical_email(written)


def test_no_letter_makes_two_canonical_forms_that_databases_fold_into_one() -> None:
    taken = set()
    for number in range(sys.maxunicode + 1):
        with suppress(ValueError):
            taken.add(canonical_email(f"v{chr(number)}ctim@example.com"))

    assert len(taken) > 40
    assert all(email.isascii() and email == email.lower() for email in taken)
