# SPDX-License-Identifier: GPL-3.0-or-later
"""File > Export > Second Life Pose (.xml)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import bpy
from bpy.props import EnumProperty, StringProperty

from ...compat import actions
from ...package import AnimBridgeError, free_stem
from ...scene.armature.reading import active_armature, require_armature
from ...scene.export.action import export_action
from ...scene.export.jobs import What, jobs_for
from ...scene.export.names import stem_for, suggested_stem
from ...scene.export.options import FrameRange
from ...scene.export.result import ExportResult
from ...scene.export.sampling import frame_restored, set_frame
from ...scene.playing import assigned_channels, best_channels
from ...scene.retarget_choice import Retarget
from ...ui.export_files import ReportedExport
from ...ui.import_files import armature_names
from ...ui.option_property import option_property
from ...ui.retarget_option import ExportRetargetProperty
from ...ui.rig_map_option import RigMapProperty
from .assets import pose_assets
from .exporter import PoseExporter
from .kept import last_name
from .options import PoseExportOptions
from .posing import at_rest
from .texts import PoseTexts

_WHAT_ITEMS = (
    ("POSE", "Current Pose", "What the armature shows now, as one file"),
    ("MARKERS", "Markers", "The pose at each marker of the timeline, one file each, with the markers' names"),
    ("ASSETS", "Pose Assets", "Every pose asset of this .blend file that moves the armature, one file each"),
)
_FORMAT_ITEMS = (
    ("AUTO", "Automatic", "An imported pose keeps its viewer. Others are for Firestorm"),
    ("FIRESTORM", "Firestorm", "Firestorm 7.2.4 and later; earlier ones read it too"),
    ("BLACKDRAGON", "Black Dragon", "Black Dragon since April 2023"),
)


class EXPORT_ANIM_OT_secondlife_pose(  # pyright: ignore[reportIncompatibleMethodOverride]
    RigMapProperty, ExportRetargetProperty, ReportedExport, bpy.types.Operator
):
    """Export poses of an armature for the poser of Firestorm or Black Dragon"""

    bl_idname = "export_anim.secondlife_pose"
    bl_label = "Export Pose"
    bl_options = {"REGISTER", "PRESET"}

    exporter = PoseExporter()
    texts = PoseTexts()
    filename_ext = ".xml"
    filter_glob: StringProperty(default="*.xml", options={"HIDDEN"})
    poses: EnumProperty(
        name="Export", description="Which poses are exported", items=_WHAT_ITEMS, default="POSE"
    )
    pose_format: option_property(
        "sl_pose", "from_samples", "pose_format", name="For", items=_FORMAT_ITEMS, default="AUTO"
    )
    armature: StringProperty(
        name="Armature",
        description="The armature object to export. Empty: the active one",
        search=armature_names,
    )

    def suggested_name(self, context: bpy.types.Context) -> str:
        target = active_armature(context.view_layer)
        playing = assigned_channels(target) if target else None
        if playing is not None:
            return suggested_stem(playing.action)
        return last_name(target) if target else ""

    def draw(self, context: bpy.types.Context) -> None:
        layout: Any = self.layout  # pyright: ignore[reportAttributeAccessIssue]
        layout.use_property_split = True
        layout.use_property_decorate = False
        for name in ("poses", "pose_format"):
            layout.prop(self, name)
        self.draw_parts(layout, ("armature", "Armature", ("retarget", "rig_map")), is_closed=True)

    def make(self, context: bpy.types.Context, path: Path) -> list[tuple[Path, ExportResult]]:
        target = require_armature(self.armature) if self.armature else active_armature(context.view_layer)
        if target is None:
            raise AnimBridgeError("No armature is active. Select the one to export.")
        if self.poses == "POSE":
            return [(path, self._shown(context, target))]
        folder = path if path.is_dir() else path.parent
        made = self._at_markers(context, target) if self.poses == "MARKERS" else self._assets(context, target)
        return [(folder / f"{stem}{self.filename_ext}", result) for stem, result in made]

    def _options(self, kept: str = "") -> PoseExportOptions:
        library = {} if self.pose_format == "AUTO" else {"pose_format": self.pose_format.lower()}
        return PoseExportOptions(
            frame_range=FrameRange.POSE,
            rig_map=self.read_rig_map(),
            retarget=Retarget[self.retarget],
            stop_above_mm=self.stop_mm,
            library=library,
            kept=kept,
        )

    def _shown(self, context: bpy.types.Context, target: bpy.types.Object, kept: str = "") -> ExportResult:
        (job,) = jobs_for(target, What.ACTIVE, pose=True)
        return job.run(self.exporter, context.scene, self._options(kept))

    def _at_markers(
        self, context: bpy.types.Context, target: bpy.types.Object
    ) -> Iterator[tuple[str, ExportResult]]:
        scene, taken = context.scene, set[str]()
        markers = sorted(scene.timeline_markers, key=lambda marker: (marker.frame, marker.name))
        if not markers:
            raise AnimBridgeError(
                f"The scene '{scene.name}' has no markers. Set them in the timeline (M), or export the "
                "current pose."
            )
        with frame_restored(scene):
            for marker in markers:
                set_frame(scene, marker.frame)
                yield free_stem([marker.name], taken), self._shown(context, target, marker.name)

    def _assets(
        self, context: bpy.types.Context, target: bpy.types.Object
    ) -> Iterator[tuple[str, ExportResult]]:
        scene, taken = context.scene, set[str]()
        found = [best_channels(action, target) for action in pose_assets()]
        assets = [channels for channels in found if channels is not None]
        if not assets:
            raise AnimBridgeError(f"No pose asset of this .blend file moves the armature '{target.name}'.")
        with frame_restored(scene), at_rest(target):
            for channels in assets:
                set_frame(scene, channels.action.frame_range[0])
                yield stem_for(channels.action, taken), self._asset(context, target, channels)

    def _asset(
        self, context: bpy.types.Context, target: bpy.types.Object, channels: actions.Channels
    ) -> ExportResult:
        options = self._options(stem_for(channels.action, set()))
        return export_action(self.exporter, target, channels, context.scene, options, alone=False)
