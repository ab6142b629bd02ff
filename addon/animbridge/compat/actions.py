# SPDX-License-Identifier: GPL-3.0-or-later
"""Where an Action keeps its F-curves: in itself up to Blender 4.3, in a slot's channel bag from 4.4 on."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import bpy

_SLOT_TYPES = {"OBJECT", "UNSPECIFIED"}


@dataclass(frozen=True)
class Channels:
    """The F-curves of an Action that play on one kind of object.

    `holder` has `.fcurves` and `.groups` (None: there are none); `slot` is None where Actions have no slots.
    """

    action: bpy.types.Action
    slot: Any
    holder: Any

    @property
    def fcurves(self) -> list[bpy.types.FCurve]:
        """The F-curves."""
        return list(self.holder.fcurves) if self.holder else []


def has_slots(action: bpy.types.Action) -> bool:
    """Whether this Blender's Actions have slots."""
    return hasattr(action, "slots")


def is_single(action: bpy.types.Action) -> bool:
    """Whether nothing in the Action is mixed: it has no layers, or at most one with one strip."""
    layers = getattr(action, "layers", ())
    return len(layers) <= 1 and all(len(layer.strips) <= 1 for layer in layers)


def create_channels(action: bpy.types.Action, slot_name: str) -> Channels:
    """Prepares a new Action for the curves of an object, in a slot of this name where there are slots."""
    if not has_slots(action):
        setattr(action, "id_root", "OBJECT")  # noqa: B010  (gone since 5.0)
        return Channels(action, None, action)
    slot = action.slots.new(id_type="OBJECT", name=slot_name)
    layer = action.layers.new("Layer")
    strip: Any = layer.strips.new(type="KEYFRAME")
    return Channels(action, slot, strip.channelbag(slot, ensure=True))


def object_channels(action: bpy.types.Action) -> list[Channels]:
    """What an Action has for objects: one entry per slot, or a single one where there are no slots."""
    if not has_slots(action):
        return [Channels(action, None, action)]
    return [slot_channels(action, slot) for slot in action.slots if slot.target_id_type in _SLOT_TYPES]


def all_channels(action: bpy.types.Action) -> list[Channels]:
    """Everything that an Action animates, of data of any kind."""
    if not has_slots(action):
        return [Channels(action, None, action)]
    return [slot_channels(action, slot) for slot in action.slots]


def slot_channels(action: bpy.types.Action, slot: Any) -> Channels:
    """The curves of one slot; where Actions have no slots, the Action's own."""
    if not has_slots(action):
        return Channels(action, None, action)
    strips: list[Any] = [strip for layer in action.layers for strip in layer.strips]
    if slot is None or not strips:
        return Channels(action, slot, None)
    return Channels(action, slot, strips[0].channelbag(slot))


def assigned_channels(animation: bpy.types.AnimData) -> Channels | None:
    """The curves that an object's animation data plays; None without an Action."""
    if animation.action is None:
        return None
    return slot_channels(animation.action, getattr(animation, "action_slot", None))


def strip_channels(strip: bpy.types.NlaStrip) -> Channels | None:
    """The curves that an NLA strip plays; None for a strip without an Action."""
    if strip.action is None:
        return None
    return slot_channels(strip.action, getattr(strip, "action_slot", None))


def writable_channels(animation: bpy.types.AnimData, slot_name: str) -> Channels:
    """The curves that an object's animation data plays, to be changed; a missing slot is made and assigned.

    The animation data must have an Action.
    """
    action: Any = animation.action
    if not has_slots(action):
        return Channels(action, None, action)
    slot = getattr(animation, "action_slot", None)
    if slot is None:
        slot = action.slots.new(id_type="OBJECT", name=slot_name)
        setattr(animation, "action_slot", slot)  # noqa: B010  (new in 4.4)
    layer = action.layers[0] if len(action.layers) else action.layers.new("Layer")
    strip: Any = layer.strips[0] if len(layer.strips) else layer.strips.new(type="KEYFRAME")
    return Channels(action, slot, strip.channelbag(slot, ensure=True))


def copied(channels: Channels) -> Channels:
    """The same channels of a new copy of their Action."""
    copy: Any = channels.action.copy()
    return slot_channels(copy, None if channels.slot is None else copy.slots[channels.slot.identifier])


def add_nla_strip(track: Any, name: str, channels: Channels, first: float, last: float) -> bpy.types.NlaStrip:
    """A strip on a new NLA track that plays frames `first` to `last` of the channels where they are."""
    strip = track.strips.new(name, math.floor(first), channels.action)
    if channels.slot is not None:
        strip.action_slot = channels.slot
    # A strip has some length: an animation of a single pose gets one frame.
    last = max(last, first + 1.0)
    # The end first, which may not come before the start; both also move the strip's own frames.
    strip.action_frame_end = last
    strip.action_frame_start = first
    strip.frame_start = first
    strip.frame_end = last
    return strip


def assign(animation: bpy.types.AnimData, channels: Channels) -> None:
    """Makes the object play these channels. AttributeError while an NLA strip is being tweaked."""
    animation.action = channels.action
    if channels.slot is not None:
        animation.action_slot = channels.slot


def restore(animation: bpy.types.AnimData, channels: Channels | None) -> None:
    """Assigns what was assigned before; None: nothing. An Action of which no slot played plays none again."""
    animation.action = channels.action if channels else None
    if channels is not None and has_slots(channels.action):
        setattr(animation, "action_slot", channels.slot)  # noqa: B010  (new in 4.4)
