# SPDX-License-Identifier: MIT
"""Recordings to and from other formats: what is tracked, which names count, how far off they are."""

from __future__ import annotations

import json
import subprocess
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from material import ROOT
from tests.witness import bvh_file, bvh_pose, mrtk_file, mrtk_hands, mrtk_player, rigs
from tests.witness.bvh_file import Bvh, Joint

COMMAND = ROOT / "build" / "bin" / "animbridge"
MRTK = ROOT / "fixtures" / "mrtk"
TABLES = rigs.load_tables()


def run(*words: object) -> subprocess.CompletedProcess[str]:
    """The command's answer."""
    return subprocess.run(
        [str(COMMAND), *map(str, words)], check=False, capture_output=True, encoding="utf-8", timeout=60
    )


def report_of(*words: object) -> dict[str, Any]:
    """The report of a call that succeeds."""
    answer = run(*words, "--json")
    assert answer.returncode == 0, answer.stderr
    report: dict[str, Any] = json.loads(answer.stdout)
    return report


def recording(path: Path) -> mrtk_file.Recording:
    return mrtk_file.parse(path.read_bytes())


@pytest.mark.parametrize("ending", ["bvh", "glb"])
def test_hands_that_come_back_from_another_format_are_tracked(ending: str, tmp_path: Path) -> None:
    other, back = tmp_path / f"a.{ending}", tmp_path / "b.bin"
    report_of("convert", MRTK / "two_hands_v10.bin", other)
    report_of("convert", other, back)
    made = recording(back)
    for side in ("left", "right"):
        assert made.curves[f"{side}.tracked"].values() == [1.0]
        assert made.curves[f"{side}.pinch"].values() == [0.0]
    assert "hand_not_tracked" not in run("check", back).stdout


def with_leaf(bvh: Bvh, name: str) -> Bvh:
    """The file with another root that has six channels and stays at (0, 1.7, 0)."""
    root = bvh.joints[0]
    extra = replace(root, name=name, parent=0, channels=list(root.channels))
    width = len(root.channels)
    joints: list[Joint] = [*bvh.joints, extra]
    return replace(bvh, joints=joints, motion=[[*row, *([0.0] * width)] for row in bvh.motion])


def test_a_joint_named_camera_hides_no_hands(tmp_path: Path) -> None:
    bvh = with_leaf(rigs.as_bvh(rigs.build("mixamo", TABLES["mixamo"])), "Camera")
    path = tmp_path / "person.bvh"
    path.write_bytes(bvh_file.write(bvh))
    report_of("convert", path, tmp_path / "hands.bin")
    made = recording(tmp_path / "hands.bin")
    assert [len(mrtk_player.joints_of(made, side)) for side in ("left", "right")] == [26, 26]
    assert mrtk_player.exists(made, "camera")


def hand_rig(convention: str, side: str) -> rigs.Rig:
    return rigs.build(
        convention, {slot: names for slot, names in TABLES[convention].items() if slot.startswith(side)}
    )


@pytest.mark.parametrize("convention", ["openxr_hand", "unity_xr_hand"])
def test_hands_of_other_runtimes_are_found(convention: str, tmp_path: Path) -> None:
    """Some of Unity's names are those of recordings once they have a side: "L_Palm"."""
    rig = hand_rig(convention, "left")
    rig = rig.renamed({joint.name: "L_" + joint.name for joint in rig.joints})
    bvh = rigs.as_bvh(rig)
    path = tmp_path / "hand.bvh"
    path.write_bytes(bvh_file.write(bvh))
    report_of("convert", path, tmp_path / "hand.bin")
    made = recording(tmp_path / "hand.bin")
    assert [len(mrtk_player.joints_of(made, side)) for side in ("left", "right")] == [26, 0]
    for joint, wanted in mrtk_hands.hand(bvh, rig.truth, "left", 0).items():
        found = mrtk_player.pose_of(made, f"left.{joint}", 0.0).position
        assert float(np.linalg.norm(np.array(found) - wanted.position)) <= 1.1e-4, joint


@pytest.mark.parametrize("side", ["left", "right"])
@pytest.mark.parametrize("convention", ["openxr_hand", "unity_xr_hand"])
def test_a_hand_whose_names_have_no_side_needs_one_word(convention: str, side: str, tmp_path: Path) -> None:
    """The refusal says what to write into a rig file, and that is enough."""
    rig = hand_rig(convention, side)
    bvh = rigs.as_bvh(rig)
    path, own, out = tmp_path / "hand.bvh", tmp_path / "rig.json", tmp_path / "hand.bin"
    path.write_bytes(bvh_file.write(bvh))
    answer = run("convert", path, out)
    assert answer.returncode == 2
    assert not out.exists()
    said = answer.stderr[answer.stderr.index("{") : answer.stderr.rindex("}") + 1]
    assert json.loads(said)["slots"] == {"leftHand": [bvh.joints[0].name]}
    assert "--rig" in answer.stderr
    own.write_text(said.replace("leftHand", f"{side}Hand"))
    report_of("convert", path, out, "--rig", own)
    made = recording(out)
    counts = {each: len(mrtk_player.joints_of(made, each)) for each in ("left", "right")}
    assert counts == {"left": 0, "right": 0, side: 26}
    for joint, wanted in mrtk_hands.hand(bvh, rig.truth, side, 0).items():
        found = mrtk_player.pose_of(made, f"{side}.{joint}", 0.0).position
        assert float(np.linalg.norm(np.array(found) - wanted.position)) <= 1.1e-4, joint


def world_axes(bvh: Bvh, made: mrtk_file.Recording, names: list[str]) -> Any:
    """The matrix from a recording's axes to the file's, from the poses of frame 0."""
    posed = bvh_pose.pose(bvh, 0)
    wanted = np.array([position_of(made, name, 0.0) for name in names])
    matrix, *_ = np.linalg.lstsq(
        wanted, np.array([posed.positions[i] for i in range(len(names))]), rcond=None
    )
    return np.rint(matrix)


def position_of(made: mrtk_file.Recording, name: str, seconds: float) -> tuple[float, ...]:
    side = {"L_": "left.", "R_": "right."}.get(name[:2], "")
    joint = f"{side}{name[2:]}" if side else name.lower()
    return mrtk_player.pose_of(made, joint, seconds).position


@pytest.mark.parametrize("stem", ["whole_curves", "three_partitions", "hands_come_and_go"])
def test_the_reported_error_of_a_bvh_counts_what_is_between_frames(stem: str, tmp_path: Path) -> None:
    out = tmp_path / "a.bvh"
    source = recording(MRTK / f"{stem}.bin")
    report = report_of("convert", MRTK / f"{stem}.bin", out, "--hands", "exact")
    assert report["frames_per_second"] >= 30.0
    bvh = bvh_file.parse(out.read_bytes())
    assert (len(bvh.motion) - 1) * bvh.frame_time >= mrtk_player.duration(source) - 1e-3 / 60
    names = [joint.name for joint in bvh.joints if joint.name not in ("Gaze", "GazeDirection")]
    axes = world_axes(bvh, source, names)
    frames = [np.array(bvh_pose.pose(bvh, i).positions[: len(names)]) for i in range(len(bvh.motion))]
    worst = 0.0
    for name in ("L_IndexTip", "R_IndexTip", "L_Wrist"):
        curve = source.curves[f"{'left' if name[0] == 'L' else 'right'}.{name[2:]}.position.x"]
        for seconds in curve.times():
            at = seconds / bvh.frame_time
            first = min(int(at), len(frames) - 2)
            index = names.index(name)
            shown = frames[first][index] * (first + 1 - at) + frames[first + 1][index] * (at - first)
            wanted = np.array(position_of(source, name, seconds)) @ axes
            worst = max(worst, 1000 * float(np.linalg.norm(shown - wanted)))
    assert worst > 0.1
    assert report["max_position_error_mm"] >= 0.999 * worst


@pytest.mark.parametrize("hands", ["exact", "hands"])
@pytest.mark.parametrize("stem", ["whole_curves", "three_partitions", "hands_come_and_go", "one_hand"])
def test_a_bvh_of_a_reduced_recording_has_the_recorders_rate(stem: str, hands: str, tmp_path: Path) -> None:
    """The fixtures are recorded about 60 times a second, unevenly, and then reduced."""
    report = report_of("convert", MRTK / f"{stem}.bin", tmp_path / "a.bvh", "--hands", hands)
    assert report["frames_per_second"] == 60.0


def test_an_end_before_the_start_is_refused(tmp_path: Path) -> None:
    for end, reason in (("-1", "seconds from 0"), ("0", "the end must come after the start")):
        answer = run("edit", MRTK / "two_hands_v10.bin", tmp_path / "o.bin", "--trim-end", end)
        assert answer.returncode == 2, answer.stdout
        assert reason in answer.stderr
    assert not (tmp_path / "o.bin").exists()


def test_a_curve_that_repeats_has_lost_no_tail(tmp_path: Path) -> None:
    out = tmp_path / "o.bin"
    report_of("edit", MRTK / "wrap_loop.bin", out, "--mrtk-version", "1.1")
    assert "lost_tail" not in run("check", out, "--level", "strict").stdout


def test_messages_name_the_flag_the_file_and_what_to_do(tmp_path: Path) -> None:
    out = tmp_path / "o.bin"
    answer = run("convert", MRTK / "two_hands_v10.bin", out, "--mrtk-version", "1.1")
    assert answer.returncode == 2
    assert "--mrtk-version" in answer.stderr and "animbridge edit" in answer.stderr
    answer = run("join", MRTK / "nan_value.bin", MRTK / "two_hands_v10.bin", out)
    assert "nan_value.bin" in answer.stderr
    assert answer.stderr.count("camera.position") + answer.stderr.count("Wrist.position") <= 1
    answer = run("check", MRTK / "wide_keys.bin", "--strict")
    assert "lenient reading" in answer.stderr, answer.stderr
    answer = run("convert", MRTK / "lost_w.bin", tmp_path / "o.bvh")
    assert "--repair-rotation-w" in answer.stdout


def test_counts_are_in_english(tmp_path: Path) -> None:
    text = run("info", MRTK / "no_markers_camera.bin").stdout
    assert "ends before the list of markers" in text
    path = tmp_path / "short.bin"
    path.write_bytes((MRTK / "flags_none.bin").read_bytes()[:18])
    assert "needs 1 byte; 0 bytes are left" in run("info", path).stderr
    out = tmp_path / "o.bin"
    same = run("edit", MRTK / "no_markers_camera.bin", out, "--mrtk-version", "1.1").stdout
    assert (
        "an empty list of markers was added" in same
        and " 0 " not in same.split("version 1.1")[1].split("\n")[0]
    )
    assert "not moved" in run("edit", MRTK / "two_hands_v11.bin", out, "--start-at-zero").stdout


def test_compare_tells_what_is_tracked_apart(tmp_path: Path) -> None:
    source = recording(MRTK / "two_hands_v11.bin")
    other = replace(
        source,
        curves={**source.curves, "left.tracked": replace(source.curves["left.tracked"], keys=[])},
    )
    path = tmp_path / "untracked.bin"
    path.write_bytes(mrtk_file.write(other))
    text = run("compare", MRTK / "two_hands_v11.bin", path).stdout
    assert "differs: tracked_left" in text
    text = run("compare", "--all", MRTK / "two_hands_v11.bin", MRTK / "whole_curves.bin").stdout
    assert "world deg" in text and "local deg" not in text


def test_a_clip_that_is_larger_than_its_recording_keeps_the_limit(tmp_path: Path) -> None:
    """No two curves share a time: the hands get a key for each, at all of their joints."""
    made = mrtk_file.empty(mrtk_file.V11)
    count = len(made.curves)
    for place, name in enumerate(made.curves):
        value = 1.0 if mrtk_file.is_bool(name) or name.endswith("rotation.w") else 0.01 * (place % 7)
        keys = [mrtk_file.short_key(0.05 * (key + place / count), value) for key in range(100)]
        made.curves[name] = mrtk_file.Curve(keys)
    disjoint, out = tmp_path / "disjoint.bin", tmp_path / "made.bvh"
    disjoint.write_bytes(mrtk_file.write(made))
    answer = run("convert", disjoint, out, "--memory-mib", 128)
    assert answer.returncode == 1
    assert "disjoint.bin: it needs more than the 128 MiB that are allowed" in answer.stderr
    assert not out.exists()
    # A recording of such a size whose curves share their times needs far less.
    for name, curve in made.curves.items():
        made.curves[name] = mrtk_file.Curve(
            [mrtk_file.short_key(0.05 * key, value) for key, value in enumerate(curve.values())]
        )
    shared = tmp_path / "shared.bin"
    shared.write_bytes(mrtk_file.write(made))
    answer = run("convert", shared, out, "--memory-mib", 128)
    assert answer.returncode == 0, answer.stderr
