# SPDX-License-Identifier: GPL-3.0-or-later
"""How exports of Second Life animations are described."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np

from ...package import counted, finding_text, printable, readable
from ...scene import retarget_text
from ...scene.export.result import ExportResult
from ...scene.export.text import ExportTexts
from .options import LARGEST_UPLOAD_BYTES


def verdict(findings: int) -> str:
    """Whether the viewer takes and plays the file as it is."""
    return counted(findings, "finding") if findings else "Ready to upload"


def size(size_bytes: int) -> str:
    """The size beside the limit of uploads."""
    return f"{size_bytes:,} of {LARGEST_UPLOAD_BYTES:,} bytes"


def cost_of_size(size_bytes: int, sizes: Iterable[Any]) -> str:
    """How far joints are off in a file of this size, by the sizes of the last check."""
    known = [(one.size_bytes, one.error_mm) for one in sizes]
    if not known:
        return "Check shows what a size costs"
    smallest_first = sorted(known)
    fits = [error_mm for bytes_, error_mm in smallest_first if bytes_ <= size_bytes]
    if not fits:
        return f"More than {smallest_first[0][1]:.1f} mm off"
    if size_bytes >= smallest_first[-1][0]:
        return f"Within 0.5 mm: {smallest_first[-1][0] / 1000:.1f} kB"
    known_bytes, errors_mm = zip(*smallest_first, strict=True)
    error_mm = float(np.interp(size_bytes, known_bytes, errors_mm))
    return f"At most about {error_mm:.1f} mm off"


class SlTexts(ExportTexts):
    """Sizes, because uploads have a limit, joints and errors."""

    def content(self, report: Mapping[str, Any]) -> str:
        joints = counted(report["joints"], "joint")
        return f"{verdict(len(report['findings']))}, {size(report['size_bytes'])}, {joints}"

    def content_in_full(self, report: Mapping[str, Any]) -> str:
        duration = _seconds(report["duration_seconds"])
        return f"{report['size_bytes']} bytes, {report['joints']} joints, {duration} s"

    def summary(self, result: ExportResult) -> str:
        report = result.report
        changed = {readable(row["joint"]) for row in report["changed"]}
        text = self.content(report)
        if "retarget" in report:
            text += f", retargeted ({retarget_text.exactness(report['retarget'])})"
        else:
            text += ", sampled" if result.sampled_because else f", {len(changed)} of them changed"
        if changed:
            text += f" (at most {' and '.join(self.errors(report, '.3f'))} off)"
        return text

    def lines(self, result: ExportResult) -> Iterator[str]:
        report = result.report
        yield self.content_in_full(report)
        if "retarget" in report:
            yield f"sampled: {printable(result.sampled_because)}"
            yield f"retargeted: {retarget_text.exactness(report['retarget'])}"
            yield from (f"  {printable(line)}" for line in retarget_text.pairs(report["retarget"]))
        elif result.sampled_because:
            keys = f"{report['kept_keys']} of {report['sampled_keys']} sampled keys stay"
            yield f"sampled: {printable(result.sampled_because)}; {keys}"
        else:
            for name in ("changed", "kept", "dropped"):
                joints = sorted({readable(row["joint"]) for row in report[name]})
                if joints:
                    yield f"{name}: " + ", ".join(printable(joint) for joint in joints)
        yield _errors(report)
        yield from map(printable, result.remarks)
        yield from map(finding_text, report["findings"])


def _errors(report: dict[str, Any]) -> str:
    """How far the viewer's motion is from what Blender shows."""
    worst = report["worst"]
    joint = printable(readable(worst["joint"])) or "any joint"
    return (
        f"largest error: {report['max_rotation_error_degrees']:.4f} degrees at "
        f"{_seconds(worst['rotation_at_seconds'])} s, {report['max_position_error_mm']:.4f} mm at "
        f"{_seconds(worst['position_at_seconds'])} s ({joint})"
    )


def _seconds(value: Any) -> str:
    return f"{value:.3f}" if isinstance(value, int | float) else "?"
