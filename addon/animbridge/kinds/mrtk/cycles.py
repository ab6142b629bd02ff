# SPDX-License-Identifier: GPL-3.0-or-later
"""The curves of a recording that repeat, in Blender and as the library names them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

import bpy

from ...compat import actions
from ...scene.channels import LOCATION, QUATERNION, property_at, split_path
from ...scene.cycles import Cycles, add_cycles, cycles_of

_CHANNELS: Final = (LOCATION, QUATERNION)


def show_cycles(channels: actions.Channels, report: dict[str, Any]) -> None:
    """Makes new curves repeat as the library's report says."""
    rows = {row["curve"]: Cycles(row["before"], row["after"]) for row in report["cycles"]}
    if not rows:
        return
    for curve in channels.fcurves:
        cycles = rows.get(_name_of(curve))
        if cycles is not None:
            add_cycles(curve, cycles)


def cycle_members(curves: Iterable[bpy.types.FCurve]) -> dict[str, Any]:
    """The options of an export whose curves repeat as these do."""
    found = {name: cycles for curve in curves if (name := _name_of(curve)) and (cycles := cycles_of(curve))}
    return {
        "cycle_curves": list(found),
        "cycles_before": [cycles.before for cycles in found.values()],
        "cycles_after": [cycles.after for cycles in found.values()],
    }


def _name_of(curve: bpy.types.FCurve) -> str:
    """ "L_Wrist.location.2", "pinch_left"; "" if the curve is no part of a recording."""
    place = split_path(curve.data_path)
    if place is None:
        return property_at(curve.data_path) or ""
    bone, prop = place
    return f"{bone}.{prop}.{curve.array_index}" if prop in _CHANNELS else ""
