# SPDX-License-Identifier: MIT
"""The table of docs/how-we-know.md that says how exact the repair of a lost W is."""

from __future__ import annotations

from material import ROOT
from tests.witness import mrtk_repair_figures as figures

PAGE = ROOT / "docs" / "how-we-know.md"


def test_the_page_has_the_figures_of_a_run() -> None:
    """Of the recording that is hardest to repair; the whole table takes three times as long."""
    title, *_ = recording = figures.RECORDINGS[-1]
    lines = figures.lines_of(figures.COMMAND, *recording)
    assert len(lines) == 5
    page = PAGE.read_text(encoding="utf-8").splitlines()
    assert [line for line in page if line.startswith(f"| {title} |")] == lines
