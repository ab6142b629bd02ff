# SPDX-License-Identifier: MIT
"""Uses the add-on that an earlier run of Blender installed: its own library, every demo in and out, then off.

blender --background --python tests/package/use_installed.py -- MODULE [updated]

updated: over the stand-in for an old version, whose stored setting must still be there.
"""

from __future__ import annotations

import importlib
import os
import re
import sys
import tempfile
from pathlib import Path
from typing import Any

import addon_utils
import bpy

sys.path.insert(0, str(Path(__file__).parent))

import old_layout

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures"
DEMO = FIXTURES / "demo"
module, *updated = sys.argv[sys.argv.index("--") + 1 :]
operators: Any = bpy.ops


def check_place() -> None:
    """Everything comes from the user's folder, nothing from a checkout."""
    assert addon_utils.check(module) == (True, True), f"{module} is not enabled"
    user_folder = Path(os.environ["BLENDER_USER_RESOURCES"]).resolve()
    package = Path(sys.modules[module].__file__ or "").resolve()
    assert user_folder in package.parents, package
    library = importlib.import_module(f"{module}.package").library.load()
    place = Path(library._name)
    assert place.name == "libanimbridge.so", place
    assert re.fullmatch(
        r"animbridge-[0-9.]+\.libs(/linux-x64)?", str(place.parent.relative_to(place_of(package)))
    ), place


def place_of(package: Path) -> Path:
    """Where the Python package lies: in the add-on, or where Blender puts the wheels of extensions."""
    if (package.parent / "animbridge").is_dir():
        return package.parent
    (found,) = Path(os.environ["BLENDER_USER_EXTENSIONS"]).resolve().glob(".local/lib/python*/site-packages")
    return found


def check_demos() -> int:
    """Each demo comes back bit for bit; their number."""
    demos = sorted(DEMO.rglob("*.anim"))
    with tempfile.TemporaryDirectory() as folder:
        for path in demos:
            bpy.ops.wm.read_homefile(use_empty=True)
            out = Path(folder) / path.name
            assert operators.import_anim.secondlife(filepath=str(path)) == {"FINISHED"}
            assert operators.export_anim.secondlife(filepath=str(out)) == {"FINISHED"}
            assert out.read_bytes() == path.read_bytes(), path
    return len(demos)


def check_scene() -> None:
    """An FBX file, which the reader of scenes reads in a process of its own."""
    bpy.ops.wm.read_homefile(use_empty=True)
    walk = FIXTURES / "scene" / "walk.fbx"
    assert operators.import_anim.animbridge_scene(filepath=str(walk)) == {"FINISHED"}
    assert len(bpy.data.actions) == 1


def check_setting() -> None:
    """A class of preferences sees what the old version's stored."""
    fields = {"bl_idname": module, "__annotations__": {"setting": bpy.props.IntProperty()}}
    bpy.utils.register_class(type("Preferences", (bpy.types.AddonPreferences,), fields))
    assert bpy.context.preferences.addons[module].preferences.setting == old_layout.SETTING


check_place()
if updated:
    check_setting()
check_scene()
count = check_demos()
assert count > 0, DEMO
bpy.ops.preferences.addon_disable(module=module)
assert not hasattr(bpy.types, "IMPORT_ANIM_OT_secondlife")
print(f"used {module}: {count} demos in and out, disabled")
