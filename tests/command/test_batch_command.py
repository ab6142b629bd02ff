# SPDX-License-Identifier: MIT
"""`animbridge batch`: threads, lists, progress, and the conversion's own options."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from addon.animbridge import kinds
from bad_names import level_with
from batch_programs import COMMAND, files_below
from material import ROOT, demos
from oban_scene import OBAN, record_of
from tests.witness import oban_any
from tests.witness.scene_read_gltf import read_gltf

WALK = next(path for path in demos() if path.name == "walk.anim")
WAVE = next(path for path in demos() if path.name == "wave.anim")
SCENES = ROOT / "fixtures" / "scene"
LEVEL = ROOT / "fixtures" / "oban" / "level_pc.dat"


def batch(
    *words: object, given: bytes | None = None, cwd: Path | None = None
) -> subprocess.CompletedProcess[str]:
    """The command's answer."""
    return subprocess.run(
        [COMMAND, "batch", *map(str, words)],
        capture_output=True,
        check=False,
        timeout=300,
        cwd=cwd,
        input=None if given is None else given.decode("utf-8", "surrogateescape"),
        encoding="utf-8",
        errors="surrogateescape",
    )


def rows_of(report: Path) -> list[dict[str, Any]]:
    """The report's rows, without the time that each took."""
    rows = json.loads(report.read_text(encoding="utf-8"))["rows"]
    return [{key: value for key, value in row.items() if key != "seconds"} for row in rows]


@pytest.fixture(scope="module")
def mixed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Every kind of input: good and damaged, one animation and several, two for one output."""
    folder = tmp_path_factory.mktemp("mixed")
    for source in ("demo", "bvh/dialects", "oban", "mrtk"):
        shutil.copytree(ROOT / "fixtures" / source, folder / source)
    (folder / "scene").mkdir()
    for name in ("several_animations.glb", "walk.fbx", "walk.dae", "truncated.glb"):
        shutil.copy(SCENES / name, folder / "scene" / name)
    shutil.copy(WALK, folder / "demo" / "walk.animatn")
    return folder


def test_targets_are_those_of_the_addon() -> None:
    said = batch("--help").stdout
    found = re.search(r"--to (\S+)", said)
    assert found and set(found.group(1).split("|")) == {
        *(target for kind in kinds.KINDS for target in kind.targets),
        *("json", "blend"),
        "pose",  # its extension is OniSplit's too
    }


@pytest.mark.parametrize("target", ["bvh", "json", "anim"])
def test_any_number_of_threads_makes_the_same(mixed: Path, tmp_path: Path, target: str) -> None:
    """Bytes, rows and their order, the table, the ledger's rows, the exit code."""
    made: list[tuple[Any, ...]] = []
    for jobs in (1, 2, 5):
        out = tmp_path / "run" / "out"
        report = tmp_path / "run" / "report.json"
        done = batch(mixed, "--to", target, "--out", out, "--report", report, "--jobs", jobs)
        ledger = (out / ".animbridge" / "ledger.jsonl").read_text(encoding="utf-8")
        table = done.stdout.splitlines()[:-1]  # the last one has the time
        made.append(
            (
                done.returncode,
                rows_of(report),
                table,
                done.stderr,
                sorted(ledger.splitlines()),
                files_below(out),
            )
        )
        shutil.rmtree(tmp_path / "run")
    assert made[0][0] == 1 and len(made[0][1]) > 100
    assert {row["status"] for row in made[0][1]} >= {"ok", "failed"}
    assert any("already belongs to" in (row["error"] or "") for row in made[0][1])
    for other in made[1:]:
        assert other == made[0]


@pytest.mark.parametrize("target", ["bvh", "json", "glb"])
def test_each_output_is_that_of_convert(tmp_path: Path, target: str) -> None:
    scene = tmp_path / "scene.fbx"
    shutil.copy(SCENES / "walk.fbx", scene)
    inputs = [*demos(), scene, ROOT / "fixtures" / "oban" / "door.oban"]
    out = tmp_path / "out"
    assert batch(*inputs, "--to", target, "--out", out).returncode == 0
    for path in inputs:
        single = tmp_path / "single" / f"{path.stem}.{target}"
        single.parent.mkdir(exist_ok=True)
        subprocess.run([COMMAND, "convert", path, single], check=True, capture_output=True)
        assert (out / single.name).read_bytes() == single.read_bytes()


def test_options_of_conversions(tmp_path: Path) -> None:
    """The same as convert has, by the same tables."""
    words = ("--fps", "24", "--decimals", "3")
    assert batch(WALK, "--to", "bvh", "--out", tmp_path / "out", *words).returncode == 0
    subprocess.run([COMMAND, "convert", WALK, tmp_path / "one.bvh", *words], check=True, capture_output=True)
    assert (tmp_path / "out" / "walk.bvh").read_bytes() == (tmp_path / "one.bvh").read_bytes()
    assert batch(WALK, "--to", "anim", "--out", tmp_path / "no", "--decimals", "3").returncode == 2
    done = batch(WALK, "--to", "anim", "--out", tmp_path / "no", "--fps", "24")
    assert done.returncode == 1 and "is for a conversion between two formats" in done.stdout


def test_animations_and_parts_are_files(tmp_path: Path) -> None:
    done = batch(SCENES / "several_animations.glb", LEVEL, "--to", "json", "--out", tmp_path / "json")
    assert done.returncode == 0
    assert "several_animations.json" in files_below(tmp_path / "json")
    done = batch(SCENES / "several_animations.glb", "--to", "bvh", "--out", tmp_path / "bvh")
    assert done.returncode == 0
    names = [f"several_animations-{name}.bvh" for name in ("Walk", "Wave", "Wave_2", "4")]
    assert set(files_below(tmp_path / "bvh")) == set(names)
    words = ("--animation", "Wave")
    assert (
        batch(SCENES / "several_animations.glb", "--to", "bvh", "--out", tmp_path / "1", *words).returncode
        == 0
    )
    one = files_below(tmp_path / "1")
    assert one == {"several_animations.bvh": (tmp_path / "bvh" / names[1]).read_bytes()}
    oni = batch(LEVEL, "--to", "oni", "--out", tmp_path / "oni")
    assert oni.returncode == 0
    subprocess.run(
        [COMMAND, "oban", "extract", LEVEL, "--out", tmp_path / "x"], check=True, capture_output=True
    )
    assert sorted(files_below(tmp_path / "oni").values()) == sorted(files_below(tmp_path / "x").values())


def test_blender_files_are_skipped(tmp_path: Path) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    shutil.copy(WALK, folder)
    (folder / "scene.blend").write_bytes(b"BLENDER")
    done = batch(folder, "--to", "bvh", "--out", tmp_path / "out")
    assert done.returncode == 0 and "blender --command animbridge" in done.stdout
    assert set(files_below(tmp_path / "out")) == {"walk.bvh"}
    done = batch(folder, "--to", "blend", "--out", tmp_path / "blends")
    assert done.returncode == 2 and "only Blender writes .blend files" in done.stderr


@pytest.mark.parametrize("end", ["\n", "\r\n", "\0"])
def test_a_list_keeps_the_folders_that_it_names(end: str, tmp_path: Path) -> None:
    (tmp_path / "a" / "b[1]").mkdir(parents=True)
    odd = "a/b[1]/two\nlines.anim" if end == "\0" else "a/b[1]/wave.anim"
    shutil.copy(WALK, tmp_path / "a" / "walk.anim")
    shutil.copy(WAVE, tmp_path / odd)
    paths = ["a/walk.anim", "./" + odd, "a/none.anim", str(tmp_path / "a" / "walk.anim")]
    text = end.join(paths) + end
    done = batch("--from", "-", "--to", "json", "--out", "out", given=text.encode(), cwd=tmp_path)
    assert done.returncode == 1 and done.stdout.splitlines()[-1].startswith("2 written, 1 failed")
    assert {name.rpartition("/")[0] for name in files_below(tmp_path / "out")} == {"a", "a/b[1]"}
    (tmp_path / "list").write_bytes(text.encode())
    again = batch("--from", tmp_path / "list", "--to", "json", "--out", "out2", cwd=tmp_path)
    assert again.returncode == 1 and files_below(tmp_path / "out2") == files_below(tmp_path / "out")


def test_a_list_that_is_not_there(tmp_path: Path) -> None:
    done = batch("--from", tmp_path / "none", "--to", "json", "--out", tmp_path / "out")
    assert done.returncode == 1 and "none" in done.stderr
    assert batch("--to", "json", "--out", tmp_path / "out").returncode == 2


def test_newer_leaves_out_what_is_older_than_its_output(tmp_path: Path) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    shutil.copy(WALK, folder)
    shutil.copy(WAVE, folder)
    shutil.copy(SCENES / "several_animations.glb", folder)
    words = (folder, "--to", "bvh", "--out", tmp_path / "out", "--newer", "--report", tmp_path / "r.json")
    assert batch(*words).returncode == 0
    before = {path: path.stat().st_mtime_ns for path in (tmp_path / "out").rglob("*.bvh")}
    stamp = max(before.values()) + 1_000_000_000
    os.utime(folder / "wave.anim", ns=(stamp, stamp))
    (tmp_path / "out" / "several_animations-Walk.bvh").unlink()
    done = batch(*words)
    assert done.returncode == 0
    assert "2 written, 0 failed, 0 skipped, 4 current" in done.stdout
    status = {Path(row["output"]).name: row["status"] for row in rows_of(tmp_path / "r.json")}
    assert {name for name, value in status.items() if value == "ok"} == {
        "wave.bvh",
        "several_animations-Walk.bvh",
    }
    walk = tmp_path / "out" / "walk.bvh"
    assert walk.stat().st_mtime_ns == before[walk]


def test_names_that_differ_in_case(tmp_path: Path) -> None:
    """Where the file system knows them apart, both are written."""
    for name in ("walk.anim", "WALK.anim"):
        shutil.copy(WALK, tmp_path / name)
    if len(list(tmp_path.glob("*.anim"))) < 2:
        pytest.skip("this file system knows no case")
    done = batch(f"{tmp_path}/*.anim", "--to", "json", "--out", tmp_path / "out")
    assert done.returncode == 0 and set(files_below(tmp_path / "out")) == {"walk.json", "WALK.json"}


def test_a_log_has_one_line_for_each_file(tmp_path: Path) -> None:
    """With its whole path, and how far the run is. Nothing is said twice."""
    folder = tmp_path / ("a" * 90) / "in"
    folder.mkdir(parents=True)
    shutil.copy(WALK, folder)
    shutil.copy(ROOT / "fixtures" / "sl_anim" / "cut_in_keys.anim", folder)
    shutil.copy(SCENES / "several_animations.glb", folder)
    done = batch(folder, "--to", "bvh", "--out", folder.with_name("out"), "--jobs", 1)
    assert done.stderr == "" and done.returncode == 1
    lines = done.stdout.splitlines()
    assert lines[0].startswith(f"1/3  failed   {folder}/cut_in_keys.anim: ")
    outputs = sorted(map(str, folder.with_name("out").glob("*.bvh")))
    assert len(outputs) == 5
    for output in outputs:
        (line,) = [line for line in lines if output in line]
        assert line.startswith("3/3  ok       " if output.endswith("walk.bvh") else "2/3  ok       ")
    assert len(lines) == 1 + len(outputs) + 1
    # On a terminal, the bar says how far it is.
    words = [str(COMMAND), "batch", str(folder), "--to", "bvh", "--out", str(folder.with_name("out"))]
    shown = subprocess.run(
        ["script", "-qec", shlex.join(words), "/dev/null"], capture_output=True, text=True, check=False
    ).stdout
    assert all(f"] {number}/3  " in shown for number in (1, 2, 3))
    assert "1/3  " not in re.sub(r"\[[#.]+\] \S+", "", shown)
    assert re.search(r"ok       \.\.\.a*/out/walk\.bvh", shown)


def test_progress_on_a_full_terminal_and_a_full_disk(tmp_path: Path) -> None:
    """Words that nobody can be told are an error of the run, not of the files."""
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [COMMAND, "batch", WALK, "--to", "json", "--out", tmp_path / "out"],
            stdout=full,
            stderr=subprocess.PIPE,
            check=False,
        )
    assert done.returncode == 1 and b"cannot write to standard output" in done.stderr
    assert set(files_below(tmp_path / "out")) == {"walk.json"}


def test_an_input_may_be_one_animation_of_a_file(tmp_path: Path) -> None:
    """As in `animbridge convert`: the same bytes; and what a resumed run knows of one is not another's."""
    scene = ROOT / "fixtures" / "scene" / "several_animations.glb"
    out = tmp_path / "out"
    words = ("--to", "bvh", "--out", out)
    done = batch(f"{scene}#Walk", f"{scene}#3", f"{scene}#Walk", *words)
    assert done.returncode == 0, done.stderr
    made = {path.name: path.read_bytes() for path in out.iterdir() if path.is_file()}
    assert set(made) == {"several_animations-Walk.bvh", "several_animations-3.bvh"}
    for name in ("Walk", "3"):
        wanted = tmp_path / f"{name}.bvh"
        subprocess.run([COMMAND, "convert", f"{scene}#{name}", wanted], check=True, capture_output=True)
        assert made[f"several_animations-{name}.bvh"] == wanted.read_bytes()
    listed = tmp_path / "list"
    listed.write_text(f"{scene}#2\n{scene}#Walk\n", encoding="utf-8")
    again = batch("--from", listed, *words, "--resume")
    assert "1 written, 0 failed, 0 skipped, 1 current" in again.stdout
    # The whole file is another input.
    whole = batch(f"{scene}#Walk", scene, "--to", "bvh", "--out", tmp_path / "all")
    assert "4 written, 1 failed" in whole.stdout
    missing = batch(f"{scene}#Dance", "--to", "bvh", "--out", tmp_path / "none")
    assert missing.returncode == 1
    assert "Dance" in missing.stdout


def test_an_input_may_be_one_animation_of_a_level(tmp_path: Path) -> None:
    level = ROOT / "fixtures" / "oban" / "level_pc.dat"
    assert batch(f"{level}#swing", "--to", "oni", "--out", tmp_path / "out").returncode == 0
    assert [path.name for path in (tmp_path / "out").rglob("*.oni")] == ["swing.oni"]


def test_files_of_several_animations_keep_their_names(tmp_path: Path) -> None:
    """In the files, whatever the files are called."""
    scene, out = SCENES / "several_animations.glb", tmp_path / "gltf"
    assert batch(scene, "--to", "gltf", "--out", out, "--report", tmp_path / "r.json").returncode == 0
    made = [read_gltf(Path(row["output"]).read_bytes()) for row in rows_of(tmp_path / "r.json")]
    assert [one.animations[0].name for one in made] == ["Walk", "Wave", "Wave", "4"]
    level = tmp_path / "level.dat"
    level.write_bytes(
        level_with([b"slash/name", b"g\xff\xfema"], record_of((OBAN / "swing.oban").read_bytes()))
    )
    words = (level, "--out", tmp_path / "out", "--report", tmp_path / "r.json")
    assert batch(*words, "--to", "json").returncode == 0
    found = files_below(tmp_path / "out")
    assert json.loads(found["level/slash_name.json"])["name"] == "slash/name"
    assert batch(*words, "--to", "oni").returncode == 1
    first, second = rows_of(tmp_path / "r.json")
    assert oban_any.read(Path(first["output"]).read_bytes()).found[0].name == b"OBANslash/name"
    assert second["status"] == "failed" and "ASCII" in second["error"]


def test_without_the_reader_of_scenes_the_row_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANIMBRIDGE_SCENE", str(tmp_path / "none" / "animbridge-scene"))
    done = batch(WAVE, SCENES / "walk.fbx", "--to", "bvh", "--out", tmp_path / "out")
    assert done.returncode == 1 and "animbridge-scene" in done.stdout
    assert done.stdout.splitlines()[-1].startswith("1 written, 1 failed")
