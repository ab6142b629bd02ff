# SPDX-License-Identifier: MIT
"""File > Import > Second Life Pose: the file browser with the import's options."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any


def show(stage: Any) -> Iterator[None]:
    """The browser in a folder of poses, for keys."""
    folder = stage.demo.parent / "sl_pose"
    stage.invoke("import_anim.secondlife_pose", filepath=f"{folder}/", place="KEYS")
    yield
    yield
