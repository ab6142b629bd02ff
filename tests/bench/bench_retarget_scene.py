# SPDX-License-Identifier: MIT
"""How long Retarget takes for 60 bones x 3,000 frames, beside the bare Blender calls that it needs.

Blender's stepping through the frames takes most of the time. So there are comparisons with it and without it,
and one of each part that has bare calls of its own. What Apply does besides is the library's work (the
retargeting and its report), the key times of the source, and the undo step.

Runs inside Blender: scripts/bench, or `scripts/blenders run 5.2 -- tests/bench/bench_retarget_scene.py`.
All are taken in turn and medians printed; it asserts nothing.
"""

from __future__ import annotations

import os
import statistics
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
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
from animbridge.retarget import apply  # noqa: E402

FRAMES = 3000
BONES = 60
ROUNDS = 3
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


def bare_calls(source: Any, target: Any) -> tuple[float, float]:
    """Seconds for stepping through the frames and reading poses, while the target stands; for its curves."""
    scene = bpy.context.scene
    played = actions.assigned_channels(target.animation_data)
    assert played is not None
    paths = [(curve.data_path, curve.array_index, keyframes.read_co(curve)) for curve in played.fcurves]
    bpy.data.actions.remove(played.action)
    pose = np.empty(16 * len(source.pose.bones), np.float32)
    start = time.perf_counter()
    for frame in range(1, FRAMES + 1):
        scene.frame_set(frame)
        source.pose.bones.foreach_get("matrix", pose)
    sampled = time.perf_counter() - start
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
    bpy.data.actions.remove(action)
    return sampled, made


@contextmanager
def timed(name: str) -> Iterator[list[float]]:
    """Lists the seconds that Apply spends in one of the functions that it calls."""
    seconds: list[float] = []
    plain = getattr(apply, name)

    def call(*arguments: Any, **options: Any) -> Any:
        start = time.perf_counter()
        try:
            return plain(*arguments, **options)
        finally:
            seconds.append(time.perf_counter() - start)

    setattr(apply, name, call)
    try:
        yield seconds
    finally:
        setattr(apply, name, plain)


def retargeted(target: Any) -> tuple[float, float, float]:
    """Seconds for the operator, for sampling, and for the Action; the Action before it is removed."""
    animation = target.animation_data
    if animation is not None and animation.action is not None:
        bpy.data.actions.remove(animation.action)
    operators: Any = bpy.ops
    with timed("sample_poses") as sampling, timed("make_action") as making:
        start = time.perf_counter()
        operators.animbridge.retarget_apply()
        whole = time.perf_counter() - start
    return whole, sum(sampling), sum(making)


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
    operators: Any = bpy.ops
    operators.animbridge.retarget_auto()
    for one, other in tails:
        pair = scene.animbridge_retarget.pairs.add()
        pair.source, pair.target = one, other
    retargeted(target)
    rows = []
    for _ in range(ROUNDS):
        rows.append((*retargeted(target), *bare_calls(source, target)))
    whole, sampling, making, sampled, made = map(statistics.median, zip(*rows, strict=True))
    pairs, bones = len(scene.animbridge_retarget.pairs), len(source.pose.bones)
    print(f"Blender {bpy.app.version_string}: {bones} bones, {pairs} pairs, {FRAMES} frames")
    for what, ours, bare in (
        ("Apply, beside sampling and making curves", whole, sampled + made),
        ("Apply without sampling, beside making curves", whole - sampling, made),
        ("sampling alone", sampling, sampled),
        ("the Action alone, beside making curves", making, made),
    ):
        print(f"{what}: {ours:.3f} s, bare {bare:.3f} s, ratio {ours / bare:.2f}")
    animbridge.unregister()
    sys.stdout.flush()
    os._exit(0)


main()
