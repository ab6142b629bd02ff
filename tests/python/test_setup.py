# SPDX-License-Identifier: MIT
"""scripts/setup on systems that are not Debian's relatives: it says what to install, in their words."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from material import ROOT

#: What the script itself calls before it knows the system.
TOOLS = ("bash", "cat", "dirname", "env", "grep", "sed")


def setup_with(tmp_path: Path, programs: dict[str, str], *words: str) -> tuple[int, str]:
    """Exit code and errors of scripts/setup where these programs are all that there is."""
    for tool in TOOLS:
        (tmp_path / tool).symlink_to(shutil.which(tool) or tool)
    for name, text in programs.items():
        (tmp_path / name).write_text(f"#!/bin/sh\n{text}\n")
        (tmp_path / name).chmod(0o755)
    done = subprocess.run(
        ["bash", ROOT / "scripts" / "setup", "--no-build", *words],
        env={"PATH": str(tmp_path), "HOME": os.environ["HOME"]},
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stderr


@pytest.mark.parametrize(
    ("programs", "command", "named"),
    [
        (
            {"dnf": "exit 9", "rpm": '[ "$3" != cmake ] || exit 0; exit 1'},
            "sudo dnf install",
            {"gcc-c++", "json-devel", "expected-devel"},
        ),
        (
            {"pacman": '[ "$2" != cmake ] || exit 0; exit 1'},
            "sudo pacman -S",
            {"gcc", "nlohmann-json", "tl-expected"},
        ),
    ],
)
def test_missing_packages_are_named(
    programs: dict[str, str], command: str, named: set[str], tmp_path: Path
) -> None:
    code, errors = setup_with(tmp_path, programs)
    assert code == 1
    words = errors.partition(command)[2].split()
    assert named <= set(words)
    assert "cmake" not in words, "it is there"


def test_unknown_system_hears_what_is_needed(tmp_path: Path) -> None:
    code, errors = setup_with(tmp_path, {})
    assert code == 1
    assert "the libraries that vcpkg.json lists" in errors


def test_tools_of_the_tests_are_for_debian_alone(tmp_path: Path) -> None:
    code, errors = setup_with(tmp_path, {"dnf": "exit 0", "rpm": "exit 0"}, "--dev")
    assert (code, errors) == (1, "error: --dev is for Debian 12, whose programs the tests run\n")
