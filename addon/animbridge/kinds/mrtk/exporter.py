# SPDX-License-Identifier: GPL-3.0-or-later
"""Exports armatures as recordings."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import Any, Final

import bpy
import numpy as np
from numpy.typing import NDArray

from ...compat import keyframes
from ...native.abi import Channel, Facing
from ...native.curves import Armature, Curve
from ...native.document import Document
from ...native.errors import AnimBridgeError
from ...native.motion import from_curves, from_samples
from ...native.mrtk import MRTK_FORMAT, recording_skeleton
from ...native.samples import Samples
from ...native.text import listed
from ...scene.channels import OBJECT, property_at
from ...scene.export.exporter import Exporter, Work
from ...scene.export.options import FrameRange
from ...scene.export.sampling import Poses, frames_between
from .armature import CAMERA, GAZE, GAZE_DIRECTION
from .cycles import cycle_members
from .markers import export_members
from .options import MrtkExportOptions

_Work = Work[MrtkExportOptions]

#: The Action's last frame is in single precision.
_FRAME_ROUNDING: Final = 1e-2
#: The custom properties of the armature object that are part of a recording.
SWITCHES: Final = ("tracked_left", "tracked_right", "pinch_left", "pinch_right")


class MrtkExporter(Exporter[MrtkExportOptions]):
    """Bones with the names of poses; custom properties of the object say when a hand is tracked."""

    format_id = MRTK_FORMAT
    properties = SWITCHES
    keeps_cycles = True

    def facing(self, options: MrtkExportOptions) -> Facing:
        return Facing.X

    def joint_of_bone(self, armature: Armature, only: Collection[str] | None) -> dict[str, str]:
        known = _pose_names()
        found = {name: name for name in armature.names if name in known}
        if not found:
            raise AnimBridgeError(
                "No bone of the armature is part of a recording. Bones need names such as L_Wrist or "
                "R_IndexTip. Add > Armature > MRTK Hands makes such an armature."
            )
        return found

    def reason_to_sample(self, work: _Work) -> str:
        """Only bones without parents have keys that are poses in the world."""
        held = [
            name
            for name, parent in zip(work.armature.names, work.armature.parents, strict=True)
            if parent >= 0 and name in work.joints and name != GAZE_DIRECTION
        ]
        reason = f"bones have parents ({listed(sorted(held))})" if held else ""
        return super().reason_to_sample(work) or reason

    def from_curves(self, work: _Work, curves: Iterable[Curve]) -> tuple[Document, dict[str, Any]]:
        return from_curves(
            MRTK_FORMAT,
            work.armature,
            work.timing,
            [*curves, *_others(work)],
            {**_members(work), **cycle_members(_used_curves(work))},
            work.template_document,
            work.options.progress,
        )

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
            # Modifiers move what has no keys, such as the rounds of a curve that repeats.
            keys.append(whole)
        frames = np.unique(np.concatenate(keys))
        # Keys of version 1.0 may come before second 0.
        first = frames[0] if work.options.frame_range is FrameRange.ACTION else work.span.first
        return frames[(frames >= first) & (frames <= work.span.last + _FRAME_ROUNDING)]

    def from_samples(self, work: _Work, poses: Poses) -> tuple[Document, dict[str, Any]]:
        samples = Samples(
            frames=poses.frames,
            matrices=poses.matrices,
            object_matrices=poses.object_motion() if work.options.object_motion else None,
            bones=np.array(
                [
                    name in work.joints and (work.only is None or name in work.only)
                    for name in work.armature.names
                ],
                np.uint8,
            ),
        )
        options = work.options
        members = {
            **_members(work),
            "max_position_mm": options.max_position_mm,
            "max_rotation_degrees": options.max_rotation_degrees,
            **_switches(work),
        }
        return from_samples(
            MRTK_FORMAT,
            work.armature,
            work.timing,
            samples,
            members,
            work.template_document,
            options.progress,
        )


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


def _used_curves(work: _Work) -> Iterator[bpy.types.FCurve]:
    for used in work.used:
        yield from used.curves.values()


def _pose_names() -> set[str]:
    """The bones that a recording may have."""
    joints = {joint["name"] for joint in recording_skeleton(None, {})["joints"]}
    return joints | {CAMERA, GAZE, GAZE_DIRECTION, "L_None", "R_None"}


def _members(work: _Work) -> dict[str, Any]:
    members: dict[str, Any] = {
        "version": work.options.version.value,
        "stop_above_mm": work.options.stop_above_mm,
        "keep_others": _keeps_others(work),
    }
    if not work.options.markers:
        return {**members, "marker_names": [], "marker_seconds": []}
    template = work.template
    return {
        **members,
        **export_members(
            work.scene,
            work.timing,
            work.span.last,
            work.template_document,
            template.timing if template else None,
        ),
    }


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
