# SPDX-License-Identifier: MIT
"""Pairs of bones, and the two rig files that say the same to the library."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from .curves import Armature
from .errors import AnimBridgeError
from .retarget import RigFound

#: How a bone was found, from the surest way to the least sure.
_WAYS: Final = ("given", "convention", "name", "structure", "shape")
_TORSO: Final = ("spine", "chest", "upperChest")
_LEGS: Final = ("leftUpperLeg", "rightUpperLeg")


@dataclass(frozen=True)
class Pair:
    """A bone of the source, and the bone of the target that moves like it.

    `slot`: the part of the body, such as leftUpperArm; "" if nobody knows. `by`: how the less sure of the two
    was found; "" if the user chose them. `offset`: a turn about the target bone's axes, in degrees: X first,
    then Y, then Z.
    """

    slot: str
    source: str
    target: str
    is_on: bool = True
    by: str = ""
    offset: tuple[float, float, float] = (0.0, 0.0, 0.0)


def found_pairs(source: tuple[RigFound, Sequence[str]], target: tuple[RigFound, Sequence[str]]) -> list[Pair]:
    """The parts of the body that both rigs have, and the chains that are no part of a body.

    Two rigs of one convention also pair bones of equal names.

    `source` and `target`: what was found, and the names of all bones.
    """
    one, other = source[0], target[0]
    pairs = [
        Pair(slot, found.bone, other.slots[slot].bone, by=_weaker(found.by, other.slots[slot].by))
        for slot, found in one.slots.items()
        if slot in other.slots
    ]
    pairs += _chain_pairs(one, other)
    if one.convention is not None and one.convention == other.convention:
        known = _known(one) | _known(other)
        there = set(target[1]) - known
        pairs += [Pair("", bone, bone, by="equal") for bone in source[1] if bone in there]
    return pairs


def _chain_pairs(one: RigFound, other: RigFound) -> list[Pair]:
    """A pair of the first bones of each chain that both rigs have, such as a tail, and that has no slot."""
    chains = _loose_chains(one), _loose_chains(other)
    return [
        Pair(name, joints[0], chains[1][name][0], by="chain")
        for name, joints in chains[0].items()
        if name in chains[1]
    ]


def _loose_chains(found: RigFound) -> dict[str, tuple[str, ...]]:
    """The chains none of whose bones has a slot."""
    named = {slot.bone for slot in found.slots.values()}
    return {name: joints for name, joints in found.chains.items() if not named.intersection(joints)}


def with_swapped_sides(pairs: Sequence[Pair]) -> list[Pair]:
    """The same target bones with the source bones of the other side, as a person chose them; a pair without a
    partner has none."""
    by_slot = {pair.slot: pair for pair in pairs if pair.slot}
    return [
        pair if (other := _mirrored(pair.slot)) == pair.slot else _moved_by(pair, by_slot.get(other))
        for pair in pairs
    ]


def _moved_by(pair: Pair, other: Pair | None) -> Pair:
    return replace(pair, source=other.source if other else "", by="")


def _mirrored(slot: str) -> str:
    """The part on the other side: "leftHand" for "rightHand"; a central part is its own mirror."""
    for one, other in (("left", "right"), ("right", "left")):
        if slot.startswith(one):
            return other + slot.removeprefix(one)
        if slot.endswith(one.title()):
            return slot.removesuffix(one.title()) + other.title()
    return slot


def turning_the_pelvis(found: RigFound, armature: Armature) -> list[str]:
    """The bones of the torso on which a leg hangs, as in Rigify: there the pelvis turns with the spine."""
    torso = {found.slots[slot].bone for slot in _TORSO if slot in found.slots}
    legs = {found.slots[slot].bone for slot in _LEGS if slot in found.slots}
    above = {armature.names[bone] for bone in _above(legs, armature)}
    return [bone for bone in armature.names if bone in torso & above]


def with_slots(pairs: Sequence[Pair], source: RigFound, target: RigFound) -> list[Pair]:
    """The pairs, each with a slot of its own: its bones' slot in the found rigs, or else the bone's name."""
    taken: set[str] = set()
    named: list[Pair] = []
    for pair in pairs:
        wanted = (pair.slot, source.slot_of(pair.source), target.slot_of(pair.target))
        slot = next((slot for slot in wanted if slot and slot not in taken), f"bone {pair.target}")
        taken.add(slot)
        named.append(replace(pair, slot=slot))
    return named


@dataclass(frozen=True)
class RigSide:
    """A rig of the scene: what was found in it, its bones, and the pose that its rig file stores, if any."""

    found: RigFound
    armature: Armature
    reference: Mapping[str, Any] = field(default_factory=dict[str, Any])


def rig_files(pairs: Sequence[Pair], source: RigSide, target: RigSide) -> tuple[str, str]:
    """The rig files of source and target in which exactly these pairs have the same slots.

    Chains of the found rigs stay as far as their bones are still in pairs of the same slots.
    """
    loose = _loose_chains(source.found), _loose_chains(target.found)
    chained = {
        pair.slot
        for pair in pairs
        if all(
            loose[number].get(pair.slot, ("",))[0] == bone
            for number, bone in enumerate((pair.source, pair.target))
        )
    }
    return (
        _rig_file({pair.slot: pair.source for pair in pairs}, source, chained),
        _rig_file({pair.slot: pair.target for pair in pairs}, target, chained),
    )


def refuse_unusable(pairs: Sequence[Pair], sides: Sequence[tuple[str, Sequence[str]]]) -> None:
    """An error if a pair lacks a bone, or a bone is in two pairs; `sides`: names and bones of both."""
    if not pairs:
        raise AnimBridgeError("The list has no pair that is switched on. Press Auto, or add pairs.")
    for pair in pairs:
        for bone, (armature, bones) in zip((pair.source, pair.target), sides, strict=True):
            if bone not in bones:
                found = f"no bone '{bone}'" if bone else "no bone chosen for it"
                raise AnimBridgeError(
                    f"The pair {_pair_name(pair)}: the armature '{armature}' has {found}. Choose another "
                    "bone, or switch the pair off."
                )
    for number, (armature, _) in enumerate(sides):
        bone = _twice([(pair.source, pair.target)[number] for pair in pairs])
        if bone is not None:
            raise AnimBridgeError(
                f"The bone '{bone}' of '{armature}' is in two pairs. Switch one of them off."
            )


def _pair_name(pair: Pair) -> str:
    return pair.slot or f"'{pair.source}' to '{pair.target}'"


def _twice(bones: Sequence[str]) -> str | None:
    return next((bone for place, bone in enumerate(bones) if bone in bones[:place]), None)


def _weaker(one: str, other: str) -> str:
    return max(one, other, key=lambda way: _WAYS.index(way) if way in _WAYS else len(_WAYS))


def _known(found: RigFound) -> set[str]:
    """The bones that have a slot or are in a chain."""
    return {slot.bone for slot in found.slots.values()}.union(*found.chains.values())


def _rig_file(bones: dict[str, str], rig: RigSide, chained: set[str]) -> str:
    """`chained`: those of the slots that are names of chains, and move these as a whole."""
    slots = {bone: slot for slot, bone in bones.items()}
    chains: dict[str, list[str]] = {}
    for name, joints in rig.found.chains.items():
        if name in chained:
            chains[name] = [joints[0], *(joint for joint in joints[1:] if joint not in slots)]
            continue
        kept = [joint for joint in joints if slots.get(joint, "") == rig.found.slot_of(joint)]
        if len(kept) > 1 and any(joint in slots for joint in kept):
            chains[name] = kept
    rows = {slot: [bone] for slot, bone in bones.items() if slot not in chained}
    moved = set(slots).union(*chains.values())
    # Or the library would find chains of its own between the pairs.
    helpers = [bone for bone in _between(set(slots), rig.armature) if bone not in moved and "*" not in bone]
    file = {"animbridge_rig": 1, "slots": rows, "chains": chains, "roles": {"helper": helpers}}
    return json.dumps({**file, "reference": rig.reference} if rig.reference else file)


def _between(bones: set[str], armature: Armature) -> list[str]:
    """The bones above any of these, in the armature's order."""
    return [armature.names[bone] for bone in sorted(_above(bones, armature))]


def _above(bones: set[str], armature: Armature) -> set[int]:
    above: set[int] = set()
    for bone, name in enumerate(armature.names):
        if name in bones:
            parent = int(armature.parents[bone])
            while parent >= 0 and parent not in above:
                above.add(parent)
                parent = int(armature.parents[parent])
    return above
