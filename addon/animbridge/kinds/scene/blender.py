# SPDX-License-Identifier: GPL-3.0-or-later
"""What Blender shows and asks of scenes."""

from __future__ import annotations

from typing import Final

from ...compat.interface import imports_collada
from ...scene.export.options import MotionOptions
from ...ui.menus import EXPORT_MENU, IMPORT_MENU, FileDrop, MenuEntry
from ..armature_files import ArmatureFiles
from ..kind import InBlender
from . import EXTENSIONS
from .export_operator import EXPORT_ANIM_OT_animbridge_scene
from .exporter import SceneExporter
from .import_operator import IMPORT_ANIM_OT_animbridge_scene
from .importer import SceneImporter, skeleton_maker
from .options import SceneImportOptions

_LABEL: Final = "FBX, glTF, VRM Motion (AnimBridge)"
#: What Blender's own importers take when it is dropped, with meshes and materials.
_BLENDERS_OWN: Final = {".glb", ".gltf", ".fbx", ".x", ".mesh.xml"}


def _dropped() -> tuple[str, ...]:
    """The extensions that Blender itself has no importer for."""
    own = _BLENDERS_OWN | ({".dae"} if imports_collada() else set[str]())
    return tuple(extension for extension in EXTENSIONS if extension not in own)


IN_BLENDER: Final = InBlender(
    classes=(IMPORT_ANIM_OT_animbridge_scene, EXPORT_ANIM_OT_animbridge_scene),
    menu_entries=(
        MenuEntry(IMPORT_MENU, IMPORT_ANIM_OT_animbridge_scene.bl_idname, _LABEL),
        MenuEntry(EXPORT_MENU, EXPORT_ANIM_OT_animbridge_scene.bl_idname, _LABEL),
    ),
    drop=FileDrop("IO_FH_animbridge_scene", _LABEL, IMPORT_ANIM_OT_animbridge_scene.bl_idname, _dropped()),
    blend_files=ArmatureFiles(
        SceneImporter(),
        SceneExporter(),
        SceneImportOptions,
        skeleton_maker,
        lambda target, _flags: MotionOptions(library={"container": target}),
    ),
)
