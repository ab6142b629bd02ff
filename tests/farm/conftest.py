# SPDX-License-Identifier: MIT
"""What the tests of the farm share."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest
from programs import BROKEN, ROOT, WALK


@pytest.fixture(scope="session")
def mixed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Every kind of input: good, damaged, one animation and several, two with one output, a name of bytes."""
    folder = tmp_path_factory.mktemp("mixed") / "in"
    for source in ("demo", "oban", "mrtk"):
        shutil.copytree(ROOT / "fixtures" / source, folder / source)
    for name in ("several_animations.glb", "walk.fbx", "truncated.glb"):
        (folder / "scene").mkdir(exist_ok=True)
        shutil.copy(ROOT / "fixtures" / "scene" / name, folder / "scene" / name)
    shutil.copy(WALK, folder / "demo" / "walk.animatn")
    os.link(folder / "demo" / "walk.anim", os.fsencode(folder) + b"/caf\xe9.anim")
    return folder


@pytest.fixture(scope="session")
def many(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """3,000 files in folders, of which some are broken."""
    folder = tmp_path_factory.mktemp("many") / "in"
    for number in range(3000):
        place = folder / f"take {number % 30}"
        place.mkdir(parents=True, exist_ok=True)
        os.link(BROKEN if number % 101 == 0 else WALK, place / f"clip.{number}.anim")
    return folder
