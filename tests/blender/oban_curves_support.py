# SPDX-License-Identifier: MIT
"""The F-curves of objects in the tests of OBANs, on any Blender."""

from __future__ import annotations

from typing import Any


def curves_of(thing: Any) -> dict[tuple[str, int], Any]:
    """What an object plays: {(property, component): curve}."""
    animation = thing.animation_data
    if hasattr(animation.action, "layers"):
        found = animation.action.layers[0].strips[0].channelbag(animation.action_slot).fcurves
    else:
        found = animation.action.fcurves
    return {(curve.data_path, curve.array_index): curve for curve in found}


def moved_key(curve: Any, index: int, by: float) -> None:
    """Adds to the value of a key."""
    curve.keyframe_points[index].co[1] += by
    curve.update()


def linear(thing: Any) -> None:
    """All keys of an object become linear."""
    for curve in curves_of(thing).values():
        for point in curve.keyframe_points:
            point.interpolation = "LINEAR"
        curve.update()
