# SPDX-License-Identifier: MIT
"""A stand-in for AnimBridge as people have it from before 0.3.0: the library lies in the add-on's own folder.

python3 tests/package/old_layout.py DIST OUT    writes OUT/extension.zip and OUT/add-on.zip
"""

from __future__ import annotations

import io
import sys
import zipfile
from pathlib import Path
from typing import Final

VERSION: Final = "0.2.9"
#: The user's own setting in the add-on's preferences.
SETTING: Final = 47

_MANIFEST: Final = f"""\
schema_version = "1.0.0"
id = "animbridge"
version = "{VERSION}"
name = "AnimBridge"
tagline = "An older version"
maintainer = "The tests of AnimBridge"
type = "add-on"
blender_version_min = "4.2.0"
license = ["SPDX:GPL-3.0-or-later"]
platforms = ["linux-x64"]
"""
_MODULE: Final = """\
import ctypes
from pathlib import Path

import bpy

bl_info = {"name": "AnimBridge", "version": (0, 2, 9), "blender": (3, 4, 0), "category": "Import-Export"}


class Preferences(bpy.types.AddonPreferences):
    bl_idname = __package__
    setting: bpy.props.IntProperty()


class IMPORT_ANIM_OT_secondlife(bpy.types.Operator):
    bl_idname = "import_anim.secondlife"
    bl_label = "Import"
    filepath: bpy.props.StringProperty()

    def execute(self, context):
        print("the old add-on has a library of interface", library.ab_abi_version())
        return {"FINISHED"}


def register():
    global library
    library = ctypes.CDLL(str(Path(__file__).parent / "lib" / "linux-x64" / "libanimbridge.so"))
    bpy.utils.register_class(Preferences)
    bpy.utils.register_class(IMPORT_ANIM_OT_secondlife)


def unregister():
    bpy.utils.unregister_class(IMPORT_ANIM_OT_secondlife)
    bpy.utils.unregister_class(Preferences)
"""


def write(dist: Path, out: Path) -> tuple[Path, Path]:
    """Writes the extension and the add-on, with the library of the extension in `dist`; where they are."""
    (made,) = dist.glob("animbridge-*-linux_x64.zip")
    with zipfile.ZipFile(made) as archive:
        wheel = io.BytesIO(archive.read(next(name for name in archive.namelist() if name.endswith(".whl"))))
    with zipfile.ZipFile(wheel) as archive:
        library = archive.read(
            next(name for name in archive.namelist() if name.endswith("/libanimbridge.so"))
        )
    files = {"__init__.py": _MODULE.encode(), "lib/linux-x64/libanimbridge.so": library}
    out.mkdir(exist_ok=True)
    places = out / "extension.zip", out / "add-on.zip"
    _write_zip(places[0], {**files, "blender_manifest.toml": _MANIFEST.encode()})
    _write_zip(places[1], {f"animbridge/{name}": data for name, data in files.items()})
    return places


def _write_zip(path: Path, files: dict[str, bytes]) -> None:
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in files.items():
            archive.writestr(name, data)


if __name__ == "__main__":
    write(Path(sys.argv[1]), Path(sys.argv[2]))
