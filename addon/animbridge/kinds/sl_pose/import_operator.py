# SPDX-License-Identifier: GPL-3.0-or-later
"""File > Import > Second Life Pose (.xml)."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import bpy
from bpy.props import EnumProperty, IntProperty, StringProperty

from ...compat import actions
from ...package import AnimBridgeError
from ...scene.avatar.maker import SlSkeletons
from ...scene.avatar.skeleton import SkeletonOptions
from ...scene.import_.files import FileImport, FileResult, FilesResult, Place, SceneRange, import_files
from ...scene.placing import animation_of
from ...scene.retarget_choice import Retarget
from ...scene.source_files import read_source
from ...ui.import_files import AnimationFiles, TargetArmature, failed_count, glob_of
from ...ui.option_property import option_property
from ...ui.retarget_option import RetargetProperties
from ...ui.rig_map_option import RigMapProperty
from . import KIND
from .assets import mark_as_assets
from .importer import PoseImporter
from .kept import keep
from .options import PoseImportOptions
from .posing import action_values, keep_scales_apart, pose_kept, take_pose

_TARGET_ITEMS = (
    (
        "ACTIVE",
        "Active Armature",
        "The active armature, or that of the active mesh. Without one, a new Second Life avatar",
    ),
    ("NAMED", "Named Armature", "The armature object with the name below"),
    ("NEW", "New Avatar", "A new Second Life skeleton with a simple body"),
)
_PLACE_ITEMS = (
    ("POSE", "Pose", "The armature takes the pose, without keys"),
    ("KEYS", "Keys", "Keys at the current frame. Several files follow each other, each with a marker"),
    ("ASSETS", "Pose Assets", "A pose asset for each file, for the asset browser"),
    ("ACTION", "New Action", "An Action for each file. The armature plays the last one"),
)
_HAND_ITEMS = (
    ("ALL", "Everything", "The whole pose"),
    ("LEFT", "Left Hand", "Only the rotations of the left hand's fingers"),
    ("RIGHT", "Right Hand", "Only the rotations of the right hand's fingers"),
)
_LOAD_ITEMS = (
    ("ALL", "All", "Everything that the file says"),
    ("PLAIN", "As the Viewer", "What the viewer's button loads: Black Dragon leaves out scales"),
    ("ROTATIONS", "Rotations", "Rotations only"),
)
#: What users see of an import, by `place`.
_DONE: Final = {
    "KEYS": "keys from frame {first:g} on",
    "ASSETS": "pose assets",
    "ACTION": "the Action '{name}' plays",
}


class IMPORT_ANIM_OT_secondlife_pose(  # pyright: ignore[reportIncompatibleMethodOverride]
    TargetArmature, RetargetProperties, RigMapProperty, AnimationFiles, bpy.types.Operator
):
    """Import poses that Firestorm or Black Dragon saved, several at once, onto an armature or a new avatar"""

    bl_idname = "import_anim.secondlife_pose"
    bl_label = "Import Pose"
    bl_options = {"REGISTER", "UNDO", "PRESET"}

    importer = PoseImporter()
    no_active = ("No armature is active", "Makes a new avatar")
    filename_ext = ".xml"
    filter_glob: StringProperty(default=glob_of(KIND.extensions), options={"HIDDEN"})
    target: EnumProperty(
        name="Target", description="What gets the pose", items=_TARGET_ITEMS, default="ACTIVE"
    )
    place: EnumProperty(
        name="Import As", description="What the pose becomes", items=_PLACE_ITEMS, default="POSE"
    )
    step: IntProperty(
        name="Step",
        description="Frames from the keys of a file to those of the next one",
        default=10,
        min=1,
        soft_max=100,
    )
    hand: option_property("sl_pose", "to_curves", "hand", name="Part", items=_HAND_ITEMS, default="ALL")
    load: option_property("sl_pose", "to_curves", "load", name="Load", items=_LOAD_ITEMS)
    on_tpose: option_property("sl_pose", "to_curves", "on_tpose", name="On T-Pose")

    def paths(self) -> list[Path]:
        """The files that were chosen; of folders, their .xml files."""
        found = super().paths()
        files = [path for path in found if not path.is_dir()]
        for folder in (path for path in found if path.is_dir()):
            inside = sorted(path for path in folder.iterdir() if path.suffix.lower() in KIND.extensions)
            if not inside:
                raise AnimBridgeError(f"The folder {folder} has no .xml files.")
            files += inside
        return files

    def import_paths(self, context: bpy.types.Context, paths: list[Path]) -> FilesResult:
        if self.place == "POSE" and len(paths) > 1:
            raise AnimBridgeError(
                f"An armature takes one pose, but {len(paths)} files are chosen. Set Import As to Keys or "
                "Pose Assets."
            )
        target = self.target_armature(context)
        job = FileImport(
            importer=self.importer,
            maker=SlSkeletons(SkeletonOptions(mannequin=True)),
            options=self._options(),
            target=target,
            scene_range=SceneRange.NEVER,
        )
        before = _playing(target)
        # While a new Action is assigned, it poses the bones.
        with pose_kept(target) if target is not None and self.place == "ASSETS" else nullcontext():
            if self.place == "KEYS":
                outcome = _import_keys(context, paths, job, self.step)
            else:
                outcome = import_files(context, paths, job)
            if outcome.done:
                self._finish(target or the_active(context), outcome, before)
        return outcome

    def _finish(
        self, armature: bpy.types.Object, outcome: FilesResult, before: actions.Channels | None
    ) -> None:
        """What becomes of the Actions. `before`: what the armature played."""
        keep_scales_apart(armature, [one.result.channels for one in outcome.done])
        if self.place == "POSE":
            outcome.done = [self._pose(armature, outcome.done[0], before)]
        elif self.place == "ASSETS":
            actions.restore(animation_of(armature), before)
            mark_as_assets(armature, [one.result.channels.action for one in outcome.done])

    def summary(self, outcome: FilesResult) -> str:
        last = outcome.done[-1]
        if last.done:
            effect = last.done
        else:
            first = outcome.done[0].result.frame_range[0]
            effect = _DONE[self.place].format(first=first, name=last.result.channels.action.name)
        notes = "".join(f"; {note}" for note in last.result.notes)
        return f"{len(outcome.done)} imported{failed_count(outcome)}; {effect}{notes}"

    def sections(self) -> tuple[tuple[str, str, Any], ...]:
        return (("target", "Armature", self._draw_target), ("pose", "Pose", self._draw_pose))

    def _draw_target(self, layout: Any, context: bpy.types.Context) -> None:
        if not self.draw_choice(layout, context) and self.target != "NEW":
            self.draw_retarget(layout)
            layout.prop(self, "rig_map")

    def _draw_pose(self, layout: Any, _context: bpy.types.Context) -> None:
        layout.prop(self, "place")
        if self.place == "KEYS":
            layout.prop(self, "step")
        for name in ("hand", "load", "on_tpose", "report_text"):
            layout.prop(self, name)

    def _options(self) -> PoseImportOptions:
        library: dict[str, Any] = {"load": self.load.lower(), "on_tpose": self.on_tpose}
        if self.hand != "ALL":
            library["hand"] = self.hand.lower()
        return PoseImportOptions(
            fake_user=self.fake_user and self.place != "POSE",
            rig_map=self.read_rig_map(),
            retarget=Retarget[self.retarget],
            import_anyway=self.import_anyway or self.hand != "ALL",
            library=library,
            whole=self.place != "ACTION",
        )

    def _pose(
        self, armature: bpy.types.Object, one: FileResult, before: actions.Channels | None
    ) -> FileResult:
        """The armature takes the pose of an import, whose Action goes."""
        actions.restore(animation_of(armature), before)
        bones = take_pose(armature, action_values(one.result.channels))
        bpy.data.actions.remove(one.result.channels.action)
        if self.hand == "ALL":
            keep(armature, read_source(one.path))
        return replace(one, done=f"'{armature.name}' takes the pose, with {len(bones)} bones")


def the_active(context: bpy.types.Context) -> bpy.types.Object:
    """The active object: the armature that an import made."""
    active = context.view_layer.objects.active
    if active is None:
        raise AnimBridgeError("No armature is active.")
    return active


def _playing(armature: bpy.types.Object | None) -> actions.Channels | None:
    """What an armature plays before an import."""
    animation = armature.animation_data if armature else None
    return actions.assigned_channels(animation) if animation else None


def _import_keys(context: bpy.types.Context, paths: list[Path], job: FileImport, step: int) -> FilesResult:
    """One file after the other into what the armature plays, from the current frame on."""
    outcome, scene = FilesResult(), context.scene
    frame = scene.frame_current
    for path in paths:
        one = replace(job, place=Place.MERGE, options=replace(job.options, frame_start=float(frame)))
        part = import_files(context, [path], one)
        outcome.failed += part.failed
        if not part.done:
            continue
        outcome.done += part.done
        job = replace(job, target=job.target or the_active(context))
        if job.target is not None and "hand" not in job.options.library:
            keep(job.target, read_source(path))
        if len(paths) > 1:
            scene.timeline_markers.new(path.stem, frame=frame)
        frame += step
    scene.frame_set(scene.frame_current)
    return outcome
