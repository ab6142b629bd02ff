# SPDX-License-Identifier: MIT
"""Certificates: the witness measures the same errors, and whatever is changed is refused."""

from __future__ import annotations

import hashlib
import json
import subprocess
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from material import ROOT
from scene_motions import run
from tests.witness import certificate as witness

from animbridge.convert import convert_file

DANCE = ROOT / "fixtures" / "demo" / "dance.anim"
SCHEMA = json.loads((ROOT / "docs" / "schemas" / "certificate.schema.json").read_text(encoding="utf-8"))
COARSE = ("--max-error", "3,0.5")


def certified(*words: object, path: Path) -> dict[str, Any]:
    """The certificate that a command writes."""
    answer = run(*words, "--certificate", path)
    assert answer.returncode == 0, answer.stderr
    told: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    jsonschema.validate(told, SCHEMA)
    return told


def check_by_witness(told: dict[str, Any], a: Path, b: Path) -> None:
    """Hashes and spreads. The library rounds the percentile up, by at most 0.8 %, and the viewer's times to
    single precision."""
    for side, path in (("a", a), ("b", b)):
        assert told[side]["sha256"] == hashlib.sha256(path.read_bytes()).hexdigest()
        assert told[side]["name"] == path.name
    spreads = witness.measure(witness.read(a), witness.read(b))
    for member, spread in zip(("position_mm", "rotation_degrees"), spreads, strict=True):
        said = told["comparison"]["errors"][member]
        assert said["worst"] == pytest.approx(spread.worst, rel=2e-4)
        assert said["mean"] == pytest.approx(spread.mean, rel=2e-4)
        assert 0.9999 < said["percentile_99_9"] / spread.percentile_99_9 < 1.0081


@pytest.fixture(name="made")
def made_of_glb(tmp_path: Path) -> tuple[Path, Path, Path]:
    """A GLB, a coarse .anim that was made of it, and their certificate."""
    glb, anim, path = tmp_path / "dance.glb", tmp_path / "dance.anim", tmp_path / "dance.json"
    assert run("convert", DANCE, glb, "--trim", "0.4:1.2").returncode == 0
    certified("convert", glb, anim, *COARSE, path=path)
    return glb, anim, path


def test_the_witness_measures_the_same_between_two_formats(made: tuple[Path, Path, Path]) -> None:
    glb, anim, path = made
    told = json.loads(path.read_text(encoding="utf-8"))
    assert told["comparison"]["by"] == "names"
    assert told["comparison"]["max_position_mm"] > 0.1
    check_by_witness(told, glb, anim)


def test_the_witness_measures_the_same_of_one_format(tmp_path: Path) -> None:
    whole, reduced = tmp_path / "dance.anim", tmp_path / "reduced.anim"
    assert run("edit", DANCE, whole, "--trim", "0.4:1.2").returncode == 0
    told = certified("reduce", whole, reduced, *COARSE, path=tmp_path / "dance.json")
    assert "by" not in told["comparison"]
    check_by_witness(told, whole, reduced)


def test_a_certificate_holds_until_something_changes(made: tuple[Path, Path, Path], tmp_path: Path) -> None:
    glb, anim, path = made
    answer = run("compare", glb, anim, "--against", path)
    assert answer.returncode == 0 and "the certificate holds" in answer.stdout
    other = tmp_path / "other.anim"
    data = bytearray(anim.read_bytes())
    data[-20] ^= 1
    other.write_bytes(data)
    answer = run("compare", glb, other, "--against", path)
    assert answer.returncode == 1
    assert "other.anim" in answer.stderr and hashlib.sha256(data).hexdigest() in answer.stderr


def test_a_changed_number_is_refused(made: tuple[Path, Path, Path], tmp_path: Path) -> None:
    glb, anim, path = made
    told = json.loads(path.read_text(encoding="utf-8"))
    worst = told["comparison"]["errors"]["position_mm"]["worst"]
    forged = tmp_path / "forged.json"

    def answer_with(value: float) -> subprocess.CompletedProcess[str]:
        told["comparison"]["errors"]["position_mm"]["worst"] = value
        forged.write_text(json.dumps(told), encoding="utf-8")
        return run("compare", glb, anim, "--against", forged)

    answer = answer_with(worst - 0.01)
    assert answer.returncode == 1
    assert "comparison.errors.position_mm.worst is" in answer.stderr and "0.01 too little" in answer.stderr
    assert answer_with(worst + 1e-8).returncode == 0
    told["comparison"]["joints"].pop()
    assert answer_with(worst).returncode == 1
    del told["comparison"]["errors"]["times"]
    answer = answer_with(worst)
    assert answer.returncode == 1 and "errors.times is missing" in answer.stderr


def test_a_certificate_says_what_part_it_is_about(tmp_path: Path) -> None:
    anim = tmp_path / "part.anim"
    told = certified("convert", DANCE, anim, "--trim", "0.5:1.5", path=tmp_path / "part.json")
    assert told["a"]["part"] == {"trim": "0.5:1.5"}
    assert told["comparison"]["max_position_mm"] < 0.5
    assert run("compare", DANCE, anim, "--against", tmp_path / "part.json").returncode == 0


def test_a_retargeted_file_is_measured_as_what_was_asked_for(tmp_path: Path) -> None:
    """In place, the body is metres from the path of the input; that is no error."""
    glb, anim, path = tmp_path / "walk.glb", tmp_path / "walk.anim", tmp_path / "walk.json"
    assert run("convert", DANCE.with_name("walk.anim"), glb).returncode == 0
    words = ("--in-place", "--root-scale", "2,1", "--offset", "leftLowerArm=0,0,20")
    told = certified("convert", glb, anim, *words, path=path)
    assert told["retarget"] == {
        "in_place": True,
        "root_scale": "2,1",
        "offsets": {"leftLowerArm": [0, 0, 20]},
    }
    assert told["comparison"]["by"] == "parts"
    assert told["comparison"]["max_position_mm"] < 1 and told["comparison"]["max_rotation_degrees"] < 0.2
    assert run("compare", glb, anim, "--against", path).returncode == 0
    told["retarget"]["offsets"]["leftLowerArm"] = [0, 0, 30]
    path.write_text(json.dumps(told), encoding="utf-8")
    assert run("compare", glb, anim, "--against", path).returncode == 1


def test_a_file_that_is_replaced_is_certified_as_it_was(tmp_path: Path) -> None:
    dance, before = tmp_path / "dance.anim", tmp_path / "before.anim"
    dance.write_bytes(DANCE.read_bytes())
    before.write_bytes(DANCE.read_bytes())
    told = certified("reduce", dance, dance, *COARSE, path=tmp_path / "dance.json")
    assert told["a"]["sha256"] != told["b"]["sha256"]
    assert run("compare", before, dance, "--against", tmp_path / "dance.json").returncode == 0


def test_the_format_that_was_named_is_named_again(tmp_path: Path) -> None:
    path = tmp_path / "dance.json"
    told = certified("convert", DANCE, tmp_path / "dance.glb", "--format", "sl_anim", path=path)
    assert told["a"]["part"] == {"input_format": "sl_anim"}
    assert run("compare", DANCE, tmp_path / "dance.glb", "--against", path).returncode == 0


def test_the_library_makes_the_same_certificate(tmp_path: Path) -> None:
    told = certified("convert", DANCE, tmp_path / "dance.glb", path=tmp_path / "dance.json")
    assert convert_file(DANCE, tmp_path / "dance.glb", certificate=True)["certificate"] == told
    assert "certificate" not in convert_file(DANCE, tmp_path / "dance.glb")


def test_what_is_no_certificate_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    for text in ("{}", "[]", '{"format": "animbridge_certificate", "version": 2, "a": {}}', "x"):
        path.write_text(text, encoding="utf-8")
        answer = run("compare", DANCE, DANCE, "--against", path)
        assert answer.returncode == 1 and "x.json" in answer.stderr


def test_no_certificate_is_written_where_nothing_compares(tmp_path: Path) -> None:
    path = tmp_path / "none" / "x.json"
    answer = run("convert", DANCE, tmp_path / "out.bvh", "--certificate", path)
    assert answer.returncode == 1 and (tmp_path / "out.bvh").exists()


def test_no_file_is_written_over_another_one(tmp_path: Path) -> None:
    glb, anim = tmp_path / "dance.glb", tmp_path / "dance.anim"
    assert run("convert", DANCE, glb).returncode == 0
    before = glb.read_bytes()
    link = tmp_path / "folder"
    link.symlink_to(tmp_path)
    for option, path in (
        ("--certificate", anim),
        ("--certificate", glb),
        ("--report", link / "dance.anim"),
        ("--report", glb),
    ):
        refused = run("convert", glb, anim, option, path)
        assert refused.returncode == 2, (option, path)
        assert "found the same file for" in refused.stderr and option in refused.stderr
        assert glb.read_bytes() == before and not anim.exists()
    assert (
        run(
            "convert", glb, anim, "--report", anim.with_suffix(".r"), "--certificate", anim.with_suffix(".c")
        ).returncode
        == 0
    )
    assert run("reduce", anim, anim, "--certificate", anim).returncode == 2
    assert run("reduce", anim, anim).returncode == 0


def test_what_the_certificate_says_is_not_given_twice(made: tuple[Path, Path, Path]) -> None:
    glb, anim, path = made
    for words in (("--mm", "1"), ("--trim", "0:0.5"), ("--animation", "dance")):
        refused = run("compare", glb, anim, "--against", path, *words)
        assert refused.returncode == 2 and "leave out" in refused.stderr
