# SPDX-License-Identifier: GPL-3.0-or-later
"""Plants the feet of what an armature already plays: a copy of its Action with other curves of the legs."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import replace

import bpy

from ..compat import actions, keyframes
from ..package import AnimBridgeError, Curve, Progress, Timing, own_curves, part_of, retarget
from ..scene import previews
from ..scene.armature.modes import out_of_edit_mode
from ..scene.armature.rotations import RotationModes, euler_channels
from ..scene.channels import LOCATION, ROTATIONS, data_path, property_of
from ..scene.import_.action import refuse_unwritable
from ..scene.import_.curves import add_curves
from ..scene.placing import assign
from ..scene.playing import assigned_channels
from ..scene.timing import scene_frames_per_second
from ..scene.undo import undone_on_failure
from .apply import Made, mark_contacts
from .frames import KeyTimes, frames_of
from .setup import side_of
from .source_motion import motion_of


def plant_feet(
    scene: bpy.types.Scene, thing: bpy.types.Object, rig: str, progress: Progress | None = None
) -> Made:
    """Makes a copy of the armature's Action with planted feet, which it then plays.

    `rig`: a rig file, or "" for what the library knows. The Action stays as it is, and so do all curves of
    the copy but those of the legs and, where the body moves up or down, of the hips' location.
    """
    with out_of_edit_mode(thing), previews.set_aside(thing), undone_on_failure() as undo:
        refuse_unwritable(thing)
        channels = assigned_channels(thing)
        if channels is None:
            raise AnimBridgeError(f"'{thing.name}' has no Action. Assign the one whose feet slide.")
        side = side_of(thing)
        kept = replace(side.armature, rotation_channels=euler_channels(thing, side.armature.names))
        side = replace(side, armature=kept)
        read_keys = functools.cache(keyframes.read_co)
        frames = frames_of(channels, set(kept.names), KeyTimes.FRAMES, None, scene, read_keys)
        timing = Timing(scene_frames_per_second(scene), float(frames[0]))
        placed, motion, done = motion_of(scene, side, frames, timing, read_keys, progress)
        options = {"only_feet": True, "source_rig": rig}
        native = retarget(motion, placed.standing, timing, options, None, part_of(progress, done, 1.0))
        curves = own_curves(list(native), kept, placed.stance)
        modes = RotationModes(thing)
        undo.callback(modes.restore)
        modes.switch(kept, curves)
        planted = actions.copied(channels)
        undo.made(planted.action)
        # Nothing else may use either of them, and what nobody uses isn't saved.
        planted.action.use_fake_user = channels.action.use_fake_user = True
        _replace(planted, curves, kept.names)
        mark_contacts(planted.action, native.report()["planted"]["feet"], timing)
        assign(thing, planted)
    return Made(planted, native.report(), tuple(modes.switched))


def _replace(channels: actions.Channels, curves: Sequence[Curve], names: Sequence[str]) -> None:
    """Puts the curves in place of those that turn or move the same bones."""
    paths = set()
    for curve in curves:
        prop = property_of(curve.channel)
        props = (LOCATION,) if prop == LOCATION else ROTATIONS
        paths.update(data_path(names[curve.bone], each) for each in props)
    for fcurve in channels.fcurves:
        if fcurve.data_path in paths:
            channels.holder.fcurves.remove(fcurve)
    add_curves(channels, curves, names)
