# SPDX-License-Identifier: GPL-3.0-or-later
"""Which Actions play on an armature."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import bpy
import numpy as np

from ..compat import actions, keyframes
from . import previews, templates
from .armature.reading import armature_of
from .channels import COMPONENTS, QUATERNION, split_path

#: A value this far from rest moves a bone: 0.1 mm, or 0.01 degrees.
_SEEN: Final = 1e-4


@dataclass(frozen=True)
class Playing:
    """An object, such as an armature, and the Action that plays on it."""

    thing: bpy.types.Object
    channels: actions.Channels

    @property
    def action(self) -> bpy.types.Action:
        """The Action itself."""
        return self.channels.action


def playing_channels(armature_object: bpy.types.Object) -> list[actions.Channels]:
    """The channels of every Action that plays on the armature, in the order of the Actions' names.

    That is: what it has assigned, what its NLA strips play, every Action with a curve for one of its bones
    (with slots: the slot with most of them), and Actions without curves that were imported onto it.
    """
    used = _used_by(armature_object)
    found = []
    for action in _originals():
        channels = used.get(action) or best_channels(action, armature_object)
        if channels is not None:
            found.append(channels)
    return found


def assigned_channels(armature_object: bpy.types.Object) -> actions.Channels | None:
    """The channels that are assigned to the armature; those of the original if it plays a preview."""
    animation = armature_object.animation_data
    return previews.original_channels(actions.assigned_channels(animation)) if animation else None


def best_channels(action: bpy.types.Action, armature_object: bpy.types.Object) -> actions.Channels | None:
    """The channels of an Action that move most bones of the armature; None if it moves none."""
    candidates = actions.object_channels(action)
    scores = [matching_bones(channels, armature_object) for channels in candidates]
    if scores and max(scores) > 0:
        return candidates[scores.index(max(scores))]
    if candidates and not any(channels.fcurves for channels in candidates):
        template = templates.load(action)
        if template and template.object_name == armature_object.name:
            return candidates[0]
    return None


def moved_bones(action: bpy.types.Action) -> set[str]:
    """The bones that any of the Action's keys take out of their rest pose."""
    curves = [curve for channels in actions.object_channels(action) for curve in channels.fcurves]
    places = ((split_path(curve.data_path), curve) for curve in curves)
    return {
        place[0] for place, curve in places if place and place[1] in COMPONENTS and _moves(curve, place[1])
    }


def _moves(curve: bpy.types.FCurve, prop: str) -> bool:
    rest = 1.0 if prop == QUATERNION and curve.array_index == 0 else 0.0
    off = np.abs(np.abs(keyframes.read_co(curve)[:, 1]) - rest)
    return bool(off.max(initial=0.0) > _SEEN)


def matching_bones(channels: actions.Channels, armature_object: bpy.types.Object) -> int:
    """How many bones of the armature have curves in these channels."""
    bones = armature_of(armature_object).bones
    places = {split_path(curve.data_path) for curve in channels.fcurves}
    return len({place[0] for place in places if place and place[0] in bones})


def playing_on_armatures() -> list[Playing]:
    """Every Action of the file with the armature that it plays on, in the order of the Actions' names.

    An armature that uses the Action (assigned, or in an NLA strip) goes before one whose bones merely have
    the names of its curves; of these the one with most of them. Slots in use are one row each.
    """
    armatures = sorted((obj for obj in bpy.data.objects if obj.type == "ARMATURE"), key=lambda obj: obj.name)
    users = [(armature, _used_by(armature)) for armature in armatures]
    found: list[Playing] = []
    for action in _originals():
        using = [Playing(armature, used[action]) for armature, used in users if action in used]
        found += _one_per_slot(using) or _best(action, armatures)
    return found


def _one_per_slot(found: list[Playing]) -> list[Playing]:
    """The first armature of each slot whose bones have curves in it or that has an imported file."""
    chosen: dict[str, Playing] = {}
    for one in found:
        if matching_bones(one.channels, one.thing) or templates.PROPERTY in one.action:
            slot = one.channels.slot
            chosen.setdefault(slot.identifier if slot else "", one)
    return list(chosen.values())


def _best(action: bpy.types.Action, armatures: list[bpy.types.Object]) -> list[Playing]:
    candidates = [(armature, best_channels(action, armature)) for armature in armatures]
    found = [Playing(armature, channels) for armature, channels in candidates if channels is not None]
    return [max(found, key=lambda one: matching_bones(one.channels, one.thing))] if found else []


def _used_by(armature_object: bpy.types.Object) -> dict[bpy.types.Action, actions.Channels]:
    animation = armature_object.animation_data
    if animation is None:
        return {}
    strips = [strip for track in animation.nla_tracks for strip in track.strips]
    used = [actions.strip_channels(strip) for strip in strips]
    used.append(assigned_channels(armature_object))
    return {channels.action: channels for channels in used if channels is not None}


def _originals() -> list[bpy.types.Action]:
    """Every Action that is not a preview."""
    return [action for action in bpy.data.actions if not previews.is_preview(action)]
