# SPDX-License-Identifier: MIT
"""Runs the Blender tests inside any Blender.

scripts/blenders run NAME -- tests/blender/run.py [pytest arguments]
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
for folder in (ROOT / "tests" / "blender", ROOT / "addon", ROOT):
    sys.path.insert(0, str(folder))

import pytest  # noqa: E402


class Share:
    """Of the tests every N-th, from the I-th on: several Blenders side by side each take a share."""

    def pytest_addoption(self, parser: pytest.Parser) -> None:
        parser.addoption("--share", metavar="I/N", help="run a part of the tests: 1/2 or 2/2")

    def pytest_collection_modifyitems(self, config: pytest.Config, items: list[pytest.Item]) -> None:
        share = config.getoption("--share")
        if share:
            index, count = (int(part) for part in share.split("/"))
            items[:] = items[index - 1 :: count]


def main() -> int:
    """The exit code of pytest."""
    arguments = sys.argv[sys.argv.index("--") + 1 :] if "--" in sys.argv else []
    os.chdir(ROOT)
    settings = ["--rootdir", str(ROOT), "-c", str(ROOT / "pyproject.toml"), "-o", "testpaths=tests/blender"]
    return int(pytest.main([*settings, *arguments], plugins=[Share()]))


if __name__ == "__main__":
    code = main()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)  # the bpy module of 4.5 may hang in its own clean-up
