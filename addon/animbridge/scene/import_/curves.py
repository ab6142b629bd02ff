# SPDX-License-Identifier: GPL-3.0-or-later
"""New F-curves, each in the group of what it moves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import bpy

from ...compat import actions, keyframes
from ...package import Channel, Curve
from ..channels import data_path, property_of, property_path
from ..undo import Undo

#: Blender's own group for an object's curves.
_OBJECT_GROUP: Final = "Object Transforms"
#: And for what has no transform.
_PROPERTY_GROUP: Final = "Custom Properties"


class CurveGroups:
    """The groups of an Action's curves, made as they are needed."""

    def __init__(self, holder: Any) -> None:
        self._holder = holder
        self._groups: dict[str, Any] = {group.name: group for group in holder.groups}

    def put(self, fcurve: bpy.types.FCurve, name: str) -> None:
        """Puts a curve into the group of this name."""
        if name not in self._groups:
            self._groups[name] = self._holder.groups.new(name)
        fcurve.group = self._groups[name]


@dataclass
class AddedCurves:
    """The keys of new curves by bone index (-1: the object), property and component.

    `merged_keys`: how many keys Blender merged.
    """

    keys: dict[int, dict[str, dict[int, keyframes.Keys]]] = field(default_factory=dict)
    merged_keys: int = 0


def _shape_of(curve: Curve) -> keyframes.Shape | None:
    """None: all keys are linear."""
    if curve.interpolation is None:
        return None
    left, right = curve.handle_left, curve.handle_right
    return keyframes.Shape(curve.interpolation, None if left is None or right is None else (left, right))


def _place_of(curve: Curve, bone_names: Sequence[str] | None) -> tuple[str, str, str]:
    """The property that a curve drives, its data path, and the group of the curve."""
    if curve.channel == Channel.PROPERTY:
        path = property_path(curve.prop)
        return path, path, _PROPERTY_GROUP
    prop = property_of(curve.channel)
    if bone_names is None:
        return prop, prop, _OBJECT_GROUP
    name = bone_names[curve.bone]
    return prop, data_path(name, prop), name


def add_properties(undo: Undo, moved: bpy.types.Object, curves: Sequence[Curve]) -> None:
    """Gives the object the custom properties that the curves drive, with their first values.

    `undo` gets the step that removes those that it did not have.
    """
    for curve in curves:
        if curve.channel == Channel.PROPERTY and curve.prop not in moved:
            moved[curve.prop] = float(curve.co[0, 1])
            shown: Any = moved.id_properties_ui(curve.prop)
            shown.update(min=0.0, max=1.0)
            undo.callback(moved.pop, curve.prop)


def add_curves(
    channels: actions.Channels, curves: Sequence[Curve], bone_names: Sequence[str] | None
) -> AddedCurves:
    """Adds the library's curves to an Action; `bone_names` None: they move an object itself."""
    added = AddedCurves()
    groups = CurveGroups(channels.holder)
    maker = keyframes.NewCurves(channels.holder, sum(len(curve.co) for curve in curves))
    for curve in curves:
        prop, path, group = _place_of(curve, bone_names)
        fcurve, keys = maker.add(path, curve.component, curve.co, curve.inserted, _shape_of(curve))
        groups.put(fcurve, group)
        added.merged_keys += len(curve.co) - len(keys.co)
        added.keys.setdefault(curve.bone, {}).setdefault(prop, {})[curve.component] = keys
    return added
