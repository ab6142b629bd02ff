# SPDX-License-Identifier: MIT
"""MRTK recordings with damage: by the recorder's bugs, by other writers, or by hand.

Each row names the undamaged file from which it was made.
"""

from __future__ import annotations

from dataclasses import replace

from .. import mrtk_file as f
from .. import mrtk_recorder
from ..mrtk_file import V10, V11, WIDE, WIDE_NO_MARKERS, Recording, bits_of, full_key, marker, write
from . import mrtk_motion
from .mrtk_build import MrtkCase, camera_alone, changed, good, mapped, only, tolerated, whole, with_keys
from .mrtk_recordings import BACKWARD

NAN_WITH_PAYLOAD, SIGNALLING_NAN, INFINITY = 0xFFC12345, 0x7F800001, 0x7F800000
X = "camera.position.x"
#: Frames in which a hand is seen: the left one ends 13 samples after a partition, the right one after 30.
SPANS = {"left": (0, 110), "right": (79, 110)}


def recorder_bugs() -> list[MrtkCase]:
    """Spec 5.2 and 2.2."""
    plain = mrtk_motion.take()
    turned, short = (mrtk_motion.take(count, facing=BACKWARD) for count in (mrtk_motion.SAMPLES, 97))
    late = mrtk_motion.take(spans=SPANS)
    left = only(lambda name: "right" not in name, plain)
    record, tail = mrtk_recorder.record, "lost_tail"
    lost = ("lost_rotation_w",)
    return [
        good(
            "lost_w",
            "2.6.0, partition 32",
            record(short, None, 32, True),
            *lost,
            original="three_partitions.bin",
        ),
        good(
            "lost_w_whole",
            "2.6.0, partition 0",
            record(turned, None, 0, True),
            *lost,
            original="whole_curves.bin",
        ),
        good(
            "lost_w_one_hand",
            "No right hand",
            record(_one(left), None, 0, True),
            *lost,
            original="one_hand.bin",
        ),
        good("tail_before", "The right hand comes late; all keys are there", with_end(record(late, None, 0))),
        good(
            "lost_tail",
            "2.7.3: the last samples are lost, and the right hand has one key",
            with_end(record(late, None, 32)),
            *(tail, "single_key_joints"),
            original="tail_before.bin",
        ),
        good(
            "lost_w_and_tail",
            "2.6.0: the same, and W",
            with_end(record(late, None, 32, True)),
            *(tail, "single_key_joints", *lost),
            original="tail_before.bin",
        ),
    ]


def _one(take: mrtk_recorder.Take) -> mrtk_recorder.Take:
    take.switches["right.tracked"] = take.switches["right.pinch"] = [(0.0, False)]
    return take


def with_end(made: Recording) -> Recording:
    """The recording with the left pinch let go at the last frame, so that its length can be seen."""
    end = mrtk_motion.times()[-1]
    return changed(made, "left.pinch", lambda c: replace(c, keys=[*c.keys, f.short_key(end, 0.0)]))


def values() -> list[MrtkCase]:
    """Values, times and codes that do not mean anything."""
    base = camera_alone(V10)
    keys = base.curves[X].keys

    def key(index: int, word: int, bits: int) -> Recording:
        other = [(*k[:word], bits, *k[word + 1 :]) if i == index else k for i, k in enumerate(keys)]
        return with_keys(base, X, other)

    def row(name: str, about: str, made: Recording, *expect: str) -> MrtkCase:
        return good(name, about, made, *expect, original="camera_v10.bin")

    swapped = [keys[1], keys[0], *keys[2:]]
    return [
        row("nan_value", "A NaN with a payload", key(2, 1, NAN_WITH_PAYLOAD), "values_not_finite"),
        row("nan_signalling", "A signalling NaN", key(2, 1, SIGNALLING_NAN), "values_not_finite"),
        row("infinite_value", "An infinite value", key(2, 1, INFINITY), "values_not_finite"),
        row("nan_tangent", "A tangent is NaN", key(2, 3, NAN_WITH_PAYLOAD), "values_not_finite"),
        row("nan_time", "A NaN time", key(2, 0, NAN_WITH_PAYLOAD), "times_not_finite", "key_times_differ"),
        row(
            "infinite_time",
            "The last time is infinite",
            key(9, 0, INFINITY),
            "times_not_finite",
            "key_times_differ",
        ),
        row("weight_negative", "An out weight of -0.5", key(2, 5, bits_of(-0.5)), "weights_out_of_range"),
        row("weight_above_1", "An in weight of 1.5", key(2, 4, bits_of(1.5)), "weights_out_of_range"),
        row("weight_nan", "An in weight that is NaN", key(2, 4, SIGNALLING_NAN), "weights_out_of_range"),
        row("weighted_mode_4", "weightedMode 4", key(2, 6, 4), "unknown_weighted_mode"),
        row("weighted_mode_negative", "weightedMode -1", key(2, 6, 0xFFFFFFFF), "unknown_weighted_mode"),
        row("wrap_unknown", "Wrap modes 3 and -1", changed(base, X, _odd_wrap), "unknown_wrap_mode"),
        row(
            "x_not_sorted",
            "Two keys of X change places",
            with_keys(base, X, swapped),
            "times_not_sorted",
            "key_times_differ",
        ),
        row("equal_times", "Two keys at one time", mapped(base, "camera", _doubled)),
        row(
            "own_key_of_x",
            "X has a key of its own",
            with_keys(base, X, [*keys, full_key(3, 0.5)]),
            "key_times_differ",
        ),
        row(
            "own_keys_of_w", "W has fewer keys", changed(base, "camera.rotation.w", _half), "key_times_differ"
        ),
        row("trailing_byte", "A byte after the markers", replace(base, tail=b"\0"), "trailing_bytes"),
        row(
            "trailing_text",
            "Text after the markers",
            replace(base, tail=b"# comment\n" * 9),
            "trailing_bytes",
        ),
    ]


def _odd_wrap(curve: f.Curve) -> f.Curve:
    return f.Curve(curve.keys, 3, -1)


def _doubled(curve: f.Curve) -> f.Curve:
    """The fifth key once more."""
    return replace(curve, keys=[*curve.keys[:5], *curve.keys[4:]])


def _half(curve: f.Curve) -> f.Curve:
    return replace(curve, keys=curve.keys[::2])


def unsorted() -> list[MrtkCase]:
    """All curves of the camera have their keys in reverse."""
    made = mapped(camera_alone(), "camera", lambda c: replace(c, keys=c.keys[::-1]))
    return [good("keys_reversed", "Keys in reverse order", made, "times_not_sorted")]


def widened(made: Recording) -> Recording:
    """The recording with keys of 28 bytes, as the documentation shows them."""
    curves = {
        name: curve
        if f.is_bool(name)
        else replace(curve, keys=[full_key(f.float_of(t), f.float_of(v)) for t, v in curve.keys])
        for name, curve in made.curves.items()
    }
    return replace(made, curves=curves, layout=WIDE)


def other_writers() -> list[MrtkCase]:
    """Layouts that only lenient reading takes (spec 1.10).

    Wide keys lead the specified layout astray in the second curve: n short keys end inside a wide one,
    where its weightedMode and the next one's time and value are taken for wrap modes and a count.
    """
    small, big = camera_alone(), whole()
    wide_small, wide_big = widened(small), widened(whole(every=54))
    marked = [marker(0.25, "grasp"), marker(1.0, "let go")]
    no_list, wide, second = "missing_markers", "keys_with_tangents", "camera.position.y.key_count"
    ten, three = (second, 19 + 12 + 10 * 8 + 8), (second, 19 + 12 + 3 * 8 + 8)
    text = "The file ends before the marker count"
    return [
        _unmarked("no_markers_camera", text, small, no_list),
        _unmarked("no_markers_two_hands", text, big, no_list),
        _unmarked("no_markers_v10", text, camera_alone(V10), no_list),
        _unmarked("no_markers_empty", text, f.empty(V11), no_list, "no_keys"),
        tolerated("wide_keys", "Version 1.1 with keys of 28 bytes", wide_small, ten, wide),
        tolerated("wide_keys_two_hands", "The same with hands", wide_big, three, wide),
        tolerated("wide_keys_markers", "With markers", replace(wide_small, markers=marked), ten, wide),
        tolerated(
            "wide_keys_no_markers",
            "As a writer makes it that follows the documentation",
            replace(wide_small, layout=WIDE_NO_MARKERS),
            ten,
            *(wide, no_list),
        ),
    ]


def _unmarked(name: str, about: str, base: Recording, *expect: str) -> MrtkCase:
    made = replace(base, layout=f.NO_MARKERS)
    return tolerated(name, about, made, ("marker_count", len(write(made))), *expect)


def all_cases() -> list[MrtkCase]:
    """Every case of this module."""
    return [*recorder_bugs(), *values(), *unsorted(), *other_writers()]
