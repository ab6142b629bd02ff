# SPDX-License-Identifier: GPL-3.0-or-later
"""Actions to files: names, and what the user is told afterwards."""

from __future__ import annotations

from pathlib import PurePath

import bpy

from ..native.errors import AnimBridgeError
from ..native.file_name import LONGEST_EXTENSION, free_stem
from ..native.text import counted, printable, readable
from . import template
from .export_options import ExportResult


def stem_for(action: bpy.types.Action, taken: set[str], ending: str = LONGEST_EXTENSION) -> str:
    """A file name without extension, not yet `taken`: the imported file's own first, then the Action's."""
    kept = template.load(action)
    wishes = [PurePath(kept.name).stem] if kept else []
    return free_stem([*wishes, action.name], taken, ending)


def suggested_stem(action: bpy.types.Action) -> str:
    """The file name that a dialog begins with."""
    try:
        return stem_for(action, set())
    except AnimBridgeError:
        return free_stem([action.name], set())


def summary(name: str, result: ExportResult) -> str:
    """One line: what is in the file, and how exact it is."""
    tell = {"bvh": _bvh_summary, "oban": _oban_summary}.get(result.document.format, _sl_summary)
    return f"{printable(name)}: {tell(result)}"


def _bvh_summary(result: ExportResult) -> str:
    report = result.report
    sampled = ", sampled" if result.sampled_because else ""
    return (
        f"{counted(report['joints'], 'joint')}, {counted(report['frames'], 'frame')}{sampled} "
        f"(at most {report['max_rotation_error_degrees']:.3g} degrees and "
        f"{report['max_position_error_mm']:.3g} mm off)"
    )


def _oban_summary(result: ExportResult) -> str:
    report = result.report
    sampled = ", sampled" if result.sampled_because else ""
    return (
        f"{counted(report['keys'], 'key')}, {counted(report['frames'], 'frame')}{sampled} "
        f"(at most {report['max_position_error_mm']:.3g} mm and "
        f"{report['max_rotation_error_degrees']:.3g} degrees off), "
        f"{counted(len(report['findings']), 'finding')}"
    )


def _sl_summary(result: ExportResult) -> str:
    """Size, joints, how exact the file is, and how many findings it has."""
    report = result.report
    changed = {readable(row["joint"]) for row in report["changed"]}
    text = f"{report['size_bytes']} bytes, {counted(report['joints'], 'joint')}"
    text += ", sampled" if result.sampled_because else f", {len(changed)} of them changed"
    if changed:
        text += (
            f" (at most {report['max_rotation_error_degrees']:.3f} degrees and "
            f"{report['max_position_error_mm']:.3f} mm off)"
        )
    return f"{text}, {counted(len(report['findings']), 'finding')}"


def script_lines(result: ExportResult) -> list[str]:
    """The lines by which the game's scripts play the file, where it has such."""
    return [printable(str(line)) for line in result.report.get("script", ())]
