# SPDX-License-Identifier: GPL-3.0-or-later
"""File > Export > Second Life Animation (.anim)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import bpy
from bpy.props import BoolProperty, EnumProperty, FloatProperty, IntProperty, StringProperty
from bpy_extras.io_utils import ExportHelper

from ..compat.actions import Channels
from ..native.abi import Encoder, Facing
from ..native.curves import SlHeader
from ..native.errors import AnimBridgeError
from ..native.text import printable
from ..scene.armature import active_armature, require_armature
from ..scene.exporting import ExportOptions, export_action
from ..scene.files import stem_for, suggested_stem, summary
from ..scene.playing import assigned_channels, playing_channels
from .facing import FACING_ITEMS

_NEW_ONLY = "Only for Actions that were not imported from a .anim file, which keep their own"

_ENCODER_ITEMS = (
    ("UPLOAD", "For Upload", "Most exact after the viewer has encoded the file once more, as an upload does"),
    ("NEAREST", "Nearest", "Most exact as the file is, for OpenSim and for files that are not uploaded"),
    ("VIEWER", "As the Viewer", "The very codes that the viewer itself would write"),
)


class EXPORT_ANIM_OT_secondlife(bpy.types.Operator, ExportHelper):  # pyright: ignore[reportIncompatibleMethodOverride]
    """Export Actions of an armature as Second Life or OpenSim animations"""

    bl_idname = "export_anim.secondlife"
    bl_label = "Export Second Life Animation"
    bl_options = {"REGISTER", "PRESET"}

    filename_ext = ".anim"
    filepath: StringProperty(subtype="FILE_PATH", options={"SKIP_SAVE"})
    filter_glob: StringProperty(default="*.anim", options={"HIDDEN"})
    actions: EnumProperty(
        name="Actions",
        description="What is exported",
        items=(
            ("ACTIVE", "Active", "The Action that the armature plays, into the file"),
            ("ALL", "All", "Every Action that plays on the armature, one file each into the file's folder"),
        ),
        default="ACTIVE",
    )
    armature: StringProperty(
        name="Armature", description="The armature object whose Actions are exported. Empty: the active one"
    )
    encoder: EnumProperty(
        name="Encoder",
        description="How changed keys become the file's codes. What is untouched since an import stays",
        items=_ENCODER_ITEMS,
        default="UPLOAD",
    )
    facing: EnumProperty(
        name="Character Looks",
        description=f"Where the character looks in the armature's own space. {_NEW_ONLY}",
        items=FACING_ITEMS,
        default="AUTO",
    )
    priority: IntProperty(
        name="Priority",
        description=f"Which animation wins a joint that several play; higher wins. {_NEW_ONLY}",
        default=2,
        min=0,
        max=6,
    )
    loop: BoolProperty(
        name="Loop", description=f"Repeat the whole animation until it is stopped. {_NEW_ONLY}", default=False
    )
    ease_in: FloatProperty(
        name="Ease In",
        description=f"Seconds in which the animation blends in. {_NEW_ONLY}",
        default=0.3,
        min=0.0,
        soft_max=5.0,
        unit="TIME_ABSOLUTE",
    )
    ease_out: FloatProperty(
        name="Ease Out",
        description=f"Seconds in which the animation blends out. {_NEW_ONLY}",
        default=0.3,
        min=0.0,
        soft_max=5.0,
        unit="TIME_ABSOLUTE",
    )
    hand_pose: IntProperty(
        name="Hand Pose",
        description=(
            "Hands of the system avatar: 0 spread, 1 relaxed, 2 point, 3 fist, 4 to 6 the same of the left "
            f"hand, 7 to 9 of the right, 10 salute, 11 typing, 12 peace, 13 palm. {_NEW_ONLY}"
        ),
        default=1,
        min=0,
        max=13,
    )
    emote: StringProperty(
        name="Emote",
        description=f"A facial expression or animation that starts along, such as express_smile. {_NEW_ONLY}",
    )

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[Any]:
        target = active_armature(context.view_layer)
        playing = assigned_channels(target) if target else None
        if playing and not self.filepath:
            folder = Path(context.blend_data.filepath).parent
            self.filepath = str(folder / f"{suggested_stem(playing.action)}{self.filename_ext}")
        return ExportHelper.invoke(self, context, event)

    def execute(self, context: bpy.types.Context) -> set[Any]:
        try:
            target = require_armature(self.armature) if self.armature else active_armature(context.view_layer)
            if target is None:
                raise AnimBridgeError("No armature is active. Select one, or give the name of one.")
            jobs = list(self._jobs(target))
            # Everything is made before anything is written, so that an error leaves no half of the files.
            options = self._options()
            alone = self.actions == "ACTIVE"
            results = [
                (path, export_action(target, channels, context.scene, options, alone=alone))
                for path, channels in jobs
            ]
            for path, result in results:
                result.document.write_file(path)
        except AnimBridgeError as error:
            self.report({"ERROR"}, printable(error.message))
            return {"CANCELLED"}
        for path, result in results:
            for warning in result.warnings:
                self.report({"WARNING"}, printable(f"{path.name}: {warning}"))
            self.report({"INFO"}, summary(path.name, result))
        return {"FINISHED"}

    def _jobs(self, target: bpy.types.Object) -> list[tuple[Path, Channels]]:
        if not self.filepath:
            raise AnimBridgeError("No file is given.")
        path = Path(bpy.path.abspath(self.filepath))
        if self.actions == "ALL":
            folder = path if path.is_dir() else path.parent
            taken: set[str] = set()
            jobs = [
                (folder / f"{stem_for(channels.action, taken)}{self.filename_ext}", channels)
                for channels in playing_channels(target)
            ]
        else:
            assigned = assigned_channels(target)
            jobs = [(path, assigned)] if assigned else []
        if not jobs:
            raise AnimBridgeError(f"The armature '{target.name}' plays no Action.")
        return jobs

    def _options(self) -> ExportOptions:
        header = SlHeader(
            base_priority=self.priority,
            joint_priority=self.priority,
            loop=self.loop,
            ease_in_seconds=self.ease_in,
            ease_out_seconds=self.ease_out,
            hand_pose=self.hand_pose,
            emote=self.emote,
        )
        return ExportOptions(Encoder[self.encoder], Facing[self.facing], header)
