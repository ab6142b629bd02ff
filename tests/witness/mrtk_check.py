# SPDX-License-Identifier: MIT
"""Findings of a recording: what MRTK would refuse, play wrongly, or has lost (spec 1.7, 1.10, 2, 5).

Measures that the specification does not give, chosen here:
- a rotation's length is off by more than 0.01 (real ones by 0.001), and a zero one is another finding;
- the tail seems lost in 1.1 when a group ends more than 0.05 s (three frames) before the moment at which the
  recorder last saw it: the file's end for the camera and the gaze, for a joint also its hand's last tracked
  moment. Groups with one key do not count: they are single-key joints;
- a joint has a single key when none of its curves has more, its W aside, and the file goes on after it;
- a hand with joints is never tracked when no key of its curve says that it is;
- a gap is bridged when the hand was tracked before and after, and a joint has no key between;
- joints are missing when a hand has some of the 26 but not all; a hand without any was not recorded.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable

from . import mrtk_axes as axes
from . import mrtk_player as player
from .mrtk_curve import Key, keys_of
from .mrtk_file import (
    FULL_WORDS,
    HANDS,
    JOINTS,
    NO_MARKERS,
    POSITION,
    ROTATION,
    V11,
    WEIGHTED_IN,
    WEIGHTED_OUT,
    WIDE,
    WIDE_NO_MARKERS,
    WRAP_MODES,
    Recording,
    float_of,
    is_bool,
)
from .mrtk_recorder import groups_of, parts_of

#: Unity's wrap modes Loop and PingPong: such a curve goes on after its last key.
REPEATING = (2, 4)
LENGTH_TOLERANCE, TAIL_SECONDS = 0.01, 0.05
#: The id of each rule; a reader of the manifest that names one otherwise changes it here alone.
IDS = {
    name: name
    for name in (
        "no_keys",
        "times_not_finite",
        "times_not_sorted",
        "negative_times",
        "values_not_finite",
        "unknown_wrap_mode",
        "unknown_weighted_mode",
        "weights_out_of_range",
        "zero_rotations",
        "rotation_length",
        "sign_flips",
        "key_times_differ",
        "lost_rotation_w",
        "lost_tail",
        "single_key_joints",
        "joints_missing",
        "hand_not_tracked",
        "bridged_gaps",
        "markers_not_sorted",
        "missing_markers",
        "keys_with_tangents",
        "trailing_bytes",
    )
}


def all_times(made: Recording) -> list[list[float]]:
    """The key times of each curve."""
    return [curve.times() for curve in made.curves.values()]


def _sorted(times: list[float]) -> bool:
    return not any(b < a for a, b in itertools.pairwise(times))


def _full_keys(made: Recording) -> list[tuple[int, ...]]:
    return [key for curve in made.curves.values() for key in curve.keys if len(key) == FULL_WORDS]


def _bad_mode(made: Recording) -> bool:
    return any(key[6] > 3 for key in _full_keys(made))


def _bad_weight(made: Recording) -> bool:
    """Only weights that count: those of a weighted side."""
    sides = ((4, WEIGHTED_IN), (5, WEIGHTED_OUT))
    return any(
        key[6] & side and not 0 <= float_of(key[at]) <= 1 for key in _full_keys(made) for at, side in sides
    )


def _bad_value(made: Recording) -> bool:
    """A tangent may be infinite: a step."""
    values = [v for curve in made.curves.values() for v in curve.values()]
    tangents = [float_of(key[at]) for key in _full_keys(made) for at in (2, 3)]
    return not all(map(math.isfinite, values)) or any(map(math.isnan, tangents))


def owners(made: Recording) -> list[str]:
    """The camera and the joints that have sections."""
    return [group.rpartition(".")[0] for group in groups_of(made) if group.endswith(".rotation")]


def rotations(made: Recording) -> list[list[tuple[Key, ...]]]:
    """The keys of each rotation whose curves share their times and have a W."""
    found: list[list[tuple[Key, ...]]] = []
    for owner in owners(made):
        curves = player.rotation_curves(made, owner)
        if player.share_times(curves) and not has_lost_w(made, owner):
            found.append(player.rotation_rows(curves))
    return found


def _any_rotation(made: Recording, test: Callable[[float], bool]) -> bool:
    return any(test(axes.length([k.value for k in keys])) for rows in rotations(made) for keys in rows)


def _off_length(size: float) -> bool:
    return size > 0 and abs(size - 1) > LENGTH_TOLERANCE


def has_lost_w(made: Recording, owner: str) -> bool:
    """Spec 5.2: fewer keys in W than in X, Y and Z: one, or the first and a last with the value of Z."""
    if made.version != V11:
        return False
    x, y, z, w = (keys_of(curve) for curve in player.rotation_curves(made, owner))
    if not len(x) == len(y) == len(z):
        return False
    if len(w) == 1:
        return len(x) > 1
    ends = len(w) == 2 and [k.time for k in w] == [x[0].time, x[-1].time]
    # Where X has two keys as well, W counts as lost when it makes a length that no rotation has.
    last = [keys[-1].value for keys in (x, y, z, w) if keys]
    return ends and w[1].value == z[-1].value and (len(x) > 2 or _off_length(axes.length(last)))


def _times_differ(made: Recording) -> bool:
    for group in groups_of(made):
        names = parts_of(group)
        owner, _, what = group.rpartition(".")
        if what == "rotation" and has_lost_w(made, owner):
            names = names[:3]
        if not player.share_times([made.curves[name] for name in names]):
            return True
    return False


def _last_seen(made: Recording, group: str, end: float) -> float:
    """The last moment at which the recorder saw what a group records."""
    hand = group.partition(".")[0]
    if hand not in HANDS:
        return end
    tracked = keys_of(made.curves[f"{hand}.tracked"])
    if not tracked:
        return -math.inf
    return end if tracked[-1].value > 0.5 else tracked[-1].time


def _lost_tail(made: Recording) -> bool:
    if made.version != V11:
        return False
    end = player.duration(made)
    for group in groups_of(made):
        curve = made.curves[f"{group}.x"]
        times = curve.times()
        if curve.post_wrap in REPEATING:
            continue
        if len(times) > 1 and max(times) < _last_seen(made, group, end) - TAIL_SECONDS:
            return True
    return False


def _single_keys(made: Recording) -> bool:
    if made.version != V11:
        return False
    end = player.duration(made)
    for owner in owners(made):
        curves = [made.curves[f"{owner}.{part}"] for part in (*POSITION, *ROTATION[:3])]
        if owner != "camera" and all(len(c.keys) == 1 and c.times()[0] < end for c in curves):
            return True
    return False


def _joints_missing(made: Recording) -> bool:
    found = [set(player.joints_of(made, hand)) for hand in HANDS if f"{hand}.tracked" in made.curves]
    return any(joints and not joints >= set(JOINTS[1:]) for joints in found)


def _never_tracked(made: Recording) -> bool:
    """A hand with joints that the program never sees."""
    return any(
        player.joints_of(made, hand) and not any(v > 0.5 for v in made.curves[f"{hand}.tracked"].values())
        for hand in HANDS
        if f"{hand}.tracked" in made.curves
    )


def _gaps(made: Recording, hand: str) -> list[tuple[float, float]]:
    """From when to when a hand is not tracked, between times at which it is."""
    gaps: list[tuple[float, float]] = []
    lost: float | None = None
    seen = False
    for key in keys_of(made.curves[f"{hand}.tracked"]):
        if key.value > 0.5:
            if seen and lost is not None:
                gaps.append((lost, key.time))
            seen, lost = True, None
        elif lost is None:
            lost = key.time
    return gaps


def _bridged_gaps(made: Recording) -> bool:
    """Spec 5.1, item 6: neighbouring keys of a joint that lie on the two sides of a gap."""
    for hand in (hand for hand in HANDS if f"{hand}.tracked" in made.curves):
        # "left.Wrist.position.x", not "left.tracked".
        joints = [
            sorted(c.times())
            for name, c in made.curves.items()
            if name.startswith(f"{hand}.") and name.count(".") > 1
        ]
        for start, end in _gaps(made, hand):
            if any(a <= start and end <= b for row in joints for a, b in itertools.pairwise(row)):
                return True
    return False


def _wraps(made: Recording) -> set[int]:
    return {mode for curve in made.curves.values() for mode in (curve.pre_wrap, curve.post_wrap)}


def findings(made: Recording) -> set[str]:
    """The ids of all findings."""
    times = all_times(made)
    finite = all(math.isfinite(t) for row in times for t in row)
    marks = [float_of(marker.time_bits) for marker in made.markers]
    hits = {
        "no_keys": not any(times),
        "times_not_finite": not finite,
        "times_not_sorted": not all(map(_sorted, times)),
        "negative_times": any(t < 0 for row in times for t in row),
        "values_not_finite": _bad_value(made),
        "unknown_wrap_mode": not _wraps(made) <= WRAP_MODES,
        "unknown_weighted_mode": _bad_mode(made),
        "weights_out_of_range": _bad_weight(made),
        "zero_rotations": _any_rotation(made, lambda size: size == 0),
        "rotation_length": _any_rotation(made, _off_length),
        "sign_flips": any(player.sign_flips(rows) > 0 for rows in rotations(made)),
        "key_times_differ": _times_differ(made),
        "lost_rotation_w": any(has_lost_w(made, owner) for owner in owners(made)),
        "lost_tail": finite and _lost_tail(made),
        "single_key_joints": finite and _single_keys(made),
        "joints_missing": _joints_missing(made),
        "hand_not_tracked": _never_tracked(made),
        "bridged_gaps": finite and _bridged_gaps(made),
        "markers_not_sorted": not _sorted(marks),
        "missing_markers": made.layout in (NO_MARKERS, WIDE_NO_MARKERS),
        "keys_with_tangents": made.layout in (WIDE, WIDE_NO_MARKERS),
        "trailing_bytes": bool(made.tail),
    }
    assert set(hits) == set(IDS)
    return {IDS[name] for name, hit in hits.items() if hit}


def damage_counts(made: Recording) -> dict[str, int]:
    """Rotations without their W, neighbours whose signs differ, and zero rotations, in the whole file."""
    rows = rotations(made)
    zeros = [keys for each in rows for keys in each if not any(k.value for k in keys)]
    return {
        "lost_rotation_w": sum(has_lost_w(made, owner) for owner in owners(made)),
        "sign_flips": sum(map(player.sign_flips, rows)),
        "zero_rotations": len(zeros),
    }


def key_counts(made: Recording) -> dict[str, int]:
    """Keys of the float curves and of the bool curves."""
    counts = {True: 0, False: 0}
    for name, curve in made.curves.items():
        counts[is_bool(name)] += len(curve.keys)
    return {"float": counts[False], "bool": counts[True]}
