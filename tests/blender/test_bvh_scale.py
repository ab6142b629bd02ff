# SPDX-License-Identifier: MIT
"""How large a BVH's figure becomes: its unit where it is a human's, or else a human's height."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import bpy
import pytest
from batches import convert_here
from bvh_support import export_bvh, import_bvh, read
from helpers import import_file, operators, reported, the_armature
from tests.python.material import demos

pytestmark = pytest.mark.compat

WALK = next(path for path in demos() if path.name == "walk.anim")
FIGURE = """HIERARCHY
ROOT hips
{{
    OFFSET 0 0 0
    CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
    JOINT head
    {{
        OFFSET {up}
        CHANNELS 3 Zrotation Xrotation Yrotation
        End Site
        {{
            OFFSET {top}
        }}
    }}
    JOINT foot
    {{
        OFFSET {down}
        CHANNELS 3 Zrotation Xrotation Yrotation
    }}
}}
MOTION
Frames: 2
Frame Time: 0.04
{moved} 0 0 0 0 0 0 0 0 0 0 0
{moved} 0 0 10 0 0 0 0 0 0 0 0
"""


def figure(folder: Path, height: float, axis: int = 1, name: str = "figure.bvh") -> Path:
    """A figure of this height, along an axis of the file. It stands as far along X as it is tall."""

    def along(share: float) -> str:
        return " ".join(str(share * height if one == axis else 0.0) for one in range(3))

    path = folder / name
    path.write_text(
        FIGURE.format(up=along(0.375), top=along(0.125), down=along(-0.5), moved=height), encoding="ascii"
    )
    return path


def box(rig: Any) -> list[float]:
    """The size of the skeleton at rest, along Blender's axes."""
    points = [point for bone in rig.data.bones for point in (bone.head_local, bone.tail_local)]
    return [max(p[i] for p in points) - min(p[i] for p in points) for i in range(3)]


@pytest.mark.parametrize(
    ("height", "scale"),
    [
        (1.7, 1.0),
        (1.05, 1.0),
        (2.45, 1.0),
        (170.0, 0.01),
        (101.0, 0.01),
        (249.0, 0.01),
        (66.0, 0.0254),
        (40.0, 0.0254),
        (98.0, 0.0254),
        # 1.75 m over the height, three digits of it.
        (24.0, 0.0729),
        (0.5, 3.5),
        (17.0, 0.103),
        (1700.0, 0.00103),
        (3.0e5, 5.83e-6),
    ],
)
def test_the_scale(height: float, scale: float, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    rig = import_bvh(figure(tmp_path, height), scaling="AUTO")
    head, foot = (rig.data.bones[name].head_local for name in ("head", "foot"))
    assert head.z - foot.z == pytest.approx(0.875 * height * scale, rel=1e-5)
    bpy.context.scene.frame_set(1)
    assert rig.pose.bones["hips"].head.x == pytest.approx(height * scale, rel=1e-5), "the motion too"
    said = reported(capfd)
    assert f"scaled by {scale:g}" in said and f"{height * scale:.2f} m tall" in said


def test_automatic_is_the_default_and_a_given_scale_counts(tmp_path: Path) -> None:
    path = figure(tmp_path, 24.0)
    for options, height in (({}, 24 * 0.0729), ({"global_scale": 0.5}, 12.0), ({"scaling": "SET"}, 24.0)):
        operators.import_anim.animbridge_bvh(filepath=str(path), target="NEW", **options)
        bones = the_armature().data.bones
        found = bones["head"].head_local.z - bones["foot"].head_local.z
        assert found == pytest.approx(0.875 * height, rel=1e-5), options


def test_a_figure_that_rests_flat_counts_by_its_longest_side(tmp_path: Path) -> None:
    rig = import_bvh(figure(tmp_path, 24.0, axis=2), scaling="AUTO")
    head, foot = (rig.data.bones[name].head_local for name in ("head", "foot"))
    assert (head - foot).length == pytest.approx(0.875 * 24 * 0.0729, rel=1e-5)


def test_a_lone_joint_keeps_its_numbers(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "alone.bvh"
    path.write_text(
        "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 3 Xposition Yposition Zposition\n}\n"
        "MOTION\nFrames: 1\nFrame Time: 0.04\n5 0 0\n",
        encoding="ascii",
    )
    rig = import_bvh(path, scaling="AUTO")
    bpy.context.scene.frame_set(1)
    assert rig.pose.bones["a"].head.x == pytest.approx(5.0)
    assert "scaled by" not in reported(capfd)


def test_what_comes_back_has_the_files_numbers(tmp_path: Path) -> None:
    path = figure(tmp_path, 24.0)
    import_bvh(path, scaling="AUTO")
    assert export_bvh(tmp_path / "out.bvh") == read(path)


def test_fit_height_goes_before_the_scale(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    rig = import_file(WALK)
    reported(capfd)
    operators.import_anim.animbridge_bvh(filepath=str(figure(tmp_path, 24.0)), target="ACTIVE")
    assert the_armature() == rig
    assert "m tall" not in reported(capfd)


def test_the_batch_has_the_same_scale(tmp_path: Path) -> None:
    path = figure(tmp_path, 24.0)
    wanted = box(import_bvh(path, scaling="AUTO"))
    code, (row,) = convert_here(path, "--to", "blend", "--out", tmp_path / "out")
    assert code == 0 and "scaled by 0.0729" in "".join([*row["warnings"], *row["notes"]])
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "out" / "figure.blend"))
    rig = next(one for one in bpy.data.objects if one.type == "ARMATURE")
    assert box(rig) == pytest.approx(wanted)
    assert convert_here(tmp_path / "out", "--to", "bvh", "--out", tmp_path / "back")[0] == 0
    assert read(tmp_path / "back" / "figure.bvh") == read(path)
