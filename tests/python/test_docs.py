# SPDX-License-Identifier: MIT
"""Pages that are made from the code are as the code would make them today."""

from __future__ import annotations

import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_page_of_findings_lists_every_rule() -> None:
    command = ROOT / "build" / "bin" / "animbridge"
    page = subprocess.run([command, "manual", "findings"], check=True, capture_output=True, text=True).stdout
    assert page == (ROOT / "docs" / "findings.md").read_text()
