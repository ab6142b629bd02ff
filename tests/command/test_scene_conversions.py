# SPDX-License-Identifier: MIT
"""Conversions of scenes: names, frame rates, cameras, animations by name, and what messages say."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import oban_scene
import pytest
from material import ROOT, bvh_samples
from numpy.typing import NDArray
from tests.witness import mrtk_file, mrtk_player
from tests.witness import oban_player as oban
from tests.witness.scene_compare import read_scene
from tests.witness.scene_model import Scene

COMMAND = ROOT / "build" / "bin" / "animbridge"
FIXTURES = ROOT / "fixtures"
SCENES = FIXTURES / "scene"
SEVERAL = SCENES / "several_animations.fbx"
MODELS = Path("/usr/share/assimp/models")
ENDINGS = ("glb", "gltf", "fbx", "dae")


def run(*words: object) -> subprocess.CompletedProcess[str]:
    """The command's answer."""
    return subprocess.run(
        [str(COMMAND), *map(str, words)], check=False, capture_output=True, encoding="utf-8", timeout=60
    )


def report(*words: object) -> dict[str, Any]:
    """The JSON of a command that succeeds."""
    answer = run(*words, "--json")
    assert answer.returncode == 0, answer.stderr
    made: dict[str, Any] = json.loads(answer.stdout)
    return made


def bvh(folder: Path, frames: int = 2, rate: float = 30.0, knee: str = "knee", metres: float = 1.0) -> Path:
    """Two joints; the lower one turns by 100 degrees about Z in all, the same from frame to frame."""
    path = folder / "in.bvh"
    rows = [f"0 {metres} 0 0 0 0 {100 * i / (frames - 1):.6f} 0 0" for i in range(frames)]
    path.write_text(
        f"HIERARCHY\nROOT hip\n{{\nOFFSET 0 0 0\n"
        "CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation\n"
        f"JOINT {knee}\n{{\nOFFSET 0 {-metres} 0\nCHANNELS 3 Zrotation Xrotation Yrotation\n"
        f"End Site\n{{\nOFFSET 0 {-0.75 * metres} 0\n}}\n}}\n}}\n"
        f"MOTION\nFrames: {frames}\nFrame Time: {1 / rate:.10f}\n" + "\n".join(rows) + "\n",
        encoding="utf-8",
    )
    return path


def turned_degrees(path: Path, joint: str, seconds: float) -> float:
    """How far a joint is turned against its parent, as `pose` shows it."""
    pose = report("pose", path, seconds)["poses"][0]
    row = next(one for one in pose["joints"] if one["joint"] == joint)
    w = abs(row["local_rotation_wxyz"][0])
    return float(np.degrees(2 * np.arccos(min(w, 1.0))))


@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize("name", ["shin.L.001", "shin.L_001", "a.b.c.d", "(x)[1]"])
def test_a_joint_moves_whatever_it_is_called(name: str, ending: str, tmp_path: Path) -> None:
    made = tmp_path / f"made.{ending}"
    said = report("convert", bvh(tmp_path, 11, knee=name), made)
    assert said["max_rotation_error_degrees"] <= 0.01
    assert turned_degrees(made, name, 10 / 30) == pytest.approx(100.0, abs=0.01)
    assert turned_degrees(made, name, 5 / 30) == pytest.approx(50.0, abs=0.01)


@pytest.mark.parametrize("rate", [12.0, 24.0, 29.97, 30.0, 60.0])
@pytest.mark.parametrize("ending", ENDINGS)
def test_the_frame_rate_survives(ending: str, rate: float, tmp_path: Path) -> None:
    made, back = tmp_path / f"made.{ending}", tmp_path / "back.bvh"
    report("convert", bvh(tmp_path, 5, rate), made)
    assert report("info", made)["frames_per_second"] == pytest.approx(rate, rel=1e-6)
    report("convert", made, back)
    words = back.read_text("utf-8").split()
    assert int(words[words.index("Frames:") + 1]) == 5
    assert float(words[words.index("Time:") + 1]) == pytest.approx(1 / rate, rel=1e-5)


@pytest.mark.parametrize("ending", ENDINGS)
def test_an_oban_has_60_frames_a_second_in_a_scene_too(ending: str, tmp_path: Path) -> None:
    made = tmp_path / f"made.{ending}"
    report("convert", FIXTURES / "oban" / "door.oban", made)
    assert report("info", made)["frames_per_second"] == 60


Array = NDArray[np.float64]


def clip_axes(scene: Scene, matrix: Array) -> Array:
    """The axes of a node, which the witness also turns to clip space, as clip space has the file's own."""
    linear = np.asarray(matrix[:3, :3] @ scene.axes, float)
    return linear / np.linalg.norm(linear, axis=0)


def camera_view(path: Path, seconds: float) -> tuple[Array, Array]:
    """Where the only camera of a written scene looks, and what is up in its picture; clip space."""
    scene = read_scene(path)
    cameras = [i for i, node in enumerate(scene.nodes) if node.camera]
    assert len(cameras) == 1
    matrices, _ = scene.world(scene.animations[0], seconds)
    linear = clip_axes(scene, matrices[cameras[0]])
    # A camera of FBX looks along its X.
    return (linear[:, 0] if path.suffix == ".fbx" else -linear[:, 2]), linear[:, 1]


@pytest.mark.parametrize("ending", ENDINGS)
def test_an_oban_of_a_camera_becomes_a_camera_and_returns(ending: str, tmp_path: Path) -> None:
    source = FIXTURES / "oban" / "camera_steep.oban"
    made, back = tmp_path / f"made.{ending}", tmp_path / "back.oban"
    report("convert", "--camera", source, made)
    record = oban_scene.record_of(source.read_bytes())
    for frame in np.linspace(0.0, oban.last_frame(record), 7):
        # Oni's cameras look along -Z, and Y is up (docs/oban-format.md).
        turn = oban_scene.transform(record, float(frame))[:3, :3]
        look, up = camera_view(made, float(frame) / 60)
        wanted = oban_scene.TURN[:3, :3] @ turn
        assert np.abs(look + wanted[:, 2]).max() <= 2e-4
        assert np.abs(up - wanted[:, 1]).max() <= 2e-4
    report("convert", made, back)
    again = oban_scene.record_of(back.read_bytes())
    for frame in np.linspace(0.0, oban.last_frame(record), 7):
        a, b = oban_scene.transform(record, float(frame)), oban_scene.transform(again, float(frame))
        assert np.abs(a[:3, :3] - b[:3, :3]).max() <= 2e-3
        assert 0.1 * np.abs(a[:3, 3] - b[:3, 3]).max() <= 1e-3


def meant(recording: mrtk_file.Recording, seconds: float) -> Array:
    """How a recording's camera is turned: x, y, z, w."""
    turn = mrtk_player.pose_of(recording, "camera", seconds).meant
    assert turn is not None
    return np.array(turn, float)


@pytest.mark.parametrize("ending", ENDINGS)
def test_a_recording_has_a_camera_and_returns(ending: str, tmp_path: Path) -> None:
    source = FIXTURES / "mrtk" / "camera_v10.bin"
    made, back = tmp_path / f"made.{ending}", tmp_path / "back.bin"
    report("convert", source, made)
    recording = mrtk_file.parse(source.read_bytes())
    report("convert", made, back)
    again = mrtk_file.parse(back.read_bytes())
    for seconds in np.linspace(0.0, mrtk_player.duration(recording), 7):
        x, y, z, w = meant(recording, float(seconds))
        # Unity's cameras look along Z; its axes are left-handed, with Y up.
        forward = np.array([2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)])
        look, _ = camera_view(made, float(seconds))
        assert np.abs(look - forward[[0, 2, 1]]).max() <= 2e-4
        assert abs(float(meant(again, float(seconds)) @ np.array([x, y, z, w]))) >= 1 - 1e-7


def test_a_camera_of_a_scene_becomes_a_camera_of_oni(tmp_path: Path) -> None:
    told = json.loads((SCENES / "cameras.glb.expect.json").read_text("utf-8"))
    node = next(i for i, one in enumerate(told["nodes"]) if "camera" in one["roles"])
    name = told["nodes"][node]["name"]
    made = tmp_path / "made.oban"
    report("convert", SCENES / "cameras.glb", made, "--joint", name)
    record = oban_scene.record_of(made.read_bytes())
    scene = read_scene(SCENES / "cameras.glb")
    for seconds in (0.0, 0.5, 1.0):
        matrices, _ = scene.world(scene.animations[0], seconds)
        wanted = clip_axes(scene, matrices[node])
        found = oban_scene.TURN[:3, :3] @ oban_scene.transform(record, 60 * seconds)[:3, :3]
        assert np.abs(found - wanted).max() <= 2e-3


def test_an_animation_is_shown_by_its_name(tmp_path: Path) -> None:
    for name, number in (("Walk", 1), ("Wave", 2), ("Late", 3)):
        alone = tmp_path / f"{name}.glb"
        report("convert", f"{SEVERAL}#{name}", alone)
        for words in ((f"{SEVERAL}#{name}",), (SEVERAL, "--animation", name), (f"{SEVERAL}#{number}",)):
            assert report("info", *words)["animation"] == number - 1
            compared = report("compare", alone, *words, "--mm", 1, "--degrees", 1)
            assert compared["max_position_mm"] <= 0.2
            file, *option = words
            shown = report("pose", file, 0.3, *option)["poses"][0]["joints"]
            wanted = report("pose", alone, 0.3)["poses"][0]["joints"]
            assert len(shown) == len(wanted) > 0
            assert run("check", *words).returncode == 0
    for words in ((f"{SEVERAL}#nope",), (SEVERAL, "--animation", "nope")):
        for command in ("info", "check"):
            answer = run(command, *words)
            assert answer.returncode == 2
            assert 'found "nope", allowed are 1 "Walk", 2 "Wave", 3 "Late"' in answer.stderr
    answer = run("info", bvh(tmp_path), "--animation", "Walk")
    assert answer.returncode == 2
    assert "a BVH holds only one" in answer.stderr


def test_an_animation_keeps_its_name(tmp_path: Path) -> None:
    for ending in ("glb", "dae"):
        made = tmp_path / f"made.{ending}"
        report("convert", f"{SEVERAL}#Wave", made)
        assert [one["name"] for one in report("info", made)["animations"]] == ["Wave"]
    report("convert", f"{SEVERAL}#Wave", tmp_path / "named.glb", "--animation-name", "Hello")
    assert [one["name"] for one in report("info", tmp_path / "named.glb")["animations"]] == ["Hello"]


@pytest.mark.parametrize(
    ("name", "ending", "written"),
    [
        ('Sp"in\\e', "fbx", "Sp'in/e"),
        ("Sp\u0001in\u0009e", "fbx", "Sp_in_e"),
        ("Sp\u0001in\u0009e", "dae", "Sp_in_e"),
        ('Sp"in\\e', "glb", 'Sp"in\\e'),
        ('Sp"in\\e', "dae", 'Sp"in\\e'),
    ],
)
def test_a_name_that_a_file_cannot_hold_is_replaced(
    name: str, ending: str, written: str, tmp_path: Path
) -> None:
    told = tmp_path / "walk.json"
    report("convert", SCENES / "walk.glb", told)
    scene = json.loads(told.read_text("utf-8"))
    old = next(node["name"] for node in scene["nodes"] if node["name"] == "Spine")
    for node in scene["nodes"]:
        node["name"] = name if node["name"] == old else node["name"]
    told.write_text(json.dumps(scene), encoding="utf-8")
    made = tmp_path / f"made.{ending}"
    said = report("convert", told, made)
    assert said.get("renamed", []) == ([] if name == written else [{"name": name, "written": written}])
    assert written in [node.name for node in read_scene(made).nodes]
    assert ("cannot hold" in run("convert", told, made).stdout) == (name != written)


def test_a_size_that_no_human_has_is_a_warning(tmp_path: Path) -> None:
    source = bvh(tmp_path, metres=40.0)
    said = report("convert", source, tmp_path / "made.glb")
    assert len(said["warnings"]) == 1
    assert "70 m tall" in said["warnings"][0]
    assert "--scale 0.0254" in said["warnings"][0]
    assert not report("convert", source, tmp_path / "made.glb", "--scale", 0.0254).get("warnings")
    assert not report("convert", bvh(tmp_path), tmp_path / "made.glb").get("warnings")


def test_an_avatar_that_rests_otherwise_is_told_to_retarget(tmp_path: Path) -> None:
    answer = run("convert", f"{SEVERAL}#Walk", tmp_path / "made.anim")
    assert answer.returncode == 1
    assert "Spine: the joint rests turned 168 degrees from the avatar's; allowed are 0.1." in answer.stderr
    assert "--retarget" in answer.stderr


@pytest.mark.parametrize("order", ["utf-16-le", "utf-16-be"])
def test_a_scene_may_be_text_of_16_bits(order: str, tmp_path: Path) -> None:
    text = (SCENES / "walk.dae").read_text("utf-8").replace('encoding="utf-8"', 'encoding="utf-16"')
    made = tmp_path / "wide.dae"
    made.write_bytes("\ufeff".encode(order) + text.encode(order))
    wide, narrow = report("info", made), report("info", SCENES / "walk.dae")
    assert wide["title"] == narrow["title"] == "COLLADA scene"
    assert wide["joints"] == narrow["joints"]
    assert wide["animations"] == narrow["animations"]


@pytest.mark.skipif(not MODELS.is_dir(), reason="Debian's assimp-testmodels is not installed")
def test_models_of_assimp_are_read() -> None:
    scenes = sorted((MODELS / "IRR").glob("*.irr"))
    assert len(scenes) == 10
    for path in [*scenes, MODELS / "Ogre" / "TheThing" / "Mesh.mesh.xml"]:
        answer = run("info", path)
        assert "the file does not begin like" not in answer.stderr, path
        assert "readable are" not in answer.stderr, path
    man = report("info", MODELS / "MDL" / "MDL (HL1)" / "man.mdl")
    assert man["title"] == "Half-Life model"
    assert man["animations"]


def motion_of(path: Path, made: Path) -> dict[tuple[str, str], tuple[list[float], list[float]]]:
    """Times and numbers of each channel, by its node's name and what it animates."""
    assert run("convert", path, made).returncode == 0
    scene = json.loads(made.read_text(encoding="utf-8"))
    return {
        (scene["nodes"][c["node"]]["name"], c["target"]): (c["times_seconds"], c["values"])
        for c in scene["animations"][0]["channels"]
    }


@pytest.mark.parametrize("name", ["arm_ext.glb", "arm_khr.glb", "arm_fallback.gltf"])
def test_a_file_that_gltfpack_compressed_moves_as_its_source(name: str, tmp_path: Path) -> None:
    packed = motion_of(SCENES / "meshopt" / name, tmp_path / "packed.json")
    source = motion_of(SCENES / "linear.glb", tmp_path / "source.json")
    assert set(packed) == set(source)
    for channel, (times, values) in source.items():
        np.testing.assert_allclose(packed[channel][0], times, atol=1e-6)
        # gltfpack rounds rotations to 16 bits.
        np.testing.assert_allclose(packed[channel][1], values, atol=1e-4)


def test_data_that_is_not_as_compressed_as_it_says_is_an_error() -> None:
    answer = run("info", SCENES / "compressed.glb")
    assert answer.returncode == 1
    assert "is compressed, and cannot be read: its compressed data is damaged" in answer.stderr


def test_messages_are_plain_sentences(tmp_path: Path) -> None:
    unnamed = run("info", SCENES / "flat_stack.dae").stdout
    assert "(no name): " in unnamed
    answer = run("convert", FIXTURES / "oban" / "level_mixed.dat", tmp_path / "made.glb")
    assert "a level cannot be converted to a scene" in answer.stderr
    hands = FIXTURES / "mrtk" / "flags_camera_hands.bin"
    left = report("convert", hands, tmp_path / "made.glb")["left_out"]
    assert sum("propert" in item for item in left) <= 1


def test_limits_reach_the_writing_program(tmp_path: Path) -> None:
    answer = run("convert", bvh(tmp_path, 200_000), tmp_path / "made.glb", "--memory-mib", 64)
    assert answer.returncode == 1
    assert "64 MiB" in answer.stderr
    assert "--memory-mib" in answer.stderr
    assert not (tmp_path / "made.glb").exists()


def test_an_avatar_of_inches_gets_the_size_of_a_human(tmp_path: Path) -> None:
    source = next((path for path in bvh_samples() if path.name == "avatar_dance6.bvh"), None)
    if source is None:
        pytest.skip("ANIMBRIDGE_SAMPLES names no folder with avatar_dance6.bvh")
    said = report("convert", source, tmp_path / "made.glb")
    assert any("One unit counts as 0.0254 m" in note for note in said["notes"])
    scene = read_scene(tmp_path / "made.glb")
    heights = [float(place[2, 3]) for place in scene.world()[0]]
    assert 1.3 < max(heights) - min(heights) < 1.9


def most_keys(path: Path) -> int:
    """Of the channels of a file's only animation, the keys of that with most."""
    motions = read_scene(path).animations[0].motions.values()
    return max(len(times) for motion in motions for times in motion.key_times())


def test_a_recording_has_a_key_for_each_frame_where_programs_want_frames(tmp_path: Path) -> None:
    """Between the frames of a baked FBX, angles may turn about; only the exact way follows them there."""
    source = SCENES / "walk.fbx"
    frames = most_keys(source)
    made = {keys: tmp_path / f"{keys}.dae" for keys in ("frames", "exact")}
    for keys, path in made.items():
        report("convert", "--keys", keys, source, path)
    # A COLLADA goes straight from key to key, so that the quickest turns get a few keys more.
    assert frames <= most_keys(made["frames"]) < 1.1 * frames
    assert most_keys(made["exact"]) > 5 * frames
    usual = {ending: tmp_path / f"usual.{ending}" for ending in ("dae", "glb")}
    for path in usual.values():
        report("convert", source, path)
    assert usual["dae"].read_bytes() == made["frames"].read_bytes()
    assert most_keys(usual["glb"]) > 5 * frames
    wanted, found = read_scene(source), read_scene(made["frames"])
    places = {node.name: index for index, node in enumerate(found.nodes)}
    rate = report("info", source)["frames_per_second"]
    for frame in range(0, frames, 7):
        theirs = wanted.world(wanted.animations[0], frame / rate)[0]
        ours = found.world(found.animations[0], frame / rate)[0]
        apart = [
            float(np.abs(ours[places[node.name]][:3, 3] - place[:3, 3]).max())
            for node, place in zip(wanted.nodes, theirs, strict=True)
            if node.name in places
        ]
        assert len(apart) > 10
        assert max(apart) < 2e-4


def test_a_file_is_sampled_as_often_as_its_curves_need_and_that_is_said(tmp_path: Path) -> None:
    made = report("convert", SCENES / "cubic.glb", tmp_path / "made.dae")["frames"]
    assert made["frames_per_second"] == 72
    assert not made["is_baked"]
    assert 0 < made["max_position_error_mm"] < 0.5
    assert 0 < made["max_rotation_error_degrees"] < 0.05
    said = run("convert", SCENES / "cubic.glb", tmp_path / "again.dae").stdout
    assert "Keys at 72 frames per second" in said
    assert "Keys at" not in run("convert", SCENES / "walk.fbx", tmp_path / "walk.dae").stdout
