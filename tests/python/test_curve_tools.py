# SPDX-License-Identifier: MIT
"""Clip tools on F-curves: keys that can be worked out by hand, and which key became which."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

from animbridge.abi import Channel, Facing, Key
from animbridge.curves import Armature, Curve, Timing
from animbridge.editing import edit_curves
from animbridge.errors import AnimBridgeError

TIMING = Timing(10.0, 1.0)
HALF = float(np.sqrt(0.5))


def armature() -> Armature:
    """One bone along the armature's axes."""
    rest = np.eye(4, dtype=np.float32).ravel()[None]
    return Armature(("hips",), np.array([-1], np.int32), rest, np.zeros(1, np.uint8), Facing.NEGATIVE_Y)


def prop(name: str, co: Any, codes: Any, handles: Any = (None, None)) -> Curve:
    left, right = (None if one is None else np.array(one, np.float32) for one in handles)
    keys = np.array(co, np.float32)
    return Curve(-1, Channel.PROPERTY, 0, keys, np.array(codes, np.uint8), left, right, prop=name)


def edited(curves: list[Curve], **options: Any) -> tuple[dict[Any, Curve], dict[str, Any]]:
    """The result by name, or by channel and component."""
    made = edit_curves(armature(), TIMING, curves, {"frame_end": 21.0, **options})
    found = {curve.prop or (curve.channel, curve.component): curve for curve in made}
    return found, made.report()


def test_a_reversed_bezier_keeps_its_shape() -> None:
    curve = prop(
        "a", [(1, 0), (11, 5), (21, 1)], [2, 2, 2], ([(0, 0), (8, 4), (19, 1)], [(3, 1), (13, 6), (22, 1)])
    )
    found, report = edited([curve], tools={"reverse": True}, markers=[{"name": "m", "frame": 6}])
    made = found["a"]
    assert made.sources is not None and list(made.sources) == [2, 1, 0]
    assert made.co.tolist() == [[1, 1], [11, 5], [21, 0]]
    assert made.handle_left is not None and made.handle_right is not None
    assert made.handle_left[1].tolist() == [9, 6] and made.handle_right[1].tolist() == [14, 4]
    assert report["markers"] == [{"name": "m", "frame": pytest.approx(16)}]


def test_reversed_steps_keep_their_values() -> None:
    """0 until 11, 5 until 21, then 1: backwards 5 until 11, then 0."""
    made = edited([prop("a", [(1, 0), (11, 5), (21, 1)], [0, 0, 0])], tools={"reverse": True})[0]["a"]
    at = dict(made.co.tolist())
    assert at[1.0] == 5 and at[11.0] == 0
    assert made.interpolation is not None and set(made.interpolation) == {int(Key.CONSTANT)}


def test_a_cut_adds_keys_and_says_which_are_old() -> None:
    made, report = edited([prop("a", [(1, 0), (11, 10), (21, 0)], [1, 1, 1])], trim=[6, 16])
    assert made["a"].co.tolist() == [[1, 5], [6, 10], [11, 5]]
    assert made["a"].sources is not None and list(made["a"].sources) == [-1, 1, -1]
    assert report["frame_end"] == pytest.approx(11)
    assert report["before"]["seconds"] == 2.0 and report["after"]["seconds"] == 1.0


def test_a_cut_at_one_frame_keeps_one_pose() -> None:
    made, report = edited([prop("a", [(1, 0), (11, 10), (21, 0)], [1, 1, 1])], trim=[16, 16])
    assert made["a"].co.tolist() == [[1, 5]]
    assert report["frame_end"] == 1 and report["after"]["seconds"] == 0


def quarter_turn() -> list[Curve]:
    """About Z from 0 to 90 degrees, with a key between."""
    values = {0: (1.0, HALF), 1: (0.0, 0.0), 2: (0.0, 0.0), 3: (0.0, HALF)}
    mean = np.array([sum(values[i]) / 2 for i in range(4)])
    middle = mean / np.linalg.norm(mean)
    return [
        Curve(
            *(0, Channel.ROTATION_QUATERNION, i),
            np.array([(1, values[i][0]), (11, middle[i]), (21, values[i][1])], np.float32),
        )
        for i in range(4)
    ]


def test_a_closed_loop_ends_as_it_begins_and_other_curves_stay() -> None:
    found, report = edited(
        [*quarter_turn(), prop("a", [(1, 0), (21, 1)], [1, 1])], tools={"close_loop": True}
    )
    assert "a" not in found
    ends = [found[Channel.ROTATION_QUATERNION, i].co[-1, 1] for i in range(4)]
    assert np.allclose(ends, [1, 0, 0, 0], atol=1e-6)
    for i, curve in enumerate(quarter_turn()):
        kept = found[Channel.ROTATION_QUATERNION, i].co
        assert kept[0].tolist() == curve.co[0].tolist() and curve.co[1].tolist() in kept.tolist()
    assert report["before"]["loop"]["seam_degrees"] == pytest.approx(90, abs=1e-3)
    assert report["after"]["loop"]["seam_degrees"] < 1e-3


def test_a_pose_edit_reaches_the_next_keys() -> None:
    edit = {"bone": 0, "rotation_wxyz": [HALF, HALF, 0, 0]}
    found = edited(quarter_turn(), pose_edit={"frame": 11, "falloff_frames": 4, "bones": [edit]})[0]
    rows = np.array([found[Channel.ROTATION_QUATERNION, i].co for i in range(4)])
    before = np.array([curve.co for curve in quarter_turn()])
    assert rows.shape == before.shape
    assert (rows[:, [0, 2]] == before[:, [0, 2]]).all()
    w, x, y, z = before[:, 1, 1]
    assert np.allclose(rows[:, 1, 1], np.array([w - x, x + w, y + z, z - y]) * HALF, atol=1e-6)


@pytest.mark.parametrize(
    "options",
    [
        {"tools": {"smooth": 1.0}},
        {"pose_edit": {"frame": 3, "bones": [{"bone": 0, "rotation_wxyz": [HALF, HALF, 0, 0]}]}},
    ],
)
def test_axes_with_angles_are_refused_by_name(options: dict[str, Any]) -> None:
    curves = [
        Curve(0, Channel.ROTATION_AXIS_ANGLE, i, np.array([(1, i), (21, 1)], np.float32)) for i in range(4)
    ]
    with pytest.raises(AnimBridgeError, match="bone hips rotates by axis and angle"):
        edit_curves(armature(), TIMING, curves, {"frame_end": 21.0, **options})


def test_without_tools_nothing_changes() -> None:
    found, report = edited(quarter_turn())
    assert not found and report["tools"] == []


@pytest.mark.parametrize(
    ("options", "word"),
    [
        ({"trim": [6, 5]}, "trim"),
        ({"tools": {"speed": -1.0}}, "speed"),
        ({"tools": {"fast": 1}}, "tools"),
        ({"pose_edit": {"frame": 3, "bones": [{"bone": 1}]}}, "pose_edit"),
        ({"more": 1}, "more"),
        ({"split_seconds": 0.5}, "split_seconds"),
        ({"markers": 3}, "markers"),
    ],
)
def test_a_wrong_option_is_named(options: dict[str, Any], word: str) -> None:
    with pytest.raises(AnimBridgeError, match=word):
        edited(quarter_turn(), **options)


def test_parts_begin_at_whole_frames() -> None:
    curves = [Curve(0, Channel.LOCATION, i, np.array([(1, 0), (101, i)], np.float32)) for i in range(3)]
    made = edit_curves(armature(), TIMING, curves, {"frame_end": 101.0, "split_seconds": 4.0})
    cuts = made.report()["cuts"]
    assert all(cut == round(cut) for cut in cuts)
    ends = [1.0, *cuts, 101.0]
    assert all(0 < last - first <= 40 for first, last in itertools.pairwise(ends))
