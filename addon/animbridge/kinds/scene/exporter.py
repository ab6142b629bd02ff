# SPDX-License-Identifier: GPL-3.0-or-later
"""Exports armatures as scenes."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...package import (
    BONE_NO_INHERIT_ROTATION,
    AnimBridgeError,
    Armature,
    Curve,
    Document,
    Facing,
    Samples,
    listed,
)
from ...package import scene as native
from ...scene.armature.stance import stance_of, standing
from ...scene.export.curves import still_curves
from ...scene.export.exporter import Exporter, Work
from ...scene.export.sampling import Poses, frames_between
from ...scene.export.standing import first_stance, standing_poses
from .options import SceneExportOptions

_Work = Work[SceneExportOptions]


class SceneExporter(Exporter[SceneExportOptions]):
    """Every bone is a joint, as the armature's object turns and scales it."""

    format_id = "scene"

    def facing(self, options: SceneExportOptions) -> Facing:
        return Facing.AUTO

    def continues_import(self, options: SceneExportOptions) -> bool:
        """A scene is written anew: it has no place for what its file had besides motion."""
        return False

    def joint_of_bone(self, armature: Armature, only: Collection[str] | None) -> dict[str, str]:
        if not armature.names:
            raise AnimBridgeError("The armature has no bones, but a scene needs at least one joint.")
        return {name: name for name in armature.names if only is None or name in only}

    def reason_to_sample(self, work: _Work) -> str:
        """Curves do not tell the library how the object stands, nor about bones that turn by themselves."""
        reason = super().reason_to_sample(work)
        if reason:
            return reason
        if work.only is not None:
            return "Selected Bones is on"
        if not stance_of(work.armature_object).is_identity:
            return f"the object '{work.armature_object.name}' is turned or scaled"
        is_free = (work.armature.flags & BONE_NO_INHERIT_ROTATION) != 0
        free = sorted(name for name, yes in zip(work.armature.names, is_free, strict=True) if yes)
        return f"Inherit Rotation is off: {listed(free)}" if free else ""

    def from_curves(self, work: _Work, curves: Iterable[Curve]) -> tuple[Document, dict[str, Any]]:
        reason = self.reason_to_sample(work)
        if reason:
            raise AnimBridgeError(f"{reason}, which F-curves can't express. Set Method to Automatic.")
        all_curves = list(curves)
        if work.alone:
            all_curves += still_curves(work.armature_object, work.used, work.armature, work.timing)
        return native.document_from_curves(
            work.armature, work.timing, all_curves, _members(work), work.options.progress
        )

    def sample_frames(self, work: _Work) -> NDArray[np.float64]:
        return frames_between(work.span.first, work.span.last, 1.0)

    def from_samples(self, work: _Work, poses: Poses) -> tuple[Document, dict[str, Any]]:
        name = work.armature_object.name
        return native.document_from_samples(
            standing(work.armature, first_stance(poses, name)),
            work.timing,
            Samples(frames=poses.frames, matrices=standing_poses(poses, name)),
            _members(work),
            work.options.progress,
        )


def _members(work: _Work) -> dict[str, Any]:
    """The options as the library has them."""
    options = work.options
    name = work.channels.action.name if work.channels else work.armature_object.name
    return {
        "container": options.container,
        "duration_seconds": (work.span.last - work.span.first) / work.timing.frames_per_second,
        "animation_name": name,
        "bones": None if work.only is None else [one for one in work.armature.names if one in work.only],
        "carrier_mesh": options.carrier_mesh,
        "turn_to_front": options.turn_to_front,
        "stop_above_mm": options.stop_above_mm,
    }
