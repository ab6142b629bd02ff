# SPDX-License-Identifier: MIT
"""MRTK recordings that play: as the recorder makes them, and with everything that the format can hold."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

from .. import mrtk_file as f
from .. import mrtk_recorder
from ..mrtk_axes import scaled, turn
from ..mrtk_file import V10, V11, Curve, Recording, Words, full_key, marker
from ..mrtk_recorder import Take
from . import mrtk_motion
from .mrtk_build import MrtkCase, camera_alone, good, mapped, only, whole, with_keys

INF = math.inf
MINUS_ZERO, DENORMAL = 0x80000000, 0x00000001
# As the layout of other writers may have it: two, three and four bytes of UTF-8, and more than 127 of them.
LONG_NAME = "Zeigefinger ber\u00fchrt \u25b6 \u3064\u307e\u3080 \U0001f90f " * 4
BACKWARD = 172.0  # degrees: a person who faces -Z, and whose rotations have a W of about 0
METACARPALS = ("IndexMetacarpal", "MiddleMetacarpal", "RingMetacarpal", "PinkyMetacarpal")


def recorded() -> list[MrtkCase]:
    """What the recorder makes: with both keys, whole curves and one hand."""
    turned, short = (mrtk_motion.take(count, facing=BACKWARD) for count in (mrtk_motion.SAMPLES, 97))
    left = only(lambda name: not name.startswith("right"), mrtk_motion.take())
    left.switches["right.tracked"] = left.switches["right.pinch"] = [(0.0, False)]
    return [
        good("two_hands_v10", "Two hands and the camera", whole(V10, every=18), joints=None),
        good("two_hands_v11", "Two hands, camera and gaze", whole(every=9)),
        good("whole_curves", "Reduced with partition 0", mrtk_recorder.record(turned, None, 0)),
        good("three_partitions", "97 samples: none is lost", mrtk_recorder.record(short, None, 32)),
        good("one_hand", "Only the left hand was seen", mrtk_recorder.record(left, None, 0)),
        good("hands_come_and_go", "Each hand is tracked for some of the time", _coming_and_going()),
        good(
            "hand_lost_and_found",
            "The left hand is out of sight for a while",
            _lost_and_found(),
            "bridged_gaps",
        ),
        good("empty_v10", "Nothing was recorded: 4,688 bytes", f.empty(V10), "no_keys"),
        good("empty_v11", "Nothing was recorded: 4,763 bytes", f.empty(V11), "no_keys"),
        good("camera_v10", "No hand was ever seen", camera_alone(V10)),
        good("single_frame", "One frame of everything", whole(V10, count=1, every=1)),
        good("switches_alone", "Hands without joints, as on HoloLens 1", _switches_alone()),
    ]


def _coming_and_going() -> Recording:
    spans = {"left": (12, 75), "right": (40, 98)}
    return mrtk_recorder.record(mrtk_motion.take(spans=spans), None, 0)


def _lost_and_found() -> Recording:
    """The recorder gets no samples of a hand that it does not see (spec 2.2)."""
    take = mrtk_motion.take(every=9)
    lost, found = 0.6, 1.2
    for name, samples in take.groups.items():
        if name.startswith("left."):
            take.groups[name] = [sample for sample in samples if not lost <= sample[0] < found]
    frames = [sample[0] for sample in take.groups["camera.position"]]
    first, last = (min(t for t in frames if t >= limit) for limit in (lost, found))
    take.switches["left.tracked"] = [(0.0, True), (first, False), (last, True)]
    take.switches["left.pinch"] = [(0.0, False)]
    return mrtk_recorder.record(take, None, 0)


def _switches_alone() -> Recording:
    take = mrtk_motion.take()
    return mrtk_recorder.record(Take({}, take.switches), f.empty(V10))


def flags() -> list[MrtkCase]:
    """All eight combinations of sections in 1.1, and a flag that is neither 0 nor 1."""
    made: list[MrtkCase] = []
    for bits in range(8):
        chosen = bytes(bits >> i & 1 for i in range(3))
        names = "_".join(n for n, on in zip(("camera", "hands", "gaze"), chosen, strict=True) if on) or "none"
        expect = [] if bits else ["no_keys"]
        made.append(good(f"flags_{names}", f"Sections: {names}", whole(V11, chosen), *expect))
    odd = camera_alone(flags=b"\1\2\xff")
    return [*made, good("flags_2_and_255", "Flags that are neither 0 nor 1", odd)]


def times_and_switches() -> list[MrtkCase]:
    """Times before 0, and values of switches on both sides of 0.5."""

    def earlier(curve: Curve) -> Curve:
        return replace(curve, keys=[(f.bits_of(f.float_of(k[0]) - 1.25), *k[1:]) for k in curve.keys])

    two = whole(V10)
    before = replace(two, curves={name: earlier(curve) for name, curve in two.curves.items()})
    switches = with_keys(two, "left.tracked", [f.short_key(-5.25, 0), f.short_key(-0.5, 1)])
    values = [(0.0, 1.0), (0.25, 0.5), (0.5, 0.50001), (0.75, -3.0), (1.0, 7.0)]
    odd = with_keys(camera_alone(V10), "right.pinch", [f.short_key(*pair) for pair in values])
    moments, about = (-1.25, -0.8, 0.0, 0.5), "Keys from -1.25 s on"
    return [
        good("negative_times", about, before, "negative_times", times=moments, good=True),
        good(
            "negative_switches",
            "Switches from -5.25 s on",
            switches,
            "negative_times",
            times=(-6, -1, -0.25, 1),
        ),
        good("switch_values", "Only values above 0.5 are on", odd, times=(0.1, 0.3, 0.6, 0.8, 1.2)),
    ]


def markers() -> list[MrtkCase]:
    """Marker lists (spec 1.4)."""
    base = camera_alone()
    named = [marker(0.25, "grasp"), marker(0.5, LONG_NAME), marker(0.5, ""), marker(1.5, "n" * 16400)]
    assert len(LONG_NAME.encode()) > 127
    spelled = f.Marker(f.bits_of(0.5), b"grasp", b"\x85\x80\x00")
    foreign = f.Marker(f.bits_of(1.0), b"\xff\xfe not UTF-8 \0", b"\x0e")
    late = [marker(-0.5, "before"), marker(99.0, "after the end")]
    unsorted = [marker(1.0, "second"), marker(0.5, "first")]
    return [
        good("markers", "Names of 5, 0, many and 16,400 bytes", replace(base, markers=named)),
        good("markers_v10", "Markers of version 1.0", replace(camera_alone(V10), markers=named[:3])),
        good("markers_outside", "Markers outside the keys", replace(base, markers=late)),
        good("marker_length_spelled_long", "A length of three bytes", replace(base, markers=[spelled])),
        good("marker_not_utf8", "A name that is not UTF-8", replace(base, markers=[foreign])),
        good(
            "markers_not_sorted", "The later one first", replace(base, markers=unsorted), "markers_not_sorted"
        ),
    ]


def bent(
    tangents: Callable[[int], tuple[float, float]],
    weights: Callable[[int], tuple[float, float]],
    mode: Callable[[int], int],
) -> Recording:
    """The camera's curves with other tangents and weights, by the index of the key."""
    made = camera_alone(V10)

    def change(curve: Curve) -> Curve:
        keys: list[Words] = [
            full_key(f.float_of(k[0]), f.float_of(k[1]), tangents(i), weights(i), mode(i))
            for i, k in enumerate(curve.keys)
        ]
        return replace(curve, keys=keys)

    return mapped(made, "camera", change)


def tangents() -> list[MrtkCase]:
    """Full keys of 1.0 (spec 2.4)."""
    slopes = [(0.0, 0.0), (0.2, 0.2), (-0.3, 0.1), (0.05, -0.4), (0.1, 0.1)]
    weights = [(0.0, 0.0), (1.0, 1.0), (0.25, 0.75), (1 / 3, 1 / 3), (0.0, 1.0), (0.9, 0.1), (1.0, 0.0)]
    steps = [(0.0, INF), (INF, 0.0), (-INF, -INF), (0.0, 0.0)]
    thirds = (1 / 3, 1 / 3)
    some = camera_alone(V10)
    signs = with_keys(
        some, "camera.position.x", [(0, MINUS_ZERO, 0, 0, 0, 0, 3), (DENORMAL, 0, 0, 0, 0, 0, 3)]
    )
    signs = mapped(signs, "camera", lambda c: replace(c, keys=c.keys[:2]))
    for part in ("position.y", "position.z"):
        y = signs.curves[f"camera.{part}"].keys
        signs = with_keys(signs, f"camera.{part}", [y[0], (DENORMAL, *y[1][1:])])
    return [
        good(
            "hermite", "Slopes without weights", bent(lambda i: slopes[i % 5], lambda _: thirds, lambda _: 0)
        ),
        good(
            "weights", "Every weighted mode", bent(lambda i: slopes[i % 5], lambda i: weights[i % 7], _mode)
        ),
        good(
            "weights_0_and_1",
            "Weights at their ends, both sides",
            bent(lambda i: slopes[i % 5], lambda i: [(1, 1), (0, 1), (1, 0), (0, 0)][i % 4], lambda _: 3),
        ),
        good("steps", "Infinite tangents", bent(lambda i: steps[i % 4], lambda _: thirds, lambda _: 0)),
        good(
            "steps_weighted",
            "Infinite tangents with weights",
            bent(lambda i: steps[i % 4], lambda i: weights[i % 7], lambda _: 3),
        ),
        good("tiny_times", "Keys that are one denormal apart; minus zero", signs, times=(0.0, 1.0)),
        good("weights_unused", "Weights outside 0 to 1 that no side uses", bent(_flat, _beyond, lambda _: 0)),
    ]


def _mode(index: int) -> int:
    return (0, 3, 1, 2, 3, 3, 2, 0, 1, 1)[index % 10]


def _flat(_: int) -> tuple[float, float]:
    return (0.0, 0.0)


def _beyond(_: int) -> tuple[float, float]:
    return (-1.0, 2.0)


def wraps() -> list[MrtkCase]:
    """Wrap modes; a switch that ends later shows what is beyond the camera's keys."""
    rows = [
        ("loop", f.LOOP, f.LOOP),
        ("ping_pong", f.PING_PONG, f.PING_PONG),
        ("default", f.DEFAULT, f.DEFAULT),
        ("once", f.ONCE, f.ONCE),
        ("loop_then_ping_pong", f.LOOP, f.PING_PONG),
    ]
    made: list[MrtkCase] = []
    for name, pre, post in rows:
        some = camera_alone(V10)

        def change(curve: Curve, pre: int = pre, post: int = post) -> Curve:
            return Curve(curve.keys, pre, post)

        some = mapped(some, "camera", change)
        some = with_keys(some, "left.pinch", [f.short_key(-6.0, 0), f.short_key(6.0, 1)])
        moments = (-5.3, -1.9, -0.2, 0.7, 2.0, 3.1, 4.4, 5.9, 6.5)
        made.append(good(f"wrap_{name}", f"Wraps: {name}", some, "negative_times", times=moments, good=True))
    return made


def shapes_of_hands() -> list[MrtkCase]:
    """What providers leave out or add."""

    def has_bone(name: str) -> bool:
        return not any(f".{bone}." in name for bone in METACARPALS)

    oculus = mrtk_recorder.record(only(has_bone, mrtk_motion.take(every=27)), f.empty(V11))
    none = whole()
    moments = none.curves["left.Wrist.position.x"].times()
    for hand in f.HANDS:
        for part in (*f.POSITION, *f.ROTATION):
            none = with_keys(none, f"{hand}.None.{part}", [f.short_key(t, 0.0) for t in moments])
    few = only(
        lambda name: "right" not in name and ("left." not in name or "Wrist" in name), mrtk_motion.take()
    )
    return [
        good("no_metacarpals", "As Oculus hands are", oculus, "joints_missing", good=True),
        good("none_with_zeros", "As simulated hands are: None has zero quaternions", none, "zero_rotations"),
        good(
            "wrist_alone",
            "One joint of one hand",
            mrtk_recorder.record(few, None, 0),
            "joints_missing",
            "hand_not_tracked",
        ),
        good("flipped_signs", "Rotations change sign as trackers do", flipped(whole(V10)), "sign_flips"),
        good("doubled_rotations", "Quaternions of length 2", doubled(camera_alone()), "rotation_length"),
        good("half_turn_steps", "Turns of 178 degrees", half_turns()),
    ]


def flipped(made: Recording) -> Recording:
    """Every rotation with another sign at some of its keys."""
    sign = 0x80000000
    curves = dict(made.curves)
    for position, (name, curve) in enumerate(made.curves.items()):
        if ".rotation." in name:
            shift = position // 7 % 3  # the four of a joint share it
            keys: list[Words] = [
                (k[0], k[1] ^ sign, *k[2:]) if (i + shift) % 3 == 1 else k for i, k in enumerate(curve.keys)
            ]
            curves[name] = replace(curve, keys=keys)
    return replace(made, curves=curves)


def doubled(made: Recording) -> Recording:
    """The camera's rotation with twice the length."""
    for part in f.ROTATION:
        keys = made.curves[f"camera.{part}"].keys
        longer = [f.short_key(f.float_of(t), 2 * f.float_of(v)) for t, v in keys]
        made = with_keys(made, f"camera.{part}", longer)
    return made


def half_turns() -> Recording:
    """The camera turns about Y by 178 degrees between keys, without a change of sign."""
    samples = [(0.5 * i, scaled(turn(1, 178.0 * i), 1.0)) for i in range(5)]
    return mrtk_recorder.record(Take({"camera.rotation": samples}), f.empty(V10))


def all_cases() -> list[MrtkCase]:
    """Every case of this module."""
    groups = (recorded, flags, times_and_switches, markers, tangents, wraps, shapes_of_hands)
    return [case for group in groups for case in group()]
