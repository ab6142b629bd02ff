# SPDX-License-Identifier: MIT
"""Pairs of two armatures, out of a file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from .bone_maps import BoneNames, BonePairs, RigNames
from .bone_pairs import Pair, found_pairs
from .curves import Armature
from .errors import AnimBridgeError, Status
from .retarget import RigFound, RigUse, find_rig

_NO_TURN: Final = (0.0, 0.0, 0.0)
#: A rig file is for both armatures if it fits the worse of them at least this well, beside the better one.
_LEAST_FIT: Final = 0.5


@dataclass(frozen=True)
class Rig:
    """An armature by its name, and the rig file that was chosen for it; "": none was."""

    name: str
    armature: Armature
    chosen: str = ""

    def found(self, use: RigUse) -> RigFound:
        """What the bones are, by the rig file if it fits."""
        try:
            return find_rig(self.armature, use, self.chosen or None)
        except AnimBridgeError:
            return find_rig(self.armature, use)


@dataclass(frozen=True)
class Loaded:
    """Pairs, and what to say about them; "" if there is nothing to say.

    `source_rig` and `target_rig`: rig files that apply from now on; None: as before.
    """

    pairs: list[Pair]
    note: str = ""
    source_rig: str | None = None
    target_rig: str | None = None


def loaded_pairs(source: Rig, target: Rig, read: BonePairs | BoneNames | RigNames, name: str) -> Loaded:
    """The file's pairs for source and target; an error if no bone of either has one of its names."""
    if isinstance(read, RigNames):
        return _by_rig(read.rig, source, target, name)
    found = source.found(RigUse.SOURCE), target.found(RigUse.TARGET)
    if isinstance(read, BoneNames):
        return _by_names(read, source, target, found, name)
    return _by_pairs(read, source, target, found, name)


def _by_rig(file: str, source: Rig, target: Rig, name: str) -> Loaded:
    """The rig file for the armature that has its names, or for both if both have them."""
    sides = (source, RigUse.SOURCE), (target, RigUse.TARGET)
    fits = [_fit(rig, use, file, name) for rig, use in sides]
    best = max(fit.score if fit else 0.0 for fit in fits)
    if not best:
        raise _names_nothing(name, source, target)
    taken = [fit if fit and fit.score >= _LEAST_FIT * best else None for fit in fits]
    found = [fit or rig.found(use) for fit, (rig, use) in zip(taken, sides, strict=True)]
    pairs = found_pairs((found[0], source.armature.names), (found[1], target.armature.names))
    used = [rig.name for fit, (rig, _) in zip(taken, sides, strict=True) if fit]
    note = f", by its names for {' and '.join(map(repr, used))}"
    if not pairs:
        note += ". Load a rig file for the other armature too, or choose its rig"
    return Loaded(pairs, note, *(file if fit else None for fit in taken))


def _fit(rig: Rig, use: RigUse, file: str, name: str) -> RigFound | None:
    """What the rig file finds; None if the armature has none of its names."""
    try:
        return find_rig(rig.armature, use, file)
    except AnimBridgeError as fault:
        if fault.field == "slots" and fault.code == Status.BAD_VALUE:
            return None
        raise AnimBridgeError(f"The map {name}: {fault.message}", fault.code, field=fault.field) from fault


def _by_pairs(
    read: BonePairs, source: Rig, target: Rig, found: tuple[RigFound, RigFound], name: str
) -> Loaded:
    """The pairs as they are, or the other way round if that is how their bones fit."""
    pairs = read.pairs
    # An offset is about the axes of the target's bone, so it says nothing the other way round.
    swapped = [replace(pair, source=pair.target, target=pair.source, offset=_NO_TURN) for pair in pairs]
    is_swapped = _fitting(swapped, source, target) > _fitting(pairs, source, target)
    chosen = swapped if is_swapped else list(pairs)
    fitting = _fitting(chosen, source, target)
    if not fitting:
        raise AnimBridgeError(
            f"The map {name} pairs no bone of '{source.name}' with one of '{target.name}'. "
            "Check that the right armatures are chosen.",
            Status.BAD_VALUE,
        )
    notes = [", the other way round"] if is_swapped else []
    if is_swapped and any(any(pair.offset) for pair in pairs):
        notes.append(" and without their offsets")
    if fitting < len(chosen):
        notes.append(f", {len(chosen) - fitting} of them with a bone that an armature lacks")
    taken: set[str] = set()
    rigs = (read.target_rig, read.source_rig) if is_swapped else (read.source_rig, read.target_rig)
    return Loaded([_with_slot(pair, taken, found) for pair in chosen], "".join(notes), *rigs)


def _with_slot(pair: Pair, taken: set[str], found: tuple[RigFound, RigFound]) -> Pair:
    """The pair with a slot that no other pair has, or none."""
    source, target = found
    wanted = (pair.slot, source.slot_of(pair.source), target.slot_of(pair.target))
    slot = next((slot for slot in wanted if slot and slot not in taken), "")
    taken.add(slot)
    return replace(pair, slot=slot, by="given")


def _fitting(pairs: Sequence[Pair], source: Rig, target: Rig) -> int:
    sources, targets = set(source.armature.names), set(target.armature.names)
    return sum(pair.source in sources and pair.target in targets for pair in pairs)


def _by_names(
    read: BoneNames, source: Rig, target: Rig, found: tuple[RigFound, RigFound], name: str
) -> Loaded:
    """The file's names where a rig has them; the other rig's bones are found as Auto finds them."""
    sides: list[dict[str, str]] = []
    used: list[str] = []
    named: set[str] = set()
    for side, rig in zip((source, target), found, strict=True):
        bones = read.bones(side.armature.names)
        if bones:
            used.append(side.name)
            named.update(bones)
        sides.append({**{slot: one.bone for slot, one in rig.slots.items()}, **bones})
    if not used:
        raise _names_nothing(name, source, target)
    pairs = [Pair(slot, sides[0][slot], sides[1][slot], by="given") for slot in sides[0] if slot in sides[1]]
    kept = {pair.slot for pair in _once(sorted(pairs, key=lambda pair: pair.slot not in named))}
    chosen = [pair for pair in pairs if pair.slot in kept]
    return Loaded(chosen, f", by its names for {' and '.join(repr(one) for one in used)}")


def _names_nothing(name: str, source: Rig, target: Rig) -> AnimBridgeError:
    return AnimBridgeError(
        f"The map {name} names no bone of '{source.name}' or '{target.name}'. Check that the "
        "right armatures are chosen.",
        Status.BAD_VALUE,
    )


def _once(pairs: list[Pair]) -> list[Pair]:
    """Without the pairs of a bone that an earlier pair has."""
    kept: list[Pair] = []
    for pair in pairs:
        if not any(pair.source == other.source or pair.target == other.target for other in kept):
            kept.append(pair)
    return kept
