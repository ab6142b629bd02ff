# SPDX-License-Identifier: GPL-3.0-or-later
"""Previews: Actions that show what becomes of another one.

While an armature plays a preview, the original is what panels edit and what exports write.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import bpy
from bpy.props import PointerProperty, StringProperty

from ..compat import actions
from .action_properties import group_of
from .armature.reading import pose_bones


class PreviewOf:
    """What ties a preview to its original, for the Actions' property group to inherit."""

    preview_of: PointerProperty(
        name="Preview Of",
        description="The Action that this one is a preview of",
        type=bpy.types.Action,
        options={"HIDDEN"},
    )
    preview_slot: StringProperty(
        name="Slot", description="The slot of that Action that was played", options={"HIDDEN"}
    )
    preview_modes: StringProperty(
        name="Rotation Modes",
        description="The rotation modes that bones get back when the preview ends, as JSON",
        options={"HIDDEN"},
    )


def is_preview(action: bpy.types.Action) -> bool:
    """Whether an Action is a preview. One whose original was deleted is an Action like any other."""
    return group_of(action).preview_of is not None


def original_channels(channels: actions.Channels | None) -> actions.Channels | None:
    """The original's channels for those of a preview; others, and None, as they are."""
    if channels is None or not is_preview(channels.action):
        return channels
    group = group_of(channels.action)
    found = actions.object_channels(group.preview_of)
    wanted = [one for one in found if one.slot and one.slot.identifier == group.preview_slot]
    return next(iter([*wanted, *found]), actions.Channels(group.preview_of, None, None))


def shown_preview(thing: bpy.types.Object) -> bpy.types.Action | None:
    """The preview that an object plays; None if it plays none."""
    action = thing.animation_data.action if thing.animation_data else None
    return action if action is not None and is_preview(action) else None


def begin(
    armature_object: bpy.types.Object,
    original: actions.Channels,
    preview: actions.Channels,
    modes: Mapping[str, str],
) -> None:
    """Lets the armature play the preview, the only one of its original.

    `modes`: the rotation modes of bones that have another one in the preview.
    """
    for action in [one for one in bpy.data.actions if group_of(one).preview_of == original.action]:
        _remove(action)
    group = group_of(preview.action)
    group.preview_of = original.action
    group.preview_slot = original.slot.identifier if original.slot else ""
    group.preview_modes = json.dumps(dict(modes))
    actions.assign(_animation(armature_object), preview)


def end(armature_object: bpy.types.Object) -> bpy.types.Action | None:
    """Lets the armature play the original again and removes the preview; the original, if there was one."""
    preview = shown_preview(armature_object)
    if preview is None:
        return None
    original: bpy.types.Action = group_of(preview).preview_of
    _remove(preview)
    return original


@contextmanager
def set_aside(armature_object: bpy.types.Object) -> Iterator[None]:
    """Lets the armature play the original of its preview, then the preview again."""
    preview = shown_preview(armature_object)
    if preview is None:
        yield
        return
    animation = _animation(armature_object)
    before = actions.assigned_channels(animation)
    modes = _restore(armature_object, preview)
    bpy.context.view_layer.update()
    try:
        yield
    finally:
        _set_modes(armature_object, modes)
        actions.restore(animation, before)
        bpy.context.view_layer.update()


def _remove(preview: bpy.types.Action) -> None:
    for thing in bpy.data.objects:
        if thing.animation_data is not None and thing.animation_data.action == preview:
            _restore(thing, preview)
    bpy.data.actions.remove(preview)


def _restore(armature_object: bpy.types.Object, preview: bpy.types.Action) -> dict[str, str]:
    """Lets the armature play the original; the bones' rotation modes of the preview."""
    modes = _set_modes(armature_object, _stored_modes(preview))
    animation = _animation(armature_object)
    actions.restore(animation, original_channels(actions.assigned_channels(animation)))
    return modes


def _stored_modes(preview: bpy.types.Action) -> dict[str, str]:
    try:
        return dict(json.loads(group_of(preview).preview_modes or "{}"))
    except (TypeError, ValueError, RecursionError):
        return {}


def _set_modes(armature_object: bpy.types.Object, modes: Mapping[str, str]) -> dict[str, str]:
    """Sets the bones' rotation modes, as far as they make sense; the modes that they had."""
    bones = pose_bones(armature_object)
    before: dict[str, str] = {}
    for name, mode in modes.items():
        if name in bones and mode in bones[name].bl_rna.properties["rotation_mode"].enum_items:
            before[name] = bones[name].rotation_mode
            bones[name].rotation_mode = mode
    return before


def _animation(thing: bpy.types.Object) -> Any:
    return thing.animation_data or thing.animation_data_create()
