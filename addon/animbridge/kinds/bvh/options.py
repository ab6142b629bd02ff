# SPDX-License-Identifier: GPL-3.0-or-later
"""Options that only imports and exports of BVH have."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from ...package import Document, document_skeleton
from ...scene.export.options import MotionOptions
from ...scene.import_.options import ImportOptions
from ...scene.placement import Placement


@dataclass(frozen=True)
class BvhImportOptions(ImportOptions):
    """What a BVH leaves open.

    `finds_axes`: the placement's axes are those along which the file's body stands, if one does.
    `human_scale`: the placement's scale is found for each file (docs/bvh.md). `fit_height`: on an armature
    that was not made for the file, the root's way is scaled by how high the armature's hips are beside the
    file's, and not by the placement. `whole_frames`: one frame of the file for each of the scene, whatever
    their rates.
    """

    placement: Placement = field(default_factory=Placement)
    finds_axes: bool = True
    human_scale: bool = True
    fit_height: bool = False
    whole_frames: bool = False

    @property
    def fits_height(self) -> bool:
        return self.fit_height and not self.is_own


def placement_for(document: Document, options: BvhImportOptions) -> Placement:
    """How a file lies in the armature's space: a body stands there, unless the user chose axes."""
    placement = options.placement
    if options.finds_axes:
        placement = replace(placement, **document_skeleton(document)["standing_axes"])
    if not options.human_scale:
        return placement
    found = document_skeleton(document, placement.members())
    return replace(placement, scale=float(found["human_scale"]))


@dataclass(frozen=True)
class BvhExportOptions(MotionOptions):
    """How motion becomes a BVH.

    `as_imported`: Actions that came from a BVH keep its axes, scale and frame time; what follows, and the
    library's options, are for all others. `frames_per_second` None: the scene's.
    """

    as_imported: bool = True
    placement: Placement = field(default_factory=lambda: Placement("auto"))
    frames_per_second: float | None = None
