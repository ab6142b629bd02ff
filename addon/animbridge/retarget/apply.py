# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes Actions on the target of what the source shows."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, replace
from typing import Any, Final

import bpy

from ..compat import actions, keyframes
from ..package import AnimBridgeError, Curve, NativeCurves, Progress, Timing, own_curves, part_of, retarget
from ..scene import previews
from ..scene.armature.modes import out_of_edit_mode
from ..scene.armature.rotations import RotationModes
from ..scene.export.sampling import only_playing
from ..scene.import_.action import refuse_unwritable
from ..scene.import_.new_action import make_action
from ..scene.markers import FOOT_MARKERS
from ..scene.names import data_block_name, filled_in
from ..scene.placing import assign
from ..scene.playing import assigned_channels, playing_channels
from ..scene.timing import scene_frames_per_second
from ..scene.undo import Undo, undone_on_failure
from .control_rigs import Switch, key_switches
from .frames import KeyTimes, frames_of
from .setup import Setup, as_controlled, setup_of, source_pose, target_pose
from .source_motion import motion_of

#: The custom property of an Action that names the armature for which it was made.
_MADE_FOR: Final = "animbridge_made_for"


@dataclass(frozen=True)
class Made:
    """An Action of the target, the library's report on it, and the bones that got quaternions.

    `switches`: properties of a control rig that were set, with the values that they had.
    """

    channels: actions.Channels
    report: dict[str, Any]
    switched: tuple[str, ...]
    switches: tuple[Switch, ...] = ()


def apply(scene: bpy.types.Scene, settings: Any, progress: Progress | None = None) -> list[Made]:
    """Makes one Action for what the source plays, or one for each of its Actions; the target plays the last.

    On an error, nothing is left behind. The source and the current frame stay as they are.
    """
    with _standing_still(settings):
        setup = setup_of(settings)
        refuse_unwritable(setup.target.thing)
        pose = target_pose(settings, setup.target, scene)
        wanted = _wanted(settings)
        made: list[Made] = []
        with undone_on_failure() as undo:
            setup, switches, changed = as_controlled(undo, setup)
            for number, channels in enumerate(wanted):
                share = part_of(progress, number / len(wanted), (number + 1) / len(wanted))
                with _playing(settings, channels):
                    made.append(_one(undo, scene, settings, setup, channels, pose, share))
            for one in made:
                key_switches(one.channels, switches, one.channels.action.frame_range[0])
            assign(setup.target.thing, made[-1].channels)
    return [replace(one, switches=tuple(changed)) for one in made]


@contextmanager
def _standing_still(settings: Any) -> Iterator[None]:
    """Both armatures out of Edit mode, and the source without the preview of an upload."""
    with (
        out_of_edit_mode(settings.source) if settings.source else nullcontext(),
        out_of_edit_mode(settings.target) if settings.target else nullcontext(),
        previews.set_aside(settings.source) if settings.source else nullcontext(),
    ):
        yield


def _wanted(settings: Any) -> list[actions.Channels | None]:
    """The Actions to retarget; None stands for what the source shows without one."""
    if not settings.every_action:
        return [assigned_channels(settings.source)]
    found = [one for one in playing_channels(settings.source) if _is_of_source(settings, one.action)]
    if not found:
        raise AnimBridgeError(
            f"The source '{settings.source.name}' has no Action of its own. Switch All Actions of the "
            "Source off to retarget what it shows."
        )
    return list(found)


def _is_of_source(settings: Any, action: bpy.types.Action) -> bool:
    """Not an Action of the target, whose bones may have the names of the source's."""
    made_for = action.get(_MADE_FOR)
    return made_for is None or made_for == settings.source.name


def _playing(settings: Any, channels: actions.Channels | None) -> Any:
    """Lets the source play one Action of many; alone, it plays as it does, with NLA strips and all."""
    if settings.every_action and channels is not None:
        return only_playing(settings.source, channels)
    return nullcontext()


def _one(
    undo: Undo,
    scene: bpy.types.Scene,
    settings: Any,
    setup: Setup,
    channels: actions.Channels | None,
    pose: Any,
    progress: Progress | None,
) -> Made:
    # Many keys are read twice: for their times, and for the motion.
    read_keys = functools.cache(keyframes.read_co)
    frames = frames_of(
        channels,
        {pair.source for pair in setup.pairs},
        KeyTimes(settings.key_times),
        _span(scene, settings),
        scene,
        read_keys,
    )
    timing = Timing(scene_frames_per_second(scene), float(frames[0]))
    source, motion, done = motion_of(scene, setup.source, frames, timing, read_keys, progress)
    motion = replace(motion, pose=source_pose(settings, source, scene))
    working = part_of(progress, done, 1.0)
    native = retarget(motion, setup.target.standing, timing, setup.options, pose, working)
    return _made(undo, setup, native, timing, _action_name(settings, channels))


def _made(undo: Undo, setup: Setup, native: NativeCurves, timing: Timing, name: str) -> Made:
    """The Action; `undo` gets the steps that remove it."""
    target, report = setup.target, native.report()
    curves: list[Curve] = own_curves(list(native), target.armature, target.stance)
    modes = RotationModes(target.thing)
    undo.callback(modes.restore)
    modes.switch(target.armature, curves)
    frame_range = (timing.frame_start, float(report["frame_end"]))
    channels, _ = make_action(
        undo, name, target.thing, curves, target.armature.names, frame_range, fake_user=True
    )
    channels.action[_MADE_FOR] = target.thing.name
    mark_contacts(channels.action, report["retarget"]["feet"], timing)
    return Made(channels, report, tuple(modes.switched))


def mark_contacts(action: bpy.types.Action, feet: Sequence[Mapping[str, Any]], timing: Timing) -> None:
    """Markers of the Action where feet come down and go up, in place of older ones; `feet`: the report's."""
    markers = action.pose_markers
    for old in [marker for marker in markers if marker.name in FOOT_MARKERS]:
        markers.remove(old)
    for foot in feet:
        names = FOOT_MARKERS[:2] if str(foot["slot"]).startswith("left") else FOOT_MARKERS[2:]
        for span in foot["stands_seconds"]:
            for seconds, name in zip(span, names, strict=True):
                frame = round(timing.frame_start + float(seconds) * timing.frames_per_second)
                markers.new(name).frame = frame


def _span(scene: bpy.types.Scene, settings: Any) -> tuple[float, float] | None:
    """None: the Action's range."""
    if settings.frame_range == "SCENE":
        return float(scene.frame_start), float(scene.frame_end)
    if settings.frame_range == "CUSTOM":
        return float(settings.first_frame), float(settings.last_frame)
    return None


def _action_name(settings: Any, channels: actions.Channels | None) -> str:
    names = {
        "action": channels.action.name if channels else settings.source.name,
        "source": settings.source.name,
        "target": settings.target.name,
    }
    return data_block_name(filled_in(settings.action_name or "{action}", names))
