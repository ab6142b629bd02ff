# SPDX-License-Identifier: GPL-3.0-or-later
"""A recording's markers in the timeline, which has them at whole frames and with short names."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Final

import bpy

from ...package import Document, Timing, readable
from ...scene.timing import LAST_FRAME

#: Blender cuts the names of markers.
_LONGEST_NAME: Final = 63


@dataclass(frozen=True)
class FileMarker:
    """A marker as the timeline has it, and its name and time in the file (as JSON)."""

    frame: int
    name: str
    file_name: Any
    file_seconds: float


def markers_of(document: Document, timing: Timing) -> list[FileMarker]:
    """The markers of a recording whose times are numbers."""
    return [
        FileMarker(
            _whole_frame(timing, row["seconds"]), _short(readable(row["name"])), row["name"], row["seconds"]
        )
        for row in document.info()["markers"]
        if isinstance(row["seconds"], float | int)
    ]


def export_members(
    scene: bpy.types.Scene, timing: Timing, last: float, document: Document | None, file_timing: Timing | None
) -> dict[str, Any]:
    """The options of an export that has the timeline's markers, up to the `last` frame.

    `document`, `file_timing`: what the Action was imported from, and its timing. If the timeline has all
    markers of that, and no others, the file keeps them. A marker that was not moved keeps its name and time.
    """
    known = markers_of(document, file_timing) if document and file_timing else []
    by_place = {(one.frame, one.name): one for one in known}
    first = min([timing.frame_start, *(one.frame for one in known)])
    found = [
        (one.frame, one.name)
        for one in scene.timeline_markers
        if (one.frame, one.name) in by_place or first - 0.5 <= one.frame <= last + 0.5
    ]
    if set(found) == set(by_place):
        return {}
    rows = sorted(found)
    kept = [by_place.get(row) for row in rows]
    return {
        "marker_names": [one.file_name if one else row[1] for one, row in zip(kept, rows, strict=True)],
        "marker_seconds": [
            one.file_seconds if one else (row[0] - timing.frame_start) / timing.frames_per_second
            for one, row in zip(kept, rows, strict=True)
        ],
    }


def _whole_frame(timing: Timing, seconds: float) -> int:
    """The nearest frame that a marker can have."""
    frame = timing.frame_start + seconds * timing.frames_per_second
    return math.floor(min(max(frame, -LAST_FRAME), LAST_FRAME) + 0.5)


def _short(name: str) -> str:
    """The name as Blender keeps it: whole characters up to a zero byte, at most 63 bytes."""
    return name.partition("\0")[0].encode("utf-8", "replace")[:_LONGEST_NAME].decode("utf-8", "ignore")
