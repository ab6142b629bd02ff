# SPDX-License-Identifier: GPL-3.0-or-later
"""Splits what an armature plays into Actions of its own."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final

import bpy

from ..compat import actions
from ..package import AnimBridgeError, Timing, edit_curves
from ..scene import previews
from ..scene.action_properties import group_of
from ..scene.armature.modes import out_of_edit_mode
from ..scene.markers import FOOT_MARKERS
from ..scene.placing import assign
from ..scene.timing import scene_frames_per_second
from ..scene.undo import undone_on_failure
from .action_curves import action_curves
from .tools import Edited, edit_action, playing_channels, span_of

#: How long a part holds its last pose, so that the next one may begin late.
OVERLAP_SECONDS: Final = 0.3
#: Bytes of a file of the scene's frames, of the format that limits them.
SIZES: Final[list[Callable[[bpy.types.Object, actions.Channels, bpy.types.Scene], int]]] = []
#: The library looks for slow moments in parts of at least this.
_SHORTEST_SECONDS: Final = 1.0
_LOOP_MARKERS: Final = ("loop in", "loop out")


@dataclass(frozen=True)
class Parts:
    """How an Action is split; without limits, at its markers. `loops`: each part repeats by itself."""

    loops: bool
    most_seconds: float | None = None
    most_bytes: int | None = None


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
    if parts.most_bytes is not None:
        return _cuts_by_size(scene, thing, whole, parts.most_bytes)
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
    held = 0.0 if parts.loops else OVERLAP_SECONDS
    cuts = _slow_moments(thing, whole, Timing(rate, span.first), parts.most_seconds - held)
    if not cuts:
        raise AnimBridgeError(
            f"The Action '{whole.action.name}' lasts {(span.last - span.first) / rate:.1f} s, which is one "
            "part. Choose shorter parts."
        )
    return cuts


def _slow_moments(
    thing: bpy.types.Object, whole: actions.Channels, timing: Timing, most_seconds: float
) -> list[float]:
    """Where parts of at most so many seconds begin: each where the body moves least, late in the one before.

    The first part begins where the timing does.
    """
    given = action_curves(thing, whole, timing, times=False)
    options: dict[str, Any] = {"frame_end": span_of(whole).last, "split_seconds": most_seconds}
    return [float(cut) for cut in edit_curves(given.armature, timing, given.curves, options).report()["cuts"]]


def _cuts_by_size(
    scene: bpy.types.Scene, thing: bpy.types.Object, whole: actions.Channels, most_bytes: int
) -> list[float]:
    """Each part as long as it fits, and from there back to where the body moves least."""
    span = span_of(whole)
    cuts: list[float] = []
    first = math.floor(span.first)
    with _own_range(scene):

        def size(last: int) -> int:
            # Each of them may not pass the other.
            scene.frame_start, scene.frame_end = 0, last
            scene.frame_start = first
            return SIZES[0](thing, whole, scene)

        while True:
            last = _latest(first, math.ceil(span.last), most_bytes, size)
            if last >= span.last:
                return cuts
            if last <= first:
                raise AnimBridgeError(
                    f"The part after frame {first} doesn't fit, however short it is. Delete bones' "
                    "keyframes, or allow more bytes."
                )
            seconds = (last - first) / scene_frames_per_second(scene)
            if seconds >= _SHORTEST_SECONDS:
                timing = Timing(scene_frames_per_second(scene), float(first))
                last = round(_slow_moments(thing, whole, timing, seconds)[0])
            first = last
            cuts.append(float(last))


def _latest(first: int, last: int, most_bytes: int, size: Callable[[int], int]) -> int:
    """The last frame of a part that fits, within a fiftieth of its length; files grow about evenly."""
    bytes_of_rest = size(last)
    if bytes_of_rest <= most_bytes:
        return last
    fitting, too_far = first, last
    guess = first + (last - first) * most_bytes // bytes_of_rest
    while too_far - fitting > max(1, (fitting - first) // 50):
        guess = min(max(guess, fitting + 1), too_far - 1)
        if size(guess) <= most_bytes:
            fitting, guess = guess, guess + max(1, (guess - first) // 50)
        else:
            too_far, guess = guess, guess - max(1, (guess - first) // 50)
    return fitting


@contextmanager
def _own_range(scene: bpy.types.Scene) -> Iterator[None]:
    """Gives the scene its range back."""
    first, last = scene.frame_start, scene.frame_end
    try:
        yield
    finally:
        scene.frame_start, scene.frame_end = 0, last
        scene.frame_start = first


def _markers(action: bpy.types.Action) -> list[Any]:
    """Those that say where parts begin: not the loop's, nor when feet stand."""
    return [marker for marker in action.pose_markers if marker.name not in (*_LOOP_MARKERS, *FOOT_MARKERS)]


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
