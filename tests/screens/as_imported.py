# SPDX-License-Identifier: MIT
"""What somebody sees right after File > Import in the scene that Blender starts with, without a further click."""

from __future__ import annotations

from typing import Any


def show(stage: Any) -> None:
    """The start scene with its cube, and one import."""
    stage.import_demo("walk.anim")
