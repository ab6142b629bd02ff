# SPDX-License-Identifier: MIT
"""Runs the Blender tests inside any Blender.

scripts/blenders run NAME -- tests/blender/run.py [pytest arguments]

The add-on is the checkout's, or the one in the folder that ANIMBRIDGE_ADDON names.

`scripts/blenders run-window` runs what uses the fixture `window` and nothing else; then no test may skip.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
ADDON = Path(os.environ.get("ANIMBRIDGE_ADDON", ROOT / "addon"))
for folder in (ROOT / "tests" / "blender", ADDON, ROOT):
    sys.path.insert(0, str(folder))

import bpy  # noqa: E402
import pytest  # noqa: E402
from tests import share  # noqa: E402
from window import NEEDS_WINDOW  # noqa: E402


class Windowed:
    """Counts the tests that need a window; where there is one, they run alone and none may skip."""

    def __init__(self) -> None:
        self.passed = 0
        self.skipped: list[str] = []

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        if not bpy.app.background:
            items[:] = [item for item in items if "window" in getattr(item, "fixturenames", ())]

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.passed += report.when == "call" and report.passed
        if report.skipped and (NEEDS_WINDOW in str(report.longrepr) or not bpy.app.background):
            self.skipped.append(report.nodeid)

    def pytest_sessionfinish(self, session: pytest.Session, exitstatus: int) -> None:
        if not bpy.app.background and (self.skipped or not self.passed):
            session.exitstatus = exitstatus or pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        skipped = len(self.skipped)
        if not bpy.app.background:
            terminalreporter.write_line(f"in a window: {self.passed} passed, {skipped} skipped (allowed: 0)")
        elif skipped:
            terminalreporter.write_line(f"{skipped} tests need a window (scripts/blenders run-window)")


def main() -> int:
    """The exit code of pytest."""
    arguments = sys.argv[sys.argv.index("--") + 1 :] if "--" in sys.argv else []
    os.chdir(ROOT)
    settings = ["--rootdir", str(ROOT), "-c", str(ROOT / "pyproject.toml"), "-o", "testpaths=tests/blender"]
    settings += ["-o", "pythonpath=tests scripts"]  # the add-on is where the lines above found it
    return int(pytest.main([*settings, *arguments], plugins=[share, Windowed()]))


def run_and_exit() -> None:
    """Ends Blender too: the bpy module of 4.5 may hang in its own clean-up."""
    code = 1
    try:
        code = main()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


if __name__ == "__main__":
    if bpy.app.background:
        run_and_exit()
    # Once the window stands, and its event loop runs.
    bpy.app.timers.register(run_and_exit, first_interval=1.0)
