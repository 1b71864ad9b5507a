"""The legal pages: complete, public, and filled with who runs the app."""

import hashlib
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import httpx
import pytest
from api.foundation.database.retention import REMOVED
from api.foundation.http.pages import BUILT_PAGE, built_fonts
from api.foundation.security.rights import Role
from api.people.legal import rules
from api.people.legal.enums import LegalPage
from api.people.legal.service import DEFAULT_PUBLISHER
from typing_extensions import override

from tests.back_office import ADMIN, OperatorClient, operator_client
from tests.conftest import RunningApp

PAGES = ["privacy", "refund", "terms"]
PUBLISHER: dict[str, Any] = {
    "name": "Harbour Rovers & Sons <Ltd>",
    "address": "7 Quay Street, Port Harcourt",
    "email": "data@rovers.example",
    "phone": "+234 802 111 2222",
    "regulator": "Nigeria Data Protection Commission, Abuja",
    "effective": "2027-01-15",
}


class Outline(HTMLParser):
    """The elements of a page, and its visible text."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.words = ""
        self.feed(html)

    @override
    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    @override
    def handle_data(self, data: str) -> None:
        self.words += data


async def read(app: RunningApp, page: str) -> httpx.Response:
    answer = await app.client.get(f"/legal/{page}")
    assert answer.status_code == 200, answer.text
    return answer


@pytest.fixture
async def olu(app: RunningApp) -> OperatorClient:
    return await operator_client(app, "olu", Role.OWNER)


async def publish(olu: OperatorClient, **changes: object) -> None:
    version = (await olu.get(f"{ADMIN}/settings")).json()["data"]["version"]
    answer = await olu.client.put(
        f"{ADMIN}/settings",
        json={"version": version, "legal": PUBLISHER | changes},
        headers=olu.headers,
    )
    assert answer.status_code == 200, answer.text
    assert answer.json()["data"]["legal"] == PUBLISHER | changes


@pytest.mark.parametrize("page", PAGES)
async def test_a_page_is_there_for_everybody_without_scripts(app: RunningApp, page: str) -> None:
    answer = await app.client.get(f"/legal/{page}", headers={"Accept": "*/*"})

    assert answer.status_code == 200
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    policy = answer.headers["content-security-policy"]
    assert policy.startswith("default-src 'none'; style-src 'sha256-")
    assert "img-src 'self'" in policy  # its icon
    assert "form-action 'none'" in policy
    outline = Outline(answer.text)
    assert not {"script", "img", "iframe", "form"} & {tag for tag, _ in outline.elements}
    (heading,) = re.findall(r"<h1>(.+)</h1>", answer.text)
    assert heading == rules.TITLES[LegalPage(page)]
    assert f"<title>{heading} · King of Fans</title>" in answer.text
    assert ("link", {"rel": "canonical", "href": f"{app.settings.public_url}/legal/{page}"}) in (
        outline.elements
    )
    assert f"Version {rules.CURRENT.name} · In effect since " in outline.words
    assert "$" not in answer.text
    assert ("a", {"class": "brand", "href": "/welcome"}) in outline.elements


async def test_a_shared_legal_page_has_the_products_preview(app: RunningApp) -> None:
    page = Outline((await read(app, "terms")).text)
    said = {attrs.get("property") or attrs.get("name"): attrs for _, attrs in page.elements}
    address = said["og:image"]["content"] or ""

    picture = await app.client.get(address.removeprefix(app.settings.public_url))

    assert address.startswith(app.settings.public_url)
    assert picture.headers["Content-Type"] == "image/jpeg"
    assert "immutable" in picture.headers["Cache-Control"]  # the address has the current version
    assert said["twitter:card"]["content"] == "summary_large_image"


def test_the_pages_have_the_fonts_of_the_built_app(tmp_path: Path) -> None:
    assert built_fonts(tmp_path) == ""
    (tmp_path / "visitor").mkdir()
    link = '<link rel="stylesheet" crossorigin href="/assets/visitor/page-1.css">'
    (tmp_path / BUILT_PAGE).write_text(link)
    assert built_fonts(tmp_path) == ""
    (tmp_path / "assets/visitor").mkdir(parents=True)
    face = '@font-face{font-family:Noto Sans;src:url(/assets/noto.woff2)format("woff2")}'
    (tmp_path / "assets/visitor/page-1.css").write_text(f"@layer tokens{{{face}a{{color:red}}}}")

    assert built_fonts(tmp_path) == face


@pytest.mark.parametrize("page", PAGES)
async def test_links_inside_the_pages_lead_somewhere(app: RunningApp, page: str) -> None:
    outline = Outline((await read(app, page)).text)

    links = [attrs["href"] or "" for tag, attrs in outline.elements if tag == "a"]
    legal = {link for link in links if link.startswith("/legal/")}
    assert legal == {f"/legal/{name}" for name in PAGES}
    assert {link.partition(":")[0] for link in links if link[0] not in "/#"} <= {
        "mailto",
        "tel",
    }


@pytest.mark.parametrize("page", PAGES)
async def test_a_page_names_who_runs_the_app_as_the_back_office_says(
    app: RunningApp, olu: OperatorClient, page: str
) -> None:
    before = (await read(app, page)).text
    await publish(olu)
    after = (await read(app, page)).text

    assert DEFAULT_PUBLISHER.email in before
    assert "Harbour Rovers &amp; Sons &lt;Ltd&gt;" in after
    assert "7 Quay Street, Port Harcourt" in after
    assert 'href="mailto:data@rovers.example"' in after
    assert 'href="tel:+2348021112222"' in after
    assert "In effect since 15 January 2027" in after
    assert DEFAULT_PUBLISHER.email not in after
    if page == "privacy":
        assert "Nigeria Data Protection Commission, Abuja" in after


async def test_without_a_regulator_the_commission_is_named(
    app: RunningApp, olu: OperatorClient
) -> None:
    await publish(olu, regulator=None)

    assert (
        "Nigeria Data Protection Commission (NDPC), ndpc.gov.ng"
        in (await read(app, "privacy")).text
    )


async def test_other_details_make_no_new_version(app: RunningApp, olu: OperatorClient) -> None:
    await publish(olu)
    await publish(olu, address="8 Quay Street, Port Harcourt")

    assert f"Version {rules.CURRENT.name} ·" in (await read(app, "terms")).text


async def test_a_text_holds_from_its_publication_at_the_earliest(
    app: RunningApp, olu: OperatorClient
) -> None:
    await publish(olu, effective="2020-01-01")

    day = rules.CURRENT.published_on
    assert f"In effect since {day.day} {day:%B %Y}" in (await read(app, "terms")).text


@pytest.mark.parametrize(
    "change",
    [
        {"email": "nobody"},
        {"phone": "call me"},
        {"effective": "soon"},
        {"name": ""},
        {"address": "1 Road\nLagos"},
        {"unknown": "field"},
    ],
)
async def test_details_that_do_not_fit_are_refused(
    app: RunningApp, olu: OperatorClient, change: dict[str, str]
) -> None:
    answer = await olu.client.put(
        f"{ADMIN}/settings",
        json={"version": 1, "legal": PUBLISHER | change},
        headers=olu.headers,
    )

    assert answer.status_code == 422
    assert DEFAULT_PUBLISHER.email in (await read(app, "terms")).text


async def test_a_page_may_be_cached_and_is_sent_once(app: RunningApp, olu: OperatorClient) -> None:
    first = await read(app, "terms")
    head = await app.client.head("/legal/terms")
    again = await app.client.get("/legal/terms", headers={"If-None-Match": first.headers["etag"]})
    await publish(olu)
    changed = await app.client.get("/legal/terms", headers={"If-None-Match": first.headers["etag"]})

    assert first.headers["cache-control"].startswith("public, max-age=300")
    assert first.headers["content-encoding"] == "gzip"
    assert (head.status_code, head.content) == (200, b"")
    assert head.headers["etag"] == first.headers["etag"]
    assert (again.status_code, again.content) == (304, b"")
    assert changed.status_code == 200


@pytest.mark.parametrize("name", ["cookies", "terms.htm", "TERMS", "privacy.html.html"])
@pytest.mark.parametrize("method", ["GET", "HEAD"])
async def test_an_unknown_page_is_not_found(app: RunningApp, name: str, method: str) -> None:
    answer = await app.client.request(method, f"/legal/{name}")

    assert answer.status_code == 404
    assert answer.headers["content-type"].startswith("text/html")
    assert answer.headers["cache-control"] == "private, no-store"


@pytest.mark.parametrize("page", PAGES)
async def test_the_former_addresses_lead_to_the_pages(app: RunningApp, page: str) -> None:
    answer = await app.client.get(f"/legal/{page}.html")

    assert (answer.status_code, answer.headers["location"]) == (308, f"/legal/{page}")


def test_a_changed_text_is_a_new_version() -> None:
    """Append a version to ``rules.VERSIONS`` with the digest that this test names."""
    texts = "\x1f".join(rules.text_of(page) for page in LegalPage)

    assert rules.CURRENT.digest == hashlib.sha256(texts.encode()).hexdigest()


def test_every_version_has_its_own_name_digest_and_day() -> None:
    names = [version.name for version in rules.VERSIONS]
    days = [version.published_on for version in rules.VERSIONS]

    assert len(set(names)) == len(names) == len({version.digest for version in rules.VERSIONS})
    assert days == sorted(days)


def test_the_privacy_policy_says_how_long_things_are_kept_as_they_are() -> None:
    kept = {one.table: one.age.days for one in REMOVED}
    text = rules.text_of(LegalPage.PRIVACY)

    for table, days, words in (
        ("notification", 180, "The notifications we send you (180 days)"),
        ("mailed_code", 30, "without the code; both for 30 days"),
        ("sms_message", 30, "without the code; both for 30 days"),
        ("known_origin", 30, "for 30 days after you last used that network"),
        ("known_browser", 400, "kept for 400 days"),
        ("session", 30, "until 30 days after the session ends"),
        ("push_subscription", 365, "for 1 year after its last use"),
        ("payment_event", 6 * 365, "Provider reports are kept for 6 years"),
        ("chat_message", 2 * 365, "Messages are kept for 2 years"),
        ("chat_evidence", 180, "kept as evidence for 180 days"),
        ("chat_report", 2 * 365, "reports for 2 years after they are closed"),
        ("trivia_attempt", 2 * 365, "Your quest answers (2 years)"),
        ("battle_attempt", 365, "Battle Zone answers (1 year)"),
        ("prediction", 2 * 365, "predictions (2 years)"),
    ):
        assert (table, kept[table]) == (table, days)
        assert words in text
