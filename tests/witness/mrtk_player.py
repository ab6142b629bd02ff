# SPDX-License-Identifier: MIT
"""The pose at a moment: as MRTK plays it, and as it is meant (spec 2, 3.2, 4.3). Unity's space throughout.

As played: each component by itself, nothing normalised; a joint without keys is at the origin with a zero
quaternion (spec 1.8). As meant: signs made continuous from key to key, then normalised, zero is the identity.
Signs can only be continued where the four curves share their key times; elsewhere there is no meant pose.
Decisions: beyond the duration the pose at the duration holds; a dot product of 0 turns no sign; joints whose
seven curves are all empty do not exist.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import Any

from . import mrtk_axes as axes
from . import mrtk_curve
from .mrtk_axes import Vector
from .mrtk_curve import Key
from .mrtk_file import GAZE, HANDS, JOINTS, POSITION, ROTATION, Curve, Recording


@dataclass(frozen=True)
class Pose:
    """Of a joint or the camera; quaternions are x, y, z, w."""

    position: Vector
    played: Vector
    meant: Vector | None


def duration(made: Recording) -> float:
    """The largest time of a last key; 0 without keys."""
    return max((max(curve.times()) for curve in made.curves.values() if curve.keys), default=0.0)


def exists(made: Recording, owner: str) -> bool:
    """Whether a joint or the camera has a key."""
    return any(
        curve.keys for curve in (made.curves.get(f"{owner}.{p}") for p in POSITION + ROTATION) if curve
    )


def rotation_curves(made: Recording, owner: str) -> list[Curve]:
    """The four curves of a rotation."""
    return [made.curves[f"{owner}.{part}"] for part in ROTATION]


def share_times(curves: list[Curve]) -> bool:
    """Whether all have their keys at the same times, to the bit."""
    times = [[key[0] for key in curve.keys] for curve in curves]
    return all(one == times[0] for one in times)


def values_of(row: tuple[Key, ...]) -> list[float]:
    """The quaternion of a row."""
    return [key.value for key in row]


def continued(rows: list[tuple[Key, ...]]) -> list[tuple[Key, ...]]:
    """Rows of four keys (x, y, z, w), negated wherever the dot product with the row before is negative."""
    made = rows[:1]
    for row in rows[1:]:
        turned = axes.dot(values_of(row), values_of(made[-1])) < 0
        made.append(tuple(key.negated() for key in row) if turned else row)
    return made


def sign_flips(rows: list[tuple[Key, ...]]) -> int:
    """Pairs of neighbours with a negative dot product, as stored."""
    return sum(axes.dot(values_of(a), values_of(b)) < 0 for a, b in itertools.pairwise(rows))


def rotation_rows(curves: list[Curve]) -> list[tuple[Key, ...]]:
    """The keys of the four curves side by side."""
    return list(zip(*(mrtk_curve.keys_of(curve) for curve in curves), strict=True))


def meant_rotation(curves: list[Curve], time: float) -> Vector | None:
    """The unit quaternion that is meant, or None where the curves do not share their times."""
    if not share_times(curves):
        return None
    columns = list(zip(*continued(rotation_rows(curves)), strict=True)) or [()] * 4
    parts = [
        mrtk_curve.evaluate(list(keys), time, curve.pre_wrap, curve.post_wrap)
        for keys, curve in zip(columns, curves, strict=True)
    ]
    return axes.normalised(parts)


def played_rotation(made: Recording, owner: str, time: float) -> Vector:
    """Each component of the rotation by itself."""
    return tuple(mrtk_curve.value(curve, time) for curve in rotation_curves(made, owner))


def _pose(made: Recording, owner: str, time: float) -> Pose:
    position = tuple(mrtk_curve.value(made.curves[f"{owner}.{part}"], time) for part in POSITION)
    meant = meant_rotation(rotation_curves(made, owner), time)
    return Pose(position, played_rotation(made, owner, time), meant)


def pose_of(made: Recording, owner: str, time: float) -> Pose:
    """The pose of "camera" or "left.Wrist"."""
    return _pose(made, owner, min(time, duration(made)))


def gaze(made: Recording, time: float) -> tuple[Vector, Vector]:
    """Origin and direction."""
    time = min(time, duration(made))
    parts = [mrtk_curve.value(made.curves[name], time) for name in GAZE]
    return tuple(parts[:3]), tuple(parts[3:])


def joints_of(made: Recording, hand: str) -> list[str]:
    """The joints of a hand that exist, in file order."""
    return [joint for joint in JOINTS if exists(made, f"{hand}.{joint}")]


def _row(pose: Pose) -> dict[str, Any]:
    return {"position": pose.position, "played": pose.played, "meant": pose.meant}


def pose_row(made: Recording, time: float, joints: list[str] | None = None) -> dict[str, Any]:
    """The manifest's pose: camera, hands and gaze as far as they exist; None for joints takes them all."""
    row: dict[str, Any] = {"time": time}
    held = min(time, duration(made))
    if exists(made, "camera"):
        row["camera"] = _row(pose_of(made, "camera", time))
    for hand in HANDS if "left.tracked" in made.curves else ():
        wanted = [j for j in joints_of(made, hand) if joints is None or j in joints]
        row[hand] = {
            "tracked": mrtk_curve.is_on(made.curves[f"{hand}.tracked"], held),
            "pinch": mrtk_curve.is_on(made.curves[f"{hand}.pinch"], held),
            "joints": {joint: _row(pose_of(made, f"{hand}.{joint}", time)) for joint in wanted},
        }
    if any(made.curves[name].keys for name in GAZE if name in made.curves):
        origin, direction = gaze(made, time)
        row["gaze"] = {"origin": origin, "direction": direction}
    return row
