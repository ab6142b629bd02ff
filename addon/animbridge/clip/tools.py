# SPDX-License-Identifier: GPL-3.0-or-later
"""Clip tools on what an armature plays: curves, markers, the Action's range and its loop."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final

import bpy
import numpy as np

from ..compat import actions, keyframes
from ..package import AnimBridgeError, Progress, Timing, edit_curves
from ..scene import previews
from ..scene.action_properties import group_of
from ..scene.armature.modes import out_of_edit_mode
from ..scene.import_.action import refuse_unwritable
from ..scene.playing import assigned_channels
from ..scene.templates import first_frame
from ..scene.timing import scene_frames_per_second, set_frame_range
from .action_curves import action_curves

#: The library's names of the ends of a loop, and of a range.
_LOOP: Final = ("loop_in", "loop_out")
_RANGE: Final = ("range_first", "range_last")
#: Tools that change times, and with them everything that the Action animates.
_TIMES: Final = frozenset(
    ("reverse", "speed", "duration", "bpm", "retime", "hold_first", "hold_last", "start_at")
)
#: The command's words in the library's messages, and what the panel calls them.
_WORDS: Final = {
    "--trim": "Trim",
    "--no-travel": "Remove Travel",
    "--close-loop": "Close Loop",
    "add Remove": "press Remove",
    "add Close": "press Close",
    "with Trim": "with Trim to Loop",
}


@dataclass(frozen=True)
class Span:
    """The frames of what plays, keys and range together."""

    first: float
    last: float


@dataclass(frozen=True)
class Edited:
    """What became of an Action, and the library's report."""

    channels: actions.Channels
    report: dict[str, Any]
    changed: int

    @property
    def lines(self) -> list[str]:
        """What was done, in sentences."""
        return [str(row["what"])[:1].upper() + str(row["what"])[1:] for row in self.report["tools"]]

    def row(self, tool: str) -> Mapping[str, Any]:
        """The report of one tool."""
        return next((row for row in self.report["tools"] if row["tool"] == tool), {})


def playing_channels(thing: bpy.types.Object) -> actions.Channels:
    """What the armature plays; an error if tools can't change it."""
    refuse_unwritable(thing)
    channels = assigned_channels(thing)
    if channels is None or not channels.fcurves:
        raise AnimBridgeError(f"'{thing.name}' plays no Action with keyframes. Assign one to it first.")
    action = channels.action
    if action.library is not None:
        raise AnimBridgeError(
            f"The Action '{action.name}' is linked from another file, so changes to it would be lost. "
            "Make it local first."
        )
    if not actions.is_single(action):
        raise AnimBridgeError(
            f"The Action '{action.name}' has several layers or strips. Clip tools work on one strip: bake "
            "the Action first."
        )
    return channels


def span_of(channels: actions.Channels, *, everything: bool = True) -> Span:
    """The frames from the first key or the begin of the range to the last ones."""
    frames = [float(frame) for frame in channels.action.frame_range]
    parts = actions.all_channels(channels.action) if everything else [channels]
    for part in parts:
        for fcurve in part.fcurves:
            co = keyframes.read_co(fcurve)
            if len(co):
                frames += [float(co[0, 0]), float(co[-1, 0])]
    return Span(min(frames), max(frames))


def edit_action(
    scene: bpy.types.Scene,
    thing: bpy.types.Object,
    tools: Mapping[str, Any],
    *,
    trim: tuple[float, float] | None = None,
    pose_edit: Mapping[str, Any] | None = None,
    finds_loop: bool = False,
    progress: Progress | None = None,
) -> Edited:
    """Changes the Action that the armature plays; `tools`: docs/options.md, "Clip tools".

    `trim`: the frames that stay, which move to the Action's beginning. `finds_loop`: the tools set the loop,
    even of an Action that has none. On an error, nothing changes.
    """
    with out_of_edit_mode(thing), previews.set_aside(thing):
        channels = playing_channels(thing)
        span = span_of(channels)
        timing = Timing(scene_frames_per_second(scene), span.first)
        times = trim is not None or bool(_TIMES & set(tools))
        given = action_curves(thing, channels, timing, times=times)
        marks = _Marks(channels.action, scene, span, trim, finds_loop=finds_loop)
        options: dict[str, Any] = {
            "frame_end": span.last,
            "markers": marks.rows(),
            "tools": _in_units(tools, given.metres),
        }
        if trim is not None:
            options["trim"] = list(trim)
        if pose_edit is not None:
            options["pose_edit"] = dict(pose_edit)
        with _panel_words():
            native = edit_curves(given.armature, timing, given.curves, options, progress)
        report = native.report()
        for name in ("before", "after"):
            report[name] = _in_metres(report[name], given.metres)
        changed = given.write(list(native))
        marks.write(report)
        _swap_sides(channels.action, report.get("mirrored", ()))
        return Edited(channels, report, changed)


def _in_units(tools: Mapping[str, Any], metres: float) -> dict[str, Any]:
    """Lengths in the armature's own unit."""
    lengths = {name: float(tools[name]) / metres for name in ("travel", "smooth_mm") if name in tools}
    return {**tools, **lengths}


def _in_metres(value: Any, metres: float, name: str = "") -> Any:
    """Lengths and speeds of a report, in metres and millimetres."""
    if isinstance(value, dict):
        return {key: _in_metres(part, metres, key) for key, part in value.items()}
    is_length = isinstance(value, float) and ("_mm" in name or "metres" in name)
    return value * metres if is_length else value


@contextmanager
def _panel_words() -> Iterator[None]:
    """Messages of the library name the command's options."""
    try:
        yield
    except AnimBridgeError as error:
        text = error.message
        for word, own in _WORDS.items():
            text = text.replace(word, own)
        raise AnimBridgeError(text[:1].upper() + text[1:], error.code) from error


def _swap_sides(action: bpy.types.Action, pairs: Iterable[Sequence[str]]) -> None:
    """Exchanges what a mirrored Action says of its left and right side besides its motion."""
    partners = {one: other for pair in pairs for one, other in (pair, reversed(pair))}
    if not partners:
        return
    shown = group_of(action)
    for item in shown.joint_priorities:
        item.name = partners.get(item.name, item.name)
    words = {"LEFT": "RIGHT", "RIGHT": "LEFT"}
    pose = "_".join(words.get(word, word) for word in str(shown.hand_pose).split("_"))
    if pose in shown.bl_rna.properties["hand_pose"].enum_items:
        shown.hand_pose = pose


class _Marks:
    """The times of an Action that are no keys: its pose markers, its own range, and its loop."""

    def __init__(
        self,
        action: bpy.types.Action,
        scene: bpy.types.Scene,
        span: Span,
        trim: tuple[float, float] | None,
        *,
        finds_loop: bool,
    ) -> None:
        self._action, self._scene, self._finds_loop = action, scene, finds_loop
        first, last = trim or (span.first, span.last)
        #: Those of what is cut off go.
        self._kept = [first <= marker.frame <= last or not trim for marker in action.pose_markers]
        self._rate = scene_frames_per_second(scene)
        self._zero = first_frame(action)
        self._range = (float(action.frame_range[0]), float(action.frame_range[1]))
        self._is_scene = (scene.frame_start, scene.frame_end) == _whole(*self._range)
        shown = group_of(action)
        self._loop: tuple[float, float] | None = None
        if shown.loop and shown.use_loop_range:
            seconds = (float(shown.loop_in_seconds), float(shown.loop_out_seconds))
            first, last = (self._zero + time * self._rate for time in seconds)
            self._loop = (first, last)
        elif finds_loop:
            self._loop = self._range

    def rows(self) -> list[dict[str, Any]]:
        """All of them, as the library takes them."""
        frames = {str(index): float(marker.frame) for index, marker in enumerate(self._action.pose_markers)}
        frames.update(zip(_RANGE, self._range, strict=True))
        if self._loop is not None:
            frames.update(zip(_LOOP, self._loop, strict=True))
        return [{"name": name, "frame": frame} for name, frame in frames.items()]

    def write(self, report: Mapping[str, Any]) -> None:
        """Puts them where the library has moved them to."""
        frames = {row["name"]: float(row["frame"]) for row in report["markers"]}
        markers = self._action.pose_markers
        for index, marker in reversed(list(enumerate(markers))):
            if self._kept[index]:
                marker.frame = math.floor(frames[str(index)] + 0.5)
            else:
                markers.remove(marker)
        first, last = sorted(frames[name] for name in _RANGE)
        # A pose that is held has no key at its end.
        now = (float(self._action.frame_range[0]), float(self._action.frame_range[1]))
        if self._action.use_frame_range or not np.allclose(now, (first, last), atol=1e-3):
            self._action.frame_range = (first, last)
        if self._is_scene:
            set_frame_range(self._scene, (first, last))
        if self._loop is not None:
            self._write_loop(*sorted(frames[name] for name in _LOOP))

    def _write_loop(self, first: float, last: float) -> None:
        old = self._loop or (first, last)
        if not self._finds_loop and np.allclose(old, (first, last), rtol=0.0, atol=1e-6):
            return
        shown = group_of(self._action)
        shown.loop = shown.use_loop_range = True
        shown.loop_in_seconds = max(first - self._zero, 0.0) / self._rate
        shown.loop_out_seconds = max(last - self._zero, 0.0) / self._rate


def _whole(first: float, last: float) -> tuple[int, int]:
    return math.floor(first), math.ceil(last)
