# SPDX-License-Identifier: GPL-3.0-or-later
"""Objects that carry the motion of others, and the parents that imports make for that."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import bpy
from mathutils import Matrix

from ...compat import actions
from ...package import AnimBridgeError
from ...scene.channels import LOCATION, ROTATIONS, BoneCurves
from ...scene.names import data_block_name
from ...scene.playing import Playing
from .properties import oni_of

#: Marks empties that carry a motion beyond an object's own location, rotation and scale.
_MOTION: Final = "animbridge_motion"
_OWN: Final = (LOCATION, *ROTATIONS, "scale")
_TRANSFORMS: Final = {*_OWN, *(f"delta_{prop}" for prop in _OWN)}


def is_motion_parent(thing: bpy.types.Object | None) -> bool:
    """Whether it is an empty that an import made to carry another object."""
    return thing is not None and thing.type == "EMPTY" and bool(thing.get(_MOTION))


def carrier_of(thing: bpy.types.Object) -> bpy.types.Object:
    """The object whose Action moves this one: itself, or the parent that an import made."""
    parent = thing.parent
    return parent if parent is not None and is_motion_parent(parent) else thing


def carried_by(thing: bpy.types.Object) -> bpy.types.Object:
    """What a motion parent carries; any other object stands for itself."""
    children = [child for child in thing.children if child.parent_type == "OBJECT"]
    return children[0] if is_motion_parent(thing) and len(children) == 1 else thing


def assigned_channels(thing: bpy.types.Object) -> actions.Channels | None:
    """The channels that move an object or its motion parent."""
    animation = carrier_of(thing).animation_data
    return actions.assigned_channels(animation) if animation else None


def object_curves(fcurves: Iterable[bpy.types.FCurve]) -> BoneCurves:
    """The curves that move, turn or scale the object itself, as curves of a bone without a name."""
    found = BoneCurves("")
    for curve in fcurves:
        if curve.data_path in _TRANSFORMS:
            found.channels.setdefault(curve.data_path, {})[curve.array_index] = curve
        else:
            found.others.append(curve)
    return found


def hang(thing: bpy.types.Object, base: Matrix) -> bpy.types.Object:
    """Makes an empty, new or of an earlier import, carry the object at `base`, and returns the empty.

    The matrix goes into the parent's inverse, because it may shear, unlike location, rotation and scale.
    An Action that moves the object itself is removed from it, or else both would play.
    """
    animation = thing.animation_data
    if animation is not None and moving_action(thing) is not None:
        actions.restore(animation, None)
    parent = thing.parent
    if parent is None or not is_motion_parent(parent):
        parent = bpy.data.objects.new(data_block_name(f"{thing.name} motion"), None)
        parent[_MOTION] = True
        parent.empty_display_type = "ARROWS"
        for collection in thing.users_collection:
            collection.objects.link(parent)
    parent.scale = (1.0, 1.0, 1.0)
    thing.parent = parent
    thing.parent_type = "OBJECT"
    thing.matrix_parent_inverse = base
    thing.matrix_basis = Matrix.Identity(4)
    return parent


def moving_action(thing: bpy.types.Object) -> bpy.types.Action | None:
    """The Action by which the object itself, not its parent, is moved."""
    channels = actions.assigned_channels(thing.animation_data) if thing.animation_data else None
    if channels is None or not object_curves(channels.fcurves).channels:
        return None
    return channels.action


def has_nla(thing: bpy.types.Object) -> bool:
    """Whether NLA tracks play on the object."""
    animation = thing.animation_data
    return animation is not None and any(not track.mute for track in animation.nla_tracks)


def driven_transforms(thing: bpy.types.Object) -> set[str]:
    """The location, rotation and scale properties that the object's drivers set."""
    drivers = thing.animation_data.drivers if thing.animation_data else ()
    return {driver.data_path for driver in drivers if driver.data_path in _TRANSFORMS and not driver.mute}


def has_delta(thing: bpy.types.Object) -> bool:
    """Whether the object has a delta transform."""
    return (
        any(thing.delta_location[:])
        or any(thing.delta_rotation_euler[:])
        or thing.delta_rotation_quaternion[:] != (1.0, 0.0, 0.0, 0.0)
        or thing.delta_scale[:] != (1.0, 1.0, 1.0)
    )


def refuse_unwritable(thing: bpy.types.Object) -> None:
    """Raises an error if the object cannot take an Action, would lose it, or would not move as it says."""
    if thing.library is not None:
        raise AnimBridgeError(
            f"The object '{thing.name}' is linked from another file, so changes to it would be lost. Make a "
            "library override of it, or import onto another object."
        )
    mover = carrier_of(thing)
    if any(one.animation_data is not None and one.animation_data.use_tweak_mode for one in (thing, mover)):
        raise AnimBridgeError(
            f"The object '{thing.name}' is in an NLA strip's tweak mode, so it can't get an Action. Leave "
            "tweak mode (Tab in the NLA editor) first."
        )
    if mover.parent is not None:
        raise AnimBridgeError(
            f"The object '{mover.name}' has the parent '{mover.parent.name}', but an OBAN moves objects in "
            "world space. Clear the parent (Alt P) first, or import onto another object."
        )


def moved_objects(*, imported: bool) -> list[Playing]:
    """The objects that are moved by their Actions, sorted by name; motion parents count as what they carry.

    `imported`: only those whose Action was made from an OBAN. For armatures this is always so.
    """
    found = []
    for thing in sorted(bpy.data.objects, key=lambda one: one.name):
        channels = assigned_channels(thing) if carried_by(thing) == thing else None
        if channels is None or not object_curves(channels.fcurves).channels:
            continue
        is_from_file = oni_of(channels.action).is_from_file
        if is_from_file or not (imported or thing.type == "ARMATURE"):
            found.append(Playing(thing, channels))
    return found
