# SPDX-License-Identifier: GPL-3.0-or-later
"""The report of an export as a text in Blender, and as JSON: how exact each file is, and what is found."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import bpy

from ..native.errors import AnimBridgeError
from ..native.text import printable, readable
from .export_options import ExportResult

TEXT_NAME: Final = "AnimBridge Export"

Exported = list[tuple[Path, ExportResult]]


def write_text(done: Exported) -> None:
    """Writes the text, over that of an earlier export."""
    text = bpy.data.texts.get(TEXT_NAME) or bpy.data.texts.new(TEXT_NAME)
    text.clear()
    text.write("\n".join(line for path, result in done for line in _lines(path, result)) + "\n")


def write_json(target: Path, done: Exported) -> None:
    """Writes a row per file: its path, and what the library and the add-on have to say."""
    rows = [
        {
            "file": printable(str(path)),
            "sampled_because": printable(result.sampled_because),
            "warnings": [printable(warning) for warning in result.warnings],
            **{name: value for name, value in result.report.items() if name != "warnings"},
        }
        for path, result in done
    ]
    try:
        target.write_text(json.dumps({"files": rows}, indent=2) + "\n", encoding="utf-8")
    except OSError as fault:
        raise AnimBridgeError(f"The files are written, but not the report {target}: {fault}") from fault


def _lines(path: Path, result: ExportResult) -> Iterator[str]:
    yield printable(str(path))
    tell = {"bvh": _bvh_lines, "oban": _oban_lines}.get(result.document.format)
    if tell is not None:
        yield from tell(result)
        return
    report = result.report
    duration = _seconds(report["duration_seconds"])
    yield f"  {report['size_bytes']} bytes, {report['joints']} joints, {duration} s"
    if result.sampled_because:
        keys = f"{report['kept_keys']} of {report['sampled_keys']} sampled keys stay"
        yield f"  sampled: {printable(result.sampled_because)}; {keys}"
    else:
        for name in ("changed", "kept", "dropped"):
            joints = sorted({readable(row["joint"]) for row in report[name]})
            if joints:
                yield f"  {name}: " + ", ".join(printable(joint) for joint in joints)
    yield from (f"  {line}" for line in _errors(report))
    for warning in result.warnings:
        yield f"  {printable(warning)}"
    for finding in report["findings"]:
        yield "  " + _finding(finding)
    yield ""


def _bvh_lines(result: ExportResult) -> Iterator[str]:
    report = result.report
    yield f"  {report['joints']} joints, {report['frames']} frames"
    if result.sampled_because:
        yield f"  sampled: {printable(result.sampled_because)}"
    yield (
        f"  largest error: {report['max_rotation_error_degrees']:.6f} degrees, "
        f"{report['max_position_error_mm']:.6f} mm"
    )
    yield from (f"  {printable(warning)}" for warning in result.warnings)
    yield ""


def _oban_lines(result: ExportResult) -> Iterator[str]:
    report = result.report
    yield f"  {report['keys']} keys, {report['frames']} frames (60 a second), Base: {report['base']}"
    if result.sampled_because:
        yield f"  sampled: {printable(result.sampled_because)}"
    yield (
        f"  largest error: {report['max_position_error_mm']:.6f} mm, "
        f"{report['max_rotation_error_degrees']:.6f} degrees, at frame {report['worst_frame']} of the file"
    )
    yield from (f"  {printable(warning)}" for warning in result.warnings)
    for finding in report["findings"]:
        yield f"  {finding['class']}: {finding['effect']} ({printable(readable(finding['found']))})"
    yield "  in the level's script:"
    yield from (f"    {printable(line)}" for line in report["script"])
    yield ""


def _errors(report: dict[str, Any]) -> Iterator[str]:
    """How far what the viewer plays is from what Blender shows."""
    worst = report["worst"]
    joint = printable(readable(worst["joint"])) or "any joint"
    yield (
        f"largest error: {report['max_rotation_error_degrees']:.4f} degrees at "
        f"{_seconds(worst['rotation_at_seconds'])} s, {report['max_position_error_mm']:.4f} mm at "
        f"{_seconds(worst['position_at_seconds'])} s ({joint})"
    )


def _finding(finding: dict[str, Any]) -> str:
    joint = printable(readable(finding["joint"]))
    place = f" {joint}:" if joint else ""
    return f"{finding['class']}:{place} {finding['effect']} ({printable(readable(finding['found']))})"


def _seconds(value: Any) -> str:
    return f"{value:.3f}" if isinstance(value, int | float) else "?"
