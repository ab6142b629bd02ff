# SPDX-License-Identifier: MIT
"""Scenes whose nodes scale and mirror, onto the avatar: what is exact, and what is said where it is not.

The witness's walk is written as glTF, so its directions are known. glTF has +Y up and looks along +Z.
"""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from test_retarget_command import (
    ANIM_DEGREES,
    AVATAR,
    BVH_DEGREES,
    LIMBS,
    PRECISE,
    converted,
    degrees_between,
    directions_in_bvh,
    facing_x,
    from_y_up,
    run,
    unit,
    walker,
    worst_on_avatar,
    write,
)
from tests.witness import anim_file, bvh_file, bvh_pose, player
from tests.witness.quaternion import Vector, rotate
from tests.witness.scene_gltf import write_glb
from tests.witness.scene_math import array
from tests.witness.scene_model import (
    ROTATION,
    TRANSLATION,
    Y_UP,
    Animation,
    Channel,
    Local,
    Node,
    Scene,
    skin_at_rest,
)
from tests.witness.skeleton import load_skeleton
from tests.witness.turns import Turn, about
from tests.witness.walk import Walk


def scene_of(source: Walk, carrier_scale: tuple[float, float, float] = (1.0, 1.0, 1.0)) -> Scene:
    """The walk below a node that scales it; the carrier doesn't move, so it is no joint."""
    bvh = source.bvh
    nodes = [Node("Armature", rest=Local.of(scale=carrier_scale))]
    for joint in bvh.joints:
        parent = 0 if joint.parent is None else joint.parent + 1
        nodes.append(Node(joint.name, parent, Local.of(joint.offset)))
    times = [frame * bvh.frame_time for frame in range(len(bvh.motion))]
    poses = [bvh_pose.pose(bvh, frame) for frame in range(len(bvh.motion))]
    channels = [Channel(1, TRANSLATION, times, array([pose.positions[0] for pose in poses]))]
    for index in range(len(bvh.joints)):
        turns = [[q[3], q[0], q[1], q[2]] for q in (pose.local_rotations[index] for pose in poses)]
        channels.append(Channel(index + 1, ROTATION, times, array(turns)))
    return Scene(nodes, [Animation.of("Walk", channels)], axes=array(Y_UP))


def retargeted(scene: Scene, folder: Path) -> dict[str, Any]:
    """The report of the conversion to walk.anim."""
    (folder / "walk.glb").write_bytes(write_glb(scene))
    return converted(folder / "walk.glb", folder / "walk.anim", "--retarget", *PRECISE)


def warnings(report: dict[str, Any]) -> str:
    text: str = "\n".join(report["retarget"]["warnings"])
    return text


@pytest.mark.parametrize("scale", [1.0, 0.01, 3.0])
def test_a_size_above_the_joints_changes_nothing(scale: float, tmp_path: Path) -> None:
    source = walker("mixamo")
    report = retargeted(scene_of(source, (scale, scale, scale)), tmp_path)
    assert worst_on_avatar(source, tmp_path / "walk.anim") < ANIM_DEGREES
    assert "scale" not in warnings(report)


def test_a_scale_that_differs_by_axis_is_told(tmp_path: Path) -> None:
    """Nothing without shear is what the file shows: limbs that the scale stretches point elsewhere."""
    source = walker("mixamo")
    report = retargeted(scene_of(source, (1.0, 2.0, 1.0)), tmp_path)
    assert "below a scale that differs by axis, so turns and places are not exact" in warnings(report)
    answer = run("convert", tmp_path / "walk.glb", tmp_path / "walk.anim", "--retarget")
    assert answer.returncode == 0 and "Warning: " in answer.stdout and "differs by axis" in answer.stdout
    found = run("check", tmp_path / "walk.glb", "--json").stdout
    assert "scale_differs_by_axis" in found


def test_a_bvh_of_it_says_so_too(tmp_path: Path) -> None:
    """Without a retargeting, the warning is the conversion's."""
    (tmp_path / "walk.glb").write_bytes(write_glb(scene_of(walker("mixamo"), (1.0, 2.0, 1.0))))
    report = converted(tmp_path / "walk.glb", tmp_path / "walk.bvh")
    assert any("differs by axis" in warning for warning in report["warnings"])


def other_side(slot: str) -> str:
    return slot.replace("left", "#").replace("right", "left").replace("#", "right")


def test_mirrored_hips_move_as_the_file_shows_them(tmp_path: Path) -> None:
    """[-1, 1, 1] on the hips: each limb shows the mirror image of the walker's, in the plane of the hips.

    The names say left for what is on the right. The body decides, and a warning says so; a rig file that says
    what is shown gives the same.
    """
    source = walker("mixamo")
    scene = scene_of(source)
    scene.nodes[1].rest = Local.of(scene.nodes[1].rest.translation, scale=(-1.0, 1.0, 1.0))
    (tmp_path / "walk.glb").write_bytes(write_glb(scene))
    file = tmp_path / "walk.glb"
    report = converted(file, tmp_path / "walk.anim", "--retarget", *PRECISE)
    below = len(source.bvh.joints) - 1
    assert f"{below} joints lie below a negative scale" in warnings(report)
    assert "--swap-sides" in warnings(report)
    by_shape = (tmp_path / "walk.anim").read_bytes()
    rig = {"animbridge_rig": 1, "slots": {slot: [source.joints[other_side(slot)]] for slot in source.joints}}
    (tmp_path / "rig.json").write_text(json.dumps(rig))
    words = ("--retarget", "--rig", tmp_path / "rig.json", *PRECISE)
    converted(tmp_path / "walk.glb", tmp_path / "walk.anim", *words)
    assert (tmp_path / "walk.anim").read_bytes() == by_shape
    made, skeleton = anim_file.parse((tmp_path / "walk.anim").read_bytes()), load_skeleton()
    for frame in range(0, len(source.bvh.motion), 3):
        hips = bvh_pose.pose(source.bvh, frame).rotations[0]
        shown = directions_in_bvh(source.bvh, source.joints, frame, lambda v, q=hips: in_mirror(v, q))
        pose = player.world_pose(made, skeleton, frame * source.bvh.frame_time)
        for above, below_it in LIMBS:
            wanted = facing_x(from_y_up(shown[other_side(above)]))
            found = unit(pose[AVATAR[below_it]].position - pose[AVATAR[above]].position)
            assert degrees_between(found, wanted) < ANIM_DEGREES, (frame, above)


def in_mirror(v: Vector, turn: Vector) -> Vector:
    """The vector's image in the plane across the X axis that the turn (x, y, z, w) makes of it."""
    across = rotate(turn, np.array([1.0, 0.0, 0.0]))
    return v - 2.0 * float(np.dot(v, across)) * across


def test_joints_without_length_follow_those_above(tmp_path: Path) -> None:
    """A collar at the shoulder's place, and a hand at the end of its arm: the other limbs stay exact."""
    source = walker("mixamo")
    names = [joint.name for joint in source.bvh.joints]
    for side in ("left", "right"):
        arm = source.bvh.joints[names.index(source.joints[f"{side}UpperArm"])]
        collar = source.bvh.joints[names.index(source.joints[f"{side}Shoulder"])]
        collar.offset = tuple(np.add(collar.offset, arm.offset))
        arm.offset = (0.0, 0.0, 0.0)
    report = retargeted(scene_of(source), tmp_path)
    assert worst_on_avatar(source, tmp_path / "walk.anim") < ANIM_DEGREES
    rows = {row["slot"]: row for row in report["retarget"]["slots"]}
    for side in ("left", "right"):
        assert rows[f"{side}Shoulder"]["measured"] == "turn"
        assert rows[f"{side}UpperArm"]["measured"] == "direction"
    assert all(math.isfinite(row["difference_degrees"] or 0.0) for row in rows.values())


def test_the_rig_command_tells_it_as_well(tmp_path: Path) -> None:
    (tmp_path / "walk.glb").write_bytes(write_glb(scene_of(walker("mixamo"), (1.0, 2.0, 1.0))))
    told = json.loads(run("rig", tmp_path / "walk.glb", "--json").stdout)
    assert any("differs by axis" in warning for warning in told["warnings"])
    (tmp_path / "plain.glb").write_bytes(write_glb(scene_of(walker("mixamo"))))
    assert not json.loads(run("rig", tmp_path / "plain.glb", "--json").stdout)["warnings"]


def turn(axis: str, degrees: float) -> Turn:
    axes = {"x": (1.0, 0.0, 0.0), "y": (0.0, 1.0, 0.0)}
    return about(axes[axis], math.radians(degrees))


#: Turns of the joints' parents' axes; +Y up, looking along +Z, +X to the left.
STANCE = {
    "hips": turn("x", 25),
    "leftUpperLeg": turn("x", -70),
    "leftLowerLeg": turn("x", 60),
    "rightUpperLeg": turn("x", -40),
    "rightLowerLeg": turn("x", 70),
    "leftUpperArm": turn("y", -70),
    "leftLowerArm": turn("y", -80),
    "rightUpperArm": turn("y", 60),
    "rightLowerArm": turn("y", 90),
}


@pytest.mark.parametrize("in_world", [True, False])
def test_a_skin_bound_in_a_t_pose_is_the_reference_of_a_body_that_rests_in_a_stance(
    in_world: bool, tmp_path: Path
) -> None:
    """Of a fighter whose hips are low and lean. Some writers bind in the world, others below the carrier."""
    source = walker("mixamo")
    scene = scene_of(source)
    joints = list(range(1, len(scene.nodes)))
    skin = skin_at_rest(scene, joints)
    scene.nodes[0].rest = Local.of(rotation=turn("y", 90))
    scene.skins = [skin_at_rest(scene, joints) if in_world else skin]
    scene.nodes.append(Node("Body", mesh=True, skin=0))
    for slot, stance in STANCE.items():
        node = next(node for node in scene.nodes if node.name == source.joints[slot])
        low = 0.8 if slot == "hips" else 1.0
        node.rest = Local.of(node.rest.translation * np.array([1.0, low, 1.0]), stance)
    (tmp_path / "walk.glb").write_bytes(write_glb(scene))
    onto = write(tmp_path / "onto.bvh", walker("mixamo").bvh)
    converted(tmp_path / "walk.glb", tmp_path / "out.bvh", "--onto", onto, "--no-align")
    made = bvh_file.parse((tmp_path / "out.bvh").read_bytes())
    for frame in range(0, len(source.bvh.motion), 5):
        wanted = directions_in_bvh(source.bvh, source.joints, frame, from_y_up)
        shown = directions_in_bvh(made, source.joints, frame, from_y_up)
        assert max(degrees_between(shown[limb], wanted[limb]) for limb in wanted) < BVH_DEGREES
