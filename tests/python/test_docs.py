# SPDX-License-Identifier: MIT
"""Pages that are made from the code are as the code would make them today; links lead somewhere."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])


def anchors_of(page: Path) -> set[str]:
    """What a link's "#" may name: the headings, in lower case, blanks as hyphens, without other signs."""
    headings = re.findall(r"^#+ (.+)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    for link in re.findall(r"\]\(((?!https://)[^)]+)\)", page.read_text(encoding="utf-8")):
        name, _, anchor = link.partition("#")
        target = page.parent / name if name else page
        assert target.exists(), link
        assert not anchor or anchor in anchors_of(target), link


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_lists_begin_after_an_empty_line(page: Path) -> None:
    """As the site's Markdown asks."""
    text = re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    assert re.findall(r"^(?!- |\d+\. | ).+\n(?:- |\d+\. ).*", text, re.MULTILINE) == []


def test_page_of_findings_lists_every_rule() -> None:
    command = ROOT / "build" / "bin" / "animbridge"
    page = subprocess.run([command, "manual", "findings"], check=True, capture_output=True, text=True).stdout
    assert page == (ROOT / "docs" / "findings.md").read_text()


def test_what_helps_is_about_findings_that_there_are() -> None:
    page = (ROOT / "docs" / "what-you-see.md").read_text(encoding="utf-8")
    rules = set(re.findall(r"^\| `(\w+)` \|", (ROOT / "docs" / "findings.md").read_text(), re.MULTILINE))
    named = [
        re.findall(r"`(\w+)`", line.split(" | ")[1]) for line in page.splitlines() if line.startswith("| ")
    ]
    assert all(named[1:]) and {name for names in named for name in names} <= rules


def test_page_and_data_of_options_are_as_the_library_has_them() -> None:
    script = ROOT / "scripts" / "make_option_pages.py"
    done = subprocess.run([sys.executable, script, "--check"], check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
