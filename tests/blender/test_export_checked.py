# SPDX-License-Identifier: MIT
"""What an export checks is what it writes: all edits come before the check, and none after it."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import bpy
import numpy as np
import pytest
from export_rigs import busy_rig, keyed_rig
from helpers import (
    export_file,
    import_file,
    operators,
    raw_properties,
    refused,
    reported,
    select_bones,
    the_action,
)
from tests.python.material import FIXTURES, ROOT, demos
from tests.witness import anim_file

from animbridge.package import Document
from animbridge.scene.export.result import ExportResult
from animbridge.ui.export_files import ReportedExport

WALK = next(path for path in demos() if path.name == "walk.anim")
#: Spec 1.1: what the viewer refuses of the header, as Blender's storage has it.
REFUSED_VALUES = [
    ("base_priority", -2),
    ("base_priority", -(2**31)),
    ("ease_in_seconds", math.nan),
    ("ease_out_seconds", math.inf),
    ("loop_in_seconds", -math.inf),
    ("loop_out_seconds", math.nan),
    ("hand_pose", 15),
]
METHODS = ["CURVES", "SAMPLES"]


def shown() -> Any:
    return the_action().secondlife


def raw_priority(bone: str, priority: int) -> None:
    """Gives a bone a priority as a script or an older add-on may have stored it, limits or not."""
    item = shown().joint_priorities.get(bone) or shown().joint_priorities.add()
    item.name, item.priority = bone, 0
    rows = raw_properties(the_action())["secondlife"]["joint_priorities"]
    next(row for row in rows if row["name"] == bone)["priority"] = priority
    assert item.priority == priority


def imported() -> None:
    import_file(WALK)


def imported_with_a_new_joint() -> None:
    imported()
    bone = bpy.context.view_layer.objects.active.pose.bones["mTail1"]
    bone.rotation_quaternion = (0.9, 0.1, 0, 0)
    bone.keyframe_insert("rotation_quaternion", frame=1)


def made_in_blender() -> None:
    keyed_rig()


def refuses(folder: Path, method: str, *words: str) -> None:
    """Nothing is written where there was nothing, and an old file keeps its bytes."""
    out = folder / "out.anim"
    with refused("refuse", *words):
        export_file(out, method=method)
    assert not list(folder.iterdir())
    out.write_bytes(b"an old file")
    with refused("refuse", *words):
        export_file(out, method=method, target="OPENSIM")
    assert [(path, path.read_bytes()) for path in folder.iterdir()] == [(out, b"an old file")]


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(
    ("scene", "bone"),
    [(imported, "mHead"), (imported_with_a_new_joint, "mTail1"), (made_in_blender, "mHead")],
    ids=["of the file", "new in the file", "of a new file"],
)
def test_a_joint_priority_that_the_viewer_refuses(
    scene: Callable[[], None], bone: str, method: str, tmp_path: Path
) -> None:
    scene()
    raw_priority(bone, -3)
    refuses(tmp_path, method, "below -1", "-3")


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("scene", [imported, made_in_blender])
@pytest.mark.parametrize(("name", "value"), REFUSED_VALUES)
def test_a_header_that_the_viewer_refuses(
    name: str, value: float, scene: Callable[[], None], method: str, tmp_path: Path
) -> None:
    scene()
    shown().loop = shown().use_loop_range = True
    setattr(shown(), name, getattr(shown(), name))
    raw_properties(the_action())["secondlife"][name] = value
    refuses(tmp_path, method)


def test_a_pose_with_a_priority_that_the_viewer_refuses(tmp_path: Path) -> None:
    made_in_blender()
    raw_priority("mElbowLeft", -3)
    with refused("below -1"):
        export_file(tmp_path / "out.anim", frame_range="POSE")
    assert not list(tmp_path.iterdir())


def test_one_refused_action_of_several_leaves_no_file(tmp_path: Path) -> None:
    """All documents are made and checked before the first file is written."""
    busy_rig(np.random.default_rng(4))
    raw_priority("mElbowLeft", -3)
    with refused("below -1"):
        operators.export_anim.secondlife(filepath=f"{tmp_path}/x.anim", actions="ALL")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("name", "given", "held"),
    [
        ("base_priority", -2, -1),
        ("base_priority", 7, 6),
        ("ease_in_seconds", -0.5, 0.0),
        ("ease_out_seconds", -0.5, 0.0),
        ("loop_in_seconds", -1.0, 0.0),
        ("loop_out_seconds", -1.0, 0.0),
    ],
)
def test_fields_have_the_formats_limits(name: str, given: float, held: float) -> None:
    imported()
    setattr(shown(), name, given)
    assert getattr(shown(), name) == held
    item = shown().joint_priorities[0]
    for priority, limit in ((-3, -1), (9, 6)):
        item.priority = priority
        assert item.priority == limit


def odd_file(folder: Path) -> Path:
    """A file that the viewer takes although no field of the panel can hold its values."""
    file = anim_file.parse(WALK.read_bytes())
    file.base_priority, file.loop = 9, 1
    file.ease_in_bits, file.loop_in_bits = anim_file.bits_of(-0.25), anim_file.bits_of(-1.5)
    file.joints[0].priority, file.joints[1].priority = 7, 2**31 - 1
    path = folder / "odd.anim"
    path.write_bytes(anim_file.write(file))
    return path


def test_values_beyond_the_limits_survive_until_they_are_set(tmp_path: Path) -> None:
    odd = odd_file(tmp_path)
    import_file(odd)
    first, second = (item for _, item in zip(range(2), shown().joint_priorities, strict=False))
    assert (shown().base_priority, shown().ease_in_seconds, first.priority, second.priority) == (6, 0, 6, 6)
    out = tmp_path / "out.anim"
    assert export_file(out) == odd.read_bytes()
    blend = tmp_path / "scene.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(blend))
    bpy.ops.wm.open_mainfile(filepath=str(blend))
    assert export_file(out) == odd.read_bytes()
    # The number that stands there already: set, it counts.
    shown().base_priority = 6
    shown().joint_priorities[0].priority = 6
    shown().ease_in_seconds = 0.0
    wanted = anim_file.parse(odd.read_bytes())
    wanted.base_priority, wanted.joints[0].priority, wanted.ease_in_bits = 6, 6, 0
    assert export_file(out) == anim_file.write(wanted)


def test_the_panel_of_an_older_add_on_changed_nothing(tmp_path: Path) -> None:
    """Actions without the list of such values: what the drawn field cut is not taken for an edit."""
    odd = odd_file(tmp_path)
    import_file(odd)
    shown().property_unset("outside")
    assert export_file(tmp_path / "out.anim") == odd.read_bytes()
    shown().base_priority = 4
    assert anim_file.parse(export_file(tmp_path / "out.anim")).base_priority == 4


def test_an_upload_that_would_be_refused_is_told(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """The file plays, so it is written; that nobody can upload it is a warning."""
    import_file(FIXTURES / "name_attachment_hud.anim")
    reported(capfd)
    export_file(tmp_path / "out.anim")
    said = reported(capfd)
    assert "Warning: out.anim: " in said and "refused by Second Life: " in " ".join(said.split())
    export_file(tmp_path / "out.anim", target="OPENSIM")
    assert "refused by" not in reported(capfd)


def exports_of(scene: Callable[[], None], **options: Any) -> Callable[[Path], None]:
    def run(folder: Path) -> None:
        scene()
        operators.export_anim.secondlife(filepath=f"{folder}/out.anim", **options)

    return run


def edited() -> None:
    imported_with_a_new_joint()
    shown().base_priority, shown().emote, shown().hand_pose = 5, "express_smile", "FIST"
    select_bones("mTail1", "mHead")
    operators.animbridge.set_joint_priority(priority=6)


def busy() -> None:
    busy_rig(np.random.default_rng(5))


def bvh_of(scene: Callable[[], None], **options: Any) -> Callable[[Path], None]:
    def run(folder: Path) -> None:
        scene()
        operators.export_anim.animbridge_bvh(filepath=f"{folder}/out.bvh", **options)

    return run


def oban_as(name: str, **options: Any) -> Callable[[Path], None]:
    def run(folder: Path) -> None:
        path = ROOT / "fixtures" / "oban" / "door.oban"
        operators.import_anim.oni(filepath=str(path), target="EMPTY")
        bpy.context.view_layer.objects.active.animation_data.action.oni.half_stop_frame = 3
        operators.export_anim.oni(filepath=str(folder / name), **options)

    return run


WAYS: dict[str, Callable[[Path], None]] = {
    "untouched": exports_of(imported),
    "edited": exports_of(edited),
    "edited, samples": exports_of(edited, method="SAMPLES"),
    "new": exports_of(made_in_blender),
    "new, samples": exports_of(made_in_blender, method="SAMPLES"),
    "pose": exports_of(made_in_blender, frame_range="POSE"),
    "all": exports_of(busy, actions="ALL"),
    "nla": exports_of(busy, actions="NLA"),
    "bvh": bvh_of(made_in_blender),
    "bvh, samples": bvh_of(made_in_blender, method="SAMPLES"),
    "oni": oban_as("out.oni"),
    "xml": oban_as("out.xml"),
    "raw": oban_as("out.oban"),
    "oni, samples": oban_as("out.oni", method="SAMPLES"),
}


@pytest.mark.parametrize("way", WAYS)
def test_the_bytes_written_are_those_of_the_checked_document(
    way: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The report's numbers and findings are those of the file as anybody else reads it."""
    made: list[tuple[Path, ExportResult]] = []
    write = ReportedExport.write_all

    def spy(done: list[tuple[Path, ExportResult]]) -> None:
        made.extend(done)
        write(done)

    monkeypatch.setattr(ReportedExport, "write_all", staticmethod(spy))
    WAYS[way](tmp_path)
    assert sorted(path for path, _ in made) == sorted(tmp_path.iterdir())
    for path, result in made:
        data = path.read_bytes()
        assert data == result.document.write()
        again = Document.read(data, path.name, result.document.format)
        if result.document.format == "bvh":
            continue
        # An export reports what the format's default level does: "strict" would add advice.
        level = "upload" if result.document.format == "sl_anim" else "playback"
        assert again.check(level)["findings"] == result.report["findings"]
        assert not [one for one in again.check("playback")["findings"] if one["class"] == "rejected"]
        assert result.report.get("size_bytes", len(data)) == len(data)
