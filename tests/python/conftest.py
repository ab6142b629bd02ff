# SPDX-License-Identifier: MIT
"""What several files of tests share."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from material import ROOT

import make_packages


@pytest.fixture(scope="session")
def staged(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """This machine's build, installed as scripts/package does it."""
    folder = tmp_path_factory.mktemp("staged")
    subprocess.run(["cmake", "--install", ROOT / "build", "--strip", "--prefix", folder], check=True)
    if not list(folder.glob("lib*/animbridge/libassimp.so.*")):
        pytest.skip("animbridge-scene is not built with an Assimp of its own")
    return folder


@pytest.fixture(scope="session")
def made_packages(tmp_path_factory: pytest.TempPathFactory, staged: Path) -> list[Path]:
    """What people install on this machine."""
    return make_packages.make_packages({"linux-x64": staged}, tmp_path_factory.mktemp("packages"))
