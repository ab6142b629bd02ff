# SPDX-License-Identifier: MIT
"""A profile that has never seen the add-on: its zip installed, then a first .anim in and out."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import addon_utils
import bpy
import hands

#: Blender 4.2 and later have extensions; before, add-ons were installed.
EXTENSION = "bl_ext.user_default.animbridge"


def show(stage: Any) -> Iterator[float]:
    """The imported file comes out as it went in."""
    operators: Any = bpy.ops
    has_extensions = hasattr(bpy.types, "EXTENSIONS_OT_package_install_files")
    module = EXTENSION if has_extensions else "animbridge"
    assert not any(addon_utils.check(module)), "the profile has the add-on already"
    assert not hasattr(bpy.types, "IMPORT_ANIM_OT_secondlife")
    pattern = "*-linux_x64.zip" if has_extensions else "*-to-4.1.zip"
    (package,) = Path(os.environ["ANIMBRIDGE_PACKAGES"]).glob(pattern)
    if has_extensions:
        yield from stage.choose_file("extensions.package_install_files", package)
    else:
        yield from stage.choose_file("preferences.addon_install", package)
        operators.preferences.addon_enable(module=module)
    yield from hands.until(lambda: all(addon_utils.check(module)), "the installed add-on")
    walk = stage.demo / "walk.anim"
    things = [thing.name for thing in bpy.data.objects]
    yield from stage.choose_file("import_anim.secondlife", walk)
    assert [action.name for action in bpy.data.actions] == ["walk"]
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "out.anim"
        yield from stage.choose_file("export_anim.secondlife", out)
        assert out.read_bytes() == walk.read_bytes()
    yield from stage.undo()
    assert not len(bpy.data.actions) and [thing.name for thing in bpy.data.objects] == things
