# SPDX-License-Identifier: GPL-3.0-or-later
"""Exports armatures as recordings."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ...compat import keyframes
from ...package import (
    MRTK_FORMAT,
    AnimBridgeError,
    Armature,
    Channel,
    Curve,
    Document,
    Facing,
    Samples,
    is_character,
    listed,
    recording_skeleton,
)
from ...scene.armature.reading import read_tails
from ...scene.channels import OBJECT, property_at
from ...scene.export.exporter import Exporter, Work
from ...scene.export.options import FrameRange
from ...scene.export.sampling import Poses, frames_between
from .armature import CAMERA, GAZE, GAZE_DIRECTION
from .markers import export_members
from .options import MrtkExportOptions

_Work = Work[MrtkExportOptions]

#: Options for samples alone: keys of curves stay as they are.
_BOUNDS: Final = frozenset({"max_position_mm", "max_rotation_degrees"})
#: The Action's last frame is in single precision.
_FRAME_ROUNDING: Final = 1e-2
#: The custom properties of the armature object that are part of a recording.
SWITCHES: Final = ("tracked_left", "tracked_right", "pinch_left", "pinch_right")


class MrtkExporter(Exporter[MrtkExportOptions]):
    """Bones with the names of poses; custom properties of the object say when a hand is tracked."""

    format_id = MRTK_FORMAT
    properties = SWITCHES

    def facing(self, options: MrtkExportOptions) -> Facing:
        return Facing.X

    def joint_of_bone(self, armature: Armature, only: Collection[str] | None) -> dict[str, str]:
        if _is_character(armature):
            # The library finds the hands; every bone may carry them.
            return {name: name for name in armature.names}
        known = _pose_names()
        found = {name: name for name in armature.names if name in known}
        if not found:
            raise AnimBridgeError(
                "The armature has no bones. A recording needs hands: Add > Armature > MRTK Hands makes some."
            )
        return found

    def bones_read(self, armature: Armature, only: Collection[str] | None) -> Collection[str] | None:
        """The hands of a character move with all that is above them."""
        return None if _is_character(armature) else only

    def reason_to_sample(self, work: _Work) -> str:
        """Only bones without parents have keys that are poses in the world."""
        if _is_character(work.armature):
            reason = "the bones don't have the names of a recording's joints"
            return super().reason_to_sample(work) or reason
        held = [
            name
            for name, parent in zip(work.armature.names, work.armature.parents, strict=True)
            if parent >= 0 and name in work.joints and name != GAZE_DIRECTION
        ]
        reason = f"bones have parents ({listed(sorted(held))})" if held else ""
        return super().reason_to_sample(work) or reason

    def from_curves(self, work: _Work, curves: Iterable[Curve]) -> tuple[Document, dict[str, Any]]:
        return super().from_curves(work, [*curves, *_others(work), *_held_switches(work)])

    def sample_frames(self, work: _Work) -> NDArray[np.float64]:
        """Where an imported recording has keys, which need not be at whole frames; else each frame."""
        if work.options.frame_range is FrameRange.POSE:
            return np.array([work.span.first])
        moving = [curve for used in work.used if used.bone != OBJECT for curve in used.curves.values()]
        keys = [keyframes.read_co(curve)[:, 0].astype(np.float64) for curve in moving]
        whole = frames_between(work.span.first, work.span.last, 1.0)
        if work.template is None or not keys:
            return whole
        if any(len(curve.modifiers) for curve in moving):
            # Modifiers move what has no keys.
            keys.append(whole)
        frames = np.unique(np.concatenate(keys))
        # Keys of version 1.0 may come before second 0.
        first = frames[0] if work.options.frame_range is FrameRange.ACTION else work.span.first
        return frames[(frames >= first) & (frames <= work.span.last + _FRAME_ROUNDING)]

    def members(self, work: _Work) -> dict[str, Any]:
        chosen = {name: value for name, value in super().members(work).items() if name not in _BOUNDS}
        members = {**chosen, "keep_others": _keeps_others(work)}
        if not work.options.markers:
            return {**members, "marker_names": [], "marker_seconds": []}
        imported = work.template.timing if work.template else None
        document, last = work.template_document, work.span.last
        return {**members, **export_members(work.scene, work.timing, last, document, imported)}

    def sample_members(self, work: _Work) -> dict[str, Any]:
        chosen = {name: value for name, value in work.options.library.items() if name in _BOUNDS}
        members = {**chosen, **_switches(work)}
        if _is_character(work.armature):
            members |= {"rig": work.options.rig_file, "tails": read_tails(work.armature_object)}
        return members

    def samples(self, work: _Work, poses: Poses) -> Samples:
        wanted = work.joints if work.only is None else work.joints.intersection(work.only)
        bones = np.array([name in wanted for name in work.armature.names], np.uint8)
        return Samples(poses.frames, poses.matrices, poses.places, bones)


def _is_character(armature: Armature) -> bool:
    return bool(armature.names) and is_character(armature.names)


def _keeps_others(work: _Work) -> bool:
    """Whether what is not exported stays as it is in the imported file: only if its times do."""
    return work.template is not None and work.timing == work.template.timing


def _others(work: _Work) -> Iterator[Curve]:
    """The curves of bones that are not wanted, as unchanged ones."""
    if work.only is None or not _keeps_others(work):
        return
    nothing = np.empty((0, 2), np.float32)
    for index, name in enumerate(work.armature.names):
        if name in work.joints and name not in work.only:
            for channel in (Channel.LOCATION, Channel.ROTATION_QUATERNION):
                yield Curve(index, channel, 0, nothing, unchanged=True)


def _held_switches(work: _Work) -> Iterator[Curve]:
    """Custom properties without keys have one value throughout; a template says better."""
    held: Any = work.armature_object
    keyed = {property_at(used.prop) for used in work.used if used.bone == OBJECT}
    for name in SWITCHES:
        if work.template is None and name in held and name not in keyed:
            key = np.array([[work.timing.frame_start, held[name]]], np.float32)
            yield Curve(-1, Channel.PROPERTY, 0, key, prop=name)


def _pose_names() -> set[str]:
    """The bones that a recording may have."""
    joints = {joint["name"] for joint in recording_skeleton(None, {})["joints"]}
    return joints | {CAMERA, GAZE, GAZE_DIRECTION, "L_None", "R_None"}


def _switches(work: _Work) -> dict[str, Any]:
    """When each switch changes, in seconds, beginning with when it is on."""
    found: dict[str, Any] = {}
    for used in work.used:
        if used.bone != OBJECT:
            continue
        (curve,) = used.curves.values()
        co = keyframes.read_co(curve).astype(np.float64)
        is_on = co[:, 1] > 0.5
        changes = is_on != np.concatenate([[False], is_on[:-1]])
        seconds = (co[changes, 0] - work.timing.frame_start) / work.timing.frames_per_second
        found[str(property_at(used.prop))] = seconds.tolist()
    held: Any = work.armature_object
    for name in SWITCHES:
        if name not in found and name in held and work.template is None:
            found[name] = [0.0] if held[name] > 0.5 else []
    return found
