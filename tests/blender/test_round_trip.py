# SPDX-License-Identifier: MIT
"""File, Blender, file: the same bytes, for every file that the viewer plays."""

from __future__ import annotations

from pathlib import Path

import bpy
import pytest
from helpers import data_blocks, export_file, import_file, operators, refused, the_action
from tests.python.material import READABLE, Case, name_of, real_files
from tests.witness import rules
from tests.witness.anim_file import parse
from tests.witness.skeleton import load_emotes, load_skeleton


def refused_ids() -> set[str]:
    """Ids of the findings for which the viewer refuses a file, by the library's own table."""
    from animbridge.package import Document

    documents = [Document.read(case.data, "", "sl_anim") for case in READABLE]
    found = [f for document in documents for f in document.check("playback")["findings"]]
    return {f["id"] for f in found if f["class"] == "rejected"}


REFUSED = refused_ids()
PLAYABLE = [case for case in READABLE if not REFUSED.intersection(case.findings["playback"])]
NOT_PLAYABLE = [case for case in READABLE if REFUSED.intersection(case.findings["playback"])]


def is_too_large(case: Case) -> bool:
    """Whether it plays, but is too large for Second Life."""
    return "file_too_large" in case.findings["upload"]


def test_the_witness_agrees_on_what_is_playable() -> None:
    skeleton, emotes = load_skeleton(), load_emotes()
    for case in PLAYABLE:
        found = rules.findings(len(case.data), parse(case.data), skeleton, emotes)
        assert not found.intersection(REFUSED)
    assert len(PLAYABLE) > 50 and len(NOT_PLAYABLE) > 20


@pytest.mark.parametrize("case", PLAYABLE, ids=name_of)
def test_fixture(case: Case, tmp_path: Path) -> None:
    import_file(case.path)
    # Some are larger than Second Life takes, which only OpenSim's exports allow.
    assert export_file(tmp_path / "out.anim", target="OPENSIM") == case.data


@pytest.mark.parametrize("case", [case for case in PLAYABLE if is_too_large(case)], ids=name_of)
def test_too_large_a_fixture_is_made_to_fit(case: Case, tmp_path: Path) -> None:
    import_file(case.path)
    data = export_file(tmp_path / "out.anim")
    assert len(data) <= 250_000
    made, whole = parse(data), parse(case.data)
    assert [joint.name for joint in made.joints] == [joint.name for joint in whole.joints]


@pytest.mark.parametrize("case", NOT_PLAYABLE, ids=name_of)
def test_refused_fixture_leaves_nothing(case: Case) -> None:
    before = data_blocks()
    with refused(case.path.name):
        import_file(case.path)
    assert data_blocks() == before


@pytest.mark.parametrize("path", real_files(), ids=name_of)
def test_real_file(path: Path, tmp_path: Path) -> None:
    import_file(path)
    assert export_file(tmp_path / "out.anim") == path.read_bytes()


@pytest.mark.parametrize("facing", ["X", "NEGATIVE_Y", "NEGATIVE_X", "Y"])
@pytest.mark.parametrize("frame_start", [1.0, 0.0, -37.25, 1000.125])
def test_any_facing_and_start(facing: str, frame_start: float, tmp_path: Path) -> None:
    path = real_files()[-1]
    import_file(path, facing=facing, frame_start=frame_start)
    assert export_file(tmp_path / "out.anim") == path.read_bytes()


@pytest.mark.parametrize(("fps", "base"), [(30, 1.001), (24, 1.001), (60, 1.0), (25, 3.7)])
def test_any_frame_rate(fps: int, base: float, tmp_path: Path) -> None:
    bpy.context.scene.render.fps = fps
    bpy.context.scene.render.fps_base = base
    path = real_files()[-1]
    import_file(path)
    assert export_file(tmp_path / "out.anim") == path.read_bytes()


def test_all_files_through_a_saved_blend(tmp_path: Path) -> None:
    """Many Actions on one armature, saved and opened again, exported at once under their own names."""
    paths = real_files()
    for path in paths:
        import_file(path)
    blend = tmp_path / "all.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(blend), compress=True)
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    bpy.ops.wm.open_mainfile(filepath=str(blend))
    out = tmp_path / "out"
    out.mkdir()
    operators.export_anim.secondlife(filepath=f"{out}/", actions="ALL")
    assert {path.name: path.read_bytes() for path in out.iterdir()} == {
        f"{path.stem}.anim": path.read_bytes() for path in paths
    }


def test_saving_twice_and_another_frame(tmp_path: Path) -> None:
    path = real_files()[-1]
    import_file(path)
    for number in range(2):
        bpy.context.scene.frame_set(7)
        blend = tmp_path / f"{number}.blend"
        bpy.ops.wm.save_as_mainfile(filepath=str(blend))
        bpy.ops.wm.open_mainfile(filepath=str(blend))
    assert export_file(tmp_path / "out.anim") == path.read_bytes()


def test_a_copied_and_a_renamed_action(tmp_path: Path) -> None:
    path = real_files()[-1]
    rig = import_file(path)
    copy = the_action().copy()
    slot = getattr(rig.animation_data, "action_slot", None)
    rig.animation_data.action = copy
    if slot is not None:
        rig.animation_data.action_slot = copy.slots[0]
    copy.name = "Another name"
    assert export_file(tmp_path / "out.anim") == path.read_bytes()


def test_edit_mode_without_a_change(tmp_path: Path) -> None:
    """Blender computes rest matrices again when Edit mode is left."""
    path = real_files()[-1]
    import_file(path)
    bpy.ops.object.mode_set(mode="EDIT")
    bpy.ops.object.mode_set(mode="OBJECT")
    assert export_file(tmp_path / "out.anim") == path.read_bytes()
