# SPDX-License-Identifier: GPL-3.0-or-later
"""Exports what armatures show as poses."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace
from typing import Any

import bpy
import numpy as np
from numpy.typing import NDArray

from ...package import Armature, Document, Facing, Samples, from_samples, match_rig
from ...scene import templates
from ...scene.export.exporter import Exporter, Work
from ...scene.export.foreign import ForeignArmature, foreign_or_own, retargeted_document
from ...scene.export.sampling import Poses
from .kept import kept_document
from .options import PoseExportOptions
from .posing import scales_of

_Work = Work[PoseExportOptions]


class PoseExporter(Exporter[PoseExportOptions]):
    """A pose is sampled as Blender shows it. Where it shows an imported file, that file is the export."""

    format_id = "sl_pose"

    def armature(
        self, armature_object: bpy.types.Object, facing: Facing, options: PoseExportOptions, *, is_new: bool
    ) -> Armature:
        """The bones; a ForeignArmature if the avatar only moves like them."""
        mapped = replace(options, rig_map=None) if options.rig_file else options
        armature = super().armature(armature_object, facing, mapped, is_new=is_new)
        return foreign_or_own(armature_object, armature, options)

    def joint_of_bone(self, armature: Armature, only: Collection[str] | None) -> dict[str, str]:
        if isinstance(armature, ForeignArmature):
            return armature.joint_of_bone
        return {match.bone: match.joint for match in match_rig(armature).matched}

    def reason_to_sample(self, work: _Work) -> str:
        return "a pose is what Blender shows"

    def sample_frames(self, work: _Work) -> NDArray[np.float64]:
        return np.array([work.span.first], np.float64)

    def from_samples(self, work: _Work, poses: Poses) -> tuple[Document, dict[str, Any]]:
        """By the first imported file that shows this pose; else the first one with the changes in it."""
        if isinstance(work.armature, ForeignArmature):
            return retargeted_document(self.format_id, work, poses, self.members(work))
        made: tuple[Document, dict[str, Any]] | None = None
        for template in (*self._imported(work), None):
            if template is None and made is not None:
                break
            document, report = self._sampled(work, poses, template)
            if report["changed_joints"] == 0:
                return document, report
            made = made or (document, report)
        assert made is not None
        return made

    def _imported(self, work: _Work) -> Iterator[Document]:
        kept = kept_document(work.armature_object, work.options.kept)
        if kept is not None:
            yield kept
        action = work.channels.action if work.channels else None
        template = templates.load_of(action, self.format_id) if action else None
        if template is not None:
            yield template.document()

    def _sampled(
        self, work: _Work, poses: Poses, template: Document | None
    ) -> tuple[Document, dict[str, Any]]:
        members = {**self.members(work), "scales": scales_of(work.armature_object)}
        samples = Samples(poses.frames, poses.matrices)
        return from_samples(self.format_id, work.armature, work.timing, samples, members, template)
