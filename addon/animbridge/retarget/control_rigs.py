# SPDX-License-Identifier: GPL-3.0-or-later
"""Targets with controls, such as generated Rigify rigs.

Their bones follow each other by constraints, and properties say which constraints count: a Rigify limb shows
the keys of its FK bones only if its IK-FK property says so.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import bpy
import numpy as np

from ..compat import actions, keyframes
from ..package import Armature
from ..scene.armature.reading import pose_bones
from ..scene.import_.curves import CurveGroups
from ..scene.undo import Undo

#: Rigify's property of limbs, and the value with which the FK bones move the limb.
_LIMB_PROPERTY: Final = "IK_FK"
_LIMB_SUFFIX: Final = "_parent"
_FK_SUFFIX: Final = "_fk"
#: Rigify's properties of the torso by which neck and head turn with the chest, as bones do.
_FOLLOWERS: Final = {"neck_follow": "neck", "head_follow": "head"}
_FK: Final = 1.0
#: An influence, and how far rests of bones may differ that count as one.
_WHOLE: Final = 0.999
_SAME_REST: Final = 1e-3
_POSE_SPACES: Final = frozenset({"WORLD", "POSE"})


@dataclass(frozen=True)
class Switch:
    """A custom property of a bone that must have this value."""

    bone: str
    prop: str
    value: float = _FK

    @property
    def path(self) -> str:
        """The data path, from the object on."""
        return f'pose.bones["{bpy.utils.escape_identifier(self.bone)}"]["{self.prop}"]'


def switches_for(target: bpy.types.Object, keyed: Collection[str]) -> list[Switch]:
    """The properties without which keys on these bones don't show."""
    return [
        Switch(bone.name, prop)
        for bone in pose_bones(target)
        for prop in _switches_of(bone, keyed)
        if isinstance(bone.get(prop), int | float)
    ]


def _switches_of(bone: Any, keyed: Collection[str]) -> Iterator[str]:
    limb, found, side = bone.name.partition(_LIMB_SUFFIX)
    if found and f"{limb}{_FK_SUFFIX}{side}" in keyed:
        yield _LIMB_PROPERTY
    for prop, follower in _FOLLOWERS.items():
        if follower in keyed:
            yield prop


def switch(undo: Undo, target: bpy.types.Object, switches: Sequence[Switch]) -> list[Switch]:
    """Sets the properties; those that had another value, with it. `undo` gets the steps to set them back."""
    changed: list[Switch] = []
    for one in switches:
        bone = pose_bones(target)[one.bone]
        before = bone[one.prop]
        if before == one.value:
            continue
        undo.callback(bone.__setitem__, one.prop, before)
        # An integer stays one: Blender gives no property another type.
        bone[one.prop] = type(before)(one.value)
        changed.append(replace(one, value=float(before)))
    if changed:
        target.update_tag()
        bpy.context.view_layer.update()
    return changed


def key_switches(channels: actions.Channels, switches: Sequence[Switch], frame: float) -> None:
    """Keys the properties, so that the Action shows the same whatever another one sets."""
    groups = CurveGroups(channels.holder)
    maker = keyframes.NewCurves(channels.holder, len(switches))
    for one in switches:
        co = np.array([[frame, one.value]], np.float32)
        fcurve, _ = maker.add(one.path, 0, co, None)
        groups.put(fcurve, one.bone)


def as_it_hangs(target: bpy.types.Object, armature: Armature, keyed: Collection[str]) -> Armature:
    """The armature with the parents that constraints make: a bone that copies another one hangs on it.

    The bones with keys keep their parents, because their keys are relative to these.
    """
    shown: Any = target.evaluated_get(bpy.context.evaluated_depsgraph_get())
    index = {name: place for place, name in enumerate(armature.names)}
    parents = [int(parent) for parent in armature.parents]
    own = list(parents)
    for place, name in enumerate(armature.names):
        leader = index.get("" if name in keyed else _leader(shown, name))
        if leader is not None and leader != place:
            parents[place] = leader
    if parents == own:
        return armature
    _break_circles(parents, own)
    return replace(armature, parents=np.array(parents, np.int32))


def _break_circles(parents: list[int], own: Sequence[int]) -> None:
    """Gives bones that would hang on themselves their own parents back, which make no circle."""
    while circle := next(filter(None, (_circle(parents, first) for first in range(len(parents)))), None):
        for place in circle:
            parents[place] = own[place]


def _circle(parents: Sequence[int], first: int) -> set[int]:
    """The bones from this one up to where the way repeats itself; none if it ends."""
    above, seen = first, set[int]()
    while above >= 0 and above not in seen:
        seen.add(above)
        above = parents[above]
    return seen if above >= 0 else set()


def _leader(rig: Any, name: str) -> str:
    """The bone on which constraints hang this one; "" if they don't, or only in part."""
    bone, leader, parts = rig.pose.bones[name], "", set[tuple[str, str]]()
    for constraint in bone.constraints:
        if constraint.mute or constraint.influence < _WHOLE:
            continue
        found = _followed(constraint, rig)
        if constraint.type in {"COPY_LOCATION", "COPY_ROTATION"}:
            parts.add((constraint.type, found))
            found = found if len({each for each in parts if each[1] == found}) > 1 else ""
        if found and (constraint.type == "ARMATURE" or _rests_alike(rig, name, found)):
            leader = found
    return leader


def _followed(constraint: Any, rig: Any) -> str:
    """The bone of the same armature that the constraint copies as a whole; "" if it is another constraint."""
    if constraint.type == "ARMATURE":
        targets = [one for one in constraint.targets if one.weight > 0.0]
        return targets[0].subtarget if len(targets) == 1 and _is_same(targets[0].target, rig) else ""
    if constraint.type not in {"COPY_TRANSFORMS", "COPY_LOCATION", "COPY_ROTATION"}:
        return ""
    spaces = {constraint.owner_space, constraint.target_space}
    is_whole = spaces <= _POSE_SPACES and getattr(constraint, "mix_mode", "REPLACE") == "REPLACE"
    return constraint.subtarget if is_whole and _is_same(constraint.target, rig) else ""


def _is_same(thing: Any, rig: Any) -> bool:
    return thing is not None and thing.name == rig.name and thing.library == rig.library


def _rests_alike(rig: Any, one: str, other: str) -> bool:
    """Whether a copy of the other bone leaves the bone where it rests."""
    bones = rig.data.bones
    if one not in bones or other not in bones:
        return False
    rests = [np.array(bones[name].matrix_local) for name in (one, other)]
    return bool(np.abs(rests[0] - rests[1]).max() < _SAME_REST)
