# SPDX-License-Identifier: MIT
"""The manual that comes with the add-on: all of docs/, in HTML whose links lead somewhere."""

from __future__ import annotations

import posixpath
import re
from html.parser import HTMLParser

import pytest
from material import ROOT

from packing.manual import as_html, manual_files

FILES = manual_files()
PAGES = sorted(name for name in FILES if name.endswith(".html"))
VOID = {"meta", "img"}


class Page(HTMLParser):
    """A page as a browser reads it."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.texts: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in VOID:
            self.open.append(tag)
        self.ids += [value for name, value in attrs if name == "id" and value]
        self.links += [value for name, value in attrs if name in ("href", "src") and value]

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if not {"code", "pre", "style"} & {*self.open}:
            self.texts.append(data)


READ = {name: Page(FILES[name].decode()) for name in PAGES}


def test_every_page_is_there() -> None:
    docs = ROOT / "docs"
    assert {name.removesuffix(".html") for name in PAGES} == {
        path.relative_to(docs).with_suffix("").as_posix() for path in docs.rglob("*.md")
    }


@pytest.mark.parametrize("name", PAGES)
def test_a_page_is_whole(name: str) -> None:
    page = READ[name]
    assert not page.open
    assert len(page.ids) == len(set(page.ids))
    for link in page.links:
        if link.startswith("https:"):
            continue
        file, _, anchor = link.partition("#")
        target = posixpath.normpath(posixpath.join(posixpath.dirname(name), file)) if file else name
        assert target in FILES, link
        assert not anchor or anchor in READ[target].ids, link


@pytest.mark.parametrize("name", PAGES)
def test_no_markdown_is_left(name: str) -> None:
    text = " ".join(READ[name].texts)
    assert re.findall(r"\]\(|`|\*\*|^#+ |^\|", text, re.MULTILINE) == []


def test_each_finding_has_a_place() -> None:
    rules = re.findall(r"^\| `(\w+)` \|", (ROOT / "docs" / "findings.md").read_text(), re.MULTILINE)
    assert len(rules) > 100 and set(rules) <= set(READ["findings.html"].ids)


def test_words_keep_their_signs() -> None:
    text = "# A `b` <c>\n\n- *d* and **e**: [f `g`](h.md#i)\n  j | k\n\n| l |\n|---|\n| m \\| `n` |\n"
    page = as_html("o/p.md", text)
    assert '<h1 id="a-b-c">A <code>b</code> &lt;c&gt;</h1>' in page
    link = '<a href="h.html#i">f <code>g</code></a>'
    assert f"<ul><li><em>d</em> and <strong>e</strong>: {link} j | k</li></ul>" in page
    assert "<tr><th>l</th></tr><tr><td>m | <code>n</code></td></tr>" in page
