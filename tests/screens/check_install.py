# SPDX-License-Identifier: MIT
"""A profile that has never seen the add-on: it is installed, then a first .anim comes in and goes out."""

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
EXTENSION = "bl_ext.tested.animbridge"


def install_from_repository() -> Iterator[float]:
    """As Preferences > Get Extensions does it, in a folder of this machine."""
    operators: Any = bpy.ops
    url = (Path(os.environ["ANIMBRIDGE_REPOSITORY"]) / "index.json").as_uri()
    bpy.context.preferences.system.use_online_access = True
    repositories = bpy.context.preferences.extensions.repos
    while len(repositories):  # Blender's own, which the tests leave alone
        repositories.remove(repositories[0])
    operators.preferences.extension_repo_add(name="tested", remote_url=url, type="REMOTE")
    assert [repository.module for repository in repositories] == ["tested"]
    operators.extensions.repo_sync("INVOKE_DEFAULT", repo_index=0)
    listed = Path(repositories[0].directory) / ".blender_ext" / "index.json"
    yield from hands.until(listed.is_file, "the list of the repository")
    yield from hands.until_still()
    operators.extensions.package_install("INVOKE_DEFAULT", repo_index=0, pkg_id="animbridge")


def show(stage: Any) -> Iterator[float]:
    """The imported file comes out as it went in."""
    operators: Any = bpy.ops
    has_extensions = hasattr(bpy.types, "EXTENSIONS_OT_package_install")
    module = EXTENSION if has_extensions else "animbridge"
    assert not any(addon_utils.check(module)), "the profile has the add-on already"
    assert not hasattr(bpy.types, "IMPORT_ANIM_OT_secondlife")
    if has_extensions:
        yield from install_from_repository()
    else:
        (package,) = Path(os.environ["ANIMBRIDGE_PACKAGES"]).glob("*-to-4.1.zip")
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
