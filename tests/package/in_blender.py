# SPDX-License-Identifier: MIT
"""What people do with the extension in one run of Blender, and what they must see; updates.py calls it.

blender --background --python tests/package/in_blender.py -- STEP[=VALUE]...
"""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from typing import Any, Final

import addon_utils
import bpy

sys.path.insert(0, str(Path(__file__).parent))

import old_layout

FIXTURES: Final = Path(__file__).resolve().parents[2] / "fixtures"
MODULE: Final = "bl_ext.tested.animbridge"
WAITING: Final = f"{MODULE}.restart"
operators: Any = bpy.ops


def loaded_libraries() -> set[str]:
    """The folders that this process has the library from."""
    lines = Path("/proc/self/maps").read_text(encoding="utf-8").splitlines()
    paths = (line[line.index("/") :] for line in lines if "/libanimbridge.so" in line)
    return {Path(path).parent.name for path in paths}


def drawn_by(menu: str) -> set[str]:
    """The modules of the add-on that draw a part of a menu."""
    functions = getattr(bpy.types, menu)._dyn_ui_initialize()
    return {each.__module__ for each in functions if each.__module__.startswith(MODULE)}


def uses(version: str) -> None:
    """The extension of this version works: its library, and the reader of scenes in another process."""
    assert addon_utils.check(MODULE) == (True, True), "not enabled"
    bpy.ops.wm.read_homefile(use_empty=True)
    walks = str(FIXTURES / "demo" / "walk.anim"), str(FIXTURES / "scene" / "walk.fbx")
    assert operators.import_anim.secondlife(filepath=walks[0]) == {"FINISHED"}
    assert operators.import_anim.animbridge_scene(filepath=walks[1]) == {"FINISHED"}
    assert len(bpy.data.actions) == 2
    assert importlib.import_module("animbridge").__version__ == version
    assert f"animbridge-{version}.libs" in loaded_libraries()
    for menu in ("TOPBAR_MT_file_import", "TOPBAR_MT_file_export"):
        assert drawn_by(menu) == {f"{MODULE}.ui.menus"}
    # What Preferences > Add-ons shows of an extension that changes sys.path or loads modules of its own.
    assert MODULE not in addon_utils._extensions_warnings_get()  # pyright: ignore[reportAttributeAccessIssue]


def uses_old() -> None:
    """The old version is enabled, and has its library."""
    assert operators.import_anim.secondlife() == {"FINISHED"}
    assert loaded_libraries() == {"linux-x64"}


def sets() -> None:
    """The user's own setting in the preferences of the old version."""
    bpy.context.preferences.addons[MODULE].preferences.setting = old_layout.SETTING


def updates() -> None:
    """As Preferences > Get Extensions does it."""
    bpy.ops.extensions.repo_sync_all()
    bpy.ops.extensions.package_upgrade_all()


def waits() -> None:
    """Enabled, but nothing is there except a line in the menus."""
    assert addon_utils.check(MODULE) == (True, True), "the extension was disabled"
    for menu in ("TOPBAR_MT_file_import", "TOPBAR_MT_file_export"):
        assert drawn_by(menu) == {WAITING}
    assert not hasattr(bpy.types, "IMPORT_ANIM_OT_animbridge_scene")


def fails() -> None:
    """Blender could not enable the extension."""
    assert addon_utils.check(MODULE) == (True, False)
    assert not hasattr(bpy.types, "IMPORT_ANIM_OT_secondlife")


def enables_again() -> None:
    """Off and on."""
    bpy.ops.preferences.addon_disable(module=MODULE)
    bpy.ops.preferences.addon_enable(module=MODULE)


def disables() -> None:
    """Off: nothing of it is left in this process."""
    bpy.ops.preferences.addon_disable(module=MODULE)
    for menu in ("TOPBAR_MT_file_import", "TOPBAR_MT_file_export"):
        assert not drawn_by(menu)
    assert not hasattr(bpy.types, "IMPORT_ANIM_OT_secondlife")


def removes_old() -> None:
    """Removes the old version, where it is an add-on. The operator asks for an area to draw again."""
    window = bpy.context.window_manager.windows[0]
    with bpy.context.temp_override(window=window, area=window.screen.areas[0]):
        bpy.ops.preferences.addon_remove(module="animbridge")


def keeps() -> None:
    """The user's own setting is still stored: a class of preferences sees it."""
    fields = {"bl_idname": MODULE, "__annotations__": {"setting": bpy.props.IntProperty()}}
    bpy.utils.register_class(type("Preferences", (bpy.types.AddonPreferences,), fields))
    assert bpy.context.preferences.addons[MODULE].preferences.setting == old_layout.SETTING


def saves() -> None:
    """As Blender does when it quits."""
    bpy.ops.wm.save_userpref()


for word in sys.argv[sys.argv.index("--") + 1 :]:
    step, _, value = word.partition("=")
    print("--", word, flush=True)
    globals()[step](*([value] if value else []))
print("all steps done")
