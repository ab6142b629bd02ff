# SPDX-License-Identifier: MIT
"""What animbridge-scene writes, through Blender's own importers: one armature, one Action."""

from __future__ import annotations

import json
import math
import os
import subprocess
from pathlib import Path
from typing import Any

import bpy
import numpy as np
import pytest
from helpers import operators
from tests.witness.scene_math import Array, angle_degrees, split
from tests.witness.scene_model import Scene
from tests.witness.scene_written import document, in_container, scenes

BIN = Path(__file__).resolve().parents[2] / "build" / "bin"
MOST_MM, MOST_DEGREES = 0.1, 0.05
#: Where Blender has more than one importer of a format, both.
IMPORTERS = {
    "glb": [("import_scene", "gltf")],
    "fbx": [("wm", "fbx_import"), ("import_scene", "fbx")],
    "dae": [("wm", "collada_import")],
}


def program(name: str) -> Path:
    """A program of this machine's build."""
    return BIN / name


def written(name: str, container: str, folder: Path) -> tuple[Scene, Path]:
    """The scene, and its file."""
    for needed in ("animbridge-scene", "scene_wire"):
        if os.name == "nt" or not program(needed).exists():
            pytest.skip(f"{needed} is not built for this system")
    formats = json.loads(subprocess.check_output([program("animbridge-scene"), "formats"]))
    if container not in formats["writes"]:
        pytest.skip(f"Assimp {formats['assimp']} does not write {container}")
    scene = in_container(scenes()[name], container)
    told = folder / "scene.json"
    told.write_text(json.dumps(document(scene)), encoding="utf-8")
    wire = subprocess.check_output([program("scene_wire"), told])
    limits = ["--memory-mib", "2048", "--cpu-seconds", "60"]
    command = [program("animbridge-scene"), "write", "--container", container, *limits]
    file = folder / f"{name}.{container}"
    file.write_bytes(subprocess.check_output(command, input=wire))
    return scene, file


def imported(file: Path, container: str, which: int = 0) -> None:
    """Imports by Blender's own operator; skips if it has none, or has one that is broken."""
    here = [(group, name) for group, name in IMPORTERS[container] if name in dir(getattr(operators, group))]
    if which >= len(here):
        pytest.skip(f"this Blender has {len(here)} importers of {container}")
    group, name = here[which]
    try:
        assert getattr(getattr(operators, group), name)(filepath=str(file)) == {"FINISHED"}
    except RuntimeError as error:
        if "module 'numpy' has no attribute 'bool'" not in str(error):
            raise
        pytest.skip("this Blender's glTF importer does not know its NumPy")
    for thing in bpy.data.objects:
        thing.update_tag()  # which Blender 4.5's COLLADA importer forgets
    bpy.context.view_layer.update()


def the_one_armature() -> Any:
    """The armature; there must be one only."""
    armatures = [thing for thing in bpy.data.objects if thing.type == "ARMATURE"]
    assert len(armatures) == 1
    return armatures[0]


def world(armature: Any, matrix: Any) -> Array:
    """A matrix of the armature, in the world."""
    return np.array(armature.matrix_world @ matrix, dtype=np.float64)


def turned(rest: Array, now: Array) -> Array:
    """How a bone has turned since its rest pose, whatever axes an importer gives it."""
    return split(now[:3, :3] @ np.linalg.inv(rest[:3, :3]))[0]


def look_at(seconds: float, first_frame: float) -> None:
    """Shows the time."""
    render = bpy.context.scene.render
    frame = first_frame + seconds * render.fps / render.fps_base
    whole = math.floor(frame + 1e-6)
    bpy.context.scene.frame_set(whole, subframe=max(0.0, frame - whole))


def check_motion(scene: Scene, armature: Any) -> None:
    """Every bone, at keys and between them."""
    action = armature.animation_data.action
    animation = scene.animations[0]
    render = bpy.context.scene.render
    first_frame = action.frame_range[0] - animation.span()[0] * render.fps / render.fps_base
    keys = sorted({t for channel in animation.channels() for t in channel.times})[::3]
    meant_rest = scene.world()[0]
    bones = {i: armature.pose.bones.get(node.name) for i, node in enumerate(scene.nodes)}
    bones = {i: bone for i, bone in bones.items() if bone is not None}
    rests = {i: world(armature, bone.bone.matrix_local) for i, bone in bones.items()}
    for seconds in keys + [key + share / 30 for key in keys[:-1] for share in (0.3, 0.5)]:
        look_at(seconds, first_frame)
        worlds = scene.world(animation, seconds)[0]
        for i, bone in bones.items():
            meant, now = worlds[i], world(armature, bone.matrix)
            apart = float(np.linalg.norm(meant[:3, 3] - now[:3, 3])) * 1000.0
            angle = angle_degrees(turned(meant_rest[i], meant), turned(rests[i], now))
            assert apart <= MOST_MM, (scene.nodes[i].name, seconds, apart)
            assert angle <= MOST_DEGREES, (scene.nodes[i].name, seconds, angle)


# Blender's COLLADA importer makes quaternions of matrices and lets their signs flip: where a bone turns by
# more than 180 degrees, it spins between two frames. So it gets no "wild" here.
@pytest.mark.parametrize(
    ("name", "container", "which"),
    [
        *[(name, "glb", 0) for name in ("walk", "bento", "wild", "names", "one_joint", "one_key")],
        *[(name, "fbx", 0) for name in ("walk", "bento", "wild", "names", "one_joint", "one_key")],
        *[(name, "fbx", 1) for name in ("walk", "wild", "names")],
        *[(name, "dae", 0) for name in ("walk", "bento", "names", "one_joint", "one_key")],
    ],
)
def test_one_armature_and_one_action(name: str, container: str, which: int, tmp_path: Path) -> None:
    """All bones, and each where it should be."""
    scene, file = written(name, container, tmp_path)
    imported(file, container, which)
    armature = the_one_armature()
    assert len(bpy.data.actions) == 1
    missing = {node.name for node in scene.nodes} - {bone.name for bone in armature.pose.bones}
    # The walk's Root is neither skinned nor moved; importers may make an object of it.
    assert missing <= ({"Root"} if name == "walk" else set())
    check_motion(scene, armature)


@pytest.mark.parametrize("container", ["glb", "fbx", "dae"])
def test_a_scene_at_rest(container: str, tmp_path: Path) -> None:
    """An armature without an Action."""
    scene, file = written("still", container, tmp_path)
    imported(file, container)
    armature = the_one_armature()
    assert not bpy.data.actions
    for node, meant in zip(scene.nodes, scene.world()[0], strict=True):
        now = world(armature, armature.data.bones[node.name].matrix_local)
        assert float(np.linalg.norm(meant[:3, 3] - now[:3, 3])) * 1000.0 <= MOST_MM


@pytest.mark.parametrize("container", ["glb", "fbx"])
def test_several_animations(container: str, tmp_path: Path) -> None:
    """Each is an Action."""
    _, file = written("several", container, tmp_path)
    imported(file, container)
    the_one_armature()
    assert len(bpy.data.actions) == 2


@pytest.mark.parametrize(("container", "which"), [("glb", 0), ("fbx", 0), ("fbx", 1), ("dae", 0)])
def test_a_camera(container: str, which: int, tmp_path: Path) -> None:
    """It looks where it should, with its field of view, and so does what hangs at it."""
    scene, file = written("camera", container, tmp_path)
    imported(file, container, which)
    camera: Any = bpy.data.objects["Cam"]
    assert camera.type == "CAMERA"
    animation = scene.animations[0]
    first_frame = camera.animation_data.action.frame_range[0]
    for seconds in (0.0, 0.2, 0.5):
        look_at(seconds, first_frame)
        meant = scene.world(animation, seconds)[0][1]
        now = np.array(camera.matrix_world, dtype=np.float64)
        # FBX files in centimetres give cameras a scale.
        turn = now[:3, :3] / np.linalg.norm(now[:3, :3], axis=0)
        assert float(np.linalg.norm(meant[:3, 3] - now[:3, 3])) * 1000.0 <= MOST_MM
        # Blender's cameras look along -Z as the scene's do, whose axes are turned into clip space.
        assert np.allclose(turn, meant[:3, :3] @ scene.axes, atol=1e-3)
    # glTF says the height's field, for a picture of 16 to 9.
    is_vertical = camera.data.sensor_fit == "VERTICAL"
    half = math.tan(camera.data.angle_y / 2) * 16 / 9 if is_vertical else math.tan(camera.data.angle_x / 2)
    assert 2 * math.degrees(math.atan(half)) == pytest.approx(60.0, abs=0.01)
