# SPDX-License-Identifier: MIT
"""A walk on any rig of `rigs`: feet touch the ground at known times and stand still there, or slide as told.

Legs have two bones and follow the feet by exact inverse kinematics, so a planted ankle moves by nothing but
the rounding of a double. The feet stay flat. Lengths are in legs (hip joint to knee to ankle at rest), so the
walk suits every size; times are in seconds.

    python -m tests.witness.walk TABLE CONVENTION FILE.bvh [SLIDE]    SLIDE: legs per second of contact
"""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .bvh_file import Bvh, write
from .humanoid_body import SIDES
from .rigs import Rig, as_bvh, build, load_tables
from .turns import (
    NO_TURN,
    UP,
    Turn,
    Vector,
    about,
    add,
    back,
    cross,
    dot,
    length,
    mul,
    rotate,
    sub,
    swing,
    times,
    unit,
)

_LEG = ("UpperLeg", "LowerLeg", "Foot")


@dataclass(frozen=True)
class Gait:
    """How the body walks; lengths in legs."""

    seconds: float = 4.0
    frames_per_second: float = 60.0
    cycle_seconds: float = 1.0
    contact_share: float = 0.6  # of a cycle, that a foot is on the ground
    speed: float = 0.9  # legs per second
    slide: float = 0.0  # legs per second of contact, forward
    lift: float = 0.12
    drop: float = 0.09  # the hips stand lower than at rest, so that the legs reach
    bob: float = 0.015
    arms_down_degrees: float = 72.0


@dataclass(frozen=True)
class Contact:
    """A foot on the ground, from one time to another, within the clip."""

    side: str
    start: float
    end: float


@dataclass
class Walk:
    """The clip and its truth. `slide` is in the file's unit per second of contact."""

    bvh: Bvh
    contacts: list[Contact]
    slide: float
    leg: float  # in the file's unit
    joints: dict[str, str]  # slot -> joint, as the rig's truth

    def truth(self) -> dict[str, Any]:
        """What a test needs beside the file."""
        return {
            "contacts": [vars(contact) for contact in self.contacts],
            "slide_units_per_second": self.slide,
            "leg_units": self.leg,
            "joints": self.joints,
        }


def _smooth(u: float) -> float:
    return u * u * (3 - 2 * u)


class _Walker:
    """The pose of one rig at a time; world space, Z up, the rig's unit."""

    def __init__(self, rig: Rig, gait: Gait) -> None:
        self.rig, self.gait = rig, gait
        self.heads = {joint.name: joint.head for joint in rig.joints}
        self.at = {name: slot for slot, name in rig.truth.items()}
        missing = [s for s in ("hips", *(f"{a}{b}" for a in SIDES for b in _LEG)) if s not in rig.truth]
        if missing:
            raise ValueError(f"{rig.name} cannot walk without {', '.join(missing)}")
        self.leg = length(self._rest("leftUpperLeg", "leftLowerLeg"))
        self.leg += length(self._rest("leftLowerLeg", "leftFoot"))
        self.ahead = unit(rig.facing)
        self.aside = cross(UP, self.ahead)  # to the left
        self.knees: dict[str, Vector] = {}

    def _place(self, slot: str) -> Vector:
        return self.heads[self.rig.truth[slot]]

    def _rest(self, a: str, b: str) -> Vector:
        return sub(self._place(b), self._place(a))

    def phase(self, side: str, time: float) -> tuple[int, float]:
        """Which cycle a foot is in, and the share of it that is over; a cycle begins with the contact."""
        cycles = time / self.gait.cycle_seconds + (0.5 if side == "right" else 0.0)
        return math.floor(cycles), cycles - math.floor(cycles)

    def _landing(self, side: str, cycle: int) -> float:
        """How far ahead of its rest place a foot lands in a cycle: as far as the hips' way at mid-contact."""
        gait = self.gait
        middle = (cycle - (0.5 if side == "right" else 0.0) + gait.contact_share / 2) * gait.cycle_seconds
        contact = gait.contact_share * gait.cycle_seconds
        return (gait.speed * middle - gait.slide * contact / 2) * self.leg

    def ankle(self, side: str, time: float) -> Vector:
        """Where an ankle is."""
        gait, (cycle, share) = self.gait, self.phase(side, time)
        way = self._landing(side, cycle)
        contact = gait.contact_share
        if share <= contact:
            way += gait.slide * share * gait.cycle_seconds * self.leg
            return add(self._place(f"{side}Foot"), times(way, self.ahead))
        u = (share - contact) / (1 - contact)
        lifted = way + gait.slide * contact * gait.cycle_seconds * self.leg
        way = lifted + (self._landing(side, cycle + 1) - lifted) * _smooth(u)
        height = gait.lift * self.leg * math.sin(math.pi * u) ** 2
        return add(self._place(f"{side}Foot"), add(times(way, self.ahead), (0.0, 0.0, height)))

    def moved(self, time: float) -> Vector:
        """How far the body is from its rest place."""
        gait, turn = self.gait, math.tau * time / self.gait.cycle_seconds
        x = add(times(gait.speed * time, self.ahead), times(0.02 * math.sin(turn), self.aside))
        return times(self.leg, add(x, (0.0, 0.0, -gait.drop + gait.bob * math.cos(2 * turn))))

    def _hips(self, time: float) -> Turn:
        turn = math.tau * time / self.gait.cycle_seconds
        return mul(about(UP, 0.08 * math.cos(turn)), about(self.ahead, 0.04 * math.sin(turn)))

    def _arm(self, side: str, time: float) -> Turn:
        """The upper arm's world rotation: down from T-pose, swinging against the leg."""
        sign = 1 if side == "left" else -1
        down = about(self.ahead, -sign * math.radians(self.gait.arms_down_degrees))
        swung = sign * 0.35 * math.cos(math.tau * time / self.gait.cycle_seconds)
        return mul(about(self.aside, swung), down)

    def _leg_turn(self, slot: str, above: Turn, head: Vector, time: float) -> Turn:
        side = next(s for s in SIDES if slot.startswith(s))
        ankle = self.ankle(side, time)
        if slot.endswith("UpperLeg"):
            thigh = self._rest(f"{side}UpperLeg", f"{side}LowerLeg")
            shin = self._rest(f"{side}LowerLeg", f"{side}Foot")
            self.knees[side] = _knee(head, ankle, length(thigh), length(shin), self.ahead)
            return mul(swing(rotate(above, thigh), sub(self.knees[side], head)), above)
        shin = self._rest(f"{side}LowerLeg", f"{side}Foot")
        return mul(swing(rotate(above, shin), sub(ankle, self.knees[side])), above)

    def _turn_of(self, slot: str, above: Turn, head: Vector, time: float) -> Turn:
        """The world rotation of a slot's joint, by what is above it."""
        if slot == "hips":
            return self._hips(time)
        if slot.endswith("Foot"):
            return NO_TURN
        if slot.endswith(("UpperLeg", "LowerLeg")):
            return self._leg_turn(slot, above, head, time)
        if slot in ("spine", "head"):
            return NO_TURN
        if slot.endswith("UpperArm"):
            return self._arm(slot.removesuffix("UpperArm"), time)
        if slot.endswith("LowerArm"):
            return mul(above, about(UP, math.radians(-20 if slot.startswith("left") else 20)))
        return above

    def locals(self, time: float) -> tuple[Vector, dict[str, Turn]]:
        """The first joint's place, and the local rotation of every joint."""
        first = self.rig.joints[0].name
        turns: dict[str, Turn] = {}
        places: dict[str, Vector] = {}
        local: dict[str, Turn] = {}
        for joint in self.rig.joints:
            parent = joint.parent if joint.parent is not None or joint.name == first else first
            if parent is None:
                above, places[joint.name] = NO_TURN, add(joint.head, self.moved(time))
            else:
                above = turns[parent]
                reach = rotate(above, sub(joint.head, self.heads[parent]))
                places[joint.name] = add(places[parent], reach)
            slot = self.at.get(joint.name)
            turn = self._turn_of(slot, above, places[joint.name], time) if slot else above
            turns[joint.name], local[joint.name] = turn, mul(back(above), turn)
        return places[first], local


def _knee(hip: Vector, ankle: Vector, thigh: float, shin: float, ahead: Vector) -> Vector:
    """Where the knee is, bent ahead."""
    line = sub(ankle, hip)
    reach = length(line)
    if reach >= thigh + shin:
        raise ValueError(
            f"a leg of {thigh + shin:.4f} does not reach over {reach:.4f}: a shorter step, please"
        )
    along = (thigh * thigh - shin * shin + reach * reach) / (2 * reach)
    down = unit(line)
    across = unit(sub(ahead, times(dot(ahead, down), down)))
    return add(hip, add(times(along, down), times(math.sqrt(thigh * thigh - along * along), across)))


def zxy_degrees(turn: Turn) -> list[float]:
    """Angles of Rz Rx Ry, in that order."""
    w, x, y, z = turn
    sine = max(-1.0, min(1.0, 2 * (y * z + w * x)))
    about_z = math.atan2(2 * (w * z - x * y), 1 - 2 * (x * x + z * z))
    about_y = math.atan2(2 * (w * y - x * z), 1 - 2 * (x * x + y * y))
    return [math.degrees(about_z), math.degrees(math.asin(sine)), math.degrees(about_y)]


def contacts_of(gait: Gait) -> list[Contact]:
    """When each foot is on the ground, by time; cut to the clip."""
    result: list[Contact] = []
    for side in SIDES:
        shift = 0.5 if side == "right" else 0.0
        for cycle in range(math.ceil(gait.seconds / gait.cycle_seconds) + 2):
            start = (cycle - shift) * gait.cycle_seconds
            end = start + gait.contact_share * gait.cycle_seconds
            if end > 0 and start < gait.seconds:
                result.append(Contact(side, max(0.0, start), min(gait.seconds, end)))
    return sorted(result, key=lambda contact: (contact.start, contact.side))


def walk(rig: Rig, gait: Gait | None = None, y_up: bool = True) -> Walk:
    """The clip of a rig that rests in T-pose. ValueError: the rig has no legs, or the step is too long."""
    gait = gait or Gait()
    walker = _Walker(rig, gait)
    axes: Callable[[Vector], Vector] = (lambda v: (v[0], v[2], -v[1])) if y_up else (lambda v: v)
    bvh = as_bvh(rig, y_up)
    bvh.frame_time = 1 / gait.frames_per_second
    bvh.motion = []
    for frame in range(round(gait.seconds * gait.frames_per_second) + 1):
        place, local = walker.locals(frame / gait.frames_per_second)
        row = list(axes(place))
        for joint in bvh.joints:
            w, *xyz = local[joint.name]
            row += zxy_degrees((w, *axes((xyz[0], xyz[1], xyz[2]))))
        bvh.motion.append(row)
    return Walk(bvh, contacts_of(gait), gait.slide * walker.leg, walker.leg, dict(rig.truth))


def walk_poses(rig: Rig, gait: Gait, times: list[float]) -> list[tuple[Vector, dict[str, Turn]]]:
    """At each time the first joint's place, and the local rotation of every joint; Z up, the rig's unit."""
    walker = _Walker(rig, gait)
    return [walker.locals(time) for time in times]


def main(arguments: list[str]) -> int:
    """Writes a walk, and its truth beside it; returns 0."""
    table, convention, path = Path(arguments[0]), arguments[1], Path(arguments[2])
    gait = Gait(slide=float(arguments[3]) if len(arguments) > 3 else 0.0)
    made = walk(build(convention, load_tables(table)[convention]), gait)
    path.write_bytes(write(made.bvh))
    path.with_suffix(".json").write_text(json.dumps(made.truth(), ensure_ascii=False), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
