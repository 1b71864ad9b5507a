"""The template of emails: one content as text and HTML, safe to read anywhere."""

import re
from html.parser import HTMLParser

import pytest
from api.foundation.jobs.mail import Email
from api.foundation.jobs.mail_template import BRAND_COLOURS, Letter, Link, readable_on, write
from typing_extensions import override

LETTER = Letter(
    "₦5,000 is in your wallet",
    "Ada",
    ["Your wallet has been credited with ₦5,000."],
    button=Link("Open your wallet", "https://fans.example/wallet"),
    notes=[Link("Choose which mails you get", "https://fans.example/notifications")],
    unsubscribe=Link("Stop mails about your wallet", "https://fans.example/u/money.abc"),
    colours=("#0B4EA2", "#FFFFFF"),
)
CODE_LETTER = Letter("Your code", "Ada", ["Enter this code:"], code="042137", closing=["Hurry."])


class Elements(HTMLParser):
    """The elements of a page with their attributes, and its text."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.words = ""
        self.feed(html)

    @override
    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))

    @override
    def handle_data(self, data: str) -> None:
        self.words += data


def html_of(email: Email) -> Elements:
    assert email.html is not None
    return Elements(email.html)


def test_both_parts_say_the_same() -> None:
    email = write("ada@example.com", LETTER)

    assert email.body == (
        "Hello Ada,\n\nYour wallet has been credited with ₦5,000.\n\n"
        "https://fans.example/wallet\n\n"
        "Choose which mails you get: https://fans.example/notifications\n"
        "Stop mails about your wallet: https://fans.example/u/money.abc\n\n"
        "King of Fans\nGet Connected Get Rewarded\n"
    )
    page = html_of(email)
    for words in ("Hello Ada,", "₦5,000 is in your wallet", "credited with ₦5,000."):
        assert words in page.words
    links = [attrs["href"] for tag, attrs in page.found if tag == "a"]
    assert links == re.findall(r"https://\S+", email.body)
    assert email.unsubscribe == "https://fans.example/u/money.abc"


def test_a_letter_without_a_name_greets_nobody_by_name() -> None:
    email = write("ada@example.com", Letter(**{**vars(CODE_LETTER), "first_name": None}))

    assert email.body.startswith("Hello,\n\n")
    assert "Hello," in html_of(email).words
    assert "None" not in email.body + (email.html or "")


def test_the_page_loads_nothing_runs_nothing_and_is_at_most_600_pixels_wide() -> None:
    email = write("ada@example.com", LETTER)
    page = html_of(email)

    loading = {"img", "script", "link", "iframe", "object", "video", "form"}
    assert not loading & {tag for tag, _ in page.found}
    assert not any({"src", "background", "srcset"} & attrs.keys() for _, attrs in page.found)
    assert "url(" not in (email.html or "")
    assert "max-width:600px" in (email.html or "")
    assert len([1 for _, attrs in page.found if "inline-block" in (attrs.get("style") or "")]) == 1
    assert "prefers-color-scheme: dark" in (email.html or "")


@pytest.mark.parametrize("field", ["subject", "first_name", "paragraphs"])
def test_what_members_wrote_is_text_and_never_markup(field: str) -> None:
    evil = '<img src=x onerror="alert(1)">&amp;'
    value = [evil] if field == "paragraphs" else evil
    email = write("ada@example.com", Letter(**{**vars(LETTER), field: value}))

    page = html_of(email)
    assert "img" not in {tag for tag, _ in page.found}
    assert evil in page.words


def test_a_mail_with_a_code_has_no_link_and_no_way_to_unsubscribe() -> None:
    email = write("ada@example.com", CODE_LETTER)

    assert "\n\n    042137\n\n" in email.body
    page = html_of(email)
    assert "042137" in page.words
    for part in (email.body, email.html or ""):
        assert not re.search(r"https?:|www\.|href|src=|mailto:", part, re.IGNORECASE)
    assert email.unsubscribe is None


@pytest.mark.parametrize("field", ["button", "unsubscribe"])
def test_a_code_and_a_link_in_one_mail_is_a_mistake(field: str) -> None:
    link = Link("Open", "https://fans.example/")

    with pytest.raises(ValueError, match="no links"):
        write("ada@example.com", Letter(**{**vars(CODE_LETTER), field: link}))


def test_a_mail_has_the_colours_of_the_club_or_else_the_products() -> None:
    of_club = write("ada@example.com", LETTER).html or ""
    without = write("ada@example.com", CODE_LETTER).html or ""
    broken = write(
        "ada@example.com", Letter(**{**vars(LETTER), "colours": ('red"', "#FFFFFF")})
    ).html

    assert "background-color:#0B4EA2" in of_club
    assert f"background-color:{BRAND_COLOURS[0]}" in without
    assert f"background-color:{BRAND_COLOURS[0]}" in (broken or "")


@pytest.mark.parametrize(
    ("background", "text"),
    [
        ("#FFFFFF", "#0F1A15"),
        ("#FFC62E", "#0F1A15"),
        ("#0A6239", "#FFFFFF"),
        ("#000000", "#FFFFFF"),
    ],
)
def test_text_on_a_clubs_colour_can_be_read(background: str, text: str) -> None:
    assert readable_on(background) == text
