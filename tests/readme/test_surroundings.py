# SPDX-License-Identifier: MIT
"""The checkout's code runs, whatever else the machine has: another copy of the add-on, another Python."""

from __future__ import annotations

import hashlib
import shutil
from pathlib import Path

import pytest

from readme.shell import DEMO, SYSTEM_PATH, Shell

DOCUMENTED = "blender --background --python-exit-code 1 --python scripts/batch_convert.py --"
#: An older release, as it were: it has operators of the same names, and its batch must not run.
OTHER_COPY = """
import bpy
bl_info = {"name": "AnimBridge", "blender": (3, 4, 0), "version": (0, 0, 1), "category": "Import-Export"}
class IMPORT_ANIM_OT_secondlife(bpy.types.Operator):
    bl_idname = "import_anim.secondlife"
    bl_label = "Old"
    def execute(self, context):
        raise RuntimeError("the other copy runs")
def register():
    bpy.utils.register_class(IMPORT_ANIM_OT_secondlife)
    print("the other copy is enabled")
def unregister():
    bpy.utils.unregister_class(IMPORT_ANIM_OT_secondlife)
"""
ENABLE = "import bpy; bpy.ops.preferences.addon_enable(module='animbridge'); bpy.ops.wm.save_userpref()"


def fingerprint(folder: Path) -> dict[str, str]:
    """What is in a folder, but for what Python compiles."""
    files = [path for path in folder.rglob("*") if path.is_file() and path.suffix != ".pyc"]
    return {str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


@pytest.fixture
def home_with_other_copy(shell: Shell) -> Path:
    """The user's Blender has another AnimBridge, enabled, whose batch fails."""
    copy = shell.home / ".config" / "blender" / "3.4" / "scripts" / "addons" / "animbridge"
    (copy / "batch").mkdir(parents=True)
    (copy / "__init__.py").write_text(OTHER_COPY, encoding="utf-8")
    (copy / "batch" / "__init__.py").write_text(
        "raise RuntimeError('the other copy runs')\n", encoding="utf-8"
    )
    shell.type(f'blender --background -noaudio --python-expr "{ENABLE}"')
    return shell.home / ".config"


def test_another_copy_is_neither_run_nor_harmed(
    shell: Shell, my_animations: Path, home_with_other_copy: Path
) -> None:
    before = fingerprint(home_with_other_copy)
    said = shell.type(f"{DOCUMENTED} my_animations --to blend --out blends")
    assert "the other copy is enabled" in said, "the copy is not there: this test shows nothing"
    assert "the other copy runs" not in said
    assert "6 written, 0 failed" in said
    assert shell.open_blends(shell.checkout / "blends") == 6
    assert "the other copy runs" not in shell.type(f"{DOCUMENTED} blends --to anim --out back")
    for path in DEMO.rglob("*.anim"):
        assert (shell.checkout / "back" / path.relative_to(DEMO)).read_bytes() == path.read_bytes()
    assert fingerprint(home_with_other_copy) == before
    assert "the other copy is enabled" in shell.type('blender --background -noaudio --python-expr "pass"')


def test_scripts_convert_beside_another_copy(shell: Shell, home_with_other_copy: Path) -> None:
    before = fingerprint(home_with_other_copy)
    said = shell.type("scripts/convert")
    assert "the other copy" not in said
    assert "6 written, 0 failed" in said
    assert fingerprint(home_with_other_copy) == before


@pytest.fixture
def path_with_other_python(tmp_path: Path) -> str:
    """PATH with another Python 3.11 first that has no NumPy, as pyenv and conda bring it."""
    other = tmp_path / "other"
    (other / "bin").mkdir(parents=True)
    shutil.copy("/usr/bin/python3.11", other / "bin" / "python3.11")
    modules = other / "lib" / "python3.11"
    modules.mkdir(parents=True)
    for path in Path("/usr/lib/python3.11").iterdir():
        if path.name != "site.py":
            (modules / path.name).symlink_to(path)
    # Debian's own looks into Debian's folders whatever the prefix is.
    (modules / "site.py").write_text("", encoding="utf-8")
    return f"{other / 'bin'}:{SYSTEM_PATH}"


def test_scripts_convert_takes_debians_python(shell: Shell, path_with_other_python: str) -> None:
    assert "6 written, 0 failed" in shell.type("scripts/convert", path_with_other_python)


def test_the_plain_command_says_what_is_wrong(
    shell: Shell, my_animations: Path, path_with_other_python: str
) -> None:
    line = f"{DOCUMENTED} my_animations --to blend --out blends"
    said = shell.type(f"! {line}", path_with_other_python)
    assert "PATH=/usr/bin:$PATH" in said and "NumPy" in said
    assert "Traceback" not in said
    assert "6 written, 0 failed" in shell.type(f"PATH=/usr/bin:$PATH {line}", path_with_other_python)
