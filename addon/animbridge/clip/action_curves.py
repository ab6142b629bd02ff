# SPDX-License-Identifier: GPL-3.0-or-later
"""The F-curves of an Action as the library's clip tools take them, and back into the same F-curves."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

import bpy
import numpy as np
from numpy.typing import NDArray

from ..compat import actions, key_tables, keyframes
from ..package import AnimBridgeError, Armature, Channel, Curve, Facing, Stance, Timing, standing
from ..scene.armature.reading import pose_bones, read_armature, stance_of
from ..scene.armature.rotations import euler_channels
from ..scene.channels import COMPONENTS, data_path, native_channel, property_of, sort_by_bone
from ..scene.export.curves import used_curves
from ..scene.import_.curves import CurveGroups

_Place = tuple[int, Channel, int, str]
#: Of tools that change times alike everywhere: segments with Blender's easings keep their shape.
_LINEAR: Final = np.uint8(keyframes.LINEAR)


@dataclass
class ActionCurves:
    """What an Action has, for one call of the library.

    `armature`: upright, in its own unit. `metres`: the length of that. `times`: whether the call changes
    times, and so needs the curves of everything else that the Action animates.
    """

    thing: bpy.types.Object
    channels: actions.Channels
    armature: Armature
    metres: float
    times: bool
    curves: list[Curve] = field(default_factory=list)
    _fcurves: dict[_Place, tuple[Any, bpy.types.FCurve]] = field(default_factory=dict)
    _given: dict[_Place, Curve] = field(default_factory=dict)
    _tables: list[key_tables.Table] = field(default_factory=list)

    def write(self, edited: Sequence[Curve]) -> int:
        """Puts edited curves in place of those that they were; how many changed."""
        table = _joined(self._tables)
        groups = CurveGroups(self.channels.holder)
        changed = 0
        for curve in edited:
            place = (curve.bone, curve.channel, curve.component, curve.prop)
            holder, fcurve = self._fcurves.get(place, (self.channels.holder, None))
            if place in self._given and _is_same(curve, self._given[place]):
                continue
            if not len(curve.co):
                if fcurve is not None:
                    holder.fcurves.remove(fcurve)
                    self._put_to_rest(curve)
                    changed += 1
                continue
            if fcurve is None:
                name = self.armature.names[curve.bone]
                path = data_path(name, property_of(curve.channel))
                fcurve = holder.fcurves.new(path, index=curve.component)
                groups.put(fcurve, name)
            key_tables.replace_keys(fcurve, _keys_of(curve, table))
            changed += 1
        return changed

    def _put_to_rest(self, curve: Curve) -> None:
        """Without its curve a bone would keep the pose that it shows."""
        bone = pose_bones(self.thing)[self.armature.names[curve.bone]]
        values = getattr(bone, property_of(curve.channel))
        is_one = curve.channel == Channel.ROTATION_QUATERNION and curve.component == 0
        values[curve.component] = 1.0 if is_one else 0.0

    def add(self, curve: Curve, holder: Any, fcurve: bpy.types.FCurve | None) -> None:
        """Gives the library a curve; without an F-curve it is a value that is held."""
        if fcurve is None:
            table = key_tables.blank_table(len(curve.co))
            table["co"] = curve.co
        else:
            table = key_tables.read_table(fcurve)
            curve = _with_keys(curve, table, self.times, fcurve)
            place = (curve.bone, curve.channel, curve.component, curve.prop)
            self._fcurves[place], self._given[place] = (holder, fcurve), curve
        self.curves.append(curve)
        self._tables.append(table)


def action_curves(
    thing: bpy.types.Object, channels: actions.Channels, timing: Timing, *, times: bool
) -> ActionCurves:
    """The Action's curves. An error if they are not what plays."""
    stance = stance_of(thing)
    armature = read_armature(thing, Facing.AUTO)
    armature = replace(armature, rotation_channels=euler_channels(thing, armature.names))
    upright = standing(armature, Stance(stance.turn, 1.0))
    made = ActionCurves(thing, channels, upright, stance.scale, times)
    index = {name: number for number, name in enumerate(armature.names)}
    bones, _ = sort_by_bone(channels.fcurves)
    taken = set()
    for used in used_curves(thing, bones.values(), None):
        bone = pose_bones(thing)[used.bone]
        channel = native_channel(used.prop, bone.rotation_mode)
        present = getattr(bone, used.prop)
        for component in range(COMPONENTS[used.prop]):
            fcurve = used.curves.get(component)
            held = np.array([[timing.frame_start, present[component]]], np.float32)
            if fcurve is not None:
                taken.add((fcurve.data_path, fcurve.array_index))
            if fcurve is not None or not times:
                made.add(Curve(index[used.bone], channel, component, held), channels.holder, fcurve)
    if times:
        for number, (holder, fcurve) in enumerate(_others(channels, taken)):
            curve = Curve(-1, Channel.PROPERTY, 0, np.empty((0, 2), np.float32), prop=str(number))
            made.add(curve, holder, fcurve)
    return made


def _others(
    channels: actions.Channels, taken: set[tuple[str, int]]
) -> Iterator[tuple[Any, bpy.types.FCurve]]:
    """Everything else that the Action animates, with where it is kept."""
    for other in actions.all_channels(channels.action):
        is_own = other.slot == channels.slot
        for fcurve in other.fcurves:
            if len(fcurve.sampled_points):
                raise AnimBridgeError(
                    f"The curve '{fcurve.data_path}' of '{channels.action.name}' is baked into samples, "
                    "whose times can't change. Convert it to keyframes first (Key > Samples to Keyframes)."
                )
            if len(fcurve.keyframe_points) and not (
                is_own and (fcurve.data_path, fcurve.array_index) in taken
            ):
                yield other.holder, fcurve


def _with_keys(curve: Curve, table: key_tables.Table, times: bool, fcurve: bpy.types.FCurve) -> Curve:
    codes = table["interpolation"].astype(np.uint8)
    codes[-1] = min(codes[-1], keyframes.BEZIER)  # nothing comes after the last key
    has_handles = bool((codes == keyframes.BEZIER).any())
    if (codes > keyframes.BEZIER).any():
        if not times:
            raise AnimBridgeError(
                f"The curve '{fcurve.data_path}' has an easing other than constant, linear or Bezier. Bake "
                "it first (Key > Sample Keyframes), or set another interpolation (T)."
            )
        codes = np.where(codes > keyframes.BEZIER, _LINEAR, codes)
    return replace(
        curve,
        co=table["co"],
        interpolation=codes,
        handle_left=table["handle_left"] if has_handles else None,
        handle_right=table["handle_right"] if has_handles else None,
    )


def _is_same(edited: Curve, given: Curve) -> bool:
    """Whether a curve of a changed channel is as it was."""
    names = ["co", "interpolation"]
    if given.handle_left is not None:
        names += ["handle_left", "handle_right"]
    pairs: list[tuple[Any, Any]] = [(getattr(edited, name), getattr(given, name)) for name in names]
    return all(one is not None and np.array_equal(one, other) for one, other in pairs)


def _joined(tables: Sequence[key_tables.Table]) -> key_tables.Table:
    """The keys of all curves, one after the other."""
    whole = [key_tables.blank_table(0), *tables]
    return {name: np.concatenate([table[name] for table in whole]) for name in whole[0]}


def _keys_of(curve: Curve, table: key_tables.Table) -> key_tables.Table:
    """The keys of an edited curve, with everything that the keys had which they were."""
    assert curve.sources is not None and curve.interpolation is not None
    is_old = curve.sources >= 0
    rows = np.where(is_old, curve.sources, 0)
    blank = key_tables.blank_table(len(curve.co))
    keys = {
        name: np.where(_like(is_old, values), table[name][rows], values).astype(values.dtype)
        for name, values in blank.items()
    }
    for name in key_tables.HANDLE_TYPES:
        keys[name][~is_old] = keyframes.FREE
    eased = is_old & (keys["interpolation"] > keyframes.BEZIER)
    keys["interpolation"] = np.where(eased, keys["interpolation"], curve.interpolation).astype(
        keyframes.ENUM_TYPE
    )
    # Equal numbers keep their bits: the library knows no sign of zero.
    old = {name: keys[name] for name in ("co", "handle_left", "handle_right")}
    moved = curve.co - np.where(_like(is_old, curve.co), table["co"][rows], curve.co)
    for name, given in (("handle_left", curve.handle_left), ("handle_right", curve.handle_right)):
        if (curve.interpolation == keyframes.BEZIER).any() and given is not None:
            keys[name] = np.array(given, np.float32)
        else:
            keys[name] = np.where(_like(is_old, curve.co), keys[name] + moved, curve.co).astype(np.float32)
    keys["co"] = np.array(curve.co, np.float32)
    for name, values in old.items():
        keys[name] = np.where(_like(is_old, values) & (values == keys[name]), values, keys[name])
    return keys


def _like(mask: NDArray[np.bool_], values: NDArray[Any]) -> NDArray[np.bool_]:
    return mask[:, None] if values.ndim > 1 else mask
