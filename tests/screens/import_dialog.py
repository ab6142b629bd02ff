# SPDX-License-Identifier: MIT
"""File > Import > Second Life Animation: the file browser with the importer's options."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import bpy


def show(stage: Any) -> Iterator[None]:
    """The browser in the folder of the demos."""
    operators: Any = bpy.ops
    with stage.in_view():
        operators.import_anim.secondlife("INVOKE_DEFAULT", filepath=f"{stage.demo}/")
    yield
    yield
