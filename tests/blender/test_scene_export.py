# SPDX-License-Identifier: MIT
"""Armatures as GLB, glTF, FBX and COLLADA: what independent readers, and Blender's own, find in the files."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import bpy
import numpy as np
import pytest
from helpers import fcurves, import_file, operators, refused, reported, select_bones, set_frame, the_armature
from mathutils import Vector
from scene_support import export_scene, import_scene
from tests.python.material import demos
from tests.witness.scene_model import Scene
from tests.witness.scene_read_dae import read_dae
from tests.witness.scene_read_fbx import read_fbx
from tests.witness.scene_read_gltf import read_gltf

pytestmark = pytest.mark.compat

READERS: dict[str, Callable[[bytes], Scene]] = {
    "glb": read_gltf,
    "gltf": read_gltf,
    "fbx": read_fbx,
    "dae": read_dae,
}
#: Lines stand for arcs and Euler curves between keys; FBX stays within 0.1 mm, and rounds to floats.
EXACT_METRES = 2e-4

Heads = dict[str, np.ndarray]


def shown(armature: Any, frames: Sequence[float]) -> list[Heads]:
    """The heads of all bones in the world at frames."""
    rows = []
    for frame in frames:
        set_frame(frame)
        world = armature.matrix_world
        rows.append({bone.name: np.array(world @ bone.head) for bone in armature.pose.bones})
    return rows


def read(path: Path, seconds: Sequence[float]) -> list[Heads]:
    """The places of a file's nodes in clip space, by a reader that is not ours."""
    scene = READERS[path.suffix[1:]](path.read_bytes())
    assert len(scene.animations) == 1
    rows = []
    for time in seconds:
        matrices, _ = scene.world(scene.animations[0], time)
        rows.append({node.name: m[:3, 3] for node, m in zip(scene.nodes, matrices, strict=True)})
    return rows


def largest_difference(wanted: list[Heads], found: list[Heads], turn: Any = None) -> float:
    """The largest distance between places of one name; every wanted one must be found."""
    matrix = np.eye(3) if turn is None else turn
    return max(
        float(np.linalg.norm(matrix @ place - row[name]))
        for want, row in zip(wanted, found, strict=True)
        for name, place in want.items()
    )


def frames_of(first: float, last: float) -> list[float]:
    """Every third of a frame: keys, and what is between them."""
    return [first + i / 3.0 for i in range(round(3 * (last - first)) + 1)]


def seconds_of(frames: Sequence[float]) -> list[float]:
    """The times of frames in a file that begins at frame 1."""
    render = bpy.context.scene.render
    return [(frame - 1.0) * render.fps_base / render.fps for frame in frames]


def arm(*, at: Sequence[float] = (0.0, 0.0, 0.0)) -> Any:
    """Three bones, one of them rolled, with Bezier keys on two."""
    data = bpy.data.armatures.new("Arm")
    armature: Any = bpy.data.objects.new("Arm", data)
    bpy.context.scene.collection.objects.link(armature)
    bpy.context.view_layer.objects.active = armature
    operators.object.mode_set(mode="EDIT")
    above = None
    ends = ((0.0, 0.0, 1.0), (0.1, 0.0, 1.5), (0.1, 0.5, 1.6), (0.0, 0.6, 1.9))
    for name, head, tail in zip(("upper", "fore arm", "hand:L"), ends, ends[1:], strict=False):
        bone = data.edit_bones.new(name)
        bone.head, bone.tail, bone.roll, bone.parent = Vector(head), Vector(tail), 0.7, above
        above = bone
    operators.object.mode_set(mode="OBJECT")
    armature.location = at
    for name, keys in {"upper": (0.0, 1.2, -0.4), "fore arm": (0.3, -0.9, 0.2)}.items():
        bone = armature.pose.bones[name]
        bone.rotation_mode = "XYZ"
        for index, angle in enumerate(keys):
            bone.rotation_euler = (angle, 0.3 * angle, -0.5 * angle)
            bone.keyframe_insert("rotation_euler", frame=1 + 10 * index)
    root = armature.pose.bones["upper"]
    for index, x in enumerate((0.0, 0.4, 0.1)):
        root.location = (x, 0.0, -x)
        root.keyframe_insert("location", frame=1 + 10 * index)
    return armature


@pytest.mark.parametrize("container", READERS)
def test_a_walk_is_what_blender_shows(container: str, tmp_path: Path) -> None:
    armature = import_scene("walk.glb", target="NEW")
    path = tmp_path / f"walk.{container}"
    export_scene(path)
    frames = frames_of(1, 49)
    assert largest_difference(shown(armature, frames), read(path, seconds_of(frames))) <= EXACT_METRES


@pytest.mark.parametrize("container", READERS)
def test_bezier_curves_and_own_axes(container: str, tmp_path: Path) -> None:
    armature = arm()
    path, report = tmp_path / f"arm.{container}", tmp_path / "report.json"
    export_scene(path, report_path=str(report), frame_range="ACTION")
    frames = frames_of(1, 21)
    wanted, found = shown(armature, frames), read(path, seconds_of(frames))
    if container == "dae":  # XML ids have no spaces and colons
        found = [{name: row[_dae_name(name, row)] for name in wanted[0]} for row in found]
    off = largest_difference(wanted, found)
    row = json.loads(report.read_text(encoding="utf-8"))["files"][0]
    # The report must say no less than what is true, but for rounding.
    assert off <= EXACT_METRES
    assert off <= row["max_position_error_mm"] / 1000.0 + 5e-5
    assert row["joints"] == 3
    assert row["container"] == container


@pytest.mark.parametrize("container", READERS)
def test_a_recording_loses_keys_unless_the_user_keeps_them(container: str, tmp_path: Path) -> None:
    """Baked keys are straight, one at each frame; what stands beside them with few keys stays as it is."""
    armature = arm()
    bpy.context.scene.render.fps = 60
    curves = [curve for curve in fcurves(armature) if "location" in curve.data_path]
    assert curves
    for curve in curves:
        curve.keyframe_points.clear()
        curve.keyframe_points.add(121)
        places = np.zeros((121, 2))
        places[:, 0] = np.arange(1, 122)
        places[:, 1] = 0.05 * np.sin(places[:, 0] / 40.0 + curve.array_index)
        curve.keyframe_points.foreach_set("co", places.ravel())
        for key in curve.keyframe_points:
            key.interpolation = "LINEAR"
        curve.update()
    keys = []
    for drops, name in ((True, "few"), (False, "all")):
        path, report = tmp_path / f"{name}.{container}", tmp_path / f"{name}.json"
        export_scene(path, report_path=str(report), frame_range="ACTION", drop_keys=drops)
        row = json.loads(report.read_text(encoding="utf-8"))["files"][0]
        keys.append(row["keys"])
        assert ("dropped_keys" in row) == (drops and container in ("fbx", "dae"))
        frames = frames_of(1, 121)
        wanted, found = shown(armature, frames), read(path, seconds_of(frames))
        if container == "dae":
            found = [{name: row[_dae_name(name, row)] for name in wanted[0]} for row in found]
        assert largest_difference(wanted, found) <= EXACT_METRES
    assert keys[1] > 121
    assert keys[0] < keys[1] - 60 if container in ("fbx", "dae") else keys[0] == keys[1]


def _dae_name(name: str, row: Heads) -> str:
    return name if name in row else next(one for one in row if one.startswith(name[:4]))


@pytest.mark.parametrize("container", ["glb", "fbx"])
def test_a_turned_and_scaled_object_stands_upright(container: str, tmp_path: Path) -> None:
    """As rigs lie that Blender's importers made of files in centimetres."""
    armature = arm()
    armature.rotation_euler = (math.pi / 2, 0.0, 0.0)
    armature.scale = (0.5, 0.5, 0.5)
    bpy.context.view_layer.update()
    path = tmp_path / f"arm.{container}"
    export_scene(path)
    frames = frames_of(1, 21)[::3]  # sampled: what is between frames is the samples' line
    assert largest_difference(shown(armature, frames), read(path, seconds_of(frames))) <= EXACT_METRES


def test_where_the_object_stands_does_not_matter(tmp_path: Path) -> None:
    armature = arm(at=(3.0, 0.0, 0.0))
    path = tmp_path / "arm.glb"
    export_scene(path)
    wanted = shown(armature, [1.0])
    found = read(path, [0.0])
    assert np.abs(wanted[0]["upper"] - found[0]["upper"] - [3.0, 0.0, 0.0]).max() <= 1e-5


def test_constraints_are_sampled(tmp_path: Path) -> None:
    armature = arm()
    target = bpy.data.objects.new("Target", None)
    bpy.context.scene.collection.objects.link(target)
    for frame, x in ((1, 0.3), (21, -0.3)):
        target.location = (x, 0.5, 1.4)
        target.keyframe_insert("location", frame=frame)
    constraint = armature.pose.bones["hand:L"].constraints.new("IK")
    constraint.target, constraint.chain_count = target, 2
    path = tmp_path / "arm.glb"
    export_scene(path)
    frames = [float(frame) for frame in range(1, 22)]
    assert largest_difference(shown(armature, frames), read(path, seconds_of(frames))) <= EXACT_METRES


def test_selected_bones_carry_the_motion_of_those_above(tmp_path: Path) -> None:
    armature = arm()
    operators.object.mode_set(mode="POSE")
    select_bones("fore arm", "hand:L")
    path = tmp_path / "arm.glb"
    export_scene(path, selected_bones=True)
    names = {node.name for node in read_gltf(path.read_bytes()).nodes}
    assert {"fore arm", "hand:L"} <= names
    assert "upper" not in names
    frames = [float(frame) for frame in range(1, 22)]
    wanted = [{name: row[name] for name in ("fore arm", "hand:L")} for row in shown(armature, frames)]
    assert largest_difference(wanted, read(path, seconds_of(frames))) <= EXACT_METRES


@pytest.mark.parametrize("turned", [True, False])
def test_the_avatar_of_an_anim_looks_to_the_front(turned: bool, tmp_path: Path) -> None:
    walk = next(path for path in demos() if path.name == "walk.anim")
    avatar = import_file(walk)
    path = tmp_path / "walk.glb"
    export_scene(path, turn_to_front=turned)
    last = float(avatar.animation_data.action.frame_range[1])
    frames = [float(frame) for frame in range(1, math.floor(last) + 1)]
    # From +X, where the avatar looks, to -Y.
    quarter = np.array([[0.0, 1.0, 0.0], [-1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
    off = largest_difference(
        shown(avatar, frames), read(path, seconds_of(frames)), quarter if turned else None
    )
    assert off <= EXACT_METRES


def test_the_animation_is_called_as_the_action(tmp_path: Path) -> None:
    armature = arm()
    armature.animation_data.action.name = "Wink 2"
    path = tmp_path / "arm.glb"
    export_scene(path)
    assert [one.name for one in read_gltf(path.read_bytes()).animations] == ["Wink 2"]


@pytest.mark.parametrize("container", ["glb", "fbx"])
def test_blender_s_own_importer(container: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One armature, one Action; bones where they were, at frames and between them."""
    # The importer of Blender 3.4 is older than the numpy that Debian gives it.
    if not hasattr(np, "bool"):
        monkeypatch.setattr(np, "bool", bool, raising=False)
    armature = import_scene("walk.glb", target="NEW")
    frames = frames_of(1, 49)[::5]
    wanted = shown(armature, frames)
    path = tmp_path / f"walk.{container}"
    export_scene(path)
    rate = bpy.context.scene.render.fps
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.context.scene.render.fps = rate
    first = _import_by_blender(path)
    armatures = [one for one in bpy.data.objects if one.type == "ARMATURE"]
    assert len(armatures) == len(bpy.data.actions) == 1
    found = shown(armatures[0], [frame + first - 1.0 for frame in frames])
    assert largest_difference(wanted, found) <= EXACT_METRES


def _import_by_blender(path: Path) -> float:
    """Imports by Blender's own importer; the frame of second 0."""
    if path.suffix == ".glb":
        assert operators.import_scene.gltf(filepath=str(path)) == {"FINISHED"}
        return 0.0
    if hasattr(bpy.ops.wm, "fbx_import") and "fbx_import" in dir(bpy.ops.wm):
        assert operators.wm.fbx_import(filepath=str(path)) == {"FINISHED"}
        return 1.0
    assert operators.import_scene.fbx(filepath=str(path)) == {"FINISHED"}
    return 1.0


def test_what_was_imported_comes_back(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """.anim to GLB to .anim's own armature: recognised, and no further off than both conversions."""
    walk = next(path for path in demos() if path.name == "walk.anim")
    avatar = import_file(walk)
    last = math.floor(avatar.animation_data.action.frame_range[1])
    frames = [float(frame) for frame in range(1, last + 1)]
    wanted = shown(avatar, frames)
    path = tmp_path / "walk.glb"
    export_scene(path)
    reported(capfd)
    assert import_scene(path) == avatar
    assert "not" not in reported(capfd).split("imported")[0]
    # An avatar's retargeting is exact where the bones are the same ones: 1 mm (issue 16).
    assert largest_difference(wanted, shown(avatar, frames)) <= 1e-3


def test_uneven_scale_is_refused(tmp_path: Path) -> None:
    armature = arm()
    armature.scale = (1.0, 2.0, 1.0)
    bpy.context.view_layer.update()
    path = tmp_path / "arm.glb"
    with refused("Arm", "unevenly", "apply its scale"):
        export_scene(path)
    assert not path.exists()


def test_without_the_program_no_file_is_written(tmp_path: Path, no_program: None) -> None:
    arm()
    path = tmp_path / "arm.glb"
    with refused("animbridge-scene"):
        export_scene(path)
    assert not path.exists()


def test_dropped_are_only_files_that_blender_does_not_take() -> None:
    handler = getattr(bpy.types, "IO_FH_animbridge_scene", None)
    if handler is None:
        pytest.skip("this Blender has no drag and drop")
    dropped = handler.bl_file_extensions.split(";")
    assert {".vrm", ".vrma", ".smd", ".md5anim"} <= set(dropped)
    assert not {".glb", ".gltf", ".fbx"} & set(dropped)
    assert (".dae" in dropped) != ("collada_import" in dir(bpy.ops.wm))


def test_curves_stay_with_the_armature(tmp_path: Path) -> None:
    armature = arm()
    before = [(curve.data_path, len(curve.keyframe_points)) for curve in fcurves(armature)]
    export_scene(tmp_path / "arm.fbx")
    assert [(curve.data_path, len(curve.keyframe_points)) for curve in fcurves(armature)] == before
    assert the_armature() == armature
