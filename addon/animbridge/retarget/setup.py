# SPDX-License-Identifier: GPL-3.0-or-later
"""What a retargeting needs of the scene besides the motion: both rigs, their reference poses and options."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import bpy
import numpy as np
from numpy.typing import NDArray

from ..compat.bones import selected_bones
from ..package import (
    AnimBridgeError,
    Armature,
    Facing,
    Pair,
    RigFound,
    RigUse,
    Stance,
    bone_pairs,
    find_rig,
    rig_files,
    standing,
    standing_matrices,
)
from ..scene.armature.reading import read_armature, stance_of
from ..scene.armature.rotations import euler_channels
from ..scene.undo import Undo
from .control_rigs import Switch, as_it_hangs, switch, switches_for
from .poses import pose_at, unpacked_pose
from .properties import OF_FRAME, pairs_of

Floats = NDArray[np.float32]

#: What the library calls the reference poses; it takes the others as they are.
_REFERENCES: Final = {"REST": "rest", "TPOSE": "tpose", "FRAME_TPOSE": "tpose", "STORED": "automatic"}


@dataclass(frozen=True)
class Side:
    """An armature of the scene: as Blender has it, and as it stands."""

    thing: bpy.types.Object
    armature: Armature
    stance: Stance

    @property
    def standing(self) -> Armature:
        """As the library gets it."""
        return standing(self.armature, self.stance)


@dataclass(frozen=True)
class Setup:
    """Both sides, the pairs that are used, and the library's options for them."""

    source: Side
    target: Side
    pairs: tuple[Pair, ...]
    options: dict[str, Any]


def sides_of(settings: Any) -> tuple[Side, Side]:
    """Source and target; an error if one of them isn't chosen, or both are the same."""
    source, target = settings.source, settings.target
    for thing, name in ((source, "Source"), (target, "Target")):
        if thing is None:
            raise AnimBridgeError(f"No {name.lower()} is chosen. Choose an armature in the field {name}.")
    if source == target:
        raise AnimBridgeError(f"'{source.name}' is both source and target. Choose two armatures.")
    return side_of(source), side_of(target)


def side_of(thing: bpy.types.Object) -> Side:
    """The armature as it is now."""
    return Side(thing, read_armature(thing, Facing.AUTO), stance_of(thing))


def found_rigs(settings: Any, source: Side, target: Side) -> tuple[RigFound, RigFound]:
    """What the bones of both are, by the rigs that the settings choose."""
    return (
        found_rig(source.standing, RigUse.SOURCE, settings.source_rig, source.thing.name),
        found_rig(target.standing, RigUse.TARGET, settings.target_rig, target.thing.name),
    )


def found_rig(armature: Armature, use: RigUse, rig: str, name: str) -> RigFound:
    """What the bones are; `rig`: a rig file, "": what the library knows; `name`: the armature's."""
    if not rig:
        return find_rig(armature, use)
    try:
        return find_rig(armature, use, rig)
    except AnimBridgeError as fault:
        raise AnimBridgeError(
            f"The rig {rig_files.title_of(rig)} doesn't fit '{name}': {fault.message}. Choose another rig.",
            fault.code,
        ) from fault


def setup_of(settings: Any) -> Setup:
    """All that the settings say; an error that says what to do if they can't be used."""
    source, target = sides_of(settings)
    _refuse_missing_reference(source, settings.source_reference, settings.source_rig)
    _refuse_missing_reference(target, settings.target_reference, settings.target_rig)
    on = [pair for pair in pairs_of(settings) if pair.is_on]
    bone_pairs.refuse_unusable(on, [(side.thing.name, side.armature.names) for side in (source, target)])
    found = found_rigs(settings, source, target)
    pairs = bone_pairs.with_slots(on, *found)
    source_rig, target_rig = bone_pairs.rig_files(
        pairs,
        bone_pairs.RigSide(found[0], source.armature, rig_files.reference_of(settings.source_rig)),
        bone_pairs.RigSide(found[1], target.armature, rig_files.reference_of(settings.target_rig)),
    )
    if settings.keep_euler:
        channels = euler_channels(target.thing, target.armature.names)
        target = replace(target, armature=replace(target.armature, rotation_channels=channels))
    options = {
        "source_reference": _REFERENCES.get(settings.source_reference, "rest"),
        "target_reference": _REFERENCES.get(settings.target_reference, "rest"),
        "align": settings.align,
        "root_scale": _root_scale(settings),
        **{
            name: getattr(settings, name)
            for name in ("in_place", "from_origin", "on_ground", "plant_feet", "keep_touch")
        },
        "offsets": {pair.slot: pair.offset for pair in pairs if any(pair.offset)},
        "source_rig": source_rig,
        "target_rig": target_rig,
    }
    if settings.only_selected:
        options["slots"] = _selected_slots(target.thing, pairs)
    return Setup(source, target, tuple(pairs), options)


def as_controlled(undo: Undo, setup: Setup) -> tuple[Setup, list[Switch], list[Switch]]:
    """With the target's bones as its controls move them; the switches that this needs, and those that it set.

    The latter have the values that they had. `undo` gets the steps that set them back.
    """
    target = setup.target
    keyed = {pair.target for pair in setup.pairs}
    wanted = switches_for(target.thing, keyed)
    changed = switch(undo, target.thing, wanted)
    armature = as_it_hangs(target.thing, target.armature, keyed)
    return replace(setup, target=replace(target, armature=armature)), wanted, changed


def _refuse_missing_reference(side: Side, reference: str, rig: str) -> None:
    if reference == "STORED" and not rig_files.reference_of(rig):
        raise AnimBridgeError(
            f"The rig of '{side.thing.name}' stores no pose. Load a rig file with a reference, or choose "
            "another reference pose."
        )


def source_pose(settings: Any, side: Side, scene: bpy.types.Scene) -> Floats | None:
    """The source's reference pose as the library gets it; None: one of those that it makes by itself."""
    return _pose(side, scene, settings.source_reference, settings.source_frame, settings.source_pose)


def target_pose(settings: Any, side: Side, scene: bpy.types.Scene) -> Floats | None:
    """The same of the target."""
    return _pose(side, scene, settings.target_reference, settings.target_frame, settings.target_pose)


def _pose(side: Side, scene: bpy.types.Scene, reference: str, frame: int, taken: str) -> Floats | None:
    if reference in OF_FRAME:
        pose = pose_at(scene, side.thing, side.armature, frame)
    elif reference == "POSE":
        pose = unpacked_pose(taken, side.armature, side.thing.name)
    else:
        return None
    return standing_matrices(pose, side.stance)


def _root_scale(settings: Any) -> str:
    if settings.scale_by_height:
        return "auto"
    return f"{settings.horizontal_scale:.9g},{settings.vertical_scale:.9g}"


def _selected_slots(target: bpy.types.Object, pairs: Sequence[Pair]) -> list[str]:
    selected = selected_bones(target)
    slots = [pair.slot for pair in pairs if pair.target in selected]
    if not slots:
        raise AnimBridgeError(
            f"No bone of '{target.name}' that is in a pair is selected. Select some in Pose mode, or switch "
            "Only Selected Bones off."
        )
    return slots
