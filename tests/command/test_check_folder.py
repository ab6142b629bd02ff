# SPDX-License-Identifier: MIT
"""`animbridge check` and `fix` of a folder: every file, what files do to each other, and a table."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest
from batch_programs import COMMAND
from material import ROOT
from tests.witness import anim_file
from tests.witness.anim_file import AnimFile
from tests.witness.cases.build import joint
from tests.witness.cases.content import loop, offset, once, spin

GOOD = spin("mChest", 1, (0, 0), (0.5, 20), (1, 0))


def checked(*words: object, code: int) -> dict[str, Any]:
    """The JSON report."""
    call = [COMMAND, "check", "--json", *map(str, words)]
    done = subprocess.run(call, capture_output=True, text=True, check=False)
    assert done.returncode == code, done.stderr
    return json.loads(done.stdout)


def found(report: dict[str, Any], name: str) -> dict[str, list[str]]:
    """The joints of each finding of a file."""
    (row,) = [row for row in report["files"] if Path(row["file"]).name == name]
    return {finding["id"]: finding["joints"] for finding in row["findings"]}


@pytest.fixture(name="folder")
def _folder(tmp_path: Path) -> Path:
    def put(name: str, anim: AnimFile) -> None:
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(anim_file.write(anim))

    put("a_good.anim", once(GOOD))
    put("b_tail.anim", once(offset("mTail1", (0, 0, 0, 0), (1, 0.05, 0, 0))))
    put("c_wags.anim", once(spin("mTail1", 2, (0, 0), (0.5, 20), (1, 0))))
    put("sub/d_puts_back.anim", once(offset("mTail1", (0, 0, 0, 0.05), (1, 0, 0, 0))))
    put("sub/e_refused.anim", once(joint("mScreen", rotation_keys=GOOD.rotation_keys)))
    (tmp_path / "notes.txt").write_text("not an animation")
    (tmp_path / "data.json").write_text("{}")
    return tmp_path


def test_files_do_things_to_each_other(folder: Path) -> None:
    report = checked(folder, code=1)
    assert [Path(row["file"]).name for row in report["files"]] == [
        *("a_good.anim", "b_tail.anim", "c_wags.anim", "d_puts_back.anim", "e_refused.anim")
    ]
    assert found(report, "a_good.anim") == {}
    assert found(report, "c_wags.anim") == {"positions_inherited": ["mTail1"]}
    assert "positions_inherited" not in found(report, "b_tail.anim")
    assert "positions_inherited" not in found(report, "d_puts_back.anim")
    (row,) = [row for row in report["files"] if row["file"].endswith("c_wags.anim")]
    assert row["findings"][0]["found"] == f"50 mm away after {folder / 'b_tail.anim'}"


def test_alone_a_file_has_no_such_finding(folder: Path) -> None:
    report = checked(folder / "c_wags.anim", code=0)
    assert found(report, "c_wags.anim") == {}
    assert "summary" not in report


def test_summary_and_cost(folder: Path) -> None:
    report = checked(folder, "--upload-cost", 10, code=1)
    assert report["summary"] == {
        "files": 5,
        "failed": 0,
        "refused": 1,
        "with_findings": 2,
        "fine": 2,
        "mended": 0,
        "upload_cost": 40,
    }
    done = subprocess.run(
        [COMMAND, "check", folder, "--upload-cost", "10"], capture_output=True, text=True, check=False
    )
    assert (
        done.stdout.splitlines()[-1] == "5 files: 1 would be refused, 2 with findings, 2 fine; upload L$ 40"
    )
    rows = [line for line in done.stdout.splitlines() if " bytes  " in line]
    assert [row.split(" bytes  ")[1] for row in rows] == [
        *("no findings", "1 risky", "1 risky", "no findings", "would be refused: 1 rejected")
    ]


def test_a_file_that_cannot_be_read_is_counted(folder: Path) -> None:
    (folder / "broken.anim").write_bytes(b"\1\0\0\0abc")
    report = checked(folder, code=1)
    assert report["summary"]["failed"] == 1
    assert report["summary"]["files"] == 6


def test_strong_stands_and_hands(tmp_path: Path) -> None:
    stand = once(GOOD, base_priority=4)
    pelvis = spin("mPelvis", 2, (0, 0), (1, 5))
    arm = spin("mShoulderLeft", 0, (0, 0), (1, 5))
    fist = spin("mHandThumb1Left", 0, (0, 0), (1, 30), priority=5)
    (tmp_path / "stand.anim").write_bytes(anim_file.write(stand))
    (tmp_path / "hands.anim").write_bytes(anim_file.write(once(pelvis, arm, fist, base_priority=3)))
    (tmp_path / "fist.anim").write_bytes(anim_file.write(once(fist, base_priority=3)))
    report = checked(tmp_path, "--purpose", "stand", "--level", "strict", "--fail-on", "rejected", code=0)
    assert found(report, "stand.anim")["stand_too_strong"] == ["mChest"]
    assert found(report, "hands.anim")["hands_too_strong"] == ["mHandThumb1Left"]
    assert "stand_too_strong" not in found(report, "hands.anim")
    assert "hands_too_strong" not in found(report, "fist.anim")
    mended = fixed(tmp_path, tmp_path.with_name("mended"), "--purpose", "stand")
    assert found(mended, "stand.anim")["stand_too_strong"] == ["mChest"]
    plain = checked(tmp_path, code=0)
    assert not any(
        "too_strong" in name for row in plain["files"] for name in found(plain, Path(row["file"]).name)
    )


def test_an_empty_folder(tmp_path: Path) -> None:
    done = subprocess.run([COMMAND, "check", tmp_path], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "contains no animation" in done.stderr


def fixed(*words: object, code: int = 0) -> dict[str, Any]:
    """The JSON report of `fix`."""
    call = [COMMAND, "fix", "--json", *map(str, words)]
    done = subprocess.run(call, capture_output=True, text=True, check=False)
    assert done.returncode == code, done.stderr
    return json.loads(done.stdout) if code == 0 else {}


def test_a_folder_is_mended(folder: Path) -> None:
    jumps = loop(spin("mHead", 1, (0, 0), (0.3, 0.3), (0.5, 20), (0.7, 5), (1, 4)))
    (folder / "sub" / "f_jumps.anim").write_bytes(anim_file.write(jumps))
    report = fixed(folder, folder / "out", "--upload-cost", 10)
    assert sorted(path.relative_to(folder / "out") for path in (folder / "out").rglob("*.anim")) == sorted(
        Path(row["file"]).relative_to(folder) for row in report["files"]
    )
    by_name = {Path(row["file"]).name: row for row in report["files"]}
    assert [mend["rule"] for mend in by_name["f_jumps.anim"]["mended"]] == ["loop_jumps"]
    assert (folder / "out" / "a_good.anim").read_bytes() == (folder / "a_good.anim").read_bytes()
    assert report["summary"]["files"] == 6
    assert report["summary"]["refused"] == 1
    whole = [row for row in report["files"] if row["mended"] and not row["findings"]]
    assert report["summary"]["mended"] == len(whole) >= 1
    assert report["summary"]["upload_cost"] == 50
    # What was written is no input of the next run.
    again = fixed(folder, folder / "out")
    assert again["summary"]["files"] == 6
    after = checked(folder / "out", "--fail-on", "never", code=0)
    assert "loop_jumps" not in found(after, "f_jumps.anim")
    # What is left is what a check of the new folder finds, also of the files together.
    for row in after["files"]:
        name = Path(row["file"]).name
        assert found(again, name) == found(after, name)


def test_files_of_other_formats_are_copied(folder: Path) -> None:
    source = ROOT / "fixtures" / "bvh" / "dialects" / "alone.bvh"
    (folder / "g.bvh").write_bytes(source.read_bytes())
    report = fixed(folder, folder / "out")
    (row,) = [row for row in report["files"] if row["file"].endswith("g.bvh")]
    assert "error" not in row
    assert row["mended"] == []
    assert (folder / "out" / "g.bvh").read_bytes() == source.read_bytes()


def test_nothing_is_written_through_a_link(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    (folder / "out").mkdir()
    (folder / "out" / "sub").symlink_to(elsewhere)
    done = subprocess.run(
        [COMMAND, "fix", folder, folder / "out"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    assert not any(elsewhere.iterdir())
    assert (folder / "out" / "a_good.anim").exists()


def test_a_folder_is_not_replaced(folder: Path) -> None:
    fixed(folder, folder / ".", code=2)
    fixed(folder, folder / "out", "--undeform", folder / "back.anim", code=2)
    fixed(folder / "a_good.anim", folder / "one.anim", "--upload-cost", 10, code=2)
