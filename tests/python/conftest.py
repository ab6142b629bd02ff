# SPDX-License-Identifier: MIT
"""What several files of tests share."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from material import ROOT


@pytest.fixture(scope="session")
def staged(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """This machine's build, installed as scripts/package does it."""
    folder = tmp_path_factory.mktemp("staged")
    subprocess.run(["cmake", "--install", ROOT / "build", "--strip", "--prefix", folder], check=True)
    if not list(folder.glob("lib*/animbridge/libassimp.so.*")):
        pytest.skip("animbridge-scene is not built with an Assimp of its own")
    return folder
