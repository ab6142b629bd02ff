# SPDX-License-Identifier: GPL-3.0-or-later
"""Axes and units, which BVH does not define: options shared by import and export."""

from __future__ import annotations

from typing import Any

from ...scene.placement import Placement
from ...ui.option_property import AXES, option_property


class PlacementProperties:
    """The options, for operators to inherit."""

    axis_forward: option_property("bvh", "to_curves", "forward", name="Forward", items=AXES)
    axis_up: option_property("bvh", "to_curves", "up", name="Up", items=AXES)
    global_scale: option_property(
        "bvh",
        "to_curves",
        "scale",
        name="Scale",
        min=1e-6,
        max=1e6,
        soft_min=0.001,
        soft_max=100.0,
        precision=4,
    )

    def read_placement(self) -> Placement:
        """The placement; an error if forward and up are parallel."""
        placement = Placement(self.axis_forward, self.axis_up, self.global_scale)
        placement.members()
        return placement

    def draw_placement(self, layout: Any) -> None:
        """Draws them."""
        for name in ("axis_forward", "axis_up", "global_scale"):
            layout.prop(self, name)
