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

#: Of a picture that moves, as scripts/pictures makes them.
LEAST_FRAMES = 20
MOST_FILM_BYTES = 1_500_000


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


def frame_count(webp: bytes) -> int:
    """Of an animated WebP, by the container's specification; 0: it's something else."""
    if webp[:4] != b"RIFF" or webp[8:16] != b"WEBPVP8X" or not webp[20] & 2:
        return 0
    count, at = 0, 12
    while at < len(webp):
        length = int.from_bytes(webp[at + 4 : at + 8], "little")
        count += webp[at : at + 4] == b"ANMF"
        at += 8 + length + length % 2
    return count


def test_pictures_that_move_are_films_and_small() -> None:
    named = {
        (page.parent / name).resolve()
        for page in PAGES
        for name in re.findall(r"!\[[^]]+\]\(([^)]+\.webp)\)", page.read_text(encoding="utf-8"))
    }
    assert named and named == set((ROOT / "docs" / "images").glob("*.webp"))
    for path in named:
        film = path.read_bytes()
        assert frame_count(film) >= LEAST_FRAMES, path.name
        assert len(film) < MOST_FILM_BYTES, path.name


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
