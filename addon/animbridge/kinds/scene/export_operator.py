# SPDX-License-Identifier: GPL-3.0-or-later
"""File > Export > FBX, glTF, VRM Motion (AnimBridge)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import bpy
from bpy.props import StringProperty

from ...scene.export.options import MotionOptions
from ...scene.export.result import ExportResult
from ...ui.export_files import FilesExport
from ...ui.option_property import option_property
from . import KIND
from .exporter import SceneExporter
from .texts import SceneTexts

_FORMAT_ITEMS = (
    ("GLB", "glTF Binary (.glb)", "One binary file: game engines, viewers, Blender"),
    ("GLTF", "glTF Text (.gltf)", "One text file, with the numbers inside"),
    ("FBX", "FBX (.fbx)", "Cascadeur, MotionBuilder, Maya, Unity, Unreal"),
    ("DAE", "COLLADA (.dae)", "Older programs; one animation in a file"),
)


class EXPORT_ANIM_OT_animbridge_scene(FilesExport, bpy.types.Operator):  # pyright: ignore[reportIncompatibleMethodOverride]
    """Export the motion and the skeleton of an armature as glTF, FBX or COLLADA, without meshes"""

    bl_idname = "export_anim.animbridge_scene"
    bl_label = "Export Motion"
    bl_options = {"REGISTER", "PRESET"}

    exporter = SceneExporter()
    texts = SceneTexts()

    filter_glob: StringProperty(
        default=";".join(f"*.{target}" for target in KIND.targets), options={"HIDDEN"}
    )
    file_format: option_property(
        "scene", "from_curves", "container", name="Format", items=_FORMAT_ITEMS, default="GLB"
    )
    carrier_mesh: option_property("scene", "from_curves", "carrier_mesh", name="Carrier Mesh")
    drop_keys: option_property("scene", "from_curves", "drop_keys", name="Drop Keys")
    turn_to_front: option_property("scene", "from_curves", "turn_to_front", name="Turn to Front")

    @property
    def filename_ext(self) -> str:  # pyright: ignore[reportIncompatibleVariableOverride]
        """Of the chosen format: the file browser keeps the name's extension in step."""
        return f".{self.file_format.lower()}"

    def make(self, context: bpy.types.Context, path: Path) -> list[tuple[Path, ExportResult]]:
        # In a script, the name of the file is enough.
        given: Any = self.properties
        extension = path.suffix.lower().removeprefix(".")
        if not given.is_property_set("file_format") and extension in KIND.targets:
            self.file_format = extension.upper()
        return super().make(context, path)

    def export_options(self) -> MotionOptions:
        shared = self.shared_options("from_curves")
        shared["library"]["container"] = self.file_format.lower()
        return MotionOptions(**shared)

    def draw_export_options(self, layout: Any) -> None:
        layout.prop(self, "file_format")
        self.draw_parts(
            layout,
            ("motion", "Motion", ("frame_range", "selected_bones", "method", "object_motion")),
            ("file", "File", ("drop_keys", "carrier_mesh", "turn_to_front")),
        )
