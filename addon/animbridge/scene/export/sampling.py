# SPDX-License-Identifier: GPL-3.0-or-later
"""The pose that Blender shows, frame by frame, as arrays."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, replace
from typing import Any, Final

import bpy
import numpy as np
from numpy.typing import NDArray

from ...compat import actions
from ...package import AnimBridgeError, Armature, Progress, advance
from ..armature.reading import pose_bones
from ..channels import LOCATION, ROTATIONS, split_path
from ..timing import LAST_FRAME, step_count

Floats = NDArray[np.float32]

#: How much of a sampled export's progress stands for the samples: Blender takes about as long to evaluate
#: the frames as the library to drop keys.
SAMPLING_SHARE: Final = 0.5


@dataclass(frozen=True)
class Poses:
    """`matrices`: frames x bones x 16, column-major, armature space; `places`: frames x 16, the object's."""

    frames: NDArray[np.float64]
    matrices: Floats
    places: Floats

    @property
    def moves_object(self) -> bool:
        """Whether the object leaves the place that it has at the first frame."""
        return not (self.places == self.places[0]).all()

    def standing_still(self) -> Poses:
        """The same with the object where it was at the first frame."""
        return replace(self, places=np.repeat(self.places[:1], len(self.frames), axis=0))

    def object_motion(self) -> Floats | None:
        """Frames x 16: where the object is, as seen from where it was at the first frame; None: it stays."""
        if not self.moves_object:
            return None
        places = self.places.astype(np.float64).reshape(-1, 4, 4).transpose(0, 2, 1)
        motion = np.linalg.inv(places[0]) @ places
        return np.ascontiguousarray(motion.transpose(0, 2, 1).reshape(-1, 16), np.float32)


def frames_between(first: float, last: float, step: float) -> NDArray[np.float64]:
    """Frames in steps from the first on, and the last frame."""
    count = step_count(first, last, step, 1e-6) + 1
    frames = first + step * np.arange(max(count, 1), dtype=np.float64)
    if last - frames[-1] > 1e-3 * step:
        return np.append(frames, last)
    frames[-1] = min(frames[-1], max(last, first))
    return frames


def sample_poses(
    scene: bpy.types.Scene,
    armature_object: bpy.types.Object,
    armature: Armature,
    frames: NDArray[np.float64],
    progress: Progress | None = None,
    *,
    as_it_is: bool = False,
) -> Poses:
    """Steps the scene through the frames, and returns to the current frame, also if `progress` stops it.

    `as_it_is`: no frame is set, because that would reset poses without keys; each row is what is shown.
    """
    refuse_stale(scene, armature_object)
    bones: Any = pose_bones(armature_object)
    index = {name: place for place, name in enumerate(bones.keys())}
    order = np.array([index[name] for name in armature.names], np.intp)
    matrices = np.empty((len(frames), 16 * len(bones)), np.float32)
    places = np.empty((len(frames), 16), np.float32)
    with nullcontext() if as_it_is else frame_restored(scene):
        for row, frame in enumerate(frames):
            advance(progress, row / len(frames))
            if not as_it_is:
                set_frame(scene, frame)
            bones.foreach_get("matrix", matrices[row])
            places[row] = np.array(armature_object.matrix_world, np.float32).T.ravel()
    return Poses(frames, matrices.reshape(len(frames), -1, 16)[:, order], places)


def set_frame(scene: bpy.types.Scene, frame: float) -> None:
    """Goes to a frame, with its fraction, and evaluates everything."""
    if not abs(frame) <= LAST_FRAME:
        raise AnimBridgeError(
            f"Frame {frame:g} cannot be sampled: Blender's frames go from {-LAST_FRAME:,.0f} to "
            f"{LAST_FRAME:,.0f}. Check the frame range."
        )
    whole = math.floor(frame)
    scene.frame_set(whole, subframe=float(frame - whole))


@contextmanager
def only_playing(armature_object: bpy.types.Object, channels: actions.Channels) -> Iterator[None]:
    """Lets the armature play these channels and no NLA strip, then what it played before."""
    had_none = armature_object.animation_data is None
    animation = armature_object.animation_data or armature_object.animation_data_create()
    if animation is None:
        raise AnimBridgeError(f"The armature '{armature_object.name}' can't get an Action.")
    _refuse_tweaking(armature_object)
    before, used_nla = actions.assigned_channels(animation), animation.use_nla
    try:
        animation.use_nla = False
        actions.assign(animation, channels)
        with _others_at_rest(armature_object, before, [channels]):
            yield
    finally:
        actions.restore(animation, before)
        animation.use_nla = used_nla
        if had_none:
            armature_object.animation_data_clear()


@contextmanager
def only_track(armature_object: bpy.types.Object, track: Any) -> Iterator[None]:
    """Lets only one NLA track play on the armature."""
    animation: Any = armature_object.animation_data
    _refuse_tweaking(armature_object)
    before = actions.assigned_channels(animation)
    states = [(one, one.mute, one.is_solo) for one in animation.nla_tracks]
    try:
        actions.restore(animation, None)
        for one, _, _ in states:
            one.is_solo = False
        for one, _, _ in states:
            one.mute = one != track
        with _others_at_rest(armature_object, before, _of_strips([track])):
            yield
    finally:
        for one, mute, solo in states:
            one.mute = mute
            if solo:
                one.is_solo = True
        actions.restore(animation, before)


def _of_strips(tracks: Iterable[Any]) -> list[actions.Channels]:
    found = (actions.strip_channels(strip) for track in tracks for strip in track.strips)
    return [channels for channels in found if channels is not None]


@contextmanager
def _others_at_rest(
    armature_object: bpy.types.Object, assigned: actions.Channels | None, playing: list[actions.Channels]
) -> Iterator[None]:
    """Puts to rest what `assigned` and NLA strips move but `playing` does not: Blender would not do so.

    Restores the pose afterwards.
    """
    animation: Any = armature_object.animation_data
    others = [*_of_strips(animation.nla_tracks), *([assigned] if assigned else [])]
    played = _moved_by(playing, armature_object)
    moved = {**_moved_by(others, armature_object), **played}
    before = {key: tuple(getattr(bone, key[1])) for key, bone in moved.items()}
    try:
        for (name, prop), bone in moved.items():
            if (name, prop) not in played:
                setattr(bone, prop, bone.bl_rna.properties[prop].default_array)
        yield
    finally:
        for (name, prop), bone in moved.items():
            setattr(bone, prop, before[name, prop])


def _moved_by(found: list[actions.Channels], armature_object: bpy.types.Object) -> dict[tuple[str, str], Any]:
    """{(bone, property): pose bone} of the curves."""
    bones = pose_bones(armature_object)
    paths = {curve.data_path for channels in found for curve in channels.fcurves}
    places = [place for place in map(split_path, paths) if place is not None]
    known = {LOCATION, *ROTATIONS, "scale"}
    return {(name, prop): bones[name] for name, prop in places if name in bones and prop in known}


@contextmanager
def frame_restored(scene: bpy.types.Scene) -> Iterator[None]:
    """Restores the scene's current frame afterwards."""
    frame, subframe = scene.frame_current, scene.frame_subframe
    try:
        yield
    finally:
        scene.frame_set(frame, subframe=subframe)


def _refuse_tweaking(armature_object: bpy.types.Object) -> None:
    """Blender does not let Actions be assigned while an NLA strip is tweaked."""
    animation = armature_object.animation_data
    if animation is not None and animation.use_tweak_mode:
        raise AnimBridgeError(
            f"The armature '{armature_object.name}' is in an NLA strip's tweak mode, so nothing else can "
            "play on it. Leave tweak mode (Tab in the NLA editor) first."
        )


def refuse_stale(scene: bpy.types.Scene, armature_object: bpy.types.Object) -> None:
    """Raises an error if the armature doesn't show its motion; else it is evaluated at the present frame."""
    reason = stale_reason(scene, armature_object)
    if not reason and armature_object.data is not None and armature_object.data.pose_position == "REST":  # pyright: ignore[reportAttributeAccessIssue]
        reason = "shows its rest position"
    if reason:
        raise AnimBridgeError(
            f"The armature '{armature_object.name}' {reason}, so its motion cannot be sampled."
        )


def stale_reason(scene: bpy.types.Scene, thing: bpy.types.Object) -> str:
    """Why an object shows an outdated pose; "" if it does not. Blender does not evaluate what is disabled.

    Objects hidden by the eye in the outliner are evaluated.
    """
    if thing.name not in scene.objects:
        return f"is not in the scene '{scene.name}'"
    if scene != bpy.context.scene:
        return f"is in the scene '{scene.name}', which is not the active one"
    if thing.hide_viewport:
        return "is disabled in viewports"
    if not thing.evaluated_get(bpy.context.evaluated_depsgraph_get()).is_evaluated:
        return "is in no collection that is enabled in viewports and in the view layer"
    return ""
