# SPDX-License-Identifier: MIT
"""What a `.anim` does to the person who wears it: the content rules, from the guide of clip tools alone.

Every joint is evaluated at the union of all key times, in float64, and each rule is asked of those arrays.
A rule's answer is the joints that break it with the amount that says how bad it is: degrees, metres, seconds,
bytes, or 0 where there is none.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from . import quantise as q
from .anim_file import AnimFile, write
from .quaternion import Vector
from .skeleton import DATA, Skeleton, load_emotes, load_skeleton
from .upload import key_times, predict, surviving_rows

Hits = dict[str, float]
WHOLE = ""  # the "joint" of a finding about the whole file

FINGERS = ("mHand",)
ANIMAL = {"tail": ("mTail",), "wings": ("mWing",), "hind limbs": ("mHindLimb",), "groin": ("mGroin",)}
EYES = ("mEyeLeft", "mEyeRight", "mFaceEyeAltLeft", "mFaceEyeAltRight")
LIMBS_AND_SPINE = [
    *("mTorso", "mChest", "mNeck", "mHead"),
    *(f"m{bone}{side}" for bone in ("Collar", "Shoulder", "Elbow", "Wrist") for side in ("Left", "Right")),
    *(f"m{bone}{side}" for bone in ("Hip", "Knee", "Ankle") for side in ("Left", "Right")),
]
STILL_DEGREES, STILL_METRES = 0.02, 0.0001
BODY_EMOTES = {
    f"express_{name}"
    for name in (
        *("afraid", "anger", "bored", "cry", "embarrased", "laugh"),
        *("repulsed", "sad", "shrug", "surprise", "wink", "worry"),
    )
}
FACES = {
    f"express_{n}" for n in ("disdain", "frown", "kiss", "open_mouth", "smile", "tongue_out", "toothsmile")
}
PURPOSES = {"below_ao": ("pose", "dance", "gesture")}


def part_of(name: str) -> str:
    """The part of 1.1 that a joint belongs to, or "" (body, volumes, attachment points)."""
    if name in EYES:
        return "eyes"
    if name.startswith("mFace"):
        return "face"
    if name.startswith(FINGERS):
        return "fingers"
    return next((part for part, starts in ANIMAL.items() if name.startswith(starts)), "")


def angles(a: Vector, b: Vector) -> NDArray[np.float64]:
    """Degrees between rotations (n, 4) and (n, 4) or (4,), by the chord, which is precise near 0."""
    a = a / np.linalg.norm(a, axis=-1, keepdims=True)
    b = b / np.linalg.norm(b, axis=-1, keepdims=True)
    minus, plus = np.linalg.norm(a - b, axis=-1), np.linalg.norm(a + b, axis=-1)
    return np.degrees(4 * np.arctan2(np.minimum(minus, plus), np.maximum(minus, plus)))


@dataclass
class Keys:
    """A track's keys in the viewer's order."""

    times: NDArray[np.float64]
    values: Vector

    def __len__(self) -> int:
        return len(self.times)

    def at(self, seconds: NDArray[np.float64]) -> Vector:
        """The viewer's values at any times (spec 1.10)."""
        after = np.clip(np.searchsorted(self.times, seconds, side="left"), 0, len(self) - 1)
        before = np.maximum(after - 1, 0)
        gap = self.times[after] - self.times[before]
        held = (seconds <= self.times[0]) | (seconds >= self.times[-1]) | (gap == 0)
        u = np.where(held, 1.0, (seconds - self.times[before]) / np.where(gap == 0, 1.0, gap))[:, None]
        a, b = self.values[before], self.values[after]
        if self.values.shape[1] == 3:
            return a + u * (b - a)
        dot = np.sum(a * b, axis=1, keepdims=True)
        near = np.where(dot < 0, -a, a)
        arc = np.arccos(np.clip(np.abs(dot), 0, 1))
        sine = np.where(np.sin(arc) < 1e-9, 1.0, np.sin(arc))
        slerped = (np.sin((1 - u) * arc) * near + np.sin(u * arc) * b) / sine
        is_arc = (dot < 0) & (1 - np.abs(dot) >= 1e-5)
        mixed = np.where(is_arc, slerped, u * b + (1 - u) * near)
        return mixed / np.linalg.norm(mixed, axis=1, keepdims=True)


@dataclass
class Moved:
    """A joint of the file: its first record."""

    name: str
    kind: str
    priority: int
    rest_turn: Vector
    rest_place: Vector
    turns: Keys
    places: Keys

    def turn(self, seconds: NDArray[np.float64]) -> Vector:
        return self.turns.at(seconds) if len(self.turns) else np.tile(self.rest_turn, (len(seconds), 1))

    def place(self, seconds: NDArray[np.float64]) -> Vector:
        return self.places.at(seconds) if len(self.places) else np.tile(self.rest_place, (len(seconds), 1))


class Content:
    """One file, evaluated."""

    def __init__(self, anim: AnimFile, skeleton: Skeleton) -> None:
        if anim.is_legacy:
            anim = predict(anim, skeleton, load_emotes())
        self.anim = anim
        self.size = len(write(anim))
        self.joints: dict[str, Moved] = {}
        for joint in anim.joints:
            name = skeleton.canonical(joint.name)
            if name is None or name in self.joints:
                continue
            node = skeleton.nodes[name]
            base = min(anim.base_priority, 6)
            self.joints[name] = Moved(
                name,
                node.kind,
                base if joint.priority == -1 else joint.priority,
                node.rotation,
                node.position,
                self._keys(joint.rotation_keys, rotation=True),
                self._keys(joint.position_keys, rotation=False),
            )
        every = [keys.times for j in self.joints.values() for keys in (j.turns, j.places)]
        self.times = np.unique(np.concatenate([*every, np.zeros(0)]))
        self.duration, self.loop_in, self.loop_out = (
            float(v) for v in (anim.duration, anim.loop_in, anim.loop_out)
        )
        self.loops = anim.loop != 0
        self.repeats = self.loops and self.loop_in < self.loop_out <= self.duration
        gaps = np.diff(self.times)
        self.frame = float(np.clip(np.sort(gaps)[len(gaps) // 2] if len(gaps) else 1 / 30, 1 / 60, 1 / 10))

    def _keys(self, table: NDArray[np.uint16] | NDArray[np.uint32], rotation: bool) -> Keys:
        times = key_times(table, self.anim.duration)
        rows = surviving_rows(times)
        values = q.quaternion_of_codes(table[:, 1:]) if rotation else q.decode_position(table[:, 1:])
        return Keys(times[rows].astype(np.float64), values[rows].astype(np.float64))

    # ---- what rules share ----

    def within(self, begin: float, end: float) -> NDArray[np.float64]:
        """The union of key times inside, with both ends."""
        inner = self.times[(self.times > begin) & (self.times < end)]
        return np.concatenate([[begin], inner, [end]])

    def off_rest(self, joint: Moved) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Degrees and metres from rest at all times; zeros where the joint has no such keys."""
        degrees = angles(joint.turn(self.times), joint.rest_turn) * (len(joint.turns) > 0)
        metres = np.linalg.norm(joint.place(self.times) - joint.rest_place, axis=1) * (len(joint.places) > 0)
        return degrees, metres

    def away(self, joint: Moved, times: NDArray[np.float64], reference: float) -> tuple[Vector, Vector]:
        """Degrees and metres at the times from the pose at `reference`."""
        at = np.array([reference])
        return (
            angles(joint.turn(times), joint.turn(at)[0]),
            np.linalg.norm(joint.place(times) - joint.place(at)[0], axis=1),
        )

    @cached_property
    def is_still(self) -> bool:
        if not len(self.times):
            return True
        ranges = [self.away(j, self.times, float(self.times[0])) for j in self.joints.values()]
        return all(d.max() <= STILL_DEGREES and m.max() <= STILL_METRES for d, m in ranges)

    @cached_property
    def is_pose_stand(self) -> bool:
        keyed = [j for j in self.joints.values() if j.kind == "bone" and (len(j.turns) or len(j.places))]
        return len(keyed) >= 120

    @cached_property
    def is_reset(self) -> bool:
        """A file that puts joints back. Of many positions most are enough: Linden's own, of 2016, leaves
        nineteen of its 186 joints at places that the skeleton had then.
        """
        placed = [j for j in self.joints.values() if len(j.places)]
        others = [j for j in self.joints.values() if not len(j.places) and len(j.turns)]
        rests = [bool(self.off_rest(j)[1].max() <= 0.001) for j in placed]
        if len(placed) >= 30:
            return sum(rests) > len(rests) / 2
        return len(placed) >= 2 and all(rests) and all(self.off_rest(j)[0].max() <= 0.1 for j in others)

    def seam(self, joint: Moved) -> tuple[float, float, float, float]:
        """J and S in degrees, J and S in metres."""
        mask = (
            np.array([0, 0, 1]) if joint.name == "mPelvis" and "loop_travels" in self.travel() else np.ones(3)
        )
        start, end = self.loop_in, self.loop_out

        def step(a: float, b: float) -> tuple[float, float]:
            two = np.array([a, b])
            turn, place = joint.turn(two), joint.place(two)
            return float(angles(turn[:1], turn[1:])[0]), float(np.linalg.norm(mask * (place[1] - place[0])))

        f = self.frame
        pairs = [(end - (k + 1) * f, end - k * f) for k in range(3)]
        pairs += [(start + k * f, start + (k + 1) * f) for k in range(3)]
        steps = [step(a, b) for a, b in pairs if a >= start and b <= end]
        degrees = [d for d, _ in steps if d > STILL_DEGREES]
        metres = [m for _, m in steps if m > STILL_METRES]
        jump = step(start, end)
        middle = [float(np.median(s)) if s else 0.0 for s in (degrees, metres)]
        return jump[0], middle[0], jump[1], middle[1]

    # ---- loops ----

    def travel(self) -> dict[str, Hits]:
        pelvis = self.joints.get("mPelvis")
        if not self.repeats or pelvis is None or not len(pelvis.places):
            return {}
        way = pelvis.place(self.within(self.loop_in, self.loop_out))[:, :2]
        length = float(np.linalg.norm(np.diff(way, axis=0), axis=1).sum())
        metres = float(np.linalg.norm(way[-1] - way[0]))
        return {"loop_travels": {"mPelvis": metres}} if metres > 0.05 and metres > length / 2 else {}

    def seams(self) -> dict[str, Hits]:
        if not self.repeats:
            return {}
        jumps, skips = Hits(), Hits()
        for joint in self.joints.values():
            degrees, step, metres, step_m = self.seam(joint)
            if degrees > 2 and degrees > 2 * step:
                jumps[joint.name] = degrees
            elif metres > 0.01 and metres > 2 * step_m:
                jumps[joint.name] = metres
            if degrees > 1:
                skips[joint.name] = degrees
        return {"loop_jumps": jumps} if jumps else {"loop_skips_a_frame": skips}

    def _loop_motion(self) -> float:
        times = self.within(self.loop_in, self.loop_out)
        return max(
            (float(self.away(j, times, self.loop_in)[0].max()) for j in self.joints.values()), default=0.0
        )

    def short_loops(self) -> dict[str, Hits]:
        length = self.loop_out - self.loop_in
        if not self.repeats or self._loop_motion() <= 1:
            return {}
        if length < 0.1:
            return {"loop_trembles": {WHOLE: self._loop_motion()}}
        times = self.within(self.loop_in, self.loop_out)
        pauses: list[float] = []
        for reference, order in ((self.loop_in, times), (self.loop_out, times[::-1])):
            moves = np.zeros(len(times), dtype=bool)
            for joint in self.joints.values():
                degrees, metres = self.away(joint, order, reference)
                moves |= (degrees > STILL_DEGREES) | (metres > STILL_METRES)
            held = int(np.argmax(moves)) if moves.any() else len(times)
            pauses.append(abs(float(order[held - 1]) - reference))
        return {"loop_waits": {WHOLE: max(pauses)}} if max(pauses) >= 0.045 else {}

    def stops(self) -> dict[str, Hits]:
        anim, hits = self.anim, dict[str, Hits]()
        ease_in, ease_out = float(anim.ease_in), float(anim.ease_out)
        delay = self.duration - self.loop_in - ease_out
        if self.loops and self.loop_in <= self.loop_out < self.duration and delay > 1:
            times = self.within(self.loop_out, self.duration)
            after = [self.away(j, times, self.loop_out) for j in self.joints.values()]
            if all(d.max() <= 1 and m.max() <= 0.005 for d, m in after):
                hits["stop_is_late"] = {WHOLE: delay}
        if not self.loops and self.is_still and 0 <= self.duration <= float(np.float32(0.1)):
            hits["pose_flashes"] = {WHOLE: self.duration}
        if not self.loops and ease_in > self.duration > 0:
            hits["never_at_full_strength"] = {WHOLE: 0.0}
        total = float(np.float32(anim.ease_in) + np.float32(anim.ease_out))
        if not self.loops and ease_in <= self.duration < total and self.duration >= 0:
            hits["ease_longer_than_duration"] = {WHOLE: 0.0}
        if ease_in <= 0 or ease_out <= 0:
            hits["ease_zero"] = {WHOLE: 0.0}
        pelvis = self.joints.get("mPelvis")
        if not self.loops and pelvis is not None:
            end = np.array([self.duration])
            metres = float(np.linalg.norm(pelvis.place(end)[0]))
            _, _, z, w = np.abs(pelvis.turn(end)[0])
            if metres > 0.5 or 2 * math.degrees(math.atan2(z, w)) > 60:
                hits["ends_away"] = {"mPelvis": metres}
        return hits

    # ---- keys ----

    def _spikes(self, joint: Moved) -> float:
        keep = [0]
        times, values = joint.turns.times, joint.turns.values
        for k in range(1, len(times) - 1):
            two = Keys(times[[keep[-1], k + 1]], values[[keep[-1], k + 1]])
            if angles(two.at(times[k : k + 1]), values[k])[0] > 0.1:
                keep.append(k)
        keep.append(len(times) - 1)
        t, v = times[keep], values[keep]
        turned = angles(v[:-1], v[1:])
        with np.errstate(divide="ignore", invalid="ignore"):
            rates = turned / np.diff(t)
        worst = 0.0
        for b in range(1, len(keep) - 1):
            m = min(turned[b - 1], turned[b])
            if t[b + 1] - t[b - 1] > 0.2 or angles(v[b - 1], v[b + 1]) > m / 2:
                continue
            near = np.concatenate([rates[max(b - 6, 0) : b - 1], rates[b + 1 : b + 6], [0.0]]).max()
            rate = m / ((t[b + 1] - t[b - 1]) / 2)
            if (m >= 30 and rate >= 3 * near) or (m >= 90 and rate >= 1.5 * near):
                worst = max(worst, float(m))
        return worst

    def keys(self) -> dict[str, Hits]:
        spikes, half, big = Hits(), Hits(), Hits()
        for joint in self.joints.values():
            if len(joint.turns) < 2:
                continue
            if len(joint.turns) > 2 and (worst := self._spikes(joint)):
                spikes[joint.name] = worst
            turned = angles(joint.turns.values[:-1], joint.turns.values[1:])
            slow = (np.diff(joint.turns.times) > 0.1) & (turned >= 120) & (turned < 170)
            if turned.max() >= 170:
                half[joint.name] = float(turned.max())
            if slow.any():
                big[joint.name] = float(turned[slow].max())
        return {
            "key_spike": spikes,
            "turn_near_half": half,
            "turn_big": big,
            **self._first_frame(),
            **self._bytes(),
        }

    def _first_frame(self) -> dict[str, Hits]:
        if len(self.times) < 2 or self.times[1] - self.times[0] > 0.15:
            return {}
        three = np.array([self.times[0], self.times[1], 2 * self.times[1] - self.times[0]])
        keyed = [j for n in LIMBS_AND_SPINE if (j := self.joints.get(n)) is not None and len(j.turns)]
        poses = [j.turn(three) for j in keyed]
        jumps = np.array([angles(p[:1], p[1:2])[0] for p in poses])
        following = np.array([angles(p[1:2], p[2:])[0] for p in poses])
        rests = np.array([angles(p, j.rest_turn) for p, j in zip(poses, keyed, strict=True)]).reshape(-1, 3)
        if (jumps > 15).sum() < 2:
            return {}
        at_rest = rests[:, 0] <= 1
        from_rest = at_rest.mean() >= 0.9 and (rests[at_rest, 1] > 1).mean() > 0.5
        if not (from_rest or jumps.max() > max(45.0, 4 * following.max())):
            return {}
        return {"first_frame_jumps": {keyed[int(jumps.argmax())].name: float(jumps.max())}}

    def _bytes(self) -> dict[str, Hits]:
        needless = 0
        for joint in self.joints.values():
            for keys in (joint.turns, joint.places):
                if not len(keys):
                    continue
                same = np.all(keys.values[1:, :3] == keys.values[:-1, :3], axis=1)
                needless += len(same) if same.all() else int((same[1:] & same[:-1]).sum())
        over = 8 * needless > 500 and 8 * needless > self.size / 4
        return {"keys_redundant": {WHOLE: 8.0 * needless}} if over else {}

    # ---- the body ----

    def bends(self) -> Hits:
        """Degrees the wrong way of each knee and elbow that bends so by at least 15."""
        animal = [j for j in self.joints.values() if part_of(j.name) in ("tail", "wings", "hind limbs")]
        if any(d.max() > 0.1 or m.max() > 0.001 for d, m in map(self.off_rest, animal)):
            return {}
        worst = Hits()
        wrong = {"mKneeLeft": (1, -1), "mKneeRight": (1, -1), "mElbowLeft": (2, 1), "mElbowRight": (2, -1)}
        for name, (axis, sign) in wrong.items():
            joint = self.joints.get(name)
            if joint is None or not len(joint.turns):
                continue
            turn = joint.turn(joint.turns.times)
            turn = turn * np.where(turn[:, 3:] < 0, -1, 1)
            degrees = sign * np.degrees(2 * np.arctan2(turn[:, axis], turn[:, 3]))
            if degrees.max() >= 15:
                worst[name] = float(degrees.max())
        return worst

    def _sole(self, side: str, at: NDArray[np.float64] | None) -> tuple[Vector, Vector, Vector, Vector]:
        """Pelvis's place and up axis, heel and ball at the times; at rest, once, without times."""
        skeleton = load_skeleton()
        count = 1 if at is None else len(at)
        place, turn = np.zeros((count, 3)), np.tile([0.0, 0.0, 0.0, 1.0], (count, 1))
        up, low, heel = place, place, place
        for bone in ("mPelvis", f"mHip{side}", f"mKnee{side}", f"mAnkle{side}", f"mFoot{side}"):
            node, joint = skeleton.nodes[bone], self.joints.get(bone)
            local_place = (
                joint.place(at)
                if joint is not None and at is not None
                else np.tile(node.position, (count, 1))
            )
            local_turn = (
                joint.turn(at) if joint is not None and at is not None else np.tile(node.rotation, (count, 1))
            )
            place = place + _turned(turn, local_place)
            turn = _products(turn, local_turn)
            if bone == "mPelvis":
                up, low = _turned(turn, np.tile([0.0, 0.0, 1.0], (count, 1))), place
            if bone.startswith("mAnkle"):
                heel = place + _turned(turn, np.tile([-0.04, 0.0, -0.061], (count, 1)))
        return low, up, heel, place

    def feet(self) -> dict[str, Hits]:
        deepest = 0.0
        times = self.times
        if len(times) and times[-1] < self.duration:
            times = np.append(times, self.duration)
        for side in ("Left", "Right"):
            _, _, rest_heel, rest_ball = self._sole(side, None)
            low, up, heel, ball = self._sole(side, times)
            depth = np.minimum(rest_heel[:, 2] - heel[:, 2], rest_ball[:, 2] - ball[:, 2])
            stands = (np.abs(heel[:, 2] - ball[:, 2]) <= 0.015) & (depth > 0.03)
            stands &= (up[:, 2] >= math.cos(math.radians(45))) & (low[:, 2] >= -0.3)
            moved = np.maximum(
                np.linalg.norm(np.diff(heel, axis=0), axis=1), np.linalg.norm(np.diff(ball, axis=0), axis=1)
            )
            slow = moved <= 0.1 * np.diff(times)
            first = 0
            for i in range(len(times)):
                if not stands[i]:
                    continue
                if i == 0 or not (stands[i - 1] and slow[i - 1]):
                    first = i
                if self.is_still or times[i] - times[first] >= 0.3:
                    deepest = max(deepest, float(depth[first : i + 1].max()))
        return {"feet_sink": {WHOLE: deepest}} if deepest else {}

    def height(self) -> dict[str, Hits]:
        """The formula of 1.4 with the default shape's scales, at all key times."""
        default = {j: float(load_skeleton().nodes[j].position[2]) for j in _TALL} | {"mSkull": 0.079 - 0.0075}

        def root(at: NDArray[np.float64]) -> NDArray[np.float64]:
            z: dict[str, NDArray[np.float64]] = {}
            for name in _TALL:
                joint = self.joints.get(name)
                keyed = joint is not None and len(joint.places)
                z[name] = (
                    joint.place(at)[:, 2] if joint is not None and keyed else np.full(len(at), default[name])
                )
            p = z["mHipLeft"] - z["mKneeLeft"] - z["mAnkleLeft"] - z["mFootLeft"]
            u = math.sqrt(2) * z["mSkull"] * 0.925
            return (p - (u + z["mHead"] + z["mNeck"] + z["mChest"] + z["mTorso"])) / 2

        skull = math.sqrt(2) * default["mSkull"] * 0.925
        p0 = default["mHipLeft"] - default["mKneeLeft"] - default["mAnkleLeft"] - default["mFootLeft"]
        u0 = skull + default["mHead"] + default["mNeck"] + default["mChest"] + default["mTorso"]
        moved = root(self.times) - (p0 - u0) / 2 if len(self.times) else np.zeros(1)
        worst = float(moved[np.abs(moved).argmax()])
        return {"height_changes": {WHOLE: worst}} if abs(worst) > 0.01 else {}

    def positions(self) -> dict[str, Hits]:
        found: dict[str, Hits] = {
            i: {} for i in ("position_track_sticks", "position_track_pins_shape", "face_positions")
        }
        found |= {"bone_collapses": {}, "position_at_limit": {}}
        for joint in self.joints.values():
            if not len(joint.places):
                continue
            if np.abs(joint.places.values).max() >= 5:
                found["position_at_limit"][joint.name] = 5.0
            metres = self.off_rest(joint)[1]
            if joint.name.startswith("mFace") and metres.max() > 0.001:
                found["face_positions"][joint.name] = float(metres.max())
            if joint.name == "mPelvis":
                continue
            end = float(np.linalg.norm(joint.place(np.array([self.duration]))[0] - joint.rest_place))
            left = float(metres.max()) if self.loops else end
            if left > 0.001:
                found["position_track_sticks"][joint.name] = left
            if metres.max() <= 0.001 and not self.is_reset:
                found["position_track_pins_shape"][joint.name] = float(metres.max())
            rest, long = np.linalg.norm(joint.rest_place), np.linalg.norm(joint.places.values, axis=1)
            folds = (rest > 0.03) & (long < 0.1 * rest)
            if joint.kind == "bone" and (folds | ((long > 3 * rest) & (long > 0.3))).any():
                found["bone_collapses"][joint.name] = 0.0
        return found

    # ---- parts, eyes, priorities ----

    def parts(self) -> dict[str, Hits]:
        found: dict[str, Hits] = {i: {} for i in ("freezes_parts", "freezes_eyes", "eyes_move")}
        found |= {"hidden_by_the_viewer": {}, "rotations_stick": {}}
        spared = self.is_pose_stand or self.is_reset
        for part in ("fingers", "face", *ANIMAL):
            members = [j for j in self.joints.values() if part_of(j.name) == part]
            turned = [j for j in members if len(j.turns) and j.priority >= 1]
            still = [j for j in turned if self.off_rest(j)[0].max() <= 0.1]
            placed = any(len(j.places) for j in members)
            if turned and not placed and not spared and len(still) >= 0.9 * len(turned):
                found["freezes_parts"] |= {j.name: 0.0 for j in still}
            for joint in members:
                end = joint.turn(np.array([self.duration]))
                off = float(angles(end, joint.rest_turn)[0]) if len(joint.turns) else 0.0
                if not self.loops and off > 2:
                    found["rotations_stick"][joint.name] = off
        for name in EYES:
            eye = self.joints.get(name)
            if eye is None or not len(eye.turns) or eye.priority < 1:
                continue
            moved = float(self.away(eye, self.times, float(self.times[0]))[0].max())
            if moved > 0.1:
                found["eyes_move"][name] = moved
            elif not spared:
                found["freezes_eyes"][name] = 0.0
        for name in ("mTorso", "mChest", "mNeck", "mHead", *EYES):
            joint = self.joints.get(name)
            if joint is not None and len(joint.turns) and joint.priority == 0:
                degrees = float(self.off_rest(joint)[0].max())
                if degrees > 5:
                    found["hidden_by_the_viewer"][name] = degrees
        return found

    def emotes(self) -> dict[str, Hits]:
        states = json.loads((DATA / "animation_states.json").read_text(encoding="utf-8"))["states"]
        by_id = {uuid.lower(): name for name, uuid in states.items()}
        name = self.anim.emote_name.decode("latin-1").lower()
        name = by_id.get(name, name)
        is_face = name in FACES or (
            name.endswith("_emote") and name[:-6].replace("ssed", "sed") in BODY_EMOTES
        )
        face = any(
            part_of(j.name) == "face" and (len(j.turns) or len(j.places)) for j in self.joints.values()
        )
        fingers = [j for j in self.joints.values() if part_of(j.name) == "fingers" and len(j.turns)]
        moved = any(self.off_rest(j)[0].max() > 0.1 for j in fingers)
        return {
            "emote_moves_body": {WHOLE: 0.0} if name in states and not is_face else {},
            "emote_with_face": {WHOLE: 0.0} if name in states and is_face and face else {},
            "hand_pose_with_fingers": {WHOLE: 0.0} if 2 <= self.anim.hand_pose <= 13 and moved else {},
        }

    def purposes(self) -> dict[str, Hits]:
        def turns(*names: str) -> bool:
            return any((j := self.joints.get(n)) is not None and len(j.turns) > 0 for n in names)

        legs = ("mPelvis", *(f"m{b}{s}" for b in ("Hip", "Knee", "Ankle") for s in ("Left", "Right")))
        if not (turns("mTorso", "mChest") and turns("mHipLeft", "mHipRight")):
            return {}
        weak = {
            n: float(j.priority) for n in legs if (j := self.joints.get(n)) is not None and j.priority < 4
        }
        return {"below_ao": weak}


_TALL = (
    *("mHipLeft", "mKneeLeft", "mAnkleLeft", "mFootLeft"),
    *("mSkull", "mHead", "mNeck", "mChest", "mTorso"),
)


def _products(a: Vector, b: Vector) -> Vector:
    """Hamilton products of rows (x, y, z, w): b acts first."""
    xyz = a[:, 3:] * b[:, :3] + b[:, 3:] * a[:, :3] + np.cross(a[:, :3], b[:, :3])
    return np.column_stack([xyz, a[:, 3] * b[:, 3] - np.sum(a[:, :3] * b[:, :3], axis=1)])


def _turned(q_rows: Vector, v: Vector) -> Vector:
    """Rows of vectors, each turned by its row of unit quaternions."""
    xyz = q_rows[:, :3]
    return v + 2 * np.cross(xyz, np.cross(xyz, v) + q_rows[:, 3:] * v)


#: The level of each rule; joint_bends_backwards is of both, by its angle.
UPLOAD_RULES = frozenset(
    [
        *("loop_jumps", "loop_travels", "loop_trembles", "stop_is_late", "pose_flashes"),
        *("never_at_full_strength", "key_spike", "first_frame_jumps", "turn_near_half"),
        *("joint_bends_backwards", "freezes_parts", "freezes_eyes", "height_changes"),
        *("position_track_sticks", "position_track_pins_shape", "bone_collapses", "position_at_limit"),
        "emote_moves_body",
    ]
)
STRICT_RULES = frozenset(
    [
        *("loop_skips_a_frame", "loop_waits", "ease_longer_than_duration", "ease_zero", "ends_away"),
        *("turn_big", "feet_sink", "eyes_move", "hidden_by_the_viewer", "face_positions"),
        *("emote_with_face", "hand_pose_with_fingers", "rotations_stick", "keys_redundant"),
    ]
)


def content_findings(anim: AnimFile, skeleton: Skeleton, purpose: str = "") -> dict[str, Hits]:
    """The joints of each rule that the file breaks, at level strict."""
    content = Content(anim, skeleton)
    asked: list[Callable[[], dict[str, Hits]]] = [
        *(content.travel, content.seams, content.short_loops, content.stops, content.keys, content.feet),
        *(content.height, content.positions, content.parts, content.emotes),
    ]
    found: dict[str, Hits] = {"joint_bends_backwards": content.bends()}
    for ask in asked:
        found |= ask()
    if purpose in PURPOSES["below_ao"]:
        found |= content.purposes()
    return {rule: hits for rule, hits in found.items() if hits}
