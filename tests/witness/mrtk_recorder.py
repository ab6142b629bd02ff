# SPDX-License-Identifier: MIT
"""What MRTK's recorder makes of samples, its bugs included (spec 2.2, 2.3, 5.2).

A take has groups of numbers (a position, a rotation) with a sample for each frame in which they were seen,
and switches (tracked, pinch). From 2.6 the recorder reduces each group after the recording, partition by
partition, and never processes the last partition; 2.6.0 to 2.7.2 destroy the W of each rotation as well.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from . import mrtk_axes as axes
from .mrtk_file import (
    Curve,
    Recording,
    Words,
    empty,
    float_of,
    full_key,
    short_key,
)

Sample = tuple[float, tuple[float, ...]]
Switch = tuple[float, bool]
#: Metres and degrees that a reduction may change. Coarser than MRTK's 0.001 and 0.02, for small fixtures.
JOINT_METRES, CAMERA_METRES, DEGREES = 0.002, 0.002, 0.5


@dataclass
class Take:
    """Samples by group ("left.Wrist.rotation") and switches by curve ("left.tracked")."""

    groups: dict[str, list[Sample]] = field(default_factory=dict[str, list[Sample]])
    switches: dict[str, list[Switch]] = field(default_factory=dict[str, list[Switch]])


def parts_of(group: str) -> list[str]:
    """The curves of a group."""
    return [f"{group}.{axis}" for axis in ("xyzw" if group.endswith(".rotation") else "xyz")]


def groups_of(made: Recording) -> list[str]:
    """The groups of a recording in file order."""
    return [name[:-2] for name in made.curves if name.endswith(".x")]


def _error(group: str, a: Sample, b: Sample, between: Sample) -> float:
    """How far a sample is from what the line between two others shows, in units of what is allowed."""
    u = (between[0] - a[0]) / (b[0] - a[0])
    shown = [(1 - u) * p + u * q for p, q in zip(a[1], b[1], strict=True)]
    if group.endswith(".rotation"):
        return axes.degrees_apart(shown, between[1]) / DEGREES
    allowed = CAMERA_METRES if group.startswith(("camera", "gaze")) else JOINT_METRES
    return axes.length([p - q for p, q in zip(shown, between[1], strict=True)]) / allowed


def _kept_between(group: str, samples: Sequence[Sample], first: int, last: int) -> list[int]:
    """Ramer, Douglas and Peucker; exactly one sample between two is dropped without a test (spec 2.2)."""
    if last - first <= 2:
        return []
    errors = [_error(group, samples[first], samples[last], s) for s in samples[first + 1 : last]]
    worst = max(range(len(errors)), key=lambda i: errors[i])
    if errors[worst] <= 1:
        return []
    split = first + 1 + worst
    before, after = (_kept_between(group, samples, *ends) for ends in ((first, split), (split, last)))
    return [*before, split, *after]


def kept(group: str, samples: Sequence[Sample], partition: int) -> list[int]:
    """The indices of the samples that become keys; partition 0 is the whole curve."""
    if not samples:
        return []
    last = len(samples) - 1
    if partition == 0:
        return [0, *_kept_between(group, samples, 0, last), *([last] if last else [])]
    found, at = [0], 0
    while at < len(samples) - partition:
        found += [*_kept_between(group, samples, at, at + partition), at + partition]
        at += partition
    return found


def flipped_signs(samples: Sequence[Sample]) -> list[Sample]:
    """The rotations with the sign that is nearest to the one before."""
    made = list(samples[:1])
    for time, q in samples[1:]:
        made.append((time, axes.scaled(q, -1) if axes.dot(q, made[-1][1]) < 0 else q))
    return made


def _set(made: Recording, group: str, samples: Sequence[Sample]) -> None:
    for index, name in enumerate(parts_of(group)):
        full = made.key_words > 2
        made.curves[name].keys = [
            (full_key if full else short_key)(time, values[index]) for time, values in samples
        ]


def record(
    take: Take, made: Recording | None = None, partition: int | None = None, loses_w: bool = False
) -> Recording:
    """The recording of a take: without a partition, a key for each sample."""
    made = made or empty((1, 1))
    for group, samples in take.groups.items():
        if f"{group}.x" in made.curves:
            chosen = range(len(samples)) if partition is None else kept(group, samples, partition)
            _set(made, group, [samples[i] for i in chosen])
    for name, switches in take.switches.items():
        if name in made.curves:
            made.curves[name].keys = [short_key(time, float(on)) for time, on in switches]
    return lost_w(made, partition or 0) if loses_w else made


def lost_w(made: Recording, partition: int) -> Recording:
    """The recording as 2.6.0 to 2.7.2 saves it (spec 5.2).

    Partitioned: W keeps its first key. Whole curves: the first, and a last with the value of Z.
    """
    curves = dict(made.curves)
    for group in groups_of(made):
        if group.endswith(".rotation") and curves[f"{group}.w"].keys:
            z, w = curves[f"{group}.z"].keys, curves[f"{group}.w"]
            last = [(*w.keys[-1][:1], z[-1][1], *w.keys[-1][2:])] if partition == 0 and len(z) > 1 else []
            curves[f"{group}.w"] = replace(w, keys=[w.keys[0], *last])
    return replace(made, curves=curves)


def cut_after(curve: Curve, time: float) -> Curve:
    """The curve without its keys after a time."""
    keys: list[Words] = [key for key in curve.keys if float_of(key[0]) <= time]
    return replace(curve, keys=keys)
