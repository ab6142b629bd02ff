# SPDX-License-Identifier: MIT
"""Which limits an export keeps, what it reports, and what it refuses to sample."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import bpy
import numpy as np
import pytest
from export_rigs import busy_rig, key, keyed_rig
from helpers import (
    curves_of,
    export_file,
    import_file,
    operators,
    random_rig,
    refused,
    reported,
    the_action,
)
from mathutils import Quaternion
from tests.python.material import demos
from tests.witness import anim_file

from animbridge.kinds.sl_anim.texts import cost_of_size

WALK = next(path for path in demos() if path.name == "walk.anim")
UPLOAD_BYTES = 250_000


def noisy_rig() -> Any:
    """Every joint turns about at every frame for 1200 frames: far too large a file."""
    rig = random_rig(np.random.default_rng(7), "X")
    animation = rig.animation_data_create()
    animation.action = bpy.data.actions.new("noise")
    for bone in rig.pose.bones:
        bone.rotation_mode = "XYZ"
        bone.keyframe_insert("rotation_euler", frame=1)
    for number, curve in enumerate(curves_of_action(rig)):
        modifier = curve.modifiers.new("NOISE")
        modifier.scale, modifier.strength, modifier.phase = 2.0, 0.4, float(number)
    the_action().use_frame_range = True
    the_action().frame_start, the_action().frame_end = 1, 601
    return rig


def curves_of_action(rig: Any) -> list[Any]:
    return [curve for bone in rig.pose.bones for curve in curves_of(bone.name, "rotation_euler")]


def test_too_many_bytes(tmp_path: Path) -> None:
    """Made to fit for Second Life, and written whole for OpenSim."""
    noisy_rig()
    out = tmp_path / "out.anim"
    assert len(export_file(out, target="OPENSIM")) > UPLOAD_BYTES
    report = tmp_path / "report.json"
    data = export_file(out, report_path=str(report), write_anyway=True)
    assert 0.8 * UPLOAD_BYTES < len(data) <= UPLOAD_BYTES
    (row,) = json.loads(report.read_text())["files"]
    assert row["size_bytes"] == len(data)
    assert row["bound"]["max_position_mm"] > 0.5


@pytest.mark.parametrize("method", ["SAMPLES", "CURVES"])
def test_a_size_of_your_choice_and_what_it_costs(method: str, tmp_path: Path) -> None:
    """Check says what smaller files cost; the export makes one of them, with that error."""
    rig = keyed_rig(bones=())
    for number, bone in enumerate(("mTorso", "mHead", "mShoulderLeft", "mElbowLeft", "mKneeLeft")):
        posed = rig.pose.bones[bone]
        for frame in range(1, 400, 2):
            turn = 0.2 * np.sin(frame / 9.0 + number) + 0.1 * np.sin(frame / 2.3)
            posed.rotation_quaternion = Quaternion((1.0, number, 0.5), turn)
            posed.keyframe_insert("rotation_quaternion", frame=frame)
    assert operators.animbridge.check() == {"FINISHED"}
    sizes = [(one.size_bytes, one.error_mm) for one in the_action().secondlife.checked_sizes]
    assert len(sizes) > 1 and sizes == sorted(sizes, key=lambda size: (-size[0], size[1]))
    largest, smallest = sizes[0], sizes[-1]
    kilobytes = (largest[0] + smallest[0]) // 2000
    report = tmp_path / "report.json"
    data = export_file(
        tmp_path / "out.anim",
        method=method,
        fit_kilobytes=kilobytes,
        report_path=str(report),
        write_anyway=True,
    )
    assert smallest[0] < len(data) <= 1000 * kilobytes < largest[0]
    (row,) = json.loads(report.read_text())["files"]
    assert "size_curve" not in row
    assert largest[1] <= row["max_position_error_mm"] <= smallest[1]


@pytest.mark.parametrize(
    ("size_bytes", "text"),
    [
        (8000, "Within 0.5 mm: 8.0 kB"),
        (6000, "At most about 1.5 mm off"),
        (2000, "At most about 10.0 mm off"),
        (1999, "More than 10.0 mm off"),
    ],
)
def test_the_line_below_the_size(size_bytes: int, text: str) -> None:
    known = ((8000, 0.5), (4000, 2.5), (2000, 10.0))
    sizes = [SimpleNamespace(size_bytes=size, error_mm=error) for size, error in known]
    assert cost_of_size(size_bytes, sizes) == text
    assert cost_of_size(size_bytes, []) == "Check shows what a size costs"


@pytest.mark.parametrize("method", ["SAMPLES", "CURVES"])
def test_too_many_seconds(method: str, tmp_path: Path) -> None:
    rig = keyed_rig()
    key(rig, "mHead", np.random.default_rng(8), (24 * 60 + 2,))
    out = tmp_path / "out.anim"
    with refused("60"):
        export_file(out, method=method)
    assert not list(tmp_path.iterdir())
    file = anim_file.parse(export_file(out, method=method, target="OPENSIM"))
    assert float(file.duration) == pytest.approx(60 + 1 / 24)


def test_reports(tmp_path: Path) -> None:
    """A row per file in both, with what the files themselves say; and a place that cannot be written."""
    busy_rig(np.random.default_rng(9))
    report = tmp_path / "report.json"
    out = tmp_path / "out"
    out.mkdir()
    operators.export_anim.secondlife(
        filepath=f"{out}/x.anim", actions="ALL", report_path=str(report), report_text=True
    )
    rows = json.loads(report.read_text())["files"]
    assert [Path(row["file"]).name for row in rows] == ["sit.anim", "stand.anim", "wave.anim"]
    text = bpy.data.texts["AnimBridge Export"].as_string()
    for row in rows:
        data = Path(row["file"]).read_bytes()
        assert row["size_bytes"] == len(data)
        assert row["joints"] == len(anim_file.parse(data).joints)
        assert row["duration_seconds"] == pytest.approx(0.5)
        assert row["file"] in text and f"{len(data)} bytes" in text
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    import_file(WALK)
    with refused("report", "missing"):
        export_file(out / "again.anim", report_path=f"{tmp_path}/missing/report.json")
    export_file(out / "again.anim")
    assert "AnimBridge Export" not in bpy.data.texts


def test_a_rig_map(tmp_path: Path) -> None:
    """A bone with a name of its own shows the joint that the file says; bad maps are named."""
    rig = keyed_rig()
    rig.data.bones["mHead"].name = "Snout"
    good = tmp_path / "fox.json"
    good.write_text(
        json.dumps({"animbridge_rig_map": 1, "built_in": True, "names": {"mHead": "Snout"}}), encoding="utf-8"
    )
    out = tmp_path / "out.anim"
    for method in ("CURVES", "SAMPLES"):
        file = anim_file.parse(export_file(out, method=method, facing="X", write_anyway=True))
        assert b"mHead" not in {joint.name for joint in file.joints}
        file = anim_file.parse(export_file(out, method=method, facing="X", rig_map=str(good)))
        assert {joint.name for joint in file.joints} == {b"mElbowLeft", b"mHead"}
    out.unlink()
    with refused("nowhere.json"):
        export_file(out, rig_map=f"{tmp_path}/nowhere.json")
    bad = tmp_path / "bad.json"
    bad.write_text("{", encoding="utf-8")
    with refused("bad.json", "not JSON"):
        export_file(out, rig_map=str(bad))
    assert not out.exists()


def test_an_unmapped_root_that_carries_the_body(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Refused with joint, frame and bone, and nothing written; written with the box or a larger limit."""
    rig = keyed_rig()
    rig.data.bones["mPelvis"].name = "Carrier"
    carrier = rig.pose.bones["Carrier"]
    for frame, place in ((1, 0.0), (12, 0.5), (25, 0.0)):
        carrier.location = (0.0, place, 0.0)
        carrier.keyframe_insert("location", frame=frame)
    out = tmp_path / "out.anim"
    with refused("500 mm", "(frame 12)", "allows 20", "Carrier", "Write Anyway", "--force"):
        export_file(out, facing="X")
    with refused("allows 400"):
        export_file(out, facing="X", stop_above_mm=400.0)
    assert not list(tmp_path.iterdir())
    reported(capfd)
    file = anim_file.parse(export_file(out, facing="X", write_anyway=True))
    said = " ".join(reported(capfd).split())
    assert "The pelvis has no bone" in said
    assert "bones without a joint: Carrier" in said
    assert not any(len(joint.position_keys) for joint in file.joints)
    export_file(out, facing="X", stop_above_mm=600.0)


def test_bones_with_other_parents_than_the_avatar(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Without parents no bone carries another: the keys of one turn all joints below it in the viewer."""
    rig = keyed_rig(bones=("mCollarLeft", "mHead"))
    bpy.ops.object.mode_set(mode="EDIT")
    for bone in rig.data.edit_bones:
        bone.parent = None
    bpy.ops.object.mode_set(mode="OBJECT")
    out = tmp_path / "out.anim"
    reported(capfd)
    file = anim_file.parse(export_file(out, facing="X", write_anyway=True))
    said = " ".join(reported(capfd).split())
    assert "sampled" in said
    # The shoulder does not turn with its collar in Blender, so it has to turn back in the file.
    assert {b"mCollarLeft", b"mShoulderLeft", b"mHead"} <= {joint.name for joint in file.joints}
    export_file(out, facing="X", method="CURVES")
    said = " ".join(reported(capfd).split())
    assert "Set Method to Samples, or the viewer moves them differently: parents are not as" in said
    assert "mShoulderLeft" in said or "more" in said


def hide(rig: Any) -> None:
    rig.hide_viewport = True


def rest(rig: Any) -> None:
    rig.data.pose_position = "REST"


def hide_collection(rig: Any) -> None:
    new_home(rig).hide_viewport = True


def exclude_collection(rig: Any) -> None:
    home = new_home(rig)
    bpy.context.view_layer.layer_collection.children[home.name].exclude = True


def new_home(rig: Any) -> Any:
    """A collection of its own."""
    home = bpy.data.collections.new("home")
    bpy.context.scene.collection.children.link(home)
    for collection in rig.users_collection:
        collection.objects.unlink(rig)
    home.objects.link(rig)
    return home


@pytest.mark.parametrize("spoil", [hide, rest, hide_collection, exclude_collection])
def test_what_blender_does_not_evaluate(spoil: Callable[[Any], None], tmp_path: Path) -> None:
    """Samples would be of an old pose: refused by name; the curves are there all the same."""
    rig = keyed_rig()
    curves = export_file(tmp_path / "curves.anim", method="CURVES", armature=rig.name)
    spoil(rig)
    with refused(rig.name, "sampled"):
        export_file(tmp_path / "out.anim", method="SAMPLES", armature=rig.name)
    assert not (tmp_path / "out.anim").exists()
    assert export_file(tmp_path / "again.anim", method="CURVES", armature=rig.name) == curves


def test_another_scene(tmp_path: Path) -> None:
    """Blender evaluates the active scene: what is in another one is refused."""
    rig = keyed_rig()
    bpy.context.window.scene = bpy.data.scenes.new("Other")
    with refused(rig.name, "not in the scene 'Other'"):
        export_file(tmp_path / "out.anim", method="SAMPLES", armature=rig.name)
    assert not list(tmp_path.iterdir())


def test_the_eye_hides_nothing(tmp_path: Path) -> None:
    """What is hidden in the view alone is evaluated, and can be sampled."""
    rig = keyed_rig()
    seen = export_file(tmp_path / "seen.anim", method="SAMPLES", armature=rig.name)
    rig.hide_set(True)
    assert export_file(tmp_path / "hidden.anim", method="SAMPLES", armature=rig.name) == seen


def test_a_linked_armature(tmp_path: Path) -> None:
    """Samples of what it plays are those of the armature in its own file."""
    rig = keyed_rig()
    wanted = export_file(tmp_path / "own.anim", method="SAMPLES", facing="X")
    library = tmp_path / "library.blend"
    name = rig.name
    bpy.ops.wm.save_as_mainfile(filepath=str(library))
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    libraries: Any = bpy.data.libraries
    with libraries.load(str(library), link=True) as (_, found):
        found.objects = [name]
    linked: Any = found.objects[0]
    with refused(name, "not in the scene"):
        export_file(tmp_path / "out.anim", method="SAMPLES", armature=name, facing="X")
    bpy.context.collection.objects.link(linked)
    assert export_file(tmp_path / "out.anim", method="SAMPLES", armature=name, facing="X") == wanted


def test_the_message_says_that_samples_were_taken(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    keyed_rig()
    export_file(tmp_path / "out.anim", method="SAMPLES")
    assert "sampled" in reported(capfd)
    export_file(tmp_path / "out.anim", method="CURVES")
    assert "sampled" not in reported(capfd)
