# SPDX-License-Identifier: MIT
"""Armatures that are not alone in the world: several, linked, overridden, sharing an Action."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import bpy
import numpy as np
import pytest
from helpers import data_blocks, export_file, fcurves, operators, random_rig, refused, set_frame
from tests.python.material import demos

pytestmark = pytest.mark.compat

WALK = next(path for path in demos() if path.name == "walk.anim")
WAVE = next(path for path in demos() if path.name == "wave.anim")


def import_onto(rig: Any, path: Path, **options: Any) -> None:
    result = operators.import_anim.secondlife(filepath=str(path), armature=rig.name, **options)
    assert result == {"FINISHED"}


def rig_named(name: str, seed: int = 0) -> Any:
    rig = random_rig(np.random.default_rng(seed), "X")
    rig.name = rig.data.name = name
    return rig


def poses_of(rig: Any) -> np.ndarray:
    """The armature's pose at three frames."""
    found = []
    for frame in (1, 6, 13):
        set_frame(frame)
        found.append(np.array([bone.matrix for bone in rig.pose.bones]))
    return np.array(found)


def library_with_rig(folder: Path) -> Path:
    """A .blend file with an armature 'Rig' in a collection 'Linked', and then an empty scene."""
    rig = rig_named("Rig")
    collection = bpy.data.collections.new("Linked")
    collection.objects.link(rig)
    path = folder / "library.blend"
    # Uncompressed, Blender 5.0 for Windows cannot read it back under Wine.
    bpy.data.libraries.write(str(path), {collection}, fake_user=True, compress=True)
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    return path


def link(library: Path) -> Any:
    """The linked collection, in the scene."""
    libraries: Any = bpy.data.libraries
    with libraries.load(str(library), link=True) as (_, wanted):
        wanted.collections = ["Linked"]
    bpy.context.scene.collection.children.link(wanted.collections[0])
    return wanted.collections[0]


def test_two_armatures_have_an_action_each() -> None:
    one, other = rig_named("One"), rig_named("Other", 1)
    import_onto(one, WALK)
    alone = poses_of(one)
    import_onto(other, WAVE)
    assert (one.animation_data.action.name, other.animation_data.action.name) == ("walk", "wave")
    assert np.array_equal(poses_of(one), alone)
    assert np.abs(np.diff(poses_of(other), axis=0)).max() > 0.01


def test_the_same_bones_under_another_armature_play_the_same(tmp_path: Path) -> None:
    one, other = rig_named("One"), rig_named("Other")
    import_onto(one, WALK)
    import_onto(other, WALK)
    assert np.abs(poses_of(one) - poses_of(other)).max() < 1e-6
    bpy.context.view_layer.objects.active = one
    assert export_file(tmp_path / "out.anim") == WALK.read_bytes()


def test_a_linked_armature_is_refused(tmp_path: Path) -> None:
    library = library_with_rig(tmp_path)
    (rig,) = link(library).objects
    before = data_blocks()
    for place in ("NEW", "MERGE", "NLA"):
        with refused("'Rig'", "linked", "library override"):
            import_onto(rig, WALK, place=place)
    assert data_blocks() == before


@pytest.mark.parametrize("place", ["NEW", "NLA"])
def test_a_library_override_takes_it_and_keeps_it(place: str, tmp_path: Path) -> None:
    library = library_with_rig(tmp_path)
    collection = link(library)
    collection.override_hierarchy_create(bpy.context.scene, bpy.context.view_layer)
    rig = next(one for one in bpy.data.objects if one.library is None)
    assert rig.override_library is not None
    import_onto(rig, WALK, place=place)
    wanted = poses_of(rig)
    assert np.abs(np.diff(wanted, axis=0)).max() > 0.01
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "override.blend"))
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "override.blend"))
    rig = next(one for one in bpy.data.objects if one.library is None)
    assert np.abs(poses_of(rig) - wanted).max() < 1e-6
    if place == "NEW":
        bpy.context.view_layer.objects.active = rig
        assert export_file(tmp_path / "out.anim") == WALK.read_bytes()


@pytest.mark.skipif(not hasattr(bpy.types, "ActionSlot"), reason="Actions have slots since Blender 4.4")
def test_a_merge_goes_into_the_armatures_own_slot() -> None:
    one, other = rig_named("One"), rig_named("Other")
    import_onto(one, WALK)
    action = one.animation_data.action
    second = action.slots.new(id_type="OBJECT", name="Other")
    animation = other.animation_data_create()
    animation.action = action
    animation.action_slot = second
    before = [tuple(point.co) for curve in fcurves(one) for point in curve.keyframe_points]
    import_onto(other, WAVE, place="MERGE")
    assert [action.name for action in bpy.data.actions] == ["walk"]
    assert [tuple(point.co) for curve in fcurves(one) for point in curve.keyframe_points] == before
    assert one.animation_data.action_slot != other.animation_data.action_slot
    rig = rig_named("Third")
    import_onto(rig, WAVE)
    assert np.abs(poses_of(other) - poses_of(rig)).max() < 1e-6


@pytest.mark.skipif(not hasattr(bpy.types, "ActionSlot"), reason="Actions have slots since Blender 4.4")
def test_a_merge_makes_the_slot_that_is_missing() -> None:
    rig = rig_named("Rig")
    action = bpy.data.actions.new("empty")
    rig.animation_data_create().action = action
    assert not rig.animation_data.action_slot
    import_onto(rig, WALK, place="MERGE")
    assert rig.animation_data.action is action
    assert rig.animation_data.action_slot.name_display == "Rig"
    assert np.abs(np.diff(poses_of(rig), axis=0)).max() > 0.01


def test_a_new_import_leaves_an_action_of_several_users_alone() -> None:
    one, other = rig_named("One"), rig_named("Other")
    import_onto(one, WALK)
    shared = one.animation_data.action
    animation = other.animation_data_create()
    animation.action = shared
    if hasattr(animation, "action_slot"):
        animation.action_slot = one.animation_data.action_slot
    import_onto(other, WAVE)
    assert one.animation_data.action is shared and other.animation_data.action is not shared
