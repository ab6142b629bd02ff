# SPDX-License-Identifier: MIT
"""Second Life's BVH loader, spec 2.1: from a text to the bytes of the loader's own buffer (rule 12).

Written from the specification; comments name the rule that decides. Everything is float32, one rounding an
operation, in the viewer's order of operations.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from . import anim_file
from . import quantise as q
from .anim_file import AnimFile, bits_of
from .bvh_loader_text import Loaded, LoadedJoint, load
from .skeleton import Skeleton
from .viewer_float import (
    IDENTITY,
    ORIGIN,
    X_AXIS,
    Y_AXIS,
    F,
    Quaternion,
    Vector,
    blend,
    blend_vectors,
    conjugate,
    distance,
    distance_squared,
    minus,
    rotated,
    then,
    to_stored,
)

Timing = Literal["current", "pre2022"]
METRES_PER_INCH = F(0.02540005)  # rule 6
FRAME_ROTATION = Quaternion(F(0.5), F(0.5), F(0.5), F(0.5))  # rule 12
MOVED_POSITION, MOVED_ROTATION = F(0.001), F(0.001)  # rule 8; inches, and a sum of two distances
KEPT_POSITION, KEPT_ROTATION = F(0.03), F(0.01)  # rule 9
POSITION_LIMIT = F(5)
PRIORITY, EASE, HAND = 2, F(0.3), 1  # rule 10


@dataclass
class Result:
    """The file that the loader writes and what it made of the joints."""

    anim: AnimFile
    dropped: list[str] = field(default_factory=list[str])  # joints of the text that it saw no change in
    upload_refused: str = ""  # why the upload of the file would fail (rule 10); empty: it would not

    def data(self) -> bytes:
        """The bytes of the loader's buffer."""
        return anim_file.write(self.anim)


def deviation(a: Quaternion, b: Quaternion) -> np.float32:
    """Rules 8 and 9: |dx| + |dy| of the rotated X and Y axes."""
    return distance(rotated(X_AXIS, a), rotated(X_AXIS, b)) + distance(rotated(Y_AXIS, a), rotated(Y_AXIS, b))


def moves(positions: list[Vector], rotations: list[Quaternion]) -> bool:
    """Rule 8: whether a difference from frame 0 is seen in the frames that are looked at."""
    n = len(positions)
    if n == 1:
        return True  # rule 10: "in a one-frame file every joint is forced out"
    if any(deviation(rotations[0], rotations[f]) > MOVED_ROTATION for f in range(1, max(1, n - 2) + 1)):
        return True
    limit = MOVED_POSITION * MOVED_POSITION
    looked_at = [1, *range(3, n)]
    return any(distance_squared(positions[f], positions[0]) > limit for f in looked_at)


def kept_positions(positions: list[Vector]) -> list[int]:
    """Rule 9: frames that keep a position key."""
    n = len(positions)
    if n == 1:
        return [0]
    dropped: set[int] = set()
    kept = 1
    for f in range(3, n):
        p = f - 1
        chord = blend_vectors(positions[f], positions[kept], F(1) / F(f - kept))
        if distance_squared(chord, positions[p]) < KEPT_POSITION * KEPT_POSITION:
            dropped.add(p)
        else:
            kept = p
    return [f for f in range(1, n) if f not in dropped]


def kept_rotations(rotations: list[Quaternion], depth: int) -> list[int]:
    """Rule 9: frames that keep a rotation key, with the frames that are put back."""
    n = len(rotations)
    if n == 1:
        return [0]
    threshold = KEPT_ROTATION / max(F(depth) * F(0.33), F(1))
    dropped: set[int] = set()
    kept, largest, marked = 1, F(0), -1
    for f in range(3, n):
        p = f - 1
        chord = blend(rotations[f], rotations[kept], F(1) / F(f - kept))
        off = deviation(chord, rotations[p])
        if off >= threshold or (f == n - 1 and f - kept > 2):
            kept = p
            if marked >= 0:  # "if a maximum is stored un-drop its frame M (if dropped) and clear it"
                dropped.discard(marked)
                largest, marked = F(0), -1
        else:
            dropped.add(p)
            if off > largest:
                largest, marked = off, f  # the frame after the tested one
    return [f for f in range(1, n) if f not in dropped]


def key_times(loaded: Loaded, timing: Timing) -> tuple[np.float32, list[np.float32]]:
    """Rule 7: the duration, and the time of every frame, in seconds."""
    n, step = loaded.frame_count, loaded.frame_time
    if timing == "pre2022":
        return F(n) * step, [F(f + 1) * step for f in range(n)]
    return F(max(n - 2, 1)) * step, [F(max(f - 1, 0)) * step for f in range(n)]


def stored_rotations(rotations: list[Quaternion], known: str | None) -> Iterator[Vector]:
    """Rules 4, 5 and 12: conj(F) * q * conj(first) * F; an unknown joint has an identity frame (rule 10)."""
    frame = FRAME_ROTATION if known else IDENTITY
    first = rotations[0] if known == "mPelvis" else IDENTITY
    for rotation in rotations:
        turned = then(then(then(conjugate(frame), rotation), conjugate(first)), frame)
        yield to_stored(turned)


def stored_positions(joint: LoadedJoint, rotations: list[Quaternion], known: str | None) -> Iterator[Vector]:
    """Rules 5 and 6, metres.

    "Rotated by the inverse first rotation" and the "same permutation" as rotations are both products with a
    quaternion, the unit comes last: where F is applied in floats, its rounding is the viewer's.
    """
    frame = FRAME_ROTATION if known else IDENTITY
    relative = known == "mPelvis"
    first = rotations[0] if relative else IDENTITY
    origin = joint.positions[0] if relative else ORIGIN
    for position in joint.positions:
        inches = rotated(rotated(minus(position, origin), conjugate(first)), frame)
        yield Vector(*(clamped(part * METRES_PER_INCH) for part in inches))


def clamped(metres: np.float32) -> np.float32:
    """Rule 6: +-5 per axis; not a number stays."""
    return F(np.clip(metres, -POSITION_LIMIT, POSITION_LIMIT))


def table(frames: list[int], times: list[np.float32], duration: np.float32, codes: q.Codes) -> q.Codes:
    """Rows of time, x, y, z for some frames."""
    column = q.encode_time(np.array([times[f] for f in frames], dtype=np.float32), duration)
    return np.concatenate([column.reshape(-1, 1), codes[frames]], axis=1).astype(np.uint16)


def record(
    joint: LoadedJoint, known: str | None, times: list[np.float32], duration: np.float32
) -> anim_file.Joint | None:
    """A joint of the file, or None where it is dropped."""
    rotations = joint.rotations()
    if not joint.positions or not moves(joint.positions, rotations):
        return None
    turned = np.array(list(stored_rotations(rotations, known)), dtype=np.float32)
    codes = q.encode_rotation(q.decode_rotation(q.encode_rotation(turned)))  # rule 12
    name = known.encode() if known else joint.name
    result = anim_file.Joint(name, PRIORITY if known else 0)
    result.rotation_keys = table(kept_rotations(rotations, joint.depth), times, duration, codes)
    if not known or joint.channel_count != 3:  # rules 3 and 10
        moved = np.array(list(stored_positions(joint, rotations, known)), dtype=np.float32)
        codes = q.encode_position(q.decode_position(q.encode_position(moved)))
        result.position_keys = table(kept_positions(joint.positions), times, duration, codes)
    return result


def alias_of(name: bytes, skeleton: Skeleton) -> str | None:
    """Spec 2.3: bones by name and alias, attachment points by the underscored form of a name with a blank."""
    found = skeleton.canonical(name)
    if found is None or skeleton.nodes[found].kind == "bone":
        return found
    return found if " " in found and b"_" in name else None


def upload_problem(anim: AnimFile, skeleton: Skeleton) -> str:
    """Rule 10: why the viewer's upload of a loaded file fails, or an empty text."""
    if not anim.joints:
        return "nothing moves"
    for joint in anim.joints:
        found = skeleton.canonical(joint.name)
        if found is None or skeleton.nodes[found].kind == "hud":
            return f"{joint.name.decode('latin-1')} is no joint of the preview's avatar"
    return ""


def eases(duration: np.float32) -> tuple[np.float32, np.float32]:
    """Rule 10: 0.3 and 0.3, rescaled to fit the duration."""
    total = EASE + EASE
    if total > duration != 0:
        factor = duration / total
        return EASE * factor, EASE * factor
    return EASE, EASE


def convert(data: bytes, skeleton: Skeleton, timing: Timing = "current") -> Result:
    """What the loader makes of a text; raises bvh_loader_text.RefusalError."""
    with np.errstate(all="ignore"):  # a frame time of 0 and values that are no numbers come this way
        loaded = load(data)
        duration, times = key_times(loaded, timing)
        ease_in, ease_out = eases(duration)
        anim = AnimFile(
            base_priority=PRIORITY,
            duration_bits=bits_of(float(duration)),
            loop_out_bits=bits_of(float(duration)),
            ease_in_bits=bits_of(float(ease_in)),
            ease_out_bits=bits_of(float(ease_out)),
            hand_pose=HAND,
        )
        result = Result(anim)
        for joint in loaded.joints:
            made = record(joint, alias_of(joint.name, skeleton), times, duration)
            if made is None:
                result.dropped.append(joint.name.decode("latin-1"))
            else:
                anim.joints.append(made)
    result.upload_refused = upload_problem(anim, skeleton)
    return result
