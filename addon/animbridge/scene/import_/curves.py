# SPDX-License-Identifier: GPL-3.0-or-later
"""New F-curves, each in the group of what it moves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import bpy

from ...compat import actions, keyframes
from ...native.curves import Curve
from ..channels import data_path, property_of

#: Blender's own group for an object's curves.
_OBJECT_GROUP: Final = "Object Transforms"


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
    """The keys of new curves by bone index, property and component, and how many keys Blender merged."""

    keys: dict[int, dict[str, dict[int, keyframes.Keys]]] = field(default_factory=dict)
    merged_keys: int = 0


def _shape_of(curve: Curve) -> keyframes.Shape | None:
    """None: all keys are linear."""
    if curve.interpolation is None:
        return None
    left, right = curve.handle_left, curve.handle_right
    return keyframes.Shape(curve.interpolation, None if left is None or right is None else (left, right))


def add_curves(
    channels: actions.Channels, curves: Sequence[Curve], bone_names: Sequence[str] | None
) -> AddedCurves:
    """Adds the library's curves to an Action; `bone_names` None: they move an object itself."""
    added = AddedCurves()
    groups = CurveGroups(channels.holder)
    maker = keyframes.NewCurves(channels.holder, sum(len(curve.co) for curve in curves))
    for curve in curves:
        prop = property_of(curve.channel)
        path = prop if bone_names is None else data_path(bone_names[curve.bone], prop)
        fcurve, keys = maker.add(path, curve.component, curve.co, curve.inserted, _shape_of(curve))
        groups.put(fcurve, _OBJECT_GROUP if bone_names is None else bone_names[curve.bone])
        added.merged_keys += len(curve.co) - len(keys.co)
        added.keys.setdefault(curve.bone, {}).setdefault(prop, {})[curve.component] = keys
    return added
