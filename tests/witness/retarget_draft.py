# SPDX-License-Identifier: MIT
"""Skeletons to retarget, built upon the ideal body and changed on purpose, and motions for them."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from .humanoid_body import PARENTS, SLOTS, body, is_finger, side_of
from .retarget_body import Body, Bone, world
from .turns import NO_TURN, Turn, Vector, about, add, back, between, mul, normal, rotate, sub, times, unit

BODY_SLOTS = tuple(
    slot
    for slot in SLOTS
    if slot != "root" and not is_finger(slot) and not slot.endswith(("Eye", "jaw", "Palm", "Heel", "ToeTip"))
)
"""Hips, spine, head and limbs: what most cases move."""
HAND_SLOTS = ("leftIndexProximal", "leftMiddleProximal", "leftLittleProximal")
TIMES = (0.0, 0.1, 0.25, 0.3, 0.5, 0.7, 0.85, 1.0)


@dataclass
class Draft:
    """Joints by name, in the world: parent, head and axes. Names are slots' names unless said."""

    parents: dict[str, str | None]
    heads: dict[str, Vector]
    turns: dict[str, Turn]
    slots: dict[str, str]
    chains: dict[str, list[str]] = field(default_factory=dict[str, list[str]])

    def insert(self, name: str, upper: str, lowers: Iterable[str], share: float) -> None:
        """A joint between one and others, at a share of the way to the first of them, with upper's axes."""
        lowers = list(lowers)
        a, b = self.heads[upper], self.heads[lowers[0]]
        self.parents[name], self.turns[name] = upper, self.turns[upper]
        self.heads[name] = add(a, times(share, sub(b, a)))
        for lower in lowers:
            self.parents[lower] = name

    def drop(self, *names: str) -> None:
        """Without joints; what hung on them hangs on the next one up."""
        for name in names:
            above = self.parents.pop(name)
            del self.heads[name], self.turns[name]
            self.slots = {slot: joint for slot, joint in self.slots.items() if joint != name}
            self.parents = {n: above if p == name else p for n, p in self.parents.items()}

    def add_root(self, name: str, turn: Turn, head: Vector = (0.0, 0.0, 0.0)) -> None:
        """A joint above the ones without a parent."""
        for joint, parent in self.parents.items():
            if parent is None:
                self.parents[joint] = name
        self.parents[name], self.heads[name], self.turns[name] = None, head, turn

    def move(self, move: Callable[[Vector], Vector]) -> None:
        """Heads elsewhere; the axes stay."""
        self.heads = {name: move(head) for name, head in self.heads.items()}

    def turn_all(self, turn: Turn) -> None:
        """The whole body turned about the origin."""
        self.move(lambda p: rotate(turn, p))
        self.turns = {name: mul(turn, one) for name, one in self.turns.items()}

    def turn_below(self, joint: str, turn: Turn) -> None:
        """A joint and all below it turned about its head: another rest pose."""
        inside = {joint}
        for name in self.ordered():
            if self.parents[name] in inside:
                inside.add(name)
        pivot = self.heads[joint]
        for name in inside:
            self.heads[name] = add(pivot, rotate(turn, sub(self.heads[name], pivot)))
            self.turns[name] = mul(turn, self.turns[name])

    def roll(self, seed: int) -> None:
        """Every joint's axes turned at random: the same body, another artist's axes."""
        random_turn = random.Random(seed)
        for name in self.turns:
            self.turns[name] = normal(tuple(random_turn.gauss(0, 1) for _ in range(4)))  # pyright: ignore

    def ordered(self) -> list[str]:
        """Names, parents first."""
        result: list[str] = []
        left = list(self.parents)
        while left:
            ready = [n for n in left if self.parents[n] is None or self.parents[n] in result]
            result += ready
            left = [n for n in left if n not in ready]
        return result

    def finish(self) -> Body:
        """The skeleton with local rests."""
        names = self.ordered()
        index = {name: i for i, name in enumerate(names)}
        bones: list[Bone] = []
        for name in names:
            parent = self.parents[name]
            if parent is None:
                bones.append(Bone(name, None, self.turns[name], self.heads[name]))
                continue
            undo = back(self.turns[parent])
            place = rotate(undo, sub(self.heads[name], self.heads[parent]))
            bones.append(Bone(name, index[parent], mul(undo, self.turns[name]), place))
        chains = {name: [index[j] for j in joints] for name, joints in self.chains.items()}
        return Body(tuple(bones), {slot: index[j] for slot, j in self.slots.items()}, chains)


def draft(slots: Iterable[str] = BODY_SLOTS, pose: str = "T", facing_x: bool = False) -> Draft:
    """The ideal body's joints of some slots, with the world's axes."""
    points, present = body(pose, facing_x), [slot for slot in SLOTS if slot in set(slots)]
    parents: dict[str, str | None] = {}
    for slot in present:
        above = PARENTS.get(slot)
        while above is not None and above not in present:
            above = PARENTS.get(above)
        parents[slot] = above
    return Draft(
        parents, {s: points[s] for s in present}, dict.fromkeys(present, NO_TURN), {s: s for s in present}
    )


def _amplitude(slot: str) -> float:
    """How far a joint of a slot turns, in radians."""
    which = slot.removeprefix(side_of(slot) or "")
    wide = {"UpperArm": 0.9, "LowerArm": 0.8, "UpperLeg": 0.6, "LowerLeg": 0.7, "hips": 0.5}
    return wide.get(which, 0.25)


@dataclass
class Motion:
    """Local rotations and translations of some joints at each time."""

    times: list[float]
    rotations: dict[int, list[Turn]]
    translations: dict[int, list[Vector]]


def moves(skeleton: Body, seed: int, still: Iterable[str] = ()) -> Motion:
    """Every joint of a slot or a chain swings about an axis of its own, and the hips go through the world."""
    chance = random.Random(seed)
    named = {joint: slot for slot, joint in skeleton.slots.items()}
    for name, joints in skeleton.chains.items():
        named |= {joint: name for joint in joints if joint not in named}
    rotations: dict[int, list[Turn]] = {}
    for joint in sorted(named):
        if named[joint] in still:
            continue
        axis = unit((chance.gauss(0, 1), chance.gauss(0, 1), chance.gauss(0, 1)))
        speed, phase = chance.uniform(0.5, 1.5), chance.uniform(0, math.tau)
        wide = _amplitude(named[joint])
        rotations[joint] = [
            mul(skeleton.bones[joint].rotation, about(axis, wide * math.sin(math.tau * speed * t + phase)))
            for t in TIMES
        ]
    return Motion(list(TIMES), rotations, _hips_path(skeleton))


def _hips_path(skeleton: Body) -> dict[int, list[Vector]]:
    """Half a metre a second along X, a little aside, and a bob of 3 cm, for hips at a height of 0.95 m."""
    if "hips" not in skeleton.slots:
        return {}
    hips, rest = skeleton.slots["hips"], world(skeleton, {})
    above = skeleton.bones[hips].parent
    undo = back(rest.turns[above]) if above is not None else NO_TURN
    size = max(abs(v) for v in rest.heads[hips]) / 0.95
    path: list[Vector] = []
    for t in TIMES:
        step = (0.5 * t, 0.07 * math.sin(5 * t), 0.03 * math.cos(9 * t))
        path.append(add(skeleton.bones[hips].translation, rotate(undo, times(size, step))))
    return {hips: path}


def half_turns(motion: Motion, skeleton: Body, upper: int, lower: int) -> None:
    """The bones of a split limb turn by a half of the upper one's turn each: as a twist bone's rig does."""
    for i, turned in enumerate(motion.rotations[upper]):
        delta = mul(back(skeleton.bones[upper].rotation), turned)
        half = between(NO_TURN, delta, 0.5)
        motion.rotations[upper][i] = mul(skeleton.bones[upper].rotation, half)
        motion.rotations[lower][i] = mul(skeleton.bones[lower].rotation, half)
