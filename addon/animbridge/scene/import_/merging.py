# SPDX-License-Identifier: GPL-3.0-or-later
"""Merges a document into the Action that an armature plays.

Keys of the file's bones within the file's time are replaced; all others stay. An Action that was imported
keeps its template: what the merge did not touch still matches it, and an export encodes the rest anew.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Final

import bpy
import numpy as np

from ...compat import actions, keyframes
from ...compat.splicing import Span, splice_linear_keys
from ...package import AnimBridgeError, Channel, Curve, Document, Facing, listed
from .. import templates
from ..armature.reading import pose_bones
from ..armature.rotations import RotationModes
from ..channels import COMPONENTS, QUATERNION, ROTATIONS, BoneCurves, data_path, property_of, sort_by_bone
from ..names import data_block_name
from ..placing import animation_of
from .action import curves_of_document, details_of, notes_of, warnings_of
from .curves import CurveGroups
from .importer import FileCurves, Importer
from .options import ImportOptions, ImportResult

_Bones = dict[str, BoneCurves]


@dataclass(frozen=True)
class _Signs:
    """Factors of a bone's new and later rotations. q and -q are the same turn, but reached by another way."""

    new: float = 1.0
    later: float = 1.0


_PLAIN: Final = _Signs()


def merge_document(
    importer: Importer[Any],
    document: Document,
    armature_object: bpy.types.Object,
    scene: bpy.types.Scene,
    options: ImportOptions,
) -> ImportResult:
    """Merges the document's keys into the Action that is assigned to the armature. There must be one.

    Errors are found before anything is changed.
    """
    animation = animation_of(armature_object)
    action: Any = animation.action
    facing = _facing(options.facing, _template_of(action), action)
    file = curves_of_document(importer, document, armature_object, scene, replace(options, facing=facing))
    if not file.report["matched"]:
        raise AnimBridgeError(f"{next(warnings_of(importer, document, file))}.")
    present = actions.assigned_channels(animation)
    bones, _ = sort_by_bone(present.fcurves if present else [])
    _refuse_other_rotations(action, bones, file)
    modes = RotationModes(armature_object)
    modes.switch(file.armature, file.curves)
    channels = actions.writable_channels(animation, data_block_name(armature_object.name))
    _splice_all(channels, bones, file, pose_bones(armature_object))
    _widen_range(action, file.frame_range)
    return ImportResult(
        channels=channels,
        matched_joints=len(file.report["matched"]),
        unmatched=file.unmatched,
        frame_range=file.frame_range,
        warnings=tuple(warnings_of(importer, document, file, has_template=False)),
        details=tuple(details_of(importer, file, modes.switched, has_template=False)),
        notes=tuple(notes_of(importer, document, file, options)),
        pairs=file.pairs,
    )


def _template_of(action: Any) -> templates.Template | None:
    if action.library is not None or action.override_library is not None:
        raise AnimBridgeError(
            f"The Action '{action.name}' is linked from another file, so changes to it would be lost. "
            "Make it local, or import as a new Action."
        )
    return templates.load(action)


def _facing(wanted: Facing, template: templates.Template | None, action: bpy.types.Action) -> Facing:
    """The facing for the merge: an Action is exported by that of its import, so no other can be merged."""
    imported = template.facing if template else Facing.AUTO
    if imported is Facing.AUTO:
        return wanted
    if wanted in (Facing.AUTO, imported):
        return imported
    raise AnimBridgeError(
        f"The Action '{action.name}' was imported for a character that looks along {imported.name}, "
        f"so no animation that looks along {wanted.name} can be merged into it."
    )


def _refuse_other_rotations(action: bpy.types.Action, bones: _Bones, file: FileCurves) -> None:
    """Raises an error if the Action has keys of another rotation mode than the file's."""
    turned = {
        file.armature.names[curve.bone]: property_of(curve.channel)
        for curve in file.curves
        if property_of(curve.channel) in ROTATIONS
    }
    clashing = sorted(
        name
        for name, prop in turned.items()
        if name in bones and (set(ROTATIONS) - {prop}) & bones[name].channels.keys()
    )
    if clashing:
        raise AnimBridgeError(
            f"The Action '{action.name}' turns {listed(clashing)} by keys of another rotation mode, which "
            "cannot be mixed with the file's. Convert them first (Pose > Convert Rotation Modes), or import "
            "as a new Action."
        )
    sampled = sorted(
        name
        for name in {file.armature.names[curve.bone] for curve in file.curves} & bones.keys()
        if any(len(curve.sampled_points) for prop in bones[name].channels.values() for curve in prop.values())
    )
    if sampled:
        raise AnimBridgeError(
            f"The Action '{action.name}' moves {listed(sampled)} by baked samples, which have no keys to "
            "merge with. Unbake them (Channel > Samples to Keys), or import as a new Action."
        )


def _splice_all(channels: actions.Channels, bones: _Bones, file: FileCurves, poses: Any) -> None:
    span = Span(*file.frame_range)
    signs = _signs_of_all(bones, file, span, poses)
    groups = CurveGroups(channels.holder)
    for curve in file.curves:
        name, prop = file.armature.names[curve.bone], property_of(curve.channel)
        present = bones.get(name, BoneCurves(name)).channels.get(prop, {})
        path = data_path(name, prop)
        fcurve = present.get(curve.component) or channels.holder.fcurves.find(path, index=curve.component)
        if fcurve is None:
            fcurve = channels.holder.fcurves.new(path, index=curve.component)
            groups.put(fcurve, name)
        sign = signs.get(curve.bone, _PLAIN) if prop == QUATERNION else _PLAIN
        co = curve.co * np.array([1.0, sign.new], np.float32)
        splice_linear_keys(fcurve, co, curve.inserted, span, sign.later)


def _signs_of_all(bones: _Bones, file: FileCurves, span: Span, poses: Any) -> dict[int, _Signs]:
    """Per bone, the signs that let rotations take the short way where old and new keys meet."""
    new: dict[int, dict[int, Curve]] = {}
    for curve in file.curves:
        if curve.channel == Channel.ROTATION_QUATERNION:
            new.setdefault(curve.bone, {})[curve.component] = curve
    return {
        bone: _signs(bones[name].channels[QUATERNION], curves, span, poses[name].rotation_quaternion)
        for bone, curves in new.items()
        for name in (file.armature.names[bone],)
        if name in bones and QUATERNION in bones[name].channels
    }


def _signs(old: dict[int, Any], new: dict[int, Curve], span: Span, present: Any) -> _Signs:
    frames = np.concatenate([keyframes.read_co(curve)[:, 0] for curve in old.values()])
    before, after = frames[span.before(frames)], frames[span.after(frames)]
    first, last = (np.array([new[index].co[key, 1] for index in sorted(new)]) for key in (0, -1))
    sign = later = 1.0
    if len(before) and _value(old, float(before.max()), present) @ first < 0.0:
        sign = -1.0
    if len(after) and _value(old, float(after.min()), present) @ last * sign < 0.0:
        later = -1.0
    return _Signs(sign, later)


def _value(curves: dict[int, Any], frame: float, present: Any) -> np.ndarray:
    """The quaternion at a frame; a component without a curve has the bone's present value."""
    return np.array(
        [
            curves[index].evaluate(frame) if index in curves else present[index]
            for index in range(COMPONENTS[QUATERNION])
        ]
    )


def _widen_range(action: bpy.types.Action, frame_range: tuple[float, float]) -> None:
    """Widens the Action's own range, if it has one, to the new keys."""
    if action.use_frame_range:
        first, last = (float(frame) for frame in action.frame_range)
        widened = (min(first, frame_range[0]), max(last, frame_range[1]))
        if widened != (first, last):
            action.frame_range = widened
