# SPDX-License-Identifier: MIT
"""Uses the add-on that an earlier run of Blender installed: its own library, every demo in and out, then off.

blender --background --python tests/package/use_installed.py -- MODULE
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

DEMO = Path(__file__).resolve().parents[2] / "fixtures" / "demo"
module = sys.argv[sys.argv.index("--") + 1]
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


check_place()
count = check_demos()
assert count > 0, DEMO
bpy.ops.preferences.addon_disable(module=module)
assert not hasattr(bpy.types, "IMPORT_ANIM_OT_secondlife")
print(f"used {module}: {count} demos in and out, disabled")
