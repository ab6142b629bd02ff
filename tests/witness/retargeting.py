# SPDX-License-Identifier: MIT
"""Motion from one skeleton to another by world deltas: the formula of retargeting, for tests.

Clip space (Z up, metres). W world rotation and h head of the reference pose, G and p of the animated one; s
the source, t the target. C is the turn about Z that takes the source's facing to the target's.

1. D = G_s W_s^-1 per slot, and G_t = C D C^-1 W_t on the target's joint.
2. A slot with several source bones: D' of the last of them, then the swing that takes D' u to the animated
   direction from the slot's head to the next slot's head, where u is that direction in the reference.
3. Chains with other numbers of joints: slerp of D by arc length.
4. The target's reference is aligned: the least swing, root first, then a roll where there is a second axis.
5. Root: p_t = h_t + diag(k_h, k_h, k_v) C (p_s - h_s), k = L_t / L_s, L the length of the legs.

What the witness assumes where the formula leaves freedom:

- Facing is that of the reference pose: left (right hip to left hip, without Z) x up; without both hips the
  upper arms; without those C is no turn.
- A slot's next slot is the first one on its way (`TOWARD`) that both skeletons have. Without one, or where
  either side's heads coincide, the slot isn't aligned. A slot that either side lacks isn't aligned.
- Where joints of a torso stand is a habit of the rig's author. So the spine is one line, from its first head
  to the neck's (without one, the head's), and the neck another, to the head's. Each turns at its first joint,
  and in part: a spine's difference of up to 10 degrees is none, from 20 degrees on all of it counts, and
  between these a share that grows evenly; a neck's limits are 30 and 45 degrees. Collarbones aren't aligned.
- Second axes are used where both references have them, more than 10 degrees off the first. Hands: the line
  from index to little knuckle. Feet: toes to toe tip. Upper arms and legs: upper times lower direction.
- Alignment goes over slots in the order of the target's joints, parents first; turning a joint turns all that
  hangs on it. (A rig's thumb may hang on the index finger's metacarpal.)
- Chains of equal numbers of joints are joint to joint. Else a joint's place is its length along the chain's
  heads over the length to the last head: first is 0, last is 1. The first takes the first's delta, the last
  takes the last's. Slots among such a chain's joints count no more, neither in the motion nor in the
  alignment: the chain turns as one, by the line from its first head to the head of the next slot after it.
- A limb of several target bones (a chain with a slot's name): against the delta of the mapped joint above,
  the limb's delta is swing times twist about its direction; each bone has the swing and a share of the twist
  by arc length as above: none on the first bone, all on the last. Bones that aren't in line would then end
  elsewhere than the unshared limb: the smallest swing of all of them brings the end back into its
  direction. A collarbone, whose direction isn't the source's, needs none.
- Target joints without a slot keep their local rest rotation. L is the length from hip to knee to ankle, of
  all legs whose three slots both skeletons have. Without such a leg, L is the hips' height above the lowest
  of foot, toes, toe tip and heel among slots that both skeletons have, on the target after alignment.
- `from_origin` moves the path so that the hips are at x = y = 0 at the first time; `in_place` keeps the hips'
  x and y of the reference.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from .humanoid_body import SIDES, SLOTS
from .retarget_body import NO_LENGTH, TOWARD, Body, Pose, arc, facing, turn_subtree, turn_to_face, world
from .turns import (
    NO_TURN,
    Turn,
    Vector,
    about,
    add,
    angle,
    back,
    between,
    cross,
    dot,
    length,
    mul,
    part,
    rotate,
    sub,
    swing,
    times,
    twist_about,
    unit,
)

SECOND_AXIS_DEGREES = 10.0
ROWS: dict[str, tuple[tuple[str, ...], float, float]] = {
    "spine": (("spine", "chest", "upperChest"), 10.0, 20.0),
    "neck": (("neck",), 30.0, 45.0),
}
"""Lines that are aligned as one: their slots, and from where on their difference counts in part and fully."""


@dataclass(frozen=True)
class Options:
    """As the fields say; scale is horizontal and vertical, None by the legs' lengths."""

    align: bool = True
    scale: tuple[float, float] | None = None
    in_place: bool = False
    from_origin: bool = False


@dataclass
class Result:
    """Per time the target's pose; per slot the alignment's swing and roll in degrees."""

    poses: list[Pose]
    swings: dict[str, float]
    rolls: dict[str, float]
    facing_turn: Turn
    scale: tuple[float, float]
    mapped: list[int]  # target joints that follow the source
    reference: Pose  # the target's, aligned


class Retargeting:
    """One source and one target; `play` gives the target's motion."""

    def __init__(self, source: Body, target: Body, options: Options | None = None) -> None:
        self.source, self.target, self.options = source, target, options or Options()
        self.source_reference = world(source, source.reference)
        self.reference = world(target, target.reference)
        self.turn = turn_to_face(facing(source, self.source_reference), facing(target, self.reference))
        self.uneven = [
            name
            for name in source.chains.keys() & target.chains.keys()
            if name not in TOWARD or name in ("spine", "neck")
            if len(source.chains[name]) != len(target.chains[name])
        ]
        self.in_uneven = {
            slot
            for name in self.uneven
            for slot, joint in target.slots.items()
            if joint in target.chains[name] or source.slots.get(slot) in source.chains[name]
        }
        self.common = [
            s for s in SLOTS if s in source.slots and s in target.slots and s not in self.in_uneven
        ]
        self.swings: dict[str, float] = {}
        self.rolls: dict[str, float] = {}
        if self.options.align:
            self._align()
        self.scale = self.options.scale or self._scale()

    # The target's reference

    def _next(self, slot: str) -> str | None:
        both = self.source.slots.keys() & self.target.slots.keys()
        after = TOWARD.get(slot)
        while after is not None and (after not in both or self._inside_uneven(after)):
            after = TOWARD.get(after)
        return after

    def _inside_uneven(self, slot: str) -> bool:
        """Whether a slot's head is no place that both chains share: only their first heads are."""
        ends = [(self.source.chains[name][0], self.target.chains[name][0]) for name in self.uneven]
        return slot in self.in_uneven and (self.source.slots[slot], self.target.slots[slot]) not in ends

    def _line(self, a: str, b: str) -> tuple[Vector, Vector] | None:
        """From one slot to another: the source's line turned to the target's facing, and the target's."""
        lines: list[Vector] = []
        for body, pose in ((self.source, self.source_reference), (self.target, self.reference)):
            if a not in body.slots or b not in body.slots:
                return None
            line = sub(pose.heads[body.slots[b]], pose.heads[body.slots[a]])
            if length(line) < NO_LENGTH:
                return None
            lines.append(unit(line))
        return rotate(self.turn, lines[0]), lines[1]

    def _align(self) -> None:
        in_rows = {slot for slots, _, _ in ROWS.values() for slot in slots}
        waiting = {row: joints for row in ROWS if (joints := self._joints_of_row(row))}
        waiting |= {name: self.target.chains[name] for name in self.uneven if name not in ROWS}
        for slot in sorted(self.target.slots.keys() & set(SLOTS), key=self.target.slots.__getitem__):
            for name, joints in list(waiting.items()):
                if self.target.slots[slot] in joints:
                    del waiting[name]
                    (self._align_row if name in ROWS else self._align_chain)(name)
            if slot in in_rows or slot.endswith("Shoulder"):
                continue
            after = self._next(slot) if slot in self.common else None
            lines = self._line(slot, after) if after else None
            if after is None or lines is None:
                continue
            turn = swing(lines[1], lines[0])
            turn_subtree(self.target, self.reference, self.target.slots[slot], turn)
            self.swings[slot] = math.degrees(angle(turn))
            self._roll(slot, after)

    def _first_of_row(self, row: str) -> tuple[int, int] | None:
        """A row's first joints, of source and target."""
        if row in self.source.chains and row in self.target.chains:
            return self.source.chains[row][0], self.target.chains[row][0]
        first = next((slot for slot in ROWS[row][0] if slot in self.common), None)
        return None if first is None else (self.source.slots[first], self.target.slots[first])

    def _joints_of_row(self, row: str) -> list[int]:
        """The target's joints of a row that is aligned: the first of them that has a slot comes first."""
        first = self._first_of_row(row)
        if first is None:
            return []
        is_chain = row in self.source.chains and row in self.target.chains
        return self.target.chains[row] if is_chain else [first[1]]

    def _align_row(self, row: str) -> None:
        first, after = self._first_of_row(row), self._next(ROWS[row][0][-1])
        if first is None or after is None:
            return
        lines: list[Vector] = []
        sides = ((self.source, self.source_reference), (self.target, self.reference))
        for joint, (body, pose) in zip(first, sides, strict=True):
            lines.append(sub(pose.heads[body.slots[after]], pose.heads[joint]))
        if min(map(length, lines)) < NO_LENGTH:
            return
        _, least, most = ROWS[row]
        turn = swing(lines[1], rotate(self.turn, lines[0]))
        share = min(1.0, max(0.0, (math.degrees(angle(turn)) - least) / (most - least)))
        turn = part(turn, share)
        turn_subtree(self.target, self.reference, first[1], turn)
        name = next((slot for slot in ROWS[row][0] if self.target.slots.get(slot) == first[1]), row)
        self.swings[row if row in self.uneven else name] = math.degrees(angle(turn))

    def _align_chain(self, name: str) -> None:
        inside = [slot for slot in SLOTS if self.source.slots.get(slot) in self.source.chains[name]]
        after = self._next(inside[-1]) if inside else None
        if after is None:
            return
        lines: list[Vector] = []
        for body, pose in ((self.source, self.source_reference), (self.target, self.reference)):
            lines.append(sub(pose.heads[body.slots[after]], pose.heads[body.chains[name][0]]))
        if min(map(length, lines)) < NO_LENGTH:
            return
        turn = swing(lines[1], rotate(self.turn, lines[0]))
        turn_subtree(self.target, self.reference, self.target.chains[name][0], turn)
        self.swings[name] = math.degrees(angle(turn))

    def _second(self, slot: str, after: str) -> tuple[Vector, Vector] | None:
        """The second axis of a slot on both sides, where there is one."""
        side = next((s for s in SIDES if slot.startswith(s)), None)
        if side is None:
            return None
        which = slot.removeprefix(side)
        if which == "Hand":
            return self._line(f"{side}IndexProximal", f"{side}LittleProximal")
        if which == "Foot":
            return self._line(f"{side}Toes", f"{side}ToeTip")
        if which in ("UpperArm", "UpperLeg"):
            lower = self._next(after)
            # The direction of the lower limb spans the same plane as the bend's normal is normal to.
            return self._line(after, lower) if lower else None
        return None

    def _roll(self, slot: str, after: str) -> None:
        first, second = self._line(slot, after), self._second(slot, after)
        if first is None or second is None:
            return
        axis = first[1]  # the swing has made both directions one
        across = [sub(line, times(dot(line, axis), axis)) for line in second]
        if min(map(length, across)) < math.sin(math.radians(SECOND_AXIS_DEGREES)):
            return
        wanted, present = unit(across[0]), unit(across[1])
        radians = math.atan2(dot(cross(present, wanted), axis), dot(present, wanted))
        turn_subtree(self.target, self.reference, self.target.slots[slot], about(axis, radians))
        self.rolls[slot] = math.degrees(radians)

    def _scale(self) -> tuple[float, float]:
        if "hips" not in self.common:
            return 1.0, 1.0
        legs = [[f"{side}{name}" for name in ("UpperLeg", "LowerLeg", "Foot")] for side in SIDES]
        legs = [leg for leg in legs if all(slot in self.common for slot in leg)]
        if legs:
            of_source, of_target = (
                sum(
                    length(sub(pose.heads[body.slots[b]], pose.heads[body.slots[a]]))
                    for leg in legs
                    for a, b in pairwise(leg)
                )
                for body, pose in ((self.source, self.source_reference), (self.target, self.reference))
            )
            return of_target / of_source, of_target / of_source
        feet = [f"{side}{name}" for side in SIDES for name in ("Foot", "Toes", "ToeTip", "Heel")]
        both = [slot for slot in feet if slot in self.source.slots and slot in self.target.slots]
        if not both:
            return 1.0, 1.0
        heights: list[float] = []
        for body, pose in ((self.source, self.source_reference), (self.target, self.reference)):
            lowest = min(pose.heads[body.slots[slot]][2] for slot in both)
            heights.append(pose.heads[body.slots["hips"]][2] - lowest)
        return heights[1] / heights[0], heights[1] / heights[0]

    # The motion

    def _delta(self, pose: Pose, joint: int) -> Turn:
        return mul(pose.turns[joint], back(self.source_reference.turns[joint]))

    def _slot_delta(self, pose: Pose, slot: str) -> Turn:
        """D of a slot, by positions where the source has several bones for it."""
        bones = self.source.chains.get(slot, [])
        after = self._own_next(slot)
        is_chain = slot in ("spine", "neck") and len(self.target.chains.get(slot, [])) > 1
        if len(bones) < 2 or is_chain or after is None:
            return self._delta(pose, self.source.slots[slot])
        head, end = bones[0], self.source.slots[after]
        delta = self._delta(pose, bones[-1])
        reference = sub(self.source_reference.heads[end], self.source_reference.heads[head])
        return mul(swing(rotate(delta, reference), sub(pose.heads[end], pose.heads[head])), delta)

    def _own_next(self, slot: str) -> str | None:
        after = TOWARD.get(slot)
        while after is not None and after not in self.source.slots:
            after = TOWARD.get(after)
        return after

    def _deltas(self, pose: Pose) -> dict[int, Turn]:
        """Target joint -> C D C^-1."""
        found: dict[int, Turn] = {}
        for slot in self.common:
            found[self.target.slots[slot]] = self._slot_delta(pose, slot)
        for name in self.source.chains.keys() & self.target.chains.keys():
            found |= self._chain_deltas(pose, name)
        turned = {joint: mul(mul(self.turn, d), back(self.turn)) for joint, d in found.items()}
        for slot in self.common:
            if len(self.target.chains.get(slot, [])) > 1 and slot not in ("spine", "neck"):
                turned |= self._limb_shares(slot, turned)
        return turned

    def _chain_deltas(self, pose: Pose, name: str) -> dict[int, Turn]:
        ours, theirs = self.target.chains[name], self.source.chains[name]
        if name in self.uneven:
            deltas = [self._delta(pose, joint) for joint in theirs]
            stops = arc(self.source_reference, theirs)
            places = arc(self.reference, ours)
            return {j: _at(stops, deltas, place) for j, place in zip(ours, places, strict=True)}
        if name in TOWARD and name not in ("spine", "neck"):
            return {}  # a limb of several bones on both sides goes by its slot
        return {a: self._delta(pose, b) for a, b in zip(ours, theirs, strict=True)}

    def _limb_shares(self, slot: str, deltas: Mapping[int, Turn]) -> dict[int, Turn]:
        """Deltas of the bones of one target limb."""
        bones = self.target.chains[slot]
        above = self.target.bones[bones[0]].parent
        while above is not None and above not in deltas:
            above = self.target.bones[above].parent
        start = deltas[above] if above is not None else NO_TURN
        whole = mul(back(start), deltas[self.target.slots[slot]])
        after = self._next(slot)
        end = self.target.slots[after] if after else bones[-1]
        axis = unit(sub(self.reference.heads[end], self.reference.heads[bones[0]]))
        twist = twist_about(whole, axis)
        swung = mul(whole, back(twist))
        shares = arc(self.reference, bones)
        turns = [mul(start, mul(swung, part(twist, share))) for share in shares]
        # Where the limb's end would be, and where it would be if the whole limb were one bone.
        heads = [self.reference.heads[joint] for joint in (*bones, end)]
        reached, straight = (0.0, 0.0, 0.0), rotate(turns[-1], sub(heads[-1], heads[0]))
        for turn, here, there in zip(turns, heads, heads[1:], strict=False):
            reached = add(reached, rotate(turn, sub(there, here)))
        is_free = self.options.align and slot.endswith("Shoulder")  # it points as the target's own does
        has_length = min(map(length, (reached, straight))) > NO_LENGTH
        closing = swing(reached, straight) if has_length and not is_free else NO_TURN
        return {j: mul(closing, turn) for j, turn in zip(bones, turns, strict=True)}

    def _hips(self, poses: Sequence[Pose]) -> list[Vector] | None:
        if "hips" not in self.source.slots or "hips" not in self.target.slots:
            return None
        joint, k = self.source.slots["hips"], self.scale
        home, start = self.reference.heads[self.target.slots["hips"]], self.source_reference.heads[joint]
        path: list[Vector] = []
        for pose in poses:
            x, y, z = rotate(self.turn, sub(pose.heads[joint], start))
            path.append(add(home, (k[0] * x, k[0] * y, k[1] * z)))
        if self.options.from_origin:
            first = path[0]
            path = [(p[0] - first[0], p[1] - first[1], p[2]) for p in path]
        if self.options.in_place:
            path = [(home[0], home[1], p[2]) for p in path]
        return path

    def _posed(self, deltas: Mapping[int, Turn], hips: Vector | None) -> Pose:
        pose = Pose([], [])
        for index, bone in enumerate(self.target.bones):
            place, turn = bone.translation, bone.rotation
            if bone.parent is not None:
                place = add(pose.heads[bone.parent], rotate(pose.turns[bone.parent], place))
                turn = mul(pose.turns[bone.parent], turn)
            if index in deltas:
                turn = mul(deltas[index], self.reference.turns[index])
            if hips is not None and index == self.target.slots["hips"]:
                place = hips
            pose.turns.append(turn)
            pose.heads.append(place)
        return pose

    def play(self, poses: Sequence[Pose]) -> Result:
        """The target's poses for poses of the source."""
        paths = self._hips(poses)
        deltas = [self._deltas(pose) for pose in poses]
        played = [self._posed(d, paths[i] if paths is not None else None) for i, d in enumerate(deltas)]
        mapped = sorted(deltas[0]) if deltas else []
        return Result(played, self.swings, self.rolls, self.turn, self.scale, mapped, self.reference)


def _at(stops: Sequence[float], deltas: Sequence[Turn], place: float) -> Turn:
    for i in range(len(stops) - 1):
        if place <= stops[i + 1] and stops[i + 1] > stops[i]:
            return between(deltas[i], deltas[i + 1], (place - stops[i]) / (stops[i + 1] - stops[i]))
    return deltas[-1]
