# SPDX-License-Identifier: MIT
"""File > Import > Second Life Animation: the file browser with the importer's options."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any


def show(stage: Any) -> Iterator[None]:
    """The browser in the folder of the demos."""
    stage.clear()
    path = str(stage.demo / "dance.anim")
    stage.invoke("import_anim.secondlife", filepath=path)
    yield
    yield
