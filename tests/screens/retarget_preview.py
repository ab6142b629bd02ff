# SPDX-License-Identifier: MIT
"""Preview Alignment: the avatar in the source's reference pose, with the source's stick figure beside it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import bpy
from check_retarget import SOURCE, TARGET, make_two


def show(stage: Any) -> Iterator[float | None]:
    """The panel is not needed for the picture."""
    make_two(stage)
    scene: Any = bpy.context.scene
    settings = scene.animbridge_retarget
    settings.source, settings.target = bpy.data.objects[SOURCE], bpy.data.objects[TARGET]
    settings.source.hide_set(True)
    operators: Any = bpy.ops
    with stage.in_view():
        operators.animbridge.retarget_auto()
        operators.animbridge.retarget_preview()
    yield None
    stage.look()
    yield None
