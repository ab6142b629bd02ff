# SPDX-License-Identifier: MIT
"""File > Import > Motion Capture (BVH, AnimBridge): the file browser with the importer's options."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import bpy


def show(stage: Any) -> Iterator[None]:
    """The browser in a folder of BVH files."""
    operators: Any = bpy.ops
    folder = stage.demo.parent / "bvh" / "dialects"
    with stage.in_view():
        operators.import_anim.animbridge_bvh("INVOKE_DEFAULT", filepath=f"{folder}/")
    yield
    yield
