# SPDX-License-Identifier: MIT
"""A fresh clone to type commands in."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from readme.shell import DEMO, ROOT, Shell


@pytest.fixture
def shell(tmp_path: Path) -> Shell:
    """A clone, with the changes that are not committed yet; it shares the build folder."""
    checkout = tmp_path / "checkout"
    subprocess.run(["git", "clone", "--quiet", "--shared", ROOT, checkout], check=True)
    changes = subprocess.run(
        ["git", "diff", "HEAD", "--binary"], cwd=ROOT, check=True, capture_output=True
    ).stdout
    if changes:
        subprocess.run(["git", "apply", "--whitespace=nowarn"], cwd=checkout, input=changes, check=True)
    (checkout / "build").symlink_to(ROOT / "build")
    (tmp_path / "home").mkdir()
    return Shell(checkout, tmp_path / "home")


@pytest.fixture
def my_animations(shell: Shell) -> Path:
    """A user's own folder of animations, in the checkout, as the pages name it."""
    return Path(shutil.copytree(DEMO, shell.checkout / "my_animations"))
