"""Pages for visitors: what messengers and search engines read of them, without JavaScript."""

import io
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import httpx
import pytest
from api.foundation.core import clock
from api.foundation.core.ids import new_id
from api.foundation.database.rate_limit import REFUSED_CALLS, RateLimiter
from api.foundation.security.rights import Role
from api.home.public import screens
from api.home.public.enums import PageKind
from PIL import Image
from typing_extensions import override

from tests.back_office import OperatorClient, operator_client
from tests.community.moments.test_public import publish
from tests.community.moments.test_sharing import posted
from tests.conftest import CLUB_A, CLUB_B, RunningApp, SignedIn
from tests.games.matches.matches import moved, written
from tests.home.public.test_reading import hide, published

ROUTES = Path("web/src/app/routes.tsx")
MAX_PICTURE_BYTES = 150 * 1000
MESSENGER = {"User-Agent": "WhatsApp/2.24", "Accept": "*/*"}
PAGE_PATHS = {
    PageKind.HOME: "/welcome/",
    PageKind.MATCH: "/m/",
    PageKind.ARTICLE: "/n/",
    PageKind.PRODUCT: "/s/",
    PageKind.CLUB: "/c/",
    PageKind.MOMENT: "/v/",
    PageKind.INVITE: "/i/",
}
REQUIRED = (
    *("description", "og:title", "og:description", "og:image", "og:url", "og:type"),
    *("og:site_name", "og:locale", "twitter:card"),
)


@pytest.fixture
async def musa(app: RunningApp) -> OperatorClient:
    return await operator_client(app, "musa", Role.GAME_MASTER)


@pytest.fixture
async def edith(app: RunningApp) -> OperatorClient:
    return await operator_client(app, "edith", Role.EDITOR)


@dataclass
class Head(HTMLParser):
    """What is in a page's head."""

    said: dict[str, str] = field(default_factory=dict)
    facts: dict[str, Any] = field(default_factory=dict)
    title: str = ""
    canonical: str = ""

    def __post_init__(self) -> None:
        super().__init__()
        self._in = ""

    @override
    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        have = dict(attrs)
        if tag == "meta":
            name = have.get("property") or have.get("name")
            if name:
                assert name not in self.said, f"{name} is there twice"
                self.said[name] = have.get("content") or ""
        elif tag == "link" and have.get("rel") == "canonical":
            self.canonical = have.get("href") or ""
        self._in = "facts" if have.get("type") == "application/ld+json" else tag

    @override
    def handle_data(self, data: str) -> None:
        if self._in == "title":
            self.title += data
        elif self._in == "facts":
            self.facts = json.loads(data)

    @override
    def handle_endtag(self, tag: str) -> None:
        self._in = ""


def head_of(page: httpx.Response) -> Head:
    head = Head()
    head.feed(page.text.partition("</head>")[0] if "</head>" in page.text else page.text)
    return head


async def opened(app: RunningApp, path: str, **headers: str) -> Head:
    page = await app.client.get(path, headers=MESSENGER | headers)
    assert page.status_code == 200, page.text
    return head_of(page)


async def picture_of(app: RunningApp, head: Head) -> httpx.Response:
    address = head.said["og:image"]
    assert address.startswith(app.settings.public_url)
    answer = await app.client.get(address.removeprefix(app.settings.public_url))
    assert answer.status_code == 200, answer.text
    assert answer.headers["Content-Type"] == "image/jpeg"
    assert len(answer.content) <= MAX_PICTURE_BYTES
    assert Image.open(io.BytesIO(answer.content)).size == (1200, 630)
    return answer


@pytest.fixture
async def pages(
    app: RunningApp, musa: OperatorClient, edith: OperatorClient, member: SignedIn
) -> Mapping[str, str]:
    """Paths of one page of each kind, by the type of its facts."""
    match = await written(musa)
    article = await published(edith, "Derby on Saturday")
    product = await app.stock_product()
    return {
        "Organization": "/welcome",
        "SportsEvent": f"/m/{match['id']}",
        "NewsArticle": f"/n/{article['slug']}",
        "Product": f"/s/{product}",
        "SportsTeam": f"/c/{CLUB_A}",
    }


async def test_every_kind_of_page_has_a_whole_preview_and_a_picture(
    app: RunningApp, pages: Mapping[str, str]
) -> None:
    for kind, path in pages.items():
        head = await opened(app, path)

        assert [name for name in REQUIRED if not head.said.get(name)] == [], path
        assert 0 < len(head.said["description"]) <= 160, path
        assert head.said["og:description"] == head.said["description"]
        assert head.said["twitter:card"] == "summary_large_image"
        assert head.canonical == head.said["og:url"] == app.settings.public_url + path
        assert head.said["og:title"] in head.title
        for part in head.said["og:title"].split(", "):
            assert part.lower() not in head.said["og:description"].lower(), "said twice"
        assert (head.facts["@context"], head.facts["@type"]) == ("https://schema.org", kind)
        assert "robots" not in head.said
        await picture_of(app, head)


async def test_a_clubs_page_and_its_home_match_show_its_ground(
    app: RunningApp, pages: Mapping[str, str]
) -> None:
    for kind in ("SportsTeam", "SportsEvent"):
        page = await app.client.get(pages[kind])

        (address,) = re.findall(r'src="(/media/grounds/[^"]+)"', page.text)
        assert address == f"/media/grounds/{CLUB_A}.svg"
        assert (await app.client.get(address)).status_code == 200


async def test_a_head_request_is_answered_like_a_get_without_its_body(
    app: RunningApp, pages: Mapping[str, str]
) -> None:
    for path in (*pages.values(), "/robots.txt", "/sitemap.xml"):
        whole = await app.client.get(path)
        head = await app.client.head(path)

        assert (head.status_code, head.content) == (200, b""), path
        assert head.headers["Content-Type"] == whole.headers["Content-Type"], path


async def test_a_screen_of_the_app_has_the_preview_of_its_public_page(
    app: RunningApp, pages: Mapping[str, str]
) -> None:
    for screen, kind in (("match", "SportsEvent"), ("news", "NewsArticle"), ("product", "Product")):
        path = pages[kind]
        head = await app.asgi.state.services.site.head_of(
            f"/{screen}/{path.rpartition('/')[2]}", clock.now()
        )

        assert head.path == path
        assert head.facts["@type"] == kind


async def test_a_live_matchs_picture_has_another_address_after_a_goal_and_each_minute(
    app: RunningApp, musa: OperatorClient
) -> None:
    fixture = await written(musa)
    path = f"/m/{fixture['id']}"
    before = (await opened(app, path)).said
    kick_off = clock.now() - timedelta(minutes=10)
    fixture = await moved(musa, fixture, kickOffAt=kick_off.isoformat())
    await moved(musa, fixture, state="live", homeGoals=2, awayGoals=1)
    app.asgi.state.services.site.public.cache.clear()

    after = await opened(app, path)

    assert before["og:image"] != after.said["og:image"]
    assert after.said["og:title"].endswith("2-1 Kano Pillars")
    picture = await picture_of(app, after)
    outdated = await app.client.get(before["og:image"].removeprefix(app.settings.public_url))
    assert outdated.content == picture.content
    assert "immutable" in picture.headers["Cache-Control"]
    assert outdated.headers["Cache-Control"] == "public, max-age=60"


async def test_names_are_text_on_pages_and_in_previews(
    app: RunningApp, edith: OperatorClient
) -> None:
    hostile = '"><script>alert(1)</script><b a="'
    article = await published(edith, hostile)

    page = await app.client.get(f"/n/{article['slug']}")
    head = head_of(page)

    assert "<script>alert" not in page.text
    assert head.said["og:title"] == hostile
    assert head.facts["headline"] == hostile


async def test_what_is_not_public_is_a_page_that_says_so(app: RunningApp) -> None:
    product = await app.stock_product()
    await app.database.execute("UPDATE product SET hidden = true WHERE id = $1", product)
    await hide(app, CLUB_B)
    paths = (f"/s/{product}", f"/c/{CLUB_B}", f"/m/{new_id()}", "/n/nothing", "/m/%00", "/i/x")
    for path in paths:
        page = await app.client.get(path)

        assert page.status_code == 404, path
        assert "URL not found!" in page.text
        assert head_of(page).said["robots"] == "noindex"
        assert head_of(page).said["og:title"] == "King of Fans"
        assert page.headers["Cache-Control"] in {"no-store", "private, no-store"}


async def test_an_article_leads_on_to_others_of_its_club_and_a_product_to_others(
    app: RunningApp, edith: OperatorClient
) -> None:
    first = await published(edith, "Of the club", club=str(CLUB_A))
    await published(edith, "Of all clubs")
    await published(edith, "Of the rival", club=str(CLUB_B))
    products = [await app.stock_product() for _ in range(2)]

    article = (await app.client.get(f"/n/{first['slug']}")).text
    product = (await app.client.get(f"/s/{products[0]}")).text

    assert "Join Enyimba" in article
    assert article.count('class="story"') == 1
    assert "Of all clubs" in article
    assert f'href="/s/{products[1]}"' in product
    assert f'href="/s/{products[0]}"' not in product


@pytest.mark.parametrize("name", ["%00", "x%00", "%1b", "x" * 300])
async def test_a_name_that_nothing_can_have_is_not_found(app: RunningApp, name: str) -> None:
    """Of pages as of pictures, of every kind."""
    for kind in PageKind:
        for path in (f"{PAGE_PATHS[kind]}{name}", f"/og/{kind}/{name}.jpg"):
            assert (await app.client.get(path)).status_code == 404, path


async def test_the_page_of_a_club_wears_its_colours_and_shows_few_fans_as_an_invitation(
    app: RunningApp, musa: OperatorClient
) -> None:
    fixture = await written(musa)
    kick_off = clock.now() - timedelta(minutes=100)
    fixture = await moved(musa, fixture, kickOffAt=kick_off.isoformat())
    fixture = await moved(musa, fixture, state="live", homeGoals=2, awayGoals=1)
    await moved(musa, fixture, state="finished", homeGoals=2, awayGoals=1)

    page = await app.client.get(f"/c/{CLUB_A}")
    said = head_of(page).said

    assert said["club-stand"].split()[0] == said["club-colours"].split()[0]
    assert "Be one of the first Enyimba fans here" in page.text
    assert "1 fan" not in page.text.replace("first", "")
    assert re.search(r"<span[^>]*>W</span><span[^>]*>Won</span>", page.text)
    shown = (await app.client.get(f"/m/{fixture['id']}")).text
    assert shown.count(">Won</span>") == 1


async def test_the_last_visited_club_is_shown_unless_another_is_asked_for(
    app: RunningApp, musa: OperatorClient
) -> None:
    await written(musa)

    async def club(query: str = "", cookie: str = "") -> str:
        return (await opened(app, f"/welcome{query}", Cookie=cookie)).said["club"]

    assert await club() == str(CLUB_A)
    assert await club(cookie=f"club={CLUB_B}") == str(CLUB_B)
    assert await club(f"?club={CLUB_A}", f"club={CLUB_B}") == str(CLUB_A)
    assert await club(f"?club={new_id()}", f"club={CLUB_B}") == str(CLUB_B)
    assert await club("?club=nonsense", "club=nonsense") == str(CLUB_A)
    page = await app.client.get("/welcome", headers={"Cookie": f"club={CLUB_B}"})
    assert page.headers["Cache-Control"].startswith("private")
    assert "Cookie" in page.headers["Vary"]


async def test_search_engines_find_every_public_page_and_nothing_else(
    app: RunningApp, pages: Mapping[str, str]
) -> None:
    robots = (await app.client.get("/robots.txt")).text
    sitemap = re.search(r"^Sitemap: (\S+)$", robots, re.MULTILINE)
    assert sitemap is not None
    answer = await app.client.get(sitemap[1].removeprefix(app.settings.public_url))
    found = [
        address.removeprefix(app.settings.public_url)
        for address in re.findall(r"<loc>([^<]+)</loc>", answer.text)
    ]

    assert set(pages.values()) <= set(found)
    assert len(found) == len(set(found))
    for path in found:
        await opened(app, path)


def stored_cards(app: RunningApp) -> set[Path]:
    return set((app.settings.var_dir / "cards").glob("*"))


async def test_a_public_moment_has_a_page_until_it_is_taken_back(
    app: RunningApp, member: SignedIn
) -> None:
    moment_id = await posted(member)
    path = f"/v/{moment_id}"
    assert (await app.client.get(path)).status_code == 404
    await publish(member, moment_id)
    before = stored_cards(app)

    page = await app.client.get(path)
    head = head_of(page)
    picture = await picture_of(app, head)
    taken_back = await member.client.delete(
        f"/api/v1/moment/{moment_id}/share", headers=member.headers
    )

    assert taken_back.status_code == 200
    assert picture.headers["Cache-Control"] == "public, max-age=60"
    assert page.headers["Cache-Control"] == "public, max-age=60"
    assert (await app.client.get(path)).status_code == 404
    address = head.said["og:image"].removeprefix(app.settings.public_url)
    assert (await app.client.get(address)).status_code == 404
    assert stored_cards(app) == before


async def test_a_neighbour_who_guesses_codes_closes_no_right_link(
    app: RunningApp, member: SignedIn
) -> None:
    invite = (await member.get(f"/api/v1/invites/{member.id}")).json()["data"]["code"]
    limiter: RateLimiter = app.asgi.state.services.get(RateLimiter)
    for _ in range(limiter.max_hits(REFUSED_CALLS)):
        await limiter.count(REFUSED_CALLS, "127.0.0.1")

    paths = ["/og/invite/{}.jpg", "/i/{}", "/api/v1/invites/code/{}"]
    right = [await app.client.get(path.format(invite)) for path in paths]
    wrong = [await app.client.get(path.format("ABCDEFGH")) for path in paths]

    assert [answer.status_code for answer in right] == [200, 200, 200]
    assert [answer.status_code for answer in wrong] == [429, 404, 429]


async def test_a_picture_needs_an_existing_page(app: RunningApp) -> None:
    for path in (f"/og/match/{new_id()}.jpg", "/og/nothing/x.jpg", "/og/article/..%2fx.jpg"):
        assert (await app.client.get(path)).status_code in {404, 422}, path


async def test_the_android_app_of_the_settings_may_open_our_links(app: RunningApp) -> None:
    assert (await app.client.get("/.well-known/assetlinks.json")).status_code == 404


def test_the_server_knows_the_screens_of_the_app() -> None:
    written_there = re.findall(r'path: "([^"]+)"', ROUTES.read_text(encoding="utf-8"))

    assert sorted(screens.PATTERNS) == sorted(written_there)
    assert screens.is_screen("/Wallet/")
    assert not screens.is_screen("/wallet/x")
    assert not screens.is_screen("/product/")


def test_every_class_of_a_template_has_a_rule_or_a_script() -> None:
    """A class that is renamed on one side only leaves a page unstyled, and nothing else fails."""
    sheet = Path("web/visitor/page.css")
    imported = re.findall(r'@import "([^"]+)"', sheet.read_text())
    sources = [*(sheet.parent / name for name in imported), *sheet.parent.glob("*.ts")]
    known = set(re.findall(r"\.([a-z][a-z0-9-]*)", "".join(each.read_text() for each in sources)))
    missing = set()
    for template in sorted(Path("api/home/public/templates").glob("*.html")):
        text = re.sub(r"\{%.*?%\}|\{\{.*?\}\}", " ", template.read_text(), flags=re.DOTALL)
        for value in re.findall(r'class="([^"]*)"', text):
            named = (each for each in value.split() if not each.endswith("-"))  # not put together
            missing |= {f"{template.name}: {each}" for each in named if each not in known}
    assert missing == set()
