# SPDX-License-Identifier: MIT
"""File > Import > Motion Capture (BVH, AnimBridge): the file browser with the importer's options."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any


def show(stage: Any) -> Iterator[None]:
    """The browser in a folder of BVH files."""
    folder = stage.demo.parent / "bvh" / "dialects"
    stage.invoke("import_anim.animbridge_bvh", filepath=f"{folder}/")
    yield
    yield
