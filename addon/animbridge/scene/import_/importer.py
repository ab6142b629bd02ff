# SPDX-License-Identifier: GPL-3.0-or-later
"""What an import onto an armature does its own way in each format."""

from __future__ import annotations

from abc import ABC
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import bpy

from ...package import (
    Armature,
    Curve,
    Document,
    DocumentCurves,
    Facing,
    Timing,
    counted,
    finding_remedy,
    readable,
)
from .. import retarget_text
from ..placement import Placement
from ..source_files import SourceFile
from ..timing import scene_frames_per_second
from .options import ImportOptions

Options = TypeVar("Options", bound=ImportOptions)


@dataclass(frozen=True)
class FileCurves:
    """The curves by which a document plays on an armature, not yet in Blender."""

    armature: Armature
    timing: Timing
    curves: list[Curve]
    report: dict[str, Any]

    @property
    def frame_range(self) -> tuple[float, float]:
        """The frames of second 0 and of the animation's end."""
        return self.timing.frame_start, float(self.report["frame_end"])

    @property
    def is_retargeted(self) -> bool:
        """Whether the motion was retargeted, so that the Action isn't the file any more."""
        return "retarget" in self.report

    @property
    def pairs(self) -> tuple[str, ...]:
        """Of a retargeted file, what moves like what, a line for each part of the body."""
        return tuple(retarget_text.pairs(self.report["retarget"])) if self.is_retargeted else ()

    @property
    def unmatched(self) -> tuple[str, ...]:
        """The joints that found no bone."""
        return tuple(readable(name) for name in self.report["unmatched_joints"])


class Importer(ABC, Generic[Options]):
    """One format. `left_joints`: what becomes of joints without a bone, for a new Action, as a sentence."""

    format_id: str
    left_joints: str
    #: What to do about joints without a bone.
    no_match = "Choose a rig map"
    #: Whether Actions store the file, as the template of their exports.
    keeps_file: bool = True

    #: How many findings about the file an import reports; None: all of them, 0: none, and it looks for none.
    most_findings: int | None = None

    def timing(self, document: Document, scene: bpy.types.Scene, options: Options) -> Timing:
        """Which frame a second of the file becomes."""
        return Timing(scene_frames_per_second(scene), options.frame_start)

    def members(self, document: Document, options: Options) -> dict[str, Any]:
        """The library's options for the file's curves; an error if the armature can take none."""
        return dict(options.library)

    def curves(
        self, document: Document, armature: Armature, timing: Timing, options: Options
    ) -> DocumentCurves:
        """The curves for bones that are matched by their names or by the rig map."""
        return DocumentCurves(document, armature, timing, self.members(document, options))

    def parts(self, source: SourceFile, options: Options) -> list[tuple[SourceFile, Options]]:
        """What of a file becomes an Action of its own, each under a name for the Action."""
        return [(source, options)]

    def retargeting(self, document: Document, options: Options) -> dict[str, Any] | None:
        """The library's options for a retargeting of the file; None: it can't be retargeted."""
        return None

    def frame_rate(self, document: Document) -> float | None:
        """The file's frames per second; None if it has none."""
        rate = document.info().get("frames_per_second")
        return None if rate is None else float(rate)

    def show(self, action: bpy.types.Action, document: Document, timing: Timing, *, is_file: bool) -> None:
        """Sets the Action's properties to what the file says besides its motion, if it says anything.

        `is_file`: the Action stores the file too, for exports.
        """

    def stores(self, file: FileCurves, options: Options) -> bool:
        """Whether the Action is the file, and stores it."""
        return self.keeps_file and not file.is_retargeted

    def facing(self, file: FileCurves) -> Facing:
        """Where the file's character was found to look; AUTO if that has no meaning."""
        return Facing.AUTO

    def placement(self, file: FileCurves, options: Options) -> Placement | None:
        """How the file lies in the armature's space; None if the format defines it."""
        return None

    def notes(self, document: Document, file: FileCurves, options: Options) -> Iterator[str]:
        """What the import decided by itself, for the report."""
        yield from ()

    def warnings(self, document: Document) -> Iterator[str]:
        """Warnings about the file itself."""
        if self.most_findings != 0:
            yield from findings_of(document, self.most_findings)


def findings_of(document: Document, most: int | None = None) -> Iterator[str]:
    """What the library finds about a file, in a few words, as far as `most`; None: all of it."""
    findings = document.check()["findings"]
    for finding in findings[:most]:
        yield finding_remedy(finding)
    left = 0 if most is None else len(findings) - most
    if left > 0:
        yield f"Run animbridge check on the file for {counted(left, 'more finding')}"
