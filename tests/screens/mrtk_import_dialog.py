# SPDX-License-Identifier: MIT
"""File > Import > MRTK Recording: the file browser with the import's options."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any


def show(stage: Any) -> Iterator[None]:
    """The browser in the folder of the recordings, with a rest pose to choose."""
    folder = stage.demo.parent / "mrtk"
    stage.invoke("import_anim.mrtk", filepath=f"{folder}/", rig="HANDS", rest="FRAME")
    yield
    yield
