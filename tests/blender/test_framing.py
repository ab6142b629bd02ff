# SPDX-License-Identifier: MIT
"""Where the 3D view looks after an import: at a figure that fills it, if there was nothing else to see."""

from __future__ import annotations

from typing import Any

import bpy
import numpy as np
from bpy_extras.view3d_utils import location_3d_to_region_2d
from helpers import import_file
from tests.python.material import demos
from window import has_window, skip_without_window

WALK = next(path for path in demos() if path.name == "walk.anim")
#: A figure is taller than wide, so its height is what a view is filled with.
LEAST_SHARE, MOST_SHARE = 0.5, 1.0


def view() -> tuple[Any, Any]:
    """A 3D view of the window: where it draws, and how it looks."""
    if not has_window():
        skip_without_window("there is no view")
    area = next(area for area in bpy.context.window.screen.areas if area.type == "VIEW_3D")
    return next(region for region in area.regions if region.type == "WINDOW"), area.spaces.active.region_3d


def share_of(rig: Any) -> float:
    """The height of the figure's bones as a share of the view's."""
    region, look = view()
    bpy.context.view_layer.update()
    look.update()
    heads = [rig.matrix_world @ bone.head for bone in rig.pose.bones if bone.name in {"mSkull", "mToeLeft"}]
    places = np.array([location_3d_to_region_2d(region, look, head) for head in heads])
    return float(np.ptp(places[:, 1])) / region.height


def test_a_figure_in_an_empty_scene_fills_the_view(window: None) -> None:
    _, look = view()
    look.view_distance = 60.0
    camera = bpy.data.objects.new("Camera", bpy.data.cameras.new("Camera"))
    bpy.context.collection.objects.link(camera)
    camera.location = (7.0, -7.0, 5.0)
    assert LEAST_SHARE < share_of(import_file(WALK)) < MOST_SHARE


def test_the_cube_that_blender_starts_with_is_nothing_to_look_at(window: None) -> None:
    _, look = view()
    look.view_distance = 60.0
    bpy.ops.mesh.primitive_cube_add(size=2.0)
    assert LEAST_SHARE < share_of(import_file(WALK)) < MOST_SHARE


def test_a_view_of_something_stays_as_it_is(window: None) -> None:
    _, look = view()
    bpy.context.collection.objects.link(bpy.data.objects.new("Cube", bpy.data.meshes.new("Cube")))
    before = look.view_matrix.copy()
    import_file(WALK)
    look.update()
    assert look.view_matrix == before


def test_a_view_through_a_camera_stays(window: None) -> None:
    _, look = view()
    camera = bpy.data.objects.new("Camera", bpy.data.cameras.new("Camera"))
    bpy.context.collection.objects.link(camera)
    bpy.context.scene.camera = camera
    look.view_perspective = "CAMERA"
    import_file(WALK)
    assert look.view_perspective == "CAMERA"
