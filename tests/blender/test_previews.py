# SPDX-License-Identifier: MIT
"""Show as Uploaded: a preview that is shown, ended, and never in the way of what is exported."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import bpy
import pytest
from batches import convert_here, files_below
from helpers import (
    curves_of,
    export_file,
    import_file,
    keyed_bone,
    operators,
    reported,
    the_action,
    the_armature,
)
from tests.python.material import demos
from tests.witness import anim_file, upload
from tests.witness.skeleton import load_emotes, load_skeleton
from window import begin_undo, undo_once, with_undo

from animbridge.scene import previews, templates

pytestmark = pytest.mark.compat

WALK = next(path for path in demos() if path.name == "walk.anim")
WAVE = next(path for path in demos() if path.name == "wave.anim")


def toggle() -> None:
    assert operators.animbridge.predict_upload() == {"FINISHED"}


def edit() -> None:
    """So that an upload changes something."""
    curve = curves_of(keyed_bone(), "rotation_quaternion")[1]
    curve.keyframe_points[1].co[1] += 0.1
    curve.update()


def actions() -> list[str]:
    return sorted(action.name for action in bpy.data.actions)


def source_of(action: Any) -> bytes:
    template = templates.load(action)
    assert template is not None
    return template.source


def test_the_preview_is_what_an_upload_stores(tmp_path: Path) -> None:
    import_file(WALK)
    edit()
    edited = export_file(tmp_path / "edited.anim")
    toggle()
    assert the_action().name == "walk (uploaded)"
    stored = upload.predict(anim_file.parse(edited), load_skeleton(), load_emotes())
    assert source_of(the_action()) == anim_file.write(stored)


def test_on_and_off_leaves_everything_as_it_was(capfd: pytest.CaptureFixture[str]) -> None:
    import_file(WALK)
    original, before = the_action(), actions()
    slot = getattr(the_armature().animation_data, "action_slot", None)
    for _ in range(3):
        toggle()
        assert the_action() != original and previews.shown_preview(the_armature()) == the_action()
        assert "'walk' is shown as after an upload" in reported(capfd)
        toggle()
        assert the_action() == original and actions() == before
        assert getattr(the_armature().animation_data, "action_slot", None) == slot
        assert "'walk' plays again" in reported(capfd)


def test_euler_bones_come_back_as_they_were(tmp_path: Path) -> None:
    rig = import_file(WALK)
    for bone in rig.pose.bones:
        bone.rotation_mode = "ZXY"
    import_file(WALK, target="ACTIVE", rotation_mode="OWN")
    toggle()
    while_shown = export_file(tmp_path / "shown.anim")
    assert {bone.rotation_mode for bone in rig.pose.bones} == {"ZXY", "QUATERNION"}
    toggle()
    assert {bone.rotation_mode for bone in rig.pose.bones} == {"ZXY"}
    assert export_file(tmp_path / "after.anim") == while_shown


def test_the_original_is_exported_while_the_preview_is_shown(tmp_path: Path) -> None:
    import_file(WALK)
    edit()
    wanted = export_file(tmp_path / "before.anim")
    sampled = export_file(tmp_path / "samples.anim", method="SAMPLES")
    toggle()
    preview = the_action()
    assert export_file(tmp_path / "shown.anim") == wanted
    assert export_file(tmp_path / "shown_samples.anim", method="SAMPLES") == sampled
    assert the_action() == preview, "an export does not end the preview"


def test_previews_are_in_no_export_of_many(tmp_path: Path) -> None:
    import_file(WALK)
    import_file(WAVE, target="ACTIVE")
    toggle()
    every: Any = bpy.data.actions
    for action in every:
        action.secondlife.is_marked = True
    for what in ("ALL", "MARKED"):
        folder = tmp_path / what
        folder.mkdir()
        operators.export_anim.secondlife(filepath=str(folder / "x.anim"), actions=what)
        assert sorted(path.name for path in folder.iterdir()) == ["walk.anim", "wave.anim"]


def test_the_batch_exports_no_preview(tmp_path: Path) -> None:
    import_file(WALK)
    toggle()
    blend = tmp_path / "scene.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(blend))
    assert convert_here(blend, "--to", "anim", "--out", tmp_path / "out")[0] == 0
    assert files_below(tmp_path / "out") == {"walk.anim": WALK.read_bytes()}


def test_properties_are_the_originals_while_the_preview_is_shown(tmp_path: Path) -> None:
    import_file(WALK)
    original = the_action()
    toggle()
    bpy.context.scene.frame_set(5)
    operators.animbridge.set_loop_point(point="IN")
    assert original.secondlife.use_loop_range
    operators.animbridge.check()
    assert original.secondlife.checked_bytes > 0
    assert the_action() != original


def test_one_preview_for_an_action_on_two_armatures() -> None:
    first = import_file(WALK)
    original = the_action()
    second = first.copy()
    bpy.context.collection.objects.link(second)
    toggle()
    bpy.context.view_layer.objects.active = second
    toggle()
    assert actions() == ["walk", "walk (uploaded)"]
    assert first.animation_data.action == original and second.animation_data.action != original
    toggle()
    assert actions() == ["walk"]


def test_an_import_ends_the_preview(tmp_path: Path) -> None:
    import_file(WALK)
    toggle()
    import_file(WAVE, target="ACTIVE", place="MERGE")
    assert actions() == ["walk"]
    assert the_action().name == "walk"


def test_a_preview_is_not_kept_when_nothing_plays_it(tmp_path: Path) -> None:
    import_file(WALK)
    toggle()
    the_armature().animation_data.action = bpy.data.actions["walk"]
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "scene.blend"))
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "scene.blend"))
    assert actions() == ["walk"]


def test_one_undo_ends_a_preview(window: None) -> None:
    import_file(WALK)
    begin_undo()
    with_undo(operators.animbridge.predict_upload)
    assert the_action().name == "walk (uploaded)"
    undo_once()
    assert the_action().name == "walk" and actions() == ["walk"]
