# SPDX-License-Identifier: GPL-3.0-or-later
"""Predicts what the viewer does with an Action: findings, and the Action as it plays after an upload."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import bpy
import numpy as np

from ...compat import actions
from ...compat.keyframes import read_co
from ...package import AnimBridgeError, printable, readable
from ...scene import previews
from ...scene.armature.modes import leave_edit_mode
from ...scene.armature.reading import pose_bones
from ...scene.channels import sort_by_bone
from ...scene.export.action import export_action
from ...scene.export.names import stem_for
from ...scene.export.result import ExportResult
from ...scene.import_.action import import_document
from ...scene.import_.options import ImportOptions
from ...scene.names import data_block_name
from ...scene.placing import assign
from ...scene.playing import assigned_channels
from ...scene.retarget_choice import Retarget
from ...scene.source_files import SourceFile
from ...scene.timing import scene_frames_per_second
from .exporter import SlExporter
from .importer import SlImporter
from .options import SlExportOptions
from .properties import animation_of

#: The worst first.
CLASSES: Final = ("rejected", "altered", "risky", "advice")

#: Frames between a key and its time in the file: half a code of 60 s at 60 frames per second is 0.03.
_KEY_TOLERANCE: Final = 0.05


@dataclass(frozen=True)
class Mended:
    """The Action with some findings mended, what was done, and why others are left."""

    original: bpy.types.Action
    action: bpy.types.Action
    done: tuple[str, ...]
    left: tuple[str, ...]


@dataclass(frozen=True)
class Prediction:
    """The preview of an Action after an upload, and how far the upload moves joints."""

    original: bpy.types.Action
    preview: bpy.types.Action
    max_position_mm: float
    max_rotation_degrees: float


def judge(
    armature_object: bpy.types.Object, scene: bpy.types.Scene, options: SlExportOptions
) -> ExportResult:
    """Makes the file in memory and checks it; findings and sizes go into the Action's properties.

    `options` must ask for the size curve.
    """
    channels = require_assigned(armature_object)
    result = export_action(SlExporter(), armature_object, channels, scene, options, alone=True)
    found = result.document.check()["findings"]
    mendable = {row["rule"] for row in result.document.fix()[2]["fixed"]} if found else set[str]()
    shown = animation_of(channels.action)
    shown.findings.clear()
    bones = {joint: bone for bone, joint in result.joint_of_bone.items()}
    for finding in sorted(found, key=lambda one: CLASSES.index(one["class"])):
        item = shown.findings.add()
        _describe(item, finding, bones)
        item.can_mend = finding["id"] in mendable and "retarget" not in result.report
        if finding["seconds"] is not None:
            item.has_frame = True
            frame = result.frame_start + finding["seconds"] * scene_frames_per_second(scene)
            item.frame = _nearest_key(channels, item.bone, frame)
    shown.checked_sizes.clear()
    for point in result.report["size_curve"]:
        size = shown.checked_sizes.add()
        size.size_bytes, size.error_mm = point["bytes"], point["position_error_mm"]
    shown.checked_bytes = result.report["size_bytes"]
    shown.checked_mm = result.report["max_position_error_mm"]
    shown.checked_degrees = result.report["max_rotation_error_degrees"]
    return result


def mend(
    armature_object: bpy.types.Object, scene: bpy.types.Scene, options: SlExportOptions, rule: str
) -> Mended:
    """Lets the armature play the Action with a finding mended, or with all that mend themselves if `rule` is
    empty. The Action itself stays.
    """
    channels = require_assigned(armature_object)
    leave_edit_mode(armature_object)
    result = export_action(SlExporter(), armature_object, channels, scene, options, alone=True)
    if "retarget" in result.report:
        raise AnimBridgeError(
            f"The armature '{armature_object.name}' is not the avatar's. Export the file and mend that."
        )
    document, _, report = result.document.fix({"only": [rule]} if rule else None)
    if not report["fixed"]:
        reasons = [row["reason"] for row in report["left"] if rule in ("", row["rule"])]
        raise AnimBridgeError(f"Nothing was mended: {'; '.join(reasons) or 'there is no such finding'}.")
    name = channels.action.name
    wanted = ImportOptions(
        result.frame_start, result.facing, rig_map=options.rig_map, retarget=Retarget.NEVER
    )
    source = SourceFile(document, f"{stem_for(channels.action, set())}.anim", document.write())
    made = import_document(SlImporter(), source, armature_object, scene, wanted)
    made.channels.action.name = data_block_name(f"{name} (mended)")
    channels.action.use_fake_user = True
    assign(armature_object, made.channels)
    return Mended(
        channels.action,
        made.channels.action,
        tuple(f"{row['rule']}: {row['what']}" for row in report["fixed"]),
        tuple(f"{row['rule']}: {row['reason']}" for row in report["left"]),
    )


def predict(
    armature_object: bpy.types.Object, scene: bpy.types.Scene, options: SlExportOptions
) -> Prediction:
    """Lets the armature play a preview of what the viewer will store."""
    channels = require_assigned(armature_object)
    leave_edit_mode(armature_object)
    result = export_action(SlExporter(), armature_object, channels, scene, options, alone=True)
    stored, _ = result.document.predict_upload()
    difference = stored.compare(result.document)
    modes = _rotation_modes(armature_object)
    wanted = ImportOptions(
        result.frame_start,
        result.facing,
        fake_user=False,
        rig_map=options.rig_map,
        retarget=Retarget.ALWAYS if "retarget" in result.report else Retarget.NEVER,
    )
    made = import_document(
        SlImporter(),
        SourceFile(stored, f"{stem_for(channels.action, set())}.anim"),
        armature_object,
        scene,
        wanted,
    )
    preview = made.channels.action
    shown = animation_of(preview)
    shown.checked_mm = float(difference["max_position_mm"])
    shown.checked_degrees = float(difference["max_rotation_degrees"])
    switched = set(modes.items()) - set(_rotation_modes(armature_object).items())
    previews.begin(armature_object, channels, made.channels, dict(switched))
    # Set here, because "{file}" in a name is not to be replaced and an earlier preview had the name.
    preview.name = data_block_name(f"{channels.action.name} (uploaded)")
    return Prediction(channels.action, preview, shown.checked_mm, shown.checked_degrees)


def _rotation_modes(armature_object: bpy.types.Object) -> dict[str, str]:
    return {bone.name: bone.rotation_mode for bone in pose_bones(armature_object)}


def require_assigned(armature_object: bpy.types.Object) -> actions.Channels:
    """The channels that are assigned to the armature, of a preview the original's; an error without any."""
    channels = assigned_channels(armature_object)
    if channels is None:
        raise AnimBridgeError(
            f"The armature '{armature_object.name}' plays no Action. Assign one, or import a file."
        )
    return channels


def _nearest_key(channels: actions.Channels, bone: str, frame: float) -> float:
    """The bone's key at a frame of the file, which rounds times; the frame itself where there is none."""
    own = next((one for one in sort_by_bone(channels.fcurves)[0].values() if one.name == bone), None)
    curves = [curve for prop in own.channels.values() for curve in prop.values()] if own else []
    frames = np.concatenate([np.empty(0, np.float32), *(read_co(curve)[:, 0] for curve in curves)])
    nearest = frames[np.abs(frames - frame).argmin()] if len(frames) else frame
    return float(nearest) if abs(nearest - frame) < _KEY_TOLERANCE else frame


def _describe(item: Any, finding: dict[str, Any], bones: dict[str, str]) -> None:
    joint = readable(finding["joint"])
    item.name = finding["id"]
    item.finding_class = finding["class"]
    # One about many joints lists them in what was found; the first one can be selected.
    item.joint = printable(joint) if finding["joint_count"] == 1 else ""
    item.bone = bones.get(joint, "")
    item.found = printable(readable(finding["found"]))
    item.effect = finding["effect"]
    item.advice = finding["advice"]
