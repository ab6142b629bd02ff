# SPDX-License-Identifier: MIT
"""The export's dialog once more: its Frames follow what is in the scene, and not the last export."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import bpy
import hands

#: Keys that open the dialogs: only for menus and keys does Blender fill in the choices of the last time.
_KEYS: Final = {"E": "export_anim.secondlife", "O": "export_anim.oni"}


def show(stage: Any) -> Iterator[float]:
    """Other choices stay as they were, as in every dialog of Blender."""
    stage.clear()
    configuration = bpy.context.window_manager.keyconfigs.addon
    assert configuration is not None
    keymap = configuration.keymaps.new(name="Window", space_type="EMPTY")
    for key, operator in _KEYS.items():
        keymap.keymap_items.new(operator, key, "PRESS", ctrl=True, alt=True)
    rig = stage.import_demo("walk.anim")
    yield from open_by("E", stage)
    assert stage.browsed.frame_range == "ACTION"
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "walk.anim"
        yield from stage.confirm_file(out, frame_range="SCENE", encoder="NEAREST")
        assert out.exists()
    yield from shown("E", stage, {"frame_range": "ACTION", "encoder": "NEAREST"})
    rig.animation_data_clear()
    yield from shown("E", stage, {"frame_range": "POSE", "encoder": "NEAREST"})
    with stage.in_view():
        bpy.ops.mesh.primitive_cube_add()
    yield from shown("O", stage, {"frame_range": "SCENE"})
    # A script's choice counts.
    yield from stage.browse("export_anim.secondlife", frame_range="MARKERS")
    assert stage.browsed.frame_range == "MARKERS"


def open_by(key: str, stage: Any) -> Iterator[float]:
    """Presses a key over the 3D view and waits for the file browser."""
    yield from stage.press_in_view(f"ctrl+alt+{key.lower()}")
    yield from hands.until(lambda: stage.area_of("FILE_BROWSER"), "the file browser")
    yield from hands.until_still()


def shown(key: str, stage: Any, wanted: dict[str, str]) -> Iterator[float]:
    """Opens the dialog, compares what it shows, and closes it."""
    yield from open_by(key, stage)
    found = {name: getattr(stage.browsed, name) for name in wanted}
    assert found == wanted, found
    with stage.in_browser():
        bpy.ops.file.cancel()
    yield from hands.until(lambda: not stage.area_of("FILE_BROWSER"), "the end of the file browser")
    yield from hands.until_still()
