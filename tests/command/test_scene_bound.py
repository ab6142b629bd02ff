# SPDX-License-Identifier: MIT
"""No scene is written that is too far from what it is meant to be, unless the caller allows it."""

from __future__ import annotations

from pathlib import Path

import pytest
from scene_motions import SCENES, convert, run

#: A joint 1,000 km away, where the floats of a scene are 62 mm apart.
FAR_BVH = """HIERARCHY
ROOT far
{
OFFSET 0 0 0
CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
End Site
{
OFFSET 0 0.1 0
}
}
MOTION
Frames: 2
Frame Time: 0.1
1000000.03 0 0 0 0 0
1000000.03 0 0 0 0 10
"""


@pytest.mark.parametrize("ending", ["glb", "gltf", "dae"])
def test_no_scene_is_written_that_is_too_far_off(ending: str, tmp_path: Path) -> None:
    source, made = tmp_path / "far.bvh", tmp_path / f"out.{ending}"
    source.write_text(FAR_BVH, encoding="utf-8")
    for words in ((), ("--stop-above", "5")):
        answer = run("convert", source, made, "--scale", "1", *words)
        assert answer.returncode == 1
        assert answer.stderr.count("\n") == 1
        assert "far.bvh" in answer.stderr
        assert "allowed are " + ("5" if words else "20") + " mm" in answer.stderr
        assert "--stop-above" in answer.stderr
        assert not made.exists()
    for words in ("0", "50"):
        said = convert(source, made, "--scale", "1", "--stop-above", words)
        # 1,000,000.03 lies between two floats that are 0.0625 apart: 30 mm from one of them.
        assert said["max_position_error_mm"] == pytest.approx(30.0, abs=0.01)
    other = "dae" if ending == "glb" else "glb"
    convert(made, tmp_path / f"again.{other}")


def test_a_bound_alone_asks_for_no_retargeting(tmp_path: Path) -> None:
    convert(SCENES / "walk.fbx", tmp_path / "out.glb", "--stop-above", "1")
    answer = run("convert", SCENES / "walk.fbx", tmp_path / "none.glb", "--retarget")
    assert answer.returncode != 0
    assert "--onto" in answer.stderr
