# SPDX-License-Identifier: MIT
"""Batches of .blend files with Blenders like this one."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import bpy
import pytest
from batches import convert, convert_here, files_below, run, start_of_batch
from export_rigs import keyed_rig
from helpers import import_file, the_action, the_armature, with_this_library
from tests.python.material import BVH, ROOT, UNREADABLE, demos, real_files
from tests.witness import anim_file

from animbridge.batch.options import parse_options

WALK = next(path for path in demos() if path.name == "walk.anim")
WAVE = next(path for path in demos() if path.name == "wave.anim")
BROKEN = next(case.path for case in UNREADABLE if case.path.name == "cut_in_keys.anim")


def test_anim_to_blend_to_anim(tmp_path: Path) -> None:
    """Every real file, its folders kept, back to the same bytes."""
    source = tmp_path / "in"
    for number, path in enumerate(real_files()):
        folder = source / f"folder {number % 3}"
        folder.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, folder / f"{path.stem}.anim")
    code, rows = convert(source, "--to", "blend", "--out", tmp_path / "blend")
    assert code == 0 and {row["status"] for row in rows} == {"ok"}
    made = files_below(tmp_path / "blend")
    assert set(made) == {name.replace(".anim", ".blend") for name in files_below(source)}
    # What others made may be more than Second Life takes.
    words = ("--to", "anim", "--out", tmp_path / "back", "--fail-on", "never")
    code, rows = convert(tmp_path / "blend", *words)
    assert code == 0
    assert files_below(tmp_path / "back") == files_below(source)
    for row in rows:
        assert row["bytes_out"] == Path(row["output"]).stat().st_size
        assert row["max_rotation_error_degrees"] == 0 or row["max_rotation_error_degrees"] < 0.01


def test_relative_paths(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As the README's first command has them."""
    monkeypatch.chdir(tmp_path)
    shutil.copy(WALK, "walk.anim")
    assert run(["walk.anim", "--to", "blend", "--out", "made"]) == 0
    assert run(["made", "--to", "anim", "--out", "back"]) == 0
    assert Path("back/walk.anim").read_bytes() == WALK.read_bytes()


def test_blend_to_json_is_the_document(tmp_path: Path) -> None:
    convert_here(WALK, "--to", "blend", "--out", tmp_path / "blend")
    convert_here(tmp_path / "blend", "--to", "json", "--out", tmp_path / "json")
    convert(tmp_path / "json", "--to", "anim", "--out", tmp_path / "anim")
    assert files_below(tmp_path / "anim") == {"walk.anim": WALK.read_bytes()}
    assert convert_here(tmp_path / "json", "--to", "blend", "--out", tmp_path / "again")[0] == 0
    convert_here(tmp_path / "again", "--to", "anim", "--out", tmp_path / "last")
    assert files_below(tmp_path / "last") == {"walk.anim": WALK.read_bytes()}


def test_the_blend_file_is_clean(tmp_path: Path) -> None:
    """One armature, one Action, playing; nothing of the file before it, no backup, no temporary folder."""
    words = ("--to", "blend", "--out", tmp_path / "out", "--fps", "29.97", "--frame-start", "10")
    import_file(WAVE)  # what happens to be open
    assert convert_here(WAVE, WALK, *words)[0] == 0
    assert set(files_below(tmp_path / "out")) == {"walk.blend", "wave.blend"}
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "out" / "walk.blend"))
    assert [action.name for action in bpy.data.actions] == ["walk"]
    assert len(bpy.data.armatures) == len(bpy.data.objects) == 1
    scene = bpy.context.scene
    assert scene.render.fps / scene.render.fps_base == pytest.approx(30 / 1.001)
    assert scene.frame_start == 10
    assert the_action().name == "walk"
    duration = float(anim_file.parse(WALK.read_bytes()).duration)
    assert the_action().frame_range[1] == pytest.approx(10 + duration * 29.97, abs=1e-3)
    assert scene.frame_end == int(-(-(10 + duration * 29.97) // 1))


def test_bad_inputs_are_rows(tmp_path: Path) -> None:
    bad = tmp_path / "bad.blend"
    bad.write_bytes(b"BLENDER is not what this is")
    empty = tmp_path / "empty.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(empty))
    good = tmp_path / "good"
    convert_here(WALK, "--to", "blend", "--out", good)
    code, rows = convert(bad, empty, good, BROKEN, "--to", "anim", "--out", tmp_path / "out")
    assert code == 1
    assert [row["status"] for row in rows] == ["failed", "failed", "ok", "failed"]
    assert "bad.blend" in rows[0]["error"] and "no Action" in rows[1]["error"]
    assert files_below(tmp_path / "out") == {"walk.anim": WALK.read_bytes()}


def test_an_old_output_stays_when_its_input_is_bad(tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.mkdir()
    (out / f"{BROKEN.stem}.blend").write_bytes(b"old")
    code, rows = convert(BROKEN, WALK, "--to", "blend", "--out", out)
    assert code == 1 and [row["status"] for row in rows] == ["failed", "ok"]
    assert (out / f"{BROKEN.stem}.blend").read_bytes() == b"old"
    assert set(files_below(out)) == {f"{BROKEN.stem}.blend", "walk.blend"}


def test_a_blend_file_with_many_actions(tmp_path: Path) -> None:
    """Each one file: what is assigned, what lies in an NLA strip, what only has the bones' names."""
    for path in (WALK, WAVE):
        import_file(path)
    animation = the_armature().animation_data
    copy = the_action().copy()
    copy.name = "Wave two"
    strip = animation.nla_tracks.new().strips.new("strip", 1, copy)
    if hasattr(strip, "action_slot"):
        strip.action_slot = copy.slots[0]
    blend = tmp_path / "many.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(blend))
    code, rows = convert_here(blend, "--to", "anim", "--out", tmp_path / "out")
    assert code == 0 and len(rows) == 3
    assert files_below(tmp_path / "out") == {
        "walk.anim": WALK.read_bytes(),
        "wave.anim": WAVE.read_bytes(),
        "Wave two.anim": WAVE.read_bytes(),
    } or sorted(files_below(tmp_path / "out").values()) == sorted(
        [WALK.read_bytes(), WAVE.read_bytes(), WAVE.read_bytes()]
    )


def test_two_blend_files_for_one_output(tmp_path: Path) -> None:
    convert_here(WALK, "--to", "blend", "--out", tmp_path / "a")
    shutil.copy(tmp_path / "a" / "walk.blend", tmp_path / "a" / "copy.blend")
    code, rows = convert(tmp_path / "a", "--to", "anim", "--out", tmp_path / "out")
    assert code == 1
    assert sorted(row["status"] for row in rows) == ["failed", "ok"]
    failed = next(row for row in rows if row["status"] == "failed")
    assert "copy.blend" in failed["error"] and "walk.blend" in failed["error"]


def test_blend_to_blend_is_refused(tmp_path: Path) -> None:
    convert_here(WALK, "--to", "blend", "--out", tmp_path / "a")
    code, rows = convert_here(tmp_path / "a", "--to", "blend", "--out", tmp_path / "b")
    assert code == 1 and "already" in rows[0]["error"]


def test_one_bad_action_does_not_stop_the_others(tmp_path: Path) -> None:
    import_file(WALK)
    spoilt = the_action()
    import_file(WAVE)
    kept = spoilt["animbridge"].to_dict()
    kept["source"] = b"rubbish"
    spoilt.pop("animbridge")
    spoilt["animbridge"] = kept
    blend = tmp_path / "two.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(blend))
    code, rows = convert_here(blend, "--to", "anim", "--out", tmp_path / "out")
    assert code == 1
    assert {row["status"] for row in rows} == {"ok", "failed"}
    assert "damaged" in next(row["error"] for row in rows if row["status"] == "failed")
    assert files_below(tmp_path / "out") == {"wave.anim": WAVE.read_bytes()}


def test_one_input_after_another_leaves_nothing_behind(tmp_path: Path) -> None:
    paths = [tmp_path / "in" / f"{number}.anim" for number in range(30)]
    paths[0].parent.mkdir()
    for path in paths:
        shutil.copy(WALK, path)
    assert convert_here(tmp_path / "in", "--to", "blend", "--out", tmp_path / "out")[0] == 0
    sizes = {len(data) for data in files_below(tmp_path / "out").values()}
    assert max(sizes) - min(sizes) < 2000
    assert len(bpy.data.actions) == len(bpy.data.armatures) == len(bpy.data.objects) == 1


def test_the_documented_call_prints_no_chatter(tmp_path: Path) -> None:
    """Blender prints its version before the script begins, and warnings about the system; nothing else."""
    for inputs, target, out in ((WALK, "blend", "made"), (tmp_path / "made", "anim", "back")):
        command = [*start_of_batch(), inputs, "--to", target, "--out", tmp_path / out]
        done = subprocess.run(command, capture_output=True, text=True, check=True, env=with_this_library())
        said_before = re.compile(r"Blender \d|Read prefs|\d\d:\d\d\.\d+ .*(WARNING|OCIO)")
        lines = [line for line in done.stdout.splitlines() if not said_before.match(line)]
        assert [line.split()[0] for line in lines] == ["1/1", "1"], done.stdout
    assert (tmp_path / "back" / "walk.anim").read_bytes() == WALK.read_bytes()


def test_the_documented_call_has_the_commands_options_and_codes(tmp_path: Path) -> None:
    (tmp_path / "bad.blend").write_bytes(b"BLENDER is not what this is")
    for words, code in (
        (["bad.blend", "--to", "anim", "--out", "out"], 1),
        ([str(WALK), "--to", "json", "--out", "out", "--resume"], 0),
        ([str(WALK), "--to", "mp4", "--out", "out"], 2),
    ):
        done = subprocess.run(
            [*start_of_batch(), *words],
            capture_output=True,
            check=False,
            env=with_this_library(),
            cwd=tmp_path,
        )
        assert done.returncode == code, done.stdout + done.stderr
    assert set(files_below(tmp_path / "out")) == {"walk.json"}


def test_a_file_without_a_rate_does_not_get_that_of_the_file_before_it(tmp_path: Path) -> None:
    """A BVH of 25 frames a second, and then a recording, which has times alone."""
    recording = ROOT / "fixtures" / "mrtk" / "two_hands_v11.bin"
    before = BVH / "dialects" / "newline_lf.bvh"
    code, _ = convert_here(before, recording, "--to", "blend", "--out", tmp_path)
    assert code == 0
    for name, rate in (("newline_lf", 25), ("two_hands_v11", 24)):
        bpy.ops.wm.open_mainfile(filepath=str(tmp_path / f"{name}.blend"))
        assert (bpy.context.scene.render.fps, bpy.context.scene.render.fps_base) == (rate, 1), name


@pytest.mark.parametrize("flags", [("--retarget",), ("--onto", "rig.bvh"), ("--in-place",)], ids=str)
def test_a_blend_file_keeps_the_skeleton_of_its_input(
    flags: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["--out", "out", *flags]
    with pytest.raises(SystemExit) as end:
        parse_options(["--to", "blend", *words])
    assert end.value.code == 2 and "--to anim" in capsys.readouterr().err
    parse_options(["--to", "anim", *words])  # where they have no effect


def test_a_limit_of_degrees_is_not_for_blend_files(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        parse_options(["--to", "anim", "--out", "out", "--stop-above", "30,10"])
    assert end.value.code == 2
    assert capsys.readouterr().err.endswith(
        "--stop-above: 30,10 has a limit in degrees, which is for other files; for .blend files, use 30\n"
    )


def test_an_action_that_is_far_off(tmp_path: Path) -> None:
    """Not written, with the reason in its row; written with a larger limit or by force."""
    rig = keyed_rig()
    rig.data.bones["mPelvis"].name = "Carrier"
    for frame, place in ((1, 0.0), (12, 0.5)):
        rig.pose.bones["Carrier"].location = (0.0, place, 0.0)
        rig.pose.bones["Carrier"].keyframe_insert("location", frame=frame)
    blend = tmp_path / "far.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(blend))
    code, (row,) = convert_here(blend, "--to", "anim", "--out", tmp_path / "out")
    assert code == 1 and row["status"] == "failed"
    assert "500 mm" in row["error"] and "frame 12" in row["error"] and "--force" in row["error"]
    assert not list((tmp_path / "out").rglob("*.anim"))
    for flags in (("--stop-above", "600"), ("--stop-above", "0"), ("--force",)):
        code, (row,) = convert_here(blend, "--to", "anim", "--out", tmp_path / "-".join(flags), *flags)
        assert code == 0 and row["max_position_error_mm"] == pytest.approx(500, abs=1)
