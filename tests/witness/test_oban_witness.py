# SPDX-License-Identifier: MIT
"""The witness's OBAN record, player and rules against published bytes and numbers worked out by hand."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
from tests.witness import oban_axes, oban_check, oban_file, oban_player
from tests.witness.anim_file import ParseError
from tests.witness.cases import oban_published, oban_records
from tests.witness.cases.oban_build import key, record, swing, turn
from tests.witness.oban_file import Record, floats_of
from tests.witness.oban_player import Matrix

X, Y, Z = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)
SEVEN_DIGITS = 6e-7  # relative: the page prints 1.819999 for 1.81999993, so it cuts digits off


def van() -> Record:
    """The documented bytes with the one key that is documented."""
    return oban_file.parse(oban_published.with_count(oban_published.VAN, 1))


def degrees_about_y(m: Matrix) -> float:
    """Of a turn about Y, from the image of X."""
    return math.degrees(math.atan2(-m[2], m[0]))


def ids(made: Record) -> list[str]:
    """The rules that a record breaks."""
    return [finding.id for finding in oban_check.findings(made)]


def test_published_fields() -> None:
    made = van()
    assert len(oban_published.VAN) == 160
    assert (made.res_id >> 8, made.lev_id >> 25, made.flags) == (134, 3, 0)
    assert (made.frame_length, made.frame_count, made.half_stop_frame) == (80, 501, 0)
    assert len(oban_published.whole_van()) == 0x80 + 0x20 * 101
    scaled = floats_of(made.base_bits)
    assert scaled == pytest.approx([1.82, 0, 0, 0, 1.82, 0, 0, 0, 1.82, 0, 0, 0], abs=1e-6)


def test_published_numbers() -> None:
    """The page prints the values beside the bytes."""
    made = van()
    rotation, position = floats_of(made.keys[0].rotation_bits), floats_of(made.keys[0].position_bits)
    assert rotation == pytest.approx(oban_published.VAN_ROTATION, rel=SEVEN_DIGITS)
    assert position == pytest.approx(oban_published.VAN_POSITION, rel=SEVEN_DIGITS)
    assert floats_of(made.initial_bits) == pytest.approx(oban_published.VAN_INITIAL, rel=SEVEN_DIGITS)


def test_conjugated_quaternion_gives_the_published_matrix() -> None:
    """Spec 1: also the off-diagonals of some 1e-7, and only when conjugated."""
    made = van()
    stored = floats_of(made.initial_bits)
    assert oban_player.transform(made, 0)[:9] == pytest.approx(stored[:9], abs=3e-8)
    turned_round = oban_player.rotation_matrix(oban_player.normalised(floats_of(made.keys[0].rotation_bits)))
    assert 1.82 * turned_round[5] == pytest.approx(+1.82, abs=1e-5)  # Y goes to +Z, not to the page's -Z
    assert stored[5] == pytest.approx(-1.82, abs=1e-5)


def test_slip_of_the_page() -> None:
    slip = oban_file.parse(oban_published.with_count(oban_published.VAN_WITH_SLIP, 1))
    assert slip.keys[0].position_bits == slip.initial_bits[:3]
    assert "initial_transform_differs" in ids(slip)
    assert "initial_transform_differs" not in ids(van())


def test_stored_identity() -> None:
    """Stored (0, 0, 0, 1) is w = -1 in standard form: no turn."""
    assert oban_player.standard((0, 0, 0, 1)) == (0, 0, 0, -1)
    assert oban_player.transform(record(key(0)), 0) == (1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0)


def test_quarter_turn_about_y() -> None:
    """Right-handed: X goes to -Z, Z to X."""
    m = oban_player.transform(record(key(0, turn(Y, 90), (7, 8, 9))), 0)
    assert m == pytest.approx([0, 0, -1, 0, 1, 0, 1, 0, 0, 7, 8, 9], abs=1e-7)


def test_whole_base_is_applied_first() -> None:
    """X: the Base takes it to (2 + 5, 0, 0), the turn to (0, 0, -7), the position adds (1, 2, 3)."""
    base = oban_file.bits_of_all([2, 0, 0, 0.5, 3, 0, 0, 0, -1, 5, 0, 0])
    m = oban_player.transform(record(key(0, turn(Y, 90), (1, 2, 3)), base_bits=base), 0)
    assert oban_player.transformed(m, (1, 0, 0)) == pytest.approx([1, 2, -4], abs=1e-6)
    # Y is sheared to (0.5, 3, 0) + (5, 0, 0), turned to (0, 3, -5.5).
    assert oban_player.transformed(m, (0, 1, 0)) == pytest.approx([1, 5, -2.5], abs=1e-6)


@pytest.mark.parametrize("frame", [0, 2.5, 5, 7.5, 10])
def test_nlerp(frame: float) -> None:
    """Normalised lerp of half angles 0 and 45 degrees: no constant speed."""
    made = record(key(0), key(10, turn(Y, 90), (20, 0, 0)))
    u, half = frame / 10, math.radians(45)
    expected = 2 * math.degrees(math.atan2(u * math.sin(half), 1 - u + u * math.cos(half)))
    m = oban_player.transform(made, frame)
    assert degrees_about_y(m) == pytest.approx(expected, abs=1e-5)
    assert m[9] == pytest.approx(2 * frame)


def test_shortest_path() -> None:
    """Signs of stored quaternions change nothing that is seen."""
    plain, flipped = oban_records.full_turn(False), oban_records.full_turn(True)
    assert plain.keys != flipped.keys
    for frame in range(4 * plain.frame_count):
        a, b = (oban_player.transform(made, frame / 4) for made in (plain, flipped))
        assert a == pytest.approx(b, abs=1e-12)
    quarter_points = [degrees_about_y(oban_player.transform(flipped, f)) for f in (0, 7.5, 15, 22.5)]
    assert quarter_points == pytest.approx([0, 45, 90, 135], abs=1e-4)


def test_camera_in_base_is_the_same_pose() -> None:
    """Looks along -Z: 30 degrees down, and 120 degrees round from -Z about Y."""
    m = oban_player.transform(oban_records.camera_in_base(), 0)
    angle = math.radians(120)
    level = math.cos(math.radians(30))
    view = [-math.sin(angle) * level, -0.5, -math.cos(angle) * level]
    assert [-v for v in m[6:9]] == pytest.approx(view, abs=1e-6)
    assert m[9:] == pytest.approx([1968, -5.61, -879.18], rel=1e-6)


@pytest.mark.parametrize("index", range(4))
def test_steep_camera(index: int) -> None:
    m = oban_player.transform(oban_records.steep_camera(), 20 * index)
    assert -m[7] == pytest.approx(math.sin(math.radians(86 + index)), abs=1e-6)


def test_before_the_first_and_behind_the_last_key() -> None:
    made = record(key(5, position=X), key(20, position=Y), frame_count=31)
    places = [oban_player.pose(made, f).position for f in (-3, 0, 5, 20, 25, 30, 99)]
    assert places == [X, X, X, Y, Y, Y, Y]


def test_loops() -> None:
    """Spec 2: t mod FrameCount without blend; a triangle of 2 * (FrameCount - 1); else the end holds."""
    made = Record(frame_count=11)
    assert [oban_player.looped_frame(made, t) for t in (-1, 0, 9.5, 10, 25)] == [0, 0, 9.5, 10, 10]
    made.flags = oban_file.NORMAL_LOOP
    assert [oban_player.looped_frame(made, t) for t in (9.5, 10, 10.5, 11, 23.5)] == [9.5, 10, 10, 0, 1.5]
    made.flags = oban_file.BACK_TO_BACK_LOOP
    assert [oban_player.looped_frame(made, t) for t in (9, 10, 11, 20, 23.5)] == [9, 10, 9, 0, 3.5]
    assert oban_player.looped_frame(replace(made, frame_count=1), 7.5) == 0


def test_truncation_at_each_byte() -> None:
    data = oban_file.write(swing())
    for end in range(len(data)):
        with pytest.raises(ParseError) as caught:
            oban_file.parse_raw(data[:end])
        assert caught.value.offset <= end


def test_as_many_keys_as_there_may_be() -> None:
    made = oban_records.longest()
    data = oban_file.write(made)
    assert len(data) == 0x80 + 0x20 * 32767
    assert oban_file.parse_raw(data) == made
    assert ids(made) == []


def test_one_key_more() -> None:
    made = oban_records.longest(32768)
    assert oban_file.parse_raw(oban_file.write(made)) == made
    assert ids(made) == ["keys_too_many", "frame_count_too_large"]
    assert oban_file.parse_raw(oban_file.write(oban_records.longest(65535))).frame_count == 65535


def test_findings_tell_class_and_place() -> None:
    made = oban_records.door(0.5)
    assert oban_check.findings(made) == [("door_not_symmetric", "advice", "half_stop_frame")]
    made.keys[1].rotation_bits = (0, 0, 0, 0)
    assert oban_check.findings(made) == [("rotation_without_direction", "rejected", "keys[1].rotation")]


def test_door_tolerance() -> None:
    """1 mm is 0.01 units; 0.05 degrees."""
    for place, apart in ((0.0099, False), (0.0101, True)):
        keys = [key(0), key(10, turn(Y, 90)), key(20, position=(place, 0, 0))]
        assert ("door_not_symmetric" in ids(record(*keys, half_stop_frame=10))) == apart
    for angle, apart in ((0.049, False), (0.051, True)):
        keys = [key(0), key(10, turn(Y, 90)), key(20, turn(Y, angle))]
        assert ("door_not_symmetric" in ids(record(*keys, half_stop_frame=10))) == apart


def test_blender_axes_by_hand() -> None:
    """Up is Z there; the identity camera, which looks along -Z with Y up, looks along +Y with Z up."""
    assert oban_axes.location((10, 20, 30)) == pytest.approx([1, -3, 2])
    stored = (0.0, 0.0, 0.0, -1.0)
    half = math.sqrt(0.5)
    assert oban_axes.rotation_raw_axes(stored) == pytest.approx([half, half, 0, 0])
    assert oban_axes.rotation_converted(stored) == pytest.approx([1, 0, 0, 0])
    # A turn about the file's Y is one about Blender's Z.
    about_z = [math.cos(math.radians(20)), 0, 0, math.sin(math.radians(20))]
    assert oban_axes.rotation_converted(turn(Y, 40)) == pytest.approx(about_z)


def test_blender_axes_and_back() -> None:
    for one in swing().keys:
        stored, place = floats_of(one.rotation_bits), floats_of(one.position_bits)
        assert oban_axes.position(oban_axes.location(place)) == pytest.approx(place)
        assert oban_axes.stored_raw_axes(oban_axes.rotation_raw_axes(stored)) == pytest.approx(stored)
        assert oban_axes.stored_converted(oban_axes.rotation_converted(stored)) == pytest.approx(stored)


def test_blender_shows_what_the_player_shows() -> None:
    """A vertex through A(f) and then into Blender's axes is the same vertex through Blender's rotation."""
    made, vertex = swing(), (1.0, -2.0, 3.0)
    for one in made.keys:
        there = oban_axes.location(oban_player.transformed(oban_player.transform(made, one.time), vertex))
        place = oban_axes.location(floats_of(one.position_bits))
        stored = floats_of(one.rotation_bits)
        for rotation, body in (
            (oban_axes.rotation_raw_axes(stored), tuple(oban_axes.METRES * v for v in vertex)),
            (oban_axes.rotation_converted(stored), oban_axes.location(vertex)),
        ):
            w, x, y, z = rotation
            turned = oban_player.turned(oban_player.rotation_matrix((x, y, z, w)), body)
            assert [a + b for a, b in zip(turned, place, strict=True)] == pytest.approx(there, abs=1e-6)
