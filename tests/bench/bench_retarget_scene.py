# SPDX-License-Identifier: MIT
"""How long Retarget takes for 60 bones x 3,000 frames, beside the bare Blender calls that it needs.

The source's curves say all that it does, so its motion is read from them. It is timed once more with a source
whose frames must be evaluated, because something else runs when the frame changes.

Apply is timed from the button's own call to the finished Action. After it, as after any change of a scene,
Blender evaluates what is new; a row of its own has that on both sides.

Runs inside Blender: scripts/bench, or `scripts/blenders run 5.2 -- tests/bench/bench_retarget_scene.py`.
All are taken in turn; it prints medians and asserts nothing.
"""

from __future__ import annotations

import os
import statistics
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import bpy
import numpy as np
from mathutils import Vector

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "addon"), str(ROOT / "tests" / "blender")]

from retarget_support import (  # noqa: E402  # pyright: ignore[reportMissingImports]
    bento_names,
    bento_rig,
    mixamo_names,
    mixamo_rig,
)

import animbridge  # noqa: E402
from animbridge.compat import actions, keyframes  # noqa: E402
from animbridge.retarget import apply, operators  # noqa: E402

FRAMES = 3000
BONES = 60
ROUNDS = 15
_FINGERS = ("Thumb", "Index", "Middle", "Ring", "Pinky")


def add_fingers(rig: Any, hands: tuple[str, str], pattern: str, across: Vector) -> None:
    """Three bones for each finger, beyond the middle one's first."""
    bpy.context.view_layer.objects.active = rig
    bpy.ops.object.mode_set(mode="EDIT")
    bones = rig.data.edit_bones
    for hand, side in zip(hands, ("Left", "Right"), strict=True):
        along = bones[hand].head - bones[hand].parent.head
        for number, finger in enumerate(_FINGERS):
            parent = bones[hand]
            for joint in (1, 2, 3):
                name = pattern.format(side=side, finger=finger, joint=joint)
                bone = bones.get(name) or bones.new(name)
                if bone.parent is None:
                    bone.parent = parent
                    bone.head = parent.head + 0.1 * along + 0.02 * number * across
                    bone.tail = bone.head + 0.1 * along
                parent = bone
    bpy.ops.object.mode_set(mode="OBJECT")


def add_tail(rig: Any, hips: str, count: int) -> list[str]:
    """Bones below the hips."""
    bpy.context.view_layer.objects.active = rig
    bpy.ops.object.mode_set(mode="EDIT")
    parent, names = rig.data.edit_bones[hips], []
    for number in range(count):
        bone = rig.data.edit_bones.new(f"extra{number}")
        bone.parent, bone.head = parent, parent.head + Vector((0.05, 0.05, -0.02))
        bone.tail = bone.head + Vector((0.0, 0.0, 0.05))
        names.append(bone.name)
        parent = bone
    bpy.ops.object.mode_set(mode="OBJECT")
    return names


def animate_all(rig: Any) -> None:
    """Every bone turns on every frame, and the hips move."""
    action = bpy.data.actions.new("dance")
    channels = actions.create_channels(action, rig.name)
    frames = np.arange(1, FRAMES + 1, dtype=np.float32)
    maker = keyframes.NewCurves(channels.holder, BONES * 4 * FRAMES)
    for number, bone in enumerate(rig.pose.bones):
        bone.rotation_mode = "QUATERNION"
        half = 0.2 * np.sin(0.05 * frames + number)
        axis = np.array([1.0, np.cos(number), np.sin(number)]) / np.sqrt(2.0)
        values = [np.cos(half), *(np.sin(half) * part for part in axis)]
        for component, value in enumerate(values):
            co = np.stack([frames, value], axis=1).astype(np.float32)
            maker.add(f'pose.bones["{bone.name}"].rotation_quaternion', component, co, None)
    actions.assign(rig.animation_data_create(), channels)


@dataclass(frozen=True)
class Times:
    """Seconds: the work, its share for the source's motion and for the Action, and what Blender does then."""

    work: float
    motion: float
    making: float
    showing: float


def stepping(source: Any, target: Any) -> float:
    """Seconds for stepping through the frames and reading poses, while the target stands."""
    bpy.data.actions.remove(target.animation_data.action)
    pose = np.empty(16 * len(source.pose.bones), np.float32)
    start = time.perf_counter()
    for frame in range(1, FRAMES + 1):
        bpy.context.scene.frame_set(frame)
        source.pose.bones.foreach_get("matrix", pose)
    return time.perf_counter() - start


def bare_calls(target: Any) -> tuple[float, float]:
    """Seconds for making the curves that the target plays, and for evaluating them once."""
    played = actions.assigned_channels(target.animation_data)
    assert played is not None
    paths = [(curve.data_path, curve.array_index, keyframes.read_co(curve)) for curve in played.fcurves]
    bpy.data.actions.remove(played.action)
    bpy.context.view_layer.update()
    start = time.perf_counter()
    action = bpy.data.actions.new("bare")
    channels = actions.create_channels(action, target.name)
    for path, component, co in paths:
        curve = channels.holder.fcurves.new(path, index=component)
        curve.keyframe_points.add(len(co))
        curve.keyframe_points.foreach_set("co", co.ravel())
        curve.keyframe_points.foreach_set("interpolation", np.ones(len(co), keyframes.ENUM_TYPE))
        curve.update()
    made = time.perf_counter() - start
    actions.assign(target.animation_data, channels)
    start = time.perf_counter()
    bpy.context.view_layer.update()
    return made, time.perf_counter() - start


@contextmanager
def timed(module: Any, name: str) -> Iterator[list[float]]:
    """Lists the seconds that a module spends in one of the functions that it calls."""
    seconds: list[float] = []
    plain = getattr(module, name)

    def call(*arguments: Any, **options: Any) -> Any:
        start = time.perf_counter()
        try:
            return plain(*arguments, **options)
        finally:
            seconds.append(time.perf_counter() - start)

    setattr(module, name, call)
    try:
        yield seconds
    finally:
        setattr(module, name, plain)


def retargeted(target: Any) -> Times:
    """The seconds of Apply; the target's Action before it is removed."""
    animation = target.animation_data
    if animation is not None and animation.action is not None:
        bpy.data.actions.remove(animation.action)
        bpy.context.view_layer.update()
    called: Any = bpy.ops
    with (
        timed(operators, "apply") as working,
        timed(apply, "motion_of") as moving,
        timed(apply, "make_action") as making,
    ):
        start = time.perf_counter()
        called.animbridge.retarget_apply()
        whole = time.perf_counter() - start
    return Times(sum(working), sum(moving), sum(making), whole - sum(working))


def something_that_runs(*_: Any) -> None:
    """A handler for which Retarget evaluates each frame."""


def show(what: str, ours: list[float], bare: list[float]) -> None:
    """Medians and their ratio, and the ratio of the quickest rounds."""
    median, other = statistics.median(ours), statistics.median(bare)
    print(
        f"{what}: {median:.3f} s, bare {other:.3f} s, ratio {median / other:.2f}, "
        f"of the quickest {min(ours) / min(bare):.2f}"
    )


def measure(source: Any, target: Any, *, samples: bool) -> None:
    """Some rounds of Retarget and of the bare calls in turn."""
    retargeted(target)
    rounds = 3 if samples else ROUNDS
    ours: list[Times] = []
    made, shown, stepped = [], [], []
    for _ in range(rounds):
        ours.append(retargeted(target))
        making, showing = bare_calls(target)
        made.append(making)
        shown.append(showing)
        stepped.append(stepping(source, target) if samples else 0.0)
    work = [one.work for one in ours]
    if samples:
        both = [one + other for one, other in zip(stepped, made, strict=True)]
        show("Apply with samples, beside stepping and making curves", work, both)
        show("sampling alone, beside stepping", [one.motion for one in ours], stepped)
        return
    with_showing = [one.work + one.showing for one in ours]
    show("Apply to the Action, beside making curves", work, made)
    show(
        "the same with Blender's evaluation of the new Action on both sides",
        with_showing,
        [one + other for one, other in zip(made, shown, strict=True)],
    )
    show("the Action alone, beside making curves", [one.making for one in ours], made)
    show("reading the source's curves, beside making curves", [one.motion for one in ours], made)


def main() -> None:
    animbridge.register()
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    source, target = mixamo_rig(), bento_rig()
    mixamo, bento = mixamo_names(), bento_names()
    forward = Vector((0.0, -1.0, 0.0)), Vector((1.0, 0.0, 0.0))
    hands = [(names["leftHand"], names["rightHand"]) for names in (mixamo, bento)]
    add_fingers(source, hands[0], "mixamorig:{side}Hand{finger}{joint}", forward[0])
    add_fingers(target, hands[1], "mHand{finger}{joint}{side}", forward[1])
    extra = BONES - len(source.data.bones)
    tails = zip(add_tail(source, mixamo["hips"], extra), add_tail(target, bento["hips"], extra), strict=True)
    animate_all(source)
    scene: Any = bpy.context.scene
    scene.animbridge_retarget.source, scene.animbridge_retarget.target = source, target
    called: Any = bpy.ops
    called.animbridge.retarget_auto()
    for one, other in tails:
        pair = scene.animbridge_retarget.pairs.add()
        pair.source, pair.target = one, other
    retargeted(target)
    pairs, bones = len(scene.animbridge_retarget.pairs), len(source.pose.bones)
    print(f"Blender {bpy.app.version_string}: {bones} bones, {pairs} pairs, {FRAMES} frames")
    measure(source, target, samples=False)
    bpy.app.handlers.frame_change_post.append(something_that_runs)
    measure(source, target, samples=True)
    animbridge.unregister()
    sys.stdout.flush()
    os._exit(0)


main()
