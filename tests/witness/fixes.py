# SPDX-License-Identifier: MIT
"""What a fix did to an `.anim`, seen from outside: which keys differ, and how far the player's joints moved.

It knows nothing of how findings are mended.
"""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

from .anim_file import AnimFile, KeyTable
from .content import Content, angles, content_findings
from .quaternion import Vector
from .skeleton import Skeleton, load_emotes
from .upload import predict

#: Groups that most avatars do not show: a joint of them counts only if something moves it.
SELDOM_SHOWN = ("mWing", "mTail", "mHindLimb", "mGroin")
Rows = list[list[int]]


@dataclass
class Difference:
    """Degrees in the parents' frames, and millimetres in the avatar's."""

    degrees: float
    millimetres: float


def _products(a: Vector, b: Vector) -> Vector:
    """Quaternions (x, y, z, w), row by row."""
    xyz = a[:, 3:] * b[:, :3] + b[:, 3:] * a[:, :3] + np.cross(a[:, :3], b[:, :3])
    return np.column_stack([xyz, a[:, 3] * b[:, 3] - np.sum(a[:, :3] * b[:, :3], axis=1)])


def _rotated(q: Vector, v: Vector) -> Vector:
    t = 2 * np.cross(q[:, :3], v)
    return v + q[:, 3:] * t + np.cross(q[:, :3], t)


class Body:
    """Every joint of the avatar at some times of a file."""

    def __init__(self, anim: AnimFile, skeleton: Skeleton, times: NDArray[np.float64]) -> None:
        moved = Content(anim, skeleton).joints
        count = len(times)
        self.turns: dict[str, Vector] = {}
        self.places: dict[str, Vector] = {}
        root = (np.zeros((count, 3)), np.tile([0.0, 0.0, 0.0, 1.0], (count, 1)))
        world = {"mRoot": root, "mScreen": root}
        for node in skeleton.nodes.values():
            joint = moved.get(node.name)
            turn = joint.turn(times) if joint else np.tile(node.rotation, (count, 1))
            place = joint.place(times) if joint else np.tile(node.position, (count, 1))
            turn = turn / np.linalg.norm(turn, axis=1, keepdims=True)
            at, around = world[node.parent]
            world[node.name] = (at + _rotated(around, place), _products(around, turn))
            self.turns[node.name] = turn
            self.places[node.name] = world[node.name][0]


def _counted(skeleton: Skeleton, tracked: set[str]) -> list[str]:
    counted = set(tracked)
    for node in skeleton.nodes.values():
        begins = node.name.startswith(SELDOM_SHOWN) and not node.parent.startswith(SELDOM_SHOWN)
        if node.parent in counted and not begins:
            counted.add(node.name)
    return sorted(counted)


def compared(before: AnimFile, after: AnimFile, skeleton: Skeleton) -> Difference:
    """Both files at all their key times and between these, as long as the second one lasts."""
    keys = np.concatenate([Content(before, skeleton).times, Content(after, skeleton).times])
    ends = float(after.duration)
    keys = np.unique(np.concatenate([keys[keys <= ends], [0.0, ends]]))
    times = np.concatenate([keys, (keys[1:] + keys[:-1]) / 2])
    old, new = Body(before, skeleton, times), Body(after, skeleton, times)
    tracked = set(Content(before, skeleton).joints) | set(Content(after, skeleton).joints)
    degrees = max(float(angles(old.turns[name], new.turns[name]).max()) for name in skeleton.nodes)
    metres = [
        float(np.linalg.norm(old.places[n] - new.places[n], axis=1).max())
        for n in _counted(skeleton, tracked)
    ]
    return Difference(degrees, 1000 * max(metres, default=0.0))


def rules_of(anim: AnimFile, skeleton: Skeleton) -> set[str]:
    """The content rules that a file breaks, or what an upload would store of it."""
    stored = predict(anim, skeleton, load_emotes())
    return set(content_findings(anim, skeleton)) | set(content_findings(stored, skeleton))


def changed_header(before: AnimFile, after: AnimFile) -> set[str]:
    """The fields of the header that differ, and "joints" for other names or another order."""
    names = {f.name for f in fields(AnimFile)} - {"joints"}
    changed = {name for name in names if getattr(before, name) != getattr(after, name)}
    if [joint.name for joint in before.joints] != [joint.name for joint in after.joints]:
        changed.add("joints")
    return changed


def changed_tracks(before: AnimFile, after: AnimFile) -> dict[tuple[str, str], tuple[Rows, Rows]]:
    """By joint and track: the keys that only the one file has, and those that only the other has."""
    changed: dict[tuple[str, str], tuple[Rows, Rows]] = {}
    for old in before.joints:
        new = next((joint for joint in after.joints if joint.name == old.name), None)
        for track in ("rotation_keys", "position_keys"):
            a = _rows(getattr(old, track))
            b = _rows(getattr(new, track)) if new else []
            gone, made = [row for row in a if row not in b], [row for row in b if row not in a]
            if gone or made:
                changed[(old.name.decode(), track)] = (gone, made)
    return changed


def _rows(keys: KeyTable) -> Rows:
    return keys.astype(int).tolist()
