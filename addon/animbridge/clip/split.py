# SPDX-License-Identifier: GPL-3.0-or-later
"""Splits what an armature plays into Actions of its own."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import Any, Final

import bpy

from ..compat import actions
from ..package import AnimBridgeError, Timing, edit_curves
from ..scene import previews
from ..scene.action_properties import group_of
from ..scene.armature.modes import out_of_edit_mode
from ..scene.placing import assign
from ..scene.timing import scene_frames_per_second
from ..scene.undo import undone_on_failure
from .action_curves import action_curves
from .tools import Edited, edit_action, playing_channels, span_of

#: How long a part holds its last pose, so that the next one may begin late.
OVERLAP_SECONDS: Final = 0.3
_LOOP_MARKERS: Final = ("loop in", "loop out")


@dataclass(frozen=True)
class Parts:
    """How an Action is split. `most_seconds` None: at its markers. `loops`: each part repeats by itself."""

    most_seconds: float | None
    loops: bool


def split_action(scene: bpy.types.Scene, thing: bpy.types.Object, parts: Parts) -> list[Edited]:
    """Makes an Action for each part; the armature plays the first one. The whole stays as it is."""
    with out_of_edit_mode(thing), previews.set_aside(thing), undone_on_failure() as undo:
        whole = playing_channels(thing)
        span = span_of(whole)
        cuts = _cuts(scene, thing, whole, parts)
        undo.callback(assign, thing, whole)
        made: list[Edited] = []
        ends = [span.first, *cuts, span.last]
        for number, (first, last) in enumerate(itertools.pairwise(ends), 1):
            part = actions.copied(whole)
            undo.made(part.action)
            part.action.name = f"{whole.action.name}-{number}"
            part.action.use_fake_user = True
            assign(thing, part)
            made.append(edit_action(scene, thing, {}, trim=(first, last)))
            _say(part.action, parts, is_first=number == 1, is_last=last == span.last)
            if not parts.loops and last != span.last:
                made[-1] = edit_action(scene, thing, {"hold_last": OVERLAP_SECONDS})
        whole.action.use_fake_user = True
        assign(thing, made[0].channels)
    return made


def _cuts(
    scene: bpy.types.Scene, thing: bpy.types.Object, whole: actions.Channels, parts: Parts
) -> list[float]:
    span = span_of(whole)
    if parts.most_seconds is None:
        frames = {float(marker.frame) for marker in _markers(whole.action)}
        cuts = sorted(frame for frame in frames if span.first < frame < span.last)
        if not cuts:
            raise AnimBridgeError(
                f"The Action '{whole.action.name}' has no pose markers between its ends. Add some in the "
                "Action editor (Marker > Add Marker, with Show Pose Markers on)."
            )
        return cuts
    rate = scene_frames_per_second(scene)
    timing = Timing(rate, span.first)
    given = action_curves(thing, whole, timing, times=False)
    held = 0.0 if parts.loops else OVERLAP_SECONDS
    options: dict[str, Any] = {"frame_end": span.last, "split_seconds": parts.most_seconds - held}
    cuts = edit_curves(given.armature, timing, given.curves, options).report()["cuts"]
    if not cuts:
        raise AnimBridgeError(
            f"The Action '{whole.action.name}' lasts {(span.last - span.first) / rate:.1f} s, which is one "
            "part. Choose shorter parts."
        )
    return [float(cut) for cut in cuts]


def _markers(action: bpy.types.Action) -> list[Any]:
    """Those that say where parts begin: not the loop's."""
    return [marker for marker in action.pose_markers if marker.name not in _LOOP_MARKERS]


def _say(action: bpy.types.Action, parts: Parts, *, is_first: bool, is_last: bool) -> None:
    """What the part says besides its motion."""
    shown = group_of(action)
    shown.use_loop_range = False
    shown.loop = parts.loops
    if not parts.loops:
        if not is_first:
            shown.ease_in_seconds = 0.0
        if not is_last:
            shown.ease_out_seconds = OVERLAP_SECONDS
