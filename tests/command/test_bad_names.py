# SPDX-License-Identifier: MIT
"""Names of somebody else's choice, through every way that writes files and needs no Blender."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest
from bad_names import BAD_NAMES, assert_good, files_anywhere, level_with
from batch_programs import COMMAND
from batch_programs import run_command as run
from material import demos
from oban_scene import OBAN, record_of

from animbridge.errors import AnimBridgeError
from animbridge.file_name import file_stem, free_stem

WALK = next(path for path in demos() if path.name == "walk.anim")
SWING = record_of((OBAN / "swing.oban").read_bytes())
NAMES = list(BAD_NAMES)


def convert(*arguments: object) -> tuple[int, list[dict[str, Any]]]:
    """Runs the batch with a report beside the output folder; its exit code and rows."""
    out = Path(str(arguments[list(arguments).index("--out") + 1]))
    report = out.parent / "report.json"
    code = run([*map(str, arguments), "--report", str(report)])
    rows = json.loads(report.read_text())["rows"]
    report.unlink()
    return code, rows


@pytest.mark.parametrize("name", NAMES, ids=ascii)
def test_one_function(name: bytes) -> None:
    for ending in ("", ".anim", ".blend", "_12345.json"):
        stem = file_stem(os.fsdecode(name), ending)
        assert_good(stem + (ending or ".x"))
        if BAD_NAMES[name] is not None:
            assert stem == BAD_NAMES[name]


def test_half_characters() -> None:
    assert file_stem("a\ud800b", ".anim") == "a___b"


def test_an_ending_is_an_ending() -> None:
    with pytest.raises(AnimBridgeError, match="64"):
        file_stem("walk", "x" * 65)


def test_names_are_taken_once() -> None:
    """Without regard to case, and with room for the number."""
    taken = set[str]()
    assert [free_stem([name], taken) for name in ("Walk", "walk", "WALK", "Stra\u00dfe", "STRASSE")] == [
        *("Walk", "walk_2", "WALK_3", "Stra\u00dfe", "STRASSE_2")
    ]
    stems = [free_stem(["x" * 300], taken, ".anim") for _ in range(12)]
    assert len(set(stems)) == 12
    for stem in stems:
        assert_good(f"{stem}.anim")
    assert free_stem(["..", "run"], {"animation"}) == "run"


def test_every_animation_of_a_level(tmp_path: Path) -> None:
    level = tmp_path / "in" / "level.dat"
    level.parent.mkdir()
    level.write_bytes(level_with(NAMES, SWING))
    code, rows = convert(level, "--to", "json", "--out", tmp_path / "deep" / "out")
    assert code == 0 and len(rows) == len(NAMES)
    made = files_anywhere(tmp_path)
    assert len(made) == 1 + len(NAMES)
    for path in set(made) - {"in/level.dat"}:
        assert path.startswith("deep/out/level/"), path
        assert_good(Path(path).name)
    stems = [Path(row["output"]).stem for row in rows]
    for stem, (name, wanted) in zip(stems, BAD_NAMES.items(), strict=True):
        # Names that are no text are counted, and equal stems numbered.
        if wanted is not None and b"\xff" not in name:
            assert stem == wanted or stem.rpartition("_")[0] == wanted


def test_the_name_of_a_level(tmp_path: Path) -> None:
    """The stem of "...dat" is "..": its animations must not land beside the output folder."""
    level = tmp_path / "in" / "...dat"
    level.parent.mkdir()
    level.write_bytes(level_with([b"victim"], SWING))
    victim = tmp_path / "victim.json"
    victim.write_bytes(b"mine")
    code, rows = convert(level, "--to", "json", "--out", tmp_path / "out")
    assert code == 0 and rows[0]["output"] == str(tmp_path / "out" / "animation" / "victim.json")
    assert victim.read_bytes() == b"mine"
    assert set(files_anywhere(tmp_path)) == {"victim.json", "in/...dat", "out/animation/victim.json"}


def test_the_names_of_inputs(tmp_path: Path) -> None:
    names = [name for name in NAMES if b"/" not in name and len(name) <= 250]
    for number, name in enumerate(names):
        folder = tmp_path / "in" / str(number)
        folder.mkdir(parents=True)
        (folder / os.fsdecode(name + b".anim")).write_bytes(WALK.read_bytes())
    code, rows = convert(tmp_path / "in", "--to", "json", "--out", tmp_path / "out")
    assert code == 0 and len(rows) == len(names)
    for row in rows:
        output = Path(row["output"])
        assert output.is_file()
        assert_good(output.name)
        wanted = BAD_NAMES[names[int(output.parent.name)]]
        assert wanted is None or output.stem == wanted


def test_names_give_a_terminal_no_orders(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    for name in (b"bad\x1b[2J\n\xc2\x9b.anim", b"good\x1b]0;x\x07\xe2\x80\xae.anim"):
        (folder / os.fsdecode(name)).write_bytes(WALK.read_bytes() if name.startswith(b"good") else b"x")
    code, rows = convert(folder, "--to", "json", "--out", tmp_path / "out")
    assert code == 1 and len(rows) == 2
    told = "".join(capfd.readouterr())
    assert not set(told) & set("\x1b\x07\u009b\u202e") and "\\x1B[2J" in told
    assert len(told.splitlines()) == 2 + 1  # rows, sums


def test_links_out_of_the_output_folder(tmp_path: Path) -> None:
    """Neither a linked folder nor a linked file leads a file elsewhere."""
    source = tmp_path / "in" / "sub"
    source.mkdir(parents=True)
    for path in (source / "walk.anim", source.parent / "run.anim", source.parent / "fine.anim"):
        path.write_bytes(WALK.read_bytes())
    out, elsewhere = tmp_path / "out", tmp_path / "elsewhere"
    out.mkdir()
    elsewhere.mkdir()
    (out / "sub").symlink_to(elsewhere)
    (out / "run.json").symlink_to(elsewhere / "run.json")
    (out / "fine.json").symlink_to(out / "real.json")
    (out / "real.json").write_bytes(b"old")
    code, rows = convert(source.parent, "--to", "json", "--out", out)
    assert code == 1
    assert {Path(row["input"]).name: row["status"] for row in rows} == {
        "walk.anim": "failed",
        "run.anim": "failed",
        "fine.anim": "ok",
    }
    errors = {Path(row["input"]).name: row["error"] for row in rows}
    assert "not in the folder" in errors["walk.anim"] and "symbolic link" in errors["run.anim"]
    assert not list(elsewhere.iterdir())


def test_names_that_differ_in_case(tmp_path: Path) -> None:
    """Animations of a level are numbered; two files of the user's are two files."""
    level = tmp_path / "level.dat"
    level.write_bytes(level_with([b"Gate", b"gate", b"GATE"], SWING))
    code, rows = convert(level, "--to", "json", "--out", tmp_path / "out")
    assert code == 0
    assert [Path(row["output"]).stem for row in rows] == ["Gate", "gate_2", "GATE_3"]
    for name in ("Walk.anim", "walk.anim"):
        (tmp_path / name).write_bytes(WALK.read_bytes())
    code, rows = convert(tmp_path / "Walk.anim", tmp_path / "walk.anim", "--to", "json", "--out", tmp_path)
    assert code == 0 and [Path(row["output"]).name for row in rows] == ["Walk.json", "walk.json"]


def test_a_file_system_without_case(tmp_path: Path) -> None:
    """Where Walk.json and walk.json are one file, the second input is refused; here a link makes them one."""
    for name in ("Walk.anim", "walk.anim"):
        (tmp_path / name).write_bytes(WALK.read_bytes())
    out = tmp_path / "out"
    out.mkdir()
    (out / "Walk.json").write_bytes(b"old")
    (out / "walk.json").symlink_to(out / "Walk.json")
    code, rows = convert(tmp_path / "Walk.anim", tmp_path / "walk.anim", "--to", "json", "--out", out)
    assert code == 1 and [row["status"] for row in rows] == ["ok", "failed"]
    assert str(tmp_path / "Walk.anim") in rows[1]["error"]


def extract(level: Path, out: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """`animbridge oban extract`."""
    command = [COMMAND, "oban", "extract", level, "--out", out, *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)


@pytest.mark.parametrize("kind", ["raw", "json", "xml"])
def test_extract(kind: str, tmp_path: Path) -> None:
    level = tmp_path / "in" / "level.dat"
    level.parent.mkdir()
    level.write_bytes(level_with(NAMES, SWING))
    done = extract(level, tmp_path / "deep" / "out", "--as", kind, "--json")
    assert done.returncode == 0, done.stderr
    rows = json.loads(done.stdout)["files"]
    assert len(rows) == len(NAMES)
    made = set(files_anywhere(tmp_path)) - {"in/level.dat"}
    assert made == {str(Path(row["output"]).relative_to(tmp_path)) for row in rows}
    for path in made:
        assert path.startswith("deep/out/OBAN"), path
        assert_good(Path(path).name)
    assert len({path.casefold() for path in made}) == len(NAMES)


def test_extract_keeps_good_names(tmp_path: Path) -> None:
    """They come back through `pack`: only what no file name can hold is written as %XX."""
    longest = b"n" * 239
    level = tmp_path / "level.dat"
    level.write_bytes(level_with([b"Door_A", b"a b.c", b"50%", longest], SWING))
    assert extract(level, tmp_path / "out", "--as", "raw").returncode == 0
    assert {path.name for path in (tmp_path / "out").iterdir()} == {
        *("OBANDoor_A.oban", "OBANa b.c.oban", "OBAN50%25.oban", f"OBAN{longest.decode()}.oban")
    }


def test_extract_writes_all_or_nothing(tmp_path: Path) -> None:
    level = tmp_path / "level.dat"
    level.write_bytes(level_with([b"a", b"b", b"c"], SWING))
    for spoil in ("folder", "link"):
        out = tmp_path / spoil
        out.mkdir()
        if spoil == "folder":
            (out / "OBANb.oni").mkdir()
        else:
            (out / "OBANb.oni").symlink_to(tmp_path / "elsewhere")
        done = extract(level, out)
        assert done.returncode == 1 and "OBANb.oni" in done.stderr and not done.stdout
        assert {path.name for path in out.iterdir()} == {"OBANb.oni"}
    assert not (tmp_path / "elsewhere").exists()


def test_extract_tells_bad_data_from_a_wrong_call(tmp_path: Path) -> None:
    level = tmp_path / "level.dat"
    level.write_bytes(level_with([b"fine", b"odd\xff"], SWING))
    done = extract(level, tmp_path / "out")
    assert done.returncode == 1 and "ASCII" in done.stderr  # a .oni has no such name
    assert not (tmp_path / "out").exists()
    assert extract(level, tmp_path / "out", "nobody").returncode == 2
    assert extract(level, tmp_path / "out", "--as", "fbx").returncode == 2
    cut = tmp_path / "cut.dat"
    cut.write_bytes(level.read_bytes()[:100])
    assert extract(cut, tmp_path / "out").returncode == 1


def test_extract_takes_every_one(tmp_path: Path) -> None:
    """Also one whose name is what another's number makes."""
    level = tmp_path / "level.dat"
    level.write_bytes(level_with([b"x", b"x#2", b"x"], SWING))
    done = extract(level, tmp_path / "out", "--json")
    assert len(json.loads(done.stdout)["files"]) == 3
    assert len(list((tmp_path / "out").iterdir())) == 3
