# SPDX-License-Identifier: MIT
"""The tab AnimBridge where the file's priority lies beyond what the field can hold."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any


def show(stage: Any) -> Iterator[None]:
    """The number that stays until another is set stands under the field."""
    stage.clear()
    stage.import_demo("../sl_anim/base_priority_100.anim")
    stage.area.spaces.active.show_region_ui = True
    yield
    stage.show_tab("AnimBridge")
    yield
