# SPDX-License-Identifier: GPL-3.0-or-later
"""A document of an animation file to an Action."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import PurePath
from typing import Any, cast

import bpy
import numpy as np
from numpy.typing import NDArray

from ..compat import actions, keyframes
from ..native.abi import FACING_NAMES, Channel, Facing
from ..native.curves import Armature, Curve, ImportedCurves, Timing
from ..native.document import Document
from ..native.errors import AnimBridgeError
from ..native.text import readable
from . import template
from .armature import pose_bones, read_armature
from .channels import data_path, import_channel, property_of
from .names import data_block_name, listed


@dataclass(frozen=True)
class ImportOptions:
    """`frame_start`: the frame of the animation's second 0.

    `keep_euler`: bones in an Euler mode stay in it; else every bone that turns gets quaternions.
    """

    frame_start: float = 1.0
    facing: Facing = Facing.AUTO
    keep_euler: bool = False


@dataclass(frozen=True)
class ImportResult:
    """A new Action, not yet assigned to anything, and what is worth knowing of it."""

    channels: actions.Channels
    matched_joints: int
    frame_range: tuple[float, float]
    warnings: tuple[str, ...]


@dataclass
class _Build:
    """The keys of a new Action by bone index, property and component, and how many Blender merged."""

    keys: dict[int, dict[str, dict[int, keyframes.Keys]]]
    merged_keys: int = 0


def scene_frames_per_second(scene: bpy.types.Scene) -> float:
    """Frames per second of a scene."""
    return float(scene.render.fps / scene.render.fps_base)


def import_document(
    document: Document,
    file_name: str,
    armature_object: bpy.types.Object,
    scene: bpy.types.Scene,
    options: ImportOptions,
) -> ImportResult:
    """Makes one Action that plays the document on the armature; on an error nothing is left behind.

    Bones that get quaternion curves are set to quaternions.
    """
    _refuse_unwritable(armature_object)
    armature = read_armature(armature_object, options.facing)
    if options.keep_euler:
        armature = replace(armature, rotation_channels=_rotation_channels(armature_object, armature))
    timing = Timing(scene_frames_per_second(scene), options.frame_start)
    imported = ImportedCurves(document, armature, timing)
    report = imported.report()
    curves = list(imported)
    with _undone_on_failure(armature_object) as undo:
        turned = undo.use_quaternions(armature, curves)
        action = bpy.data.actions.new(data_block_name(PurePath(file_name).stem))
        undo.action = action
        action.use_fake_user = True
        channels = actions.create_channels(action, data_block_name(armature_object.name))
        build = _add_curves(channels, armature, curves)
        facing = FACING_NAMES[report["facing"]]
        action.frame_range = (timing.frame_start, float(report["frame_end"]))
        _store_template(action, document, file_name, armature_object, armature, timing, facing, build)
    first, last = action.frame_range
    return ImportResult(
        channels=channels,
        matched_joints=len(report["matched"]),
        frame_range=(float(first), float(last)),
        warnings=tuple(_warnings(report, build, turned)),
    )


def _rotation_channels(armature_object: bpy.types.Object, armature: Armature) -> NDArray[np.uint8]:
    """The channel of each bone's own rotation mode."""
    bones = pose_bones(armature_object)
    return np.array([import_channel(bones[name].rotation_mode) for name in armature.names], np.uint8)


def assign(armature_object: bpy.types.Object, channels: actions.Channels) -> None:
    """Makes the armature play the Action."""
    animation = armature_object.animation_data or armature_object.animation_data_create()
    actions.assign(cast("bpy.types.AnimData", animation), channels)


def _refuse_unwritable(armature_object: bpy.types.Object) -> None:
    """An error if the armature cannot be given an Action, or would lose it."""
    if armature_object.library is not None:
        raise AnimBridgeError(
            f"The armature '{armature_object.name}' is linked from another file, so changes to it would be "
            "lost. Make a library override of it, or import onto another armature."
        )
    animation = armature_object.animation_data
    if animation is not None and animation.use_tweak_mode:
        raise AnimBridgeError(
            f"The armature '{armature_object.name}' is tweaking an NLA strip, so it can be given no Action. "
            "Leave tweak mode (Tab in the NLA editor) first."
        )


class _Undo:
    """What an import changed, to take it back."""

    def __init__(self, armature_object: bpy.types.Object) -> None:
        self._bones = pose_bones(armature_object)
        self._modes: dict[str, str] = {}
        self.action: bpy.types.Action | None = None

    def use_quaternions(self, armature: Armature, curves: list[Curve]) -> list[str]:
        """Sets the rotation mode of bones that get rotation curves; the names of those that had another."""
        turned = {curve.bone for curve in curves if curve.channel == Channel.ROTATION_QUATERNION}
        for index in sorted(turned):
            bone = self._bones[armature.names[index]]
            if bone.rotation_mode != "QUATERNION":
                self._modes[bone.name] = bone.rotation_mode
                bone.rotation_mode = "QUATERNION"
        return list(self._modes)

    def run(self) -> None:
        for name, mode in self._modes.items():
            self._bones[name].rotation_mode = mode
        if self.action is not None:
            bpy.data.actions.remove(self.action)


@contextmanager
def _undone_on_failure(armature_object: bpy.types.Object) -> Iterator[_Undo]:
    undo = _Undo(armature_object)
    try:
        yield undo
    except BaseException:
        undo.run()
        raise


def _add_curves(channels: actions.Channels, armature: Armature, curves: list[Curve]) -> _Build:
    build = _Build({})
    groups: dict[int, Any] = {}
    for curve in curves:
        prop = property_of(curve.channel)
        fcurve = channels.holder.fcurves.new(
            data_path(armature.names[curve.bone], prop), index=curve.component
        )
        if curve.bone not in groups:
            groups[curve.bone] = channels.holder.groups.new(armature.names[curve.bone])
        fcurve.group = groups[curve.bone]
        keys = keyframes.add_linear_keys(fcurve, curve.co, curve.inserted)
        build.merged_keys += len(curve.co) - len(keys.co)
        build.keys.setdefault(curve.bone, {}).setdefault(prop, {})[curve.component] = keys
    return build


def _store_template(
    action: bpy.types.Action,
    document: Document,
    file_name: str,
    armature_object: bpy.types.Object,
    armature: Armature,
    timing: Timing,
    facing: Facing,
    build: _Build,
) -> None:
    fingerprints: template.Fingerprints = {}
    rests: dict[str, np.ndarray] = {}
    for index, properties in build.keys.items():
        name = armature.names[index]
        mode = pose_bones(armature_object)[name].rotation_mode
        flags = int(armature.flags[index])
        fingerprints[name] = {
            prop: template.fingerprint(components, mode, flags) for prop, components in properties.items()
        }
        rests[name] = template.rest_of(armature, index)
    first, last = action.frame_range
    template.store(
        action,
        template.Template(
            name=file_name,
            source=document.write(),
            format_id=document.format,
            timing=timing,
            facing=facing,
            action_range=(float(first), float(last)),
            armature_name=armature_object.name,
            fingerprints=fingerprints,
            rests=rests,
        ),
    )


def _warnings(report: dict[str, Any], build: _Build, turned: list[str]) -> Iterator[str]:
    unmatched = [readable(name) for name in report["unmatched_joints"]]
    if not report["matched"]:
        names = listed(unmatched) if unmatched else "none of its joints has keys"
        yield f"no bone of the armature has the name of a joint that the file moves ({names})"
    elif unmatched:
        yield f"no bone for {len(unmatched)} joints ({listed(unmatched)}); an export keeps them as they are"
    close = report["close_keys"]
    if build.merged_keys or close:
        joints = sorted({readable(row["joint"]) for row in close})
        yield (
            f"keys closer than 0.01 frame: {len(close)} ({listed(joints)}), of which this Blender merged "
            f"{build.merged_keys} curve points; an export keeps them until their joint is edited"
        )
    if turned:
        yield f"{len(turned)} bones were switched to quaternion rotation ({listed(turned)})"
    yield from (str(warning) for warning in report["warnings"])
