# SPDX-License-Identifier: MIT
"""What is seen right after File > Import in the scene that Blender starts with."""

from __future__ import annotations

from typing import Any


def show(stage: Any) -> None:
    """The start scene with its cube, and one import."""
    stage.import_demo("walk.anim")
