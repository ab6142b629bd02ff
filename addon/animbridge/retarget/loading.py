# SPDX-License-Identifier: GPL-3.0-or-later
"""Pairs of the armatures of the scene, out of a file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from ..native.errors import AnimBridgeError, Status
from ..native.retarget import RigFound
from .map_files import BoneNames, BonePairs
from .pairs import Pair
from .setup import Side, found_rigs, sides_of

_NO_TURN: Final = (0.0, 0.0, 0.0)


@dataclass(frozen=True)
class Loaded:
    """Pairs, and what to say about them; "" if there is nothing to say."""

    pairs: list[Pair]
    note: str = ""


def loaded_pairs(settings: Any, read: BonePairs | BoneNames, name: str) -> Loaded:
    """The file's pairs for source and target; an error if no bone of either has one of its names."""
    source, target = sides_of(settings)
    found = found_rigs(source, target)
    if isinstance(read, BoneNames):
        return _by_names(read, source, target, found, name)
    return _by_pairs(read.pairs, source, target, found, name)


def _by_pairs(
    pairs: Sequence[Pair], source: Side, target: Side, found: tuple[RigFound, RigFound], name: str
) -> Loaded:
    """The pairs as they are, or the other way round if that is how their bones fit."""
    # An offset is about the axes of the target's bone, so it says nothing the other way round.
    swapped = [replace(pair, source=pair.target, target=pair.source, offset=_NO_TURN) for pair in pairs]
    is_swapped = _fitting(swapped, source, target) > _fitting(pairs, source, target)
    chosen = swapped if is_swapped else list(pairs)
    fitting = _fitting(chosen, source, target)
    if not fitting:
        raise AnimBridgeError(
            f"The map {name} pairs no bone of '{source.thing.name}' with one of '{target.thing.name}'. "
            "Check that the right armatures are chosen.",
            Status.BAD_VALUE,
        )
    notes = [", the other way round"] if is_swapped else []
    if is_swapped and any(any(pair.offset) for pair in pairs):
        notes.append(" and without their offsets")
    if fitting < len(chosen):
        notes.append(f", {len(chosen) - fitting} of them with a bone that an armature lacks")
    taken: set[str] = set()
    return Loaded([_with_slot(pair, taken, found) for pair in chosen], "".join(notes))


def _with_slot(pair: Pair, taken: set[str], found: tuple[RigFound, RigFound]) -> Pair:
    """The pair with a slot that no other pair has, or none."""
    source, target = found
    wanted = (pair.slot, source.slot_of(pair.source), target.slot_of(pair.target))
    slot = next((slot for slot in wanted if slot and slot not in taken), "")
    taken.add(slot)
    return replace(pair, slot=slot, by="given")


def _fitting(pairs: Sequence[Pair], source: Side, target: Side) -> int:
    sources, targets = set(source.armature.names), set(target.armature.names)
    return sum(pair.source in sources and pair.target in targets for pair in pairs)


def _by_names(
    read: BoneNames, source: Side, target: Side, found: tuple[RigFound, RigFound], name: str
) -> Loaded:
    """The file's names where a rig has them; the other rig's bones are found as Auto finds them."""
    sides: list[dict[str, str]] = []
    used: list[str] = []
    named: set[str] = set()
    for side, rig in zip((source, target), found, strict=True):
        bones = read.bones(side.armature.names)
        if bones:
            used.append(side.thing.name)
            named.update(bones)
        sides.append({**{slot: one.bone for slot, one in rig.slots.items()}, **bones})
    if not used:
        raise AnimBridgeError(
            f"The map {name} names no bone of '{source.thing.name}' or '{target.thing.name}'. Check that the "
            "right armatures are chosen.",
            Status.BAD_VALUE,
        )
    pairs = [Pair(slot, sides[0][slot], sides[1][slot], by="given") for slot in sides[0] if slot in sides[1]]
    kept = {pair.slot for pair in _once(sorted(pairs, key=lambda pair: pair.slot not in named))}
    chosen = [pair for pair in pairs if pair.slot in kept]
    return Loaded(chosen, f", by its names for {' and '.join(repr(one) for one in used)}")


def _once(pairs: list[Pair]) -> list[Pair]:
    """Without the pairs of a bone that an earlier pair has."""
    kept: list[Pair] = []
    for pair in pairs:
        if not any(pair.source == other.source or pair.target == other.target for other in kept):
            kept.append(pair)
    return kept
