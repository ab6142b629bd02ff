# SPDX-License-Identifier: MIT
"""A BVH as a scene: its size and its axes, which the file does not say. The glTF is read by the witness."""

from __future__ import annotations

from copy import deepcopy
from pathlib import Path

import numpy as np
import pytest
from test_retarget_command import GAIT, TABLES, converted, run, walker, write
from tests.witness import bvh_file, rigs
from tests.witness.bvh_file import Bvh
from tests.witness.walk import walk
from upright_rigs import of_gltf


def in_unit(bvh: Bvh, per_metre: float) -> Bvh:
    """The same walk with this many units for a metre."""
    made = deepcopy(bvh)
    for joint in made.joints:
        x, y, z = joint.offset
        joint.offset = (per_metre * x, per_metre * y, per_metre * z)
    for row in made.motion:
        row[:3] = [per_metre * value for value in row[:3]]
    return made


def place_of(scene: Path, joint: str) -> np.ndarray:
    """Where a joint rests, in metres and with Z up."""
    rig = of_gltf(scene)
    return rig.rest_matrices.reshape(-1, 4, 4)[rig.names.index(joint), 3, :3]


def height_of_hips(scene: Path) -> float:
    joints = walker("mixamo").joints
    return float(place_of(scene, joints["hips"])[2] - place_of(scene, joints["leftFoot"])[2])


def _rest_height(slot: str) -> float:
    rig = rigs.build("mixamo", TABLES["mixamo"])
    return next(joint.head[2] for joint in rig.joints if joint.name == rig.truth[slot])


HIPS_METRES = _rest_height("hips") - _rest_height("leftFoot")


@pytest.mark.parametrize(("per_metre", "unit"), [(1.0, ""), (100.0, "0.01"), (1 / 0.0254, "0.0254")])
def test_a_body_gets_its_size(per_metre: float, unit: str, tmp_path: Path) -> None:
    file = write(tmp_path / "walk.bvh", in_unit(walker("mixamo").bvh, per_metre))
    report = converted(file, tmp_path / "walk.glb")
    assert height_of_hips(tmp_path / "walk.glb") == pytest.approx(HIPS_METRES, rel=1e-3)
    said = report.get("notes", [])
    assert [f"counts as {unit} m" in text for text in said] == ([True] if unit else [])
    assert report.get("warnings", []) == []


def test_what_is_no_body_keeps_its_numbers(tmp_path: Path) -> None:
    rope = "HIERARCHY\nROOT z_0 {\nOFFSET 0 0 0\nCHANNELS 3 Zrotation Xrotation Yrotation\n"
    for place in range(1, 9):
        rope += f"JOINT z_{place} {{\nOFFSET 0 25 0\nCHANNELS 3 Zrotation Xrotation Yrotation\n"
    rope += "End Site {\nOFFSET 0 25 0\n}\n" + "}\n" * 9 + "MOTION\nFrames: 2\nFrame Time: 0.04\n"
    rope += (" ".join(["0"] * 27) + "\n") + (" ".join(["5"] * 27) + "\n")
    (tmp_path / "walk.bvh").write_text(rope)
    report = converted(tmp_path / "walk.bvh", tmp_path / "walk.glb")
    rests = of_gltf(tmp_path / "walk.glb").rest_matrices.reshape(-1, 4, 4)
    assert np.ptp(rests[:, 3, 2]) > 100.0
    assert sum("does not say its unit" in text and "--scale" in text for text in report["warnings"]) == 1


def test_a_scale_that_is_given_wins(tmp_path: Path) -> None:
    file = write(tmp_path / "walk.bvh", in_unit(walker("mixamo").bvh, 100.0))
    for scale, factor in (("1", 100.0), ("auto", 1.0), ("0.02", 2.0)):
        report = converted(file, tmp_path / "walk.glb", "--scale", scale)
        assert height_of_hips(tmp_path / "walk.glb") == pytest.approx(factor * HIPS_METRES, rel=1e-3)
        assert any("does not say its unit" in text for text in report.get("notes", [])) == (scale == "auto")


def test_a_good_file_gets_no_warning(tmp_path: Path) -> None:
    file = write(tmp_path / "walk.bvh", in_unit(walker("mixamo").bvh, 100.0))
    hips = walker("mixamo").joints["hips"]
    for name, words in (("walk.glb", ()), ("walk.oban", ("--joint", hips))):
        said = run("convert", file, tmp_path / name, *words).stdout
        assert "One unit counts as 0.01 m" in said
        assert "Warning" not in said


def test_the_skeleton_of_a_bvh_gets_its_size_in_a_scene_and_not_in_a_bvh(tmp_path: Path) -> None:
    file = write(tmp_path / "walk.bvh", walker("cmu_motionbuilder").bvh)
    onto = write(tmp_path / "onto.bvh", in_unit(walker("mixamo").bvh, 100.0))
    converted(file, tmp_path / "walk.glb", "--onto", onto)
    assert height_of_hips(tmp_path / "walk.glb") == pytest.approx(HIPS_METRES, rel=1e-3)
    converted(file, tmp_path / "out.bvh", "--onto", onto)
    made, wanted = (bvh_file.parse((tmp_path / name).read_bytes()) for name in ("out.bvh", "onto.bvh"))
    for ours, theirs in zip(made.joints, wanted.joints, strict=True):
        assert np.abs(np.subtract(ours.offset, theirs.offset)).max() < 1e-3


def test_a_body_that_stands_along_z_stands_in_the_scene(tmp_path: Path) -> None:
    z_up = walk(rigs.build("mixamo", TABLES["mixamo"]), GAIT, y_up=False).bvh
    file = write(tmp_path / "walk.bvh", in_unit(z_up, 100.0))
    report = converted(file, tmp_path / "walk.glb")
    assert height_of_hips(tmp_path / "walk.glb") == pytest.approx(HIPS_METRES, rel=1e-3)
    assert not any("stands along" in text for text in report.get("warnings", []))
    # Who says which axis is up knows.
    converted(file, tmp_path / "lies.glb", "--up", "Y")
    assert abs(height_of_hips(tmp_path / "lies.glb")) < 0.1
    # A conversion to text or to a BVH changes no axis.
    converted(file, tmp_path / "walk.json")
    assert run("convert", tmp_path / "walk.json", tmp_path / "back.bvh").returncode == 0
    back = bvh_file.parse((tmp_path / "back.bvh").read_bytes())
    assert back.joints[1].offset == bvh_file.parse(file.read_bytes()).joints[1].offset
