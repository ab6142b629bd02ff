# SPDX-License-Identifier: MIT
"""File > Export > FBX, glTF, VRM Motion (AnimBridge): the file browser with the exporter's options."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any


def show(stage: Any) -> Iterator[None]:
    """The browser, after an import."""
    stage.clear()
    stage.import_demo("dance.anim")
    yield
    stage.invoke("export_anim.animbridge_scene")
    yield
    yield
