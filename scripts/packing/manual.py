# SPDX-License-Identifier: MIT
"""The pages of docs/ as HTML: the add-on's manual comes with it, and is about its own version.

They need no more Markdown than headings, paragraphs, lists, tables, blocks of code, links and pictures.
tests/python/test_manual.py sees that nothing else is there. Pictures that move stay out: they are large.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Final

from .checkout import ROOT

DOCS: Final = ROOT / "docs"
_STYLE: Final = (
    "body{font:16px/1.5 sans-serif;max-width:52em;margin:2em auto;padding:0 1em;color:#222;background:#fff}"
    "pre{overflow:auto;padding:.7em}pre,code{background:#f1f1f1}img{max-width:100%}"
    "table{border-collapse:collapse}"
    "td,th{border:1px solid #bbb;padding:.3em .6em;text-align:left;vertical-align:top}"
    ":target{background:#fe9}@media(prefers-color-scheme:dark){body{color:#ddd;background:#1c1c1c}"
    "pre,code{background:#333}a{color:#8bf}:target{background:#550}}"
)
_ITEM: Final = re.compile(r"(?:- |\d+\. )")
#: What is HTML in the pages already.
_TAGS: Final = re.compile(r"&lt;(/?(?:kbd|sub|sup))&gt;")


def manual_files() -> dict[str, bytes]:
    """The pages, and the still pictures and schemas that they show, by their names in the manual."""
    pages = {path.relative_to(DOCS).as_posix(): path for path in DOCS.rglob("*.md")}
    made = {_page(name): as_html(name, path.read_text(encoding="utf-8")) for name, path in pages.items()}
    others = [path for suffix in ("png", "svg", "json") for path in DOCS.rglob(f"*.{suffix}")]
    return {name: text.encode() for name, text in made.items()} | {
        path.relative_to(DOCS).as_posix(): path.read_bytes() for path in others
    }


def as_html(name: str, text: str) -> str:
    """A page; `name` is its file in docs/."""
    title = text.partition("\n")[0].lstrip("# ").replace("`", "")
    root = "../" * name.count("/")
    links = f'<a href="{root}pages.html">All pages</a>'
    body = "\n".join(_blocks(text.splitlines(), set()))
    return (
        f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>{html.escape(title)}</title>\n'
        f"<style>{_STYLE}</style></head>\n<body><p>{links}</p>\n{body}\n</body></html>\n"
    )


def anchor_of(heading: str) -> str:
    """What a link's "#" names: lower case, blanks as hyphens, without other signs."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def _blocks(lines: list[str], seen: set[str]) -> Iterator[str]:
    at = 0
    while at < len(lines):
        line, first = lines[at], at
        at += 1
        if line.startswith("```"):
            at = lines.index("```", at) + 1
            yield f"<pre>{html.escape(chr(10).join(lines[first + 1 : at - 1]))}</pre>"
        elif heading := re.match(r"(#+) (.+)", line):
            level = len(heading[1])
            yield f'<h{level} id="{anchor_of(heading[2])}">{_inline(heading[2])}</h{level}>'
        elif line.strip():
            while at < len(lines) and lines[at].strip() and not lines[at].startswith("```"):
                at += 1
            yield _block(lines[first:at], seen)


def _block(lines: list[str], seen: set[str]) -> str:
    """What stands between two empty lines."""
    if lines[0].startswith("|"):
        head, body = _row(lines[0], "th", seen), "".join(_row(line, "td", seen) for line in lines[2:])
        return f"<table>{head}{body}</table>"
    if not _ITEM.match(lines[0]):
        return f"<p>{_inline(' '.join(lines))}</p>"
    items: list[str] = []
    for line in lines:
        if mark := _ITEM.match(line):
            items.append(line[mark.end() :])
        else:
            items[-1] += " " + line.strip()
    kind = "ul" if lines[0].startswith("- ") else "ol"
    return f"<{kind}>{''.join(f'<li>{_inline(item)}</li>' for item in items)}</{kind}>"


def _row(line: str, cell: str, seen: set[str]) -> str:
    """A row of a table; the first one of a rule is where a finding's link leads."""
    cells = [part.strip().replace("\\|", "|") for part in re.split(r"(?<!\\)\|", line.strip())[1:-1]]
    rule = re.fullmatch(r"`(\w+)`", cells[0])
    place = f' id="{rule[1]}"' if rule and rule[1] not in seen else ""
    seen.update(rule.groups() if rule else ())
    return f"<tr{place}>{''.join(f'<{cell}>{_inline(text)}</{cell}>' for text in cells)}</tr>"


def _inline(text: str) -> str:
    """Code stays as it is; elsewhere there may be links, pictures, and two kinds of stress."""
    parts = re.split(r"(`[^`]+`)", text)
    codes = [f"<code>{html.escape(part[1:-1])}</code>" for part in parts[1::2]]
    for number in range(1, len(parts), 2):
        parts[number] = f"\0{number // 2}\0"  # so that a link may hold code
    text = _TAGS.sub(r"<\1>", html.escape("".join(parts), quote=False))
    text = re.sub(r"!\[([^\]]*)\]\(([^)]+)\)", _picture, text)
    text = re.sub(r"\[([^\]]+)\]\(([^)]+)\)", _link, text)
    text = re.sub(r"\*\*(.+?)\*\*", r"<strong>\1</strong>", text)
    text = re.sub(r"(?<![\w*])\*([^*\s][^*]*?)\*(?!\w)", r"<em>\1</em>", text)
    text = text.replace("\\_", "_")
    return re.sub("\0(\\d+)\0", lambda found: codes[int(found[1])], text)


def _picture(found: re.Match[str]) -> str:
    if found[2].endswith(".webp"):
        return ""
    return f'<img src="{found[2]}" alt="{html.escape(found[1])}">'


def _link(found: re.Match[str]) -> str:
    """Pages beside docs/, and the sources, aren't part of the manual."""
    name, _, anchor = found[2].partition("#")
    if name.startswith("https:"):
        return f'<a href="{found[2]}">{found[1]}</a>'
    place = PurePosixPath(name)
    is_outside = name.startswith("../") and place.parts[1] != "recipes" and not (DOCS / place.name).is_file()
    if is_outside or (name and place.suffix not in (".md", ".json")):
        return found[1]
    return f'<a href="{_page(name)}{"#" if anchor else ""}{anchor}">{found[1]}</a>'


def _page(name: str) -> str:
    return re.sub(r"\.md$", ".html", name)
