# SPDX-License-Identifier: MIT
"""File > Import > FBX, glTF, VRM Motion (AnimBridge): the file browser with the importer's options."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any


def show(stage: Any) -> Iterator[None]:
    """The browser in a folder of scenes, with the avatar that gets the motion."""
    stage.clear()
    stage.import_demo("dance.anim")
    yield
    folder = stage.demo.parent / "scene"
    stage.invoke("import_anim.animbridge_scene", filepath=f"{folder}/walk.fbx")
    yield
    yield
