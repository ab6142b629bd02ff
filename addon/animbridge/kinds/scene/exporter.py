# SPDX-License-Identifier: GPL-3.0-or-later
"""Exports armatures as scenes."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace
from typing import Any

from ...package import (
    BONE_NO_INHERIT_ROTATION,
    AnimBridgeError,
    Armature,
    Curve,
    Document,
    Samples,
    listed,
    standing,
)
from ...scene.armature.reading import stance_of
from ...scene.export.curves import still_curves
from ...scene.export.exporter import Exporter, Work
from ...scene.export.options import MotionOptions
from ...scene.export.sampling import Poses
from ...scene.export.standing import first_stance, standing_poses

_Work = Work[MotionOptions]


class SceneExporter(Exporter[MotionOptions]):
    """Every bone is a joint, as the armature's object turns and scales it."""

    format_id = "scene"

    def continues_import(self, options: MotionOptions) -> bool:
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
        return super().from_curves(work, all_curves)

    def from_samples(self, work: _Work, poses: Poses) -> tuple[Document, dict[str, Any]]:
        stance = first_stance(poses, work.armature_object.name)
        return super().from_samples(replace(work, armature=standing(work.armature, stance)), poses)

    def samples(self, work: _Work, poses: Poses) -> Samples:
        return Samples(poses.frames, standing_poses(poses, work.armature_object.name))

    def members(self, work: _Work) -> dict[str, Any]:
        return {
            **super().members(work),
            "duration_seconds": (work.span.last - work.span.first) / work.timing.frames_per_second,
            "animation_name": work.channels.action.name if work.channels else work.armature_object.name,
            "bones": work.wanted_names,
        }
