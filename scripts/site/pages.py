# SPDX-License-Identifier: MIT
"""Hooks of mkdocs: the pages beside docs/, and a place to link to for each finding."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, Final

from mkdocs.structure.files import File  # pyright: ignore[reportMissingImports]

ROOT: Final = Path(__file__).resolve().parents[2]
#: Pages outside docs/, and their names on the site.
BESIDE: Final = {"README.md": "index.md", "CONTRIBUTING.md": "CONTRIBUTING.md", "LICENSE.md": "LICENSE.md"}


def on_files(files: Any, config: Any) -> Any:
    """Adds the pages beside docs/, with links as from docs/ and none to what isn't a page."""
    for source, name in BESIDE.items():
        text = (ROOT / source).read_text(encoding="utf-8").replace("](docs/", "](")
        text = re.sub(r"\[([^]]+)\]\((?:native|addon)/[^)]*\)", r"\1", text)
        files.append(File.generated(config, name, content=text))
    return files


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """`findings.html#loop_jumps` leads to the first row of that finding, as what-you-see.html does."""
    if page.file.src_uri == "what-you-see.md":
        return re.sub(r"(?<=[|,] )`(\w+)`(?=[ ,])", r"[`\1`](findings.md#\1)", markdown)
    if page.file.src_uri != "findings.md":
        return markdown
    seen = set[str]()

    def row(found: re.Match[str]) -> str:
        rule = found[1]
        place = "" if rule in seen else f'<a id="{rule}"></a>'
        seen.add(rule)
        return f"| {place}`{rule}` |"

    return re.sub(r"^\| `(\w+)` \|", row, markdown, flags=re.MULTILINE)
