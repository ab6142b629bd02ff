# SPDX-License-Identifier: GPL-3.0-or-later
"""The result of an export."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ...package import AnimBridgeError, Document, Facing, Status, write_whole


@dataclass(frozen=True)
class ExportResult:
    """The new document, the library's report on it, and warnings: what the user has to decide.

    `details`: what else the file leaves out.

    `frame_start`: the frame of the animation's second 0. `sampled_because`: why the F-curves were not enough;
    "" if they were. `source`: the imported file's bytes, if the document says exactly what that text said.
    `joint_of_bone`: of an armature, the bones that move joints.
    """

    document: Document
    report: dict[str, Any]
    warnings: tuple[str, ...]
    frame_start: float
    facing: Facing
    sampled_because: str = ""
    source: bytes | None = None
    joint_of_bone: Mapping[str, str] = field(default_factory=dict)
    details: tuple[str, ...] = ()

    @property
    def remarks(self) -> tuple[str, ...]:
        """Details and warnings, for reports in full."""
        return (*self.details, *self.warnings)

    def write_file(self, path: Path) -> None:
        """Writes beside `path` and renames: a failure leaves an existing file as it was."""
        if self.source is None:
            self.document.write_file(path)
            return
        try:
            write_whole(path, self.source)
        except OSError as fault:
            raise AnimBridgeError(f"{path} cannot be written: {fault.strerror}", Status.IO) from fault
