# SPDX-License-Identifier: MIT
"""Which Actions and bones become BVH files, and what an export refuses."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import bpy
import numpy as np
import pytest
from bvh_rigs import FRAMES, key_bone, keyed_rig, straight_rig
from bvh_shown import errors_of
from bvh_support import DIALECTS, export_bvh, import_bvh, read
from export_rigs import add_strip
from helpers import data_blocks, operators, refused, reported, set_frame, the_action
from mathutils import Matrix

pytestmark = pytest.mark.compat

CLASSIC = DIALECTS / "newline_lf.bvh"
DEGREES, SHARE = 1e-4, 1e-6


def several_actions() -> Any:
    """Three Actions of a chain of six bones: "a" and "b" on NLA tracks (b's is muted), "c" assigned."""
    rig = straight_rig()
    animation = rig.animation_data_create()
    for name, bones in (("a", (0, 1)), ("b", (2, 4)), ("c", (3,))):
        animation.action = bpy.data.actions.new(name)
        for number in bones:
            key_bone(rig.pose.bones[number], np.random.default_rng(number), moves=number == 0)
        animation.action.name = name
        if name != "c":
            add_strip(rig, name)
            animation.nla_tracks[-1].name = f"track {name}"
    animation.nla_tracks["track b"].mute = True
    set_frame(4.25)
    return rig


def play(rig: Any, name: str) -> None:
    """This Action alone, from the rest pose."""
    animation = rig.animation_data
    animation.use_nla = False
    animation.action = bpy.data.actions[name]
    if hasattr(animation, "action_slot"):
        animation.action_slot = animation.action.slots[0]
    for bone in rig.pose.bones:
        bone.matrix_basis = Matrix.Identity(4)


def state(rig: Any) -> tuple[object, ...]:
    """What an export might leave changed."""
    animation, scene = rig.animation_data, bpy.context.scene
    slot = getattr(animation, "action_slot", None)
    tracks = [(track.name, track.mute, track.is_solo) for track in animation.nla_tracks]
    frame = (scene.frame_current, scene.frame_subframe)
    pose = [tuple(bone.rotation_quaternion) + tuple(bone.location) for bone in rig.pose.bones]
    played = (animation.action, slot and slot.identifier, animation.use_nla, tracks)
    return (*played, frame, pose, data_blocks())


@pytest.mark.parametrize("method", ["AUTO", "SAMPLES"])
@pytest.mark.parametrize(
    ("what", "files"),
    [
        ("ALL", {"a.bvh": "a", "b.bvh": "b", "c.bvh": "c"}),
        ("MARKED", {"b.bvh": "b", "c.bvh": "c"}),
        ("NLA", {"track a.bvh": "a"}),
    ],
)
def test_several_files(what: str, files: dict[str, str], method: str, tmp_path: Path) -> None:
    """Each Action by itself, and Blender as it was before."""
    rig = several_actions()
    for name in ("b", "c"):
        action: Any = bpy.data.actions[name]
        action.secondlife.is_marked = True
    before = state(rig)
    operators.export_anim.animbridge_bvh(filepath=f"{tmp_path}/x.bvh", actions=what, method=method)
    assert state(rig) == before
    assert {path.name for path in tmp_path.iterdir()} == set(files)
    for file, name in files.items():
        play(rig, name)
        errors = errors_of(rig, read(tmp_path / file), FRAMES)
        assert errors.degrees <= DEGREES and errors.share <= SHARE, (file, errors)


def test_the_active_action_with_strips_is_what_plays(tmp_path: Path) -> None:
    rig = several_actions()
    bvh = export_bvh(tmp_path / "x.bvh")
    errors = errors_of(rig, bvh, FRAMES)
    assert errors.degrees <= DEGREES and errors.share <= SHARE, errors


def test_strips_without_an_action(tmp_path: Path) -> None:
    rig = several_actions()
    rig.animation_data.action = None
    bvh = export_bvh(tmp_path / "x.bvh")
    errors = errors_of(rig, bvh, FRAMES)
    assert errors.degrees <= DEGREES and errors.share <= SHARE, errors


def test_imports_side_by_side_keep_their_names_and_numbers(tmp_path: Path) -> None:
    for path in (CLASSIC, DIALECTS / "newline_crlf.bvh"):
        import_bvh(path, target="ACTIVE")
    copy = the_action().copy()
    copy.name = "turned: faster?"
    operators.export_anim.animbridge_bvh(filepath=f"{tmp_path}/x.bvh", actions="ALL")
    stems = {path.stem for path in tmp_path.iterdir()}
    assert stems == {"newline_lf", "newline_crlf", "turned_ faster_"}
    for path in tmp_path.iterdir():
        assert read(path).motion == read(CLASSIC).motion


def test_the_slot_that_plays(tmp_path: Path) -> None:
    """One Action with slots for two armatures: each file has its own motion (Blender 4.4 and later)."""
    first = import_bvh(CLASSIC)
    action: Any = the_action()
    if not hasattr(action, "slots"):
        pytest.skip("Actions have no slots here")
    second = straight_rig()
    animation = second.animation_data_create()
    animation.action = action
    animation.action_slot = action.slots.new(id_type="OBJECT", name="second")
    key_bone(second.pose.bones[2], np.random.default_rng(1))
    bvh = export_bvh(tmp_path / "second.bvh", as_imported=False)
    assert [joint.name for joint in bvh.joints] == [bone.name for bone in second.data.bones]
    errors = errors_of(second, bvh, [*range(1, len(bvh.motion) + 1)])
    assert errors.degrees <= DEGREES and errors.share <= SHARE, errors
    assert export_bvh(tmp_path / "first.bvh", armature=first.name).motion == read(CLASSIC).motion


# ---- bones ----


def select(rig: Any, *names: str) -> None:
    for bone in rig.pose.bones:
        holder = bone if hasattr(bone, "select") else bone.bone
        holder.select = bone.name in names


@pytest.mark.parametrize("method", ["AUTO", "CURVES", "SAMPLES"])
def test_selected_bones(method: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """They move with all that they hang on, in the file or not, and curves are enough for that."""
    rig = keyed_rig(2)
    chosen = ("mTorso", "mElbowLeft", "mHead", "mKneeRight")
    select(rig, *chosen)
    bvh = export_bvh(tmp_path / "x.bvh", method=method, selected_bones=True)
    assert ("sampled" in reported(capfd)) == (method == "SAMPLES")
    parents = {joint.name: joint.parent for joint in bvh.joints}
    assert set(parents) == set(chosen)
    names = list(parents)
    assert parents["mTorso"] is None and parents["mKneeRight"] is None
    assert parents["mElbowLeft"] == parents["mHead"] == names.index("mTorso")
    errors = errors_of(rig, bvh, FRAMES)
    # Blender multiplies matrices in single precision down a dozen bones.
    assert errors.degrees <= 4e-4 and errors.share <= 4e-6, errors


@pytest.mark.parametrize("method", ["AUTO", "CURVES"])
def test_selected_bones_of_an_import_keep_their_numbers(method: str, tmp_path: Path) -> None:
    wanted = read(CLASSIC)
    rig = import_bvh(CLASSIC)
    select(rig, "hip", "chest")
    bvh = export_bvh(tmp_path / "x.bvh", selected_bones=True, method=method)
    assert bvh.joints[0] == wanted.joints[0] and bvh.joints[1].channels == wanted.joints[1].channels
    assert bvh.motion == [row[:9] for row in wanted.motion]


def test_constraints_on_other_bones_do_not_matter(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    rig = keyed_rig(2)
    select(rig, "mTorso", "mChest")
    rig.pose.bones["mKneeRight"].constraints.new("LIMIT_ROTATION")
    export_bvh(tmp_path / "x.bvh", selected_bones=True)
    assert "sampled" not in reported(capfd)
    rig.pose.bones["mPelvis"].constraints.new("LIMIT_ROTATION")
    export_bvh(tmp_path / "x.bvh", selected_bones=True)
    assert "sampled" in reported(capfd)


@pytest.mark.parametrize("method", ["CURVES", "SAMPLES"])
def test_several_roots(method: str, tmp_path: Path) -> None:
    """Each root is a ROOT of the file, with its own place."""
    rig = straight_rig()
    bpy.ops.object.mode_set(mode="EDIT")
    for number in (2, 4):
        rig.data.edit_bones[number].parent = None
    bpy.ops.object.mode_set(mode="OBJECT")
    for number, bone in enumerate(rig.pose.bones):
        key_bone(bone, np.random.default_rng(number), moves=number in (0, 4))
    bvh = export_bvh(tmp_path / "x.bvh", method=method)
    assert [joint.parent for joint in bvh.joints] == [None, 0, None, 2, None, 4]
    assert (tmp_path / "x.bvh").read_text().count("ROOT") == 3
    errors = errors_of(rig, bvh, FRAMES)
    assert errors.degrees <= DEGREES and errors.share <= SHARE, errors


# ---- what is refused ----


def test_nothing_to_export(tmp_path: Path) -> None:
    out = tmp_path / "x.bvh"
    with refused("No armature is active", "Select the one"):
        export_bvh(out)
    rig = straight_rig()
    with refused(f"'{rig.name}' plays no Action"):
        export_bvh(out)
    with refused("'other'", "Give the name of an armature"):
        export_bvh(out, armature="other")
    rig.keyframe_insert("location", frame=1)
    with refused("no rotation or location keys", rig.name):
        export_bvh(out)
    key_bone(rig.pose.bones[0], np.random.default_rng(1))
    with refused("marked"):
        export_bvh(out, actions="MARKED")
    with refused("NLA track"):
        export_bvh(out, actions="NLA")
    select(rig)
    with refused("No bone", rig.name, "Selected Bones"):
        export_bvh(out, selected_bones=True)
    with refused("No file"):
        operators.export_anim.animbridge_bvh()
    with refused("Forward", "Up", "line"):
        export_bvh(out, axis_forward="Y", axis_up="-Y")
    assert not list(tmp_path.iterdir())


def test_an_armature_without_bones(tmp_path: Path) -> None:
    rig = bpy.data.objects.new("Nothing", bpy.data.armatures.new("Nothing"))
    bpy.context.collection.objects.link(rig)
    bpy.context.view_layer.objects.active = rig
    rig.keyframe_insert("location", frame=1)
    for method in ("AUTO", "SAMPLES"):
        with refused("Nothing", "bone"):
            export_bvh(tmp_path / "x.bvh", method=method)
    assert not list(tmp_path.iterdir())


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    import_bvh(CLASSIC)
    with refused("missing"):
        export_bvh(tmp_path / "missing" / "x.bvh")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("what", ["ALL", "ACTIVE"])
def test_a_failure_midway_leaves_old_files_whole(what: str, tmp_path: Path) -> None:
    """The last of several Actions cannot be exported: none is, and no partial file stays."""
    import_bvh(CLASSIC)
    import_bvh(DIALECTS / "newline_crlf.bvh", target="ACTIVE")
    spoilt: Any = bpy.data.actions["newline_lf"]
    kept = spoilt["animbridge"].to_dict()
    kept["source"] = b"rubbish"
    spoilt.pop("animbridge")
    spoilt["animbridge"] = kept
    if what == "ACTIVE":
        import_bvh(CLASSIC, target="ACTIVE")
        bpy.context.view_layer.objects.active.animation_data.action = spoilt
    old = dict.fromkeys(("newline_lf.bvh", "newline_crlf.bvh", "x.bvh"), b"old")
    for name, data in old.items():
        (tmp_path / name).write_bytes(data)
    with refused("newline_lf", "damaged"):
        operators.export_anim.animbridge_bvh(filepath=f"{tmp_path}/x.bvh", actions=what)
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == old


def test_what_is_left_out_is_named(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    rig = several_actions()
    rig.animation_data.use_nla = False
    bone = rig.pose.bones["bone 3"]
    bone.scale = (1.0, 1.5, 1.0)
    bone.keyframe_insert("scale", frame=3)
    bone.keyframe_insert("rotation_euler", frame=3)
    rig.keyframe_insert("location", frame=3)
    export_bvh(tmp_path / "x.bvh")
    said = reported(capfd)
    for words in ("scale", "bone 3", "move no bone", "rotation mode"):
        assert words in said
