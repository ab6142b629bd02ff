# SPDX-License-Identifier: MIT
"""The body's path and its feet: options of the panel that move the whole body or bend the legs."""

from __future__ import annotations

import itertools
import json
from typing import Any

import bpy
import pytest
from helpers import fcurves, operators, reported, set_frame
from mathutils import Vector
from retarget_support import FRAMES, animate, bento_rig, head_of, mixamo_rig, retarget
from tests.python.material import ROOT

WALK = ROOT / "fixtures" / "walk" / "still.bvh"
SLIDING = WALK.with_name("slides.bvh")


def raise_all(rig: Any, by: Vector) -> None:
    """Moves the keys of the hips' location, whose bone has the world's axes turned about X: Y is up."""
    for curve in fcurves(rig):
        if curve.data_path.endswith("location"):
            for key in curve.keyframe_points:
                key.co.y += by[curve.array_index]
            curve.update()


def lowest_foot(rig: Any) -> float:
    """The lowest place of the toes' bones over all frames."""
    lowest = []
    for frame in FRAMES:
        set_frame(frame)
        lowest += [head_of(rig, name).z for name in ("mFootLeft", "mFootRight")]
    return min(lowest)


def test_from_rest_position() -> None:
    """The path begins above the place where the body rests, wherever the source begins."""
    source, target = mixamo_rig(), bento_rig()
    rest = head_of(target, "mPelvis")
    animate(source)
    raise_all(source, Vector((2.0, 0.0, 3.0)))
    retarget(source, target)
    set_frame(1)
    assert (head_of(target, "mPelvis") - rest).xy.length > 3.0
    retarget(source, target, from_origin=True)
    set_frame(1)
    assert (head_of(target, "mPelvis") - rest).xy.length < 1e-4


def test_on_ground() -> None:
    """A body that floats half a metre comes down until its lowest toes are as low as at rest."""
    source, target = mixamo_rig(), bento_rig()
    rest = head_of(target, "mFootLeft").z
    animate(source)
    raise_all(source, Vector((0.0, 0.5, 0.0)))
    retarget(source, target)
    assert lowest_foot(target) > rest + 0.3
    retarget(source, target, on_ground=True)
    assert lowest_foot(target) == pytest.approx(rest, abs=1e-3)


def slide(rig: Any, side: str, bone: str, rate: float) -> float:
    """How far a foot moves along the ground, in mm per second, while the source's stands (walks.json)."""
    truth = json.loads((WALK.parent / "walks.json").read_text(encoding="utf-8"))[WALK.name]
    path = seconds = 0.0
    for contact in truth["contacts"]:
        # Without the ends, where a foot is put down or lifted.
        first, last = (1 + rate * (contact[end] + by) for end, by in (("start", 0.1), ("end", -0.1)))
        if contact["side"] != side or last <= first:
            continue
        places = []
        for frame in range(round(first), round(last) + 1):
            set_frame(frame)
            places.append(head_of(rig, bone))
        path += sum((b - a).xy.length for a, b in itertools.pairwise(places))
        seconds += (round(last) - round(first)) / rate
    return 1000.0 * path / seconds


def test_planted_feet_stand(capfd: pytest.CaptureFixture[str]) -> None:
    """The walker's feet stand exactly; on a body of other proportions they slide, unless they are planted."""
    operators.import_anim.animbridge_bvh(
        filepath=str(WALK), target="NEW", frame_rate="FILE", scaling="SET", global_scale=1.0
    )
    source = bpy.context.view_layer.objects.active
    render = bpy.context.scene.render
    rate = render.fps / render.fps_base
    target = bento_rig()
    assert slide(source, "left", "leftToes", rate) < 1.0
    retarget(source, target)
    loose = slide(target, "left", "mFootLeft", rate)
    check_markers(target.animation_data.action, rate)
    reported(capfd)
    retarget(source, target, plant_feet=True)
    assert "feet slide" in reported(capfd)
    assert loose > 5.0  # there is something to hold
    assert slide(target, "left", "mFootLeft", rate) < 0.1 * loose
    check_markers(target.animation_data.action, rate)


def check_markers(action: Any, rate: float) -> None:
    """Feet come down and go up where the walker's do, as far as a foot that is put down slowly tells."""
    truth = json.loads((WALK.parent / "walks.json").read_text(encoding="utf-8"))[WALK.name]
    for contact in truth["contacts"]:
        for end, word in (("start", "Down"), ("end", "Up")):
            name = f"{contact['side'].title()} Foot {word}"
            frames = [marker.frame for marker in action.pose_markers if marker.name == name]
            assert min(abs(frame - 1 - rate * contact[end]) for frame in frames) < 0.2 * rate, name
    assert len(action.pose_markers) == 2 * len(truth["contacts"])


def sliding_walk() -> tuple[Any, float]:
    """The walker whose feet slide, and the scene's frame rate."""
    operators.import_anim.animbridge_bvh(
        filepath=str(SLIDING), target="NEW", frame_rate="FILE", scaling="SET", global_scale=1.0
    )
    render = bpy.context.scene.render
    return bpy.context.view_layer.objects.active, render.fps / render.fps_base


def keys_of(rig: Any) -> dict[tuple[str, int], list[tuple[float, float]]]:
    """Path and component of a curve -> its keys."""
    return {
        (curve.data_path, curve.array_index): [tuple(key.co) for key in curve.keyframe_points]
        for curve in fcurves(rig)
    }


def test_the_feet_of_an_action_are_planted(capfd: pytest.CaptureFixture[str]) -> None:
    """A copy of the Action in which feet stand; the Action and all other curves of the copy are as before."""
    rig, rate = sliding_walk()
    first, before = rig.animation_data.action, keys_of(rig)
    loose = slide(rig, "left", "leftToes", rate)
    reported(capfd)
    assert operators.animbridge.retarget_plant_feet() == {"FINISHED"}
    assert "(before: 42)" in reported(capfd)
    after = keys_of(rig)
    assert rig.animation_data.action != first
    assert loose > 30.0
    for bone in ("leftToes", "leftFoot"):
        assert slide(rig, "left", bone, rate) < 1.0
    changed = {path for path, index in before if after[path, index] != before[path, index]}
    legs = ("UpperLeg", "LowerLeg", "Foot", "Toes")
    assert changed
    assert all(any(part in path for part in legs) or "location" in path for path in changed)
    assert set(after) == set(before)
    rig.animation_data.action = first
    assert keys_of(rig) == before


def test_an_armature_without_an_action_has_no_feet_to_plant() -> None:
    """The button is grey."""
    bpy.context.view_layer.objects.active = mixamo_rig()
    assert not operators.animbridge.retarget_plant_feet.poll()
