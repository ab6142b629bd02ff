# SPDX-License-Identifier: MIT
"""Pairs from files of five kinds, made by hand, and into a file of ours."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest
from helpers import operators, refused, reported
from retarget_support import bento_names, bento_rig, choose, mixamo_names, mixamo_rig, settings

ARM = {"mixamorig:LeftArm": "mShoulderLeft", "mixamorig:LeftForeArm": "mElbowLeft"}


@pytest.fixture
def rigs() -> tuple[Any, Any]:
    """Source and target, chosen."""
    source, target = mixamo_rig(), bento_rig()
    choose(source, target)
    return source, target


def load(folder: Path, text: str, name: str = "map.json") -> list[tuple[str, str, str]]:
    """Loads a file with this text; the list as (slot, source, target)."""
    path = folder / name
    path.write_text(text, encoding="utf-8")
    assert operators.animbridge.retarget_load(filepath=str(path)) == {"FINISHED"}
    return [(pair.slot, pair.source, pair.target) for pair in settings().pairs]


@pytest.mark.compat
def test_our_pairs_there_and_back(rigs: tuple[Any, Any], tmp_path: Path) -> None:
    operators.animbridge.retarget_auto()
    settings().pairs[3].is_on = False
    settings().pairs[4].source = "mixamorig:Spine2"
    before = [(pair.slot, pair.source, pair.target, pair.is_on) for pair in settings().pairs]
    path = tmp_path / "pairs.json"
    assert operators.animbridge.retarget_save(filepath=str(path)) == {"FINISHED"}
    operators.animbridge.retarget_clear()
    operators.animbridge.retarget_load(filepath=str(path))
    assert [(pair.slot, pair.source, pair.target, pair.is_on) for pair in settings().pairs] == before
    saved = json.loads(path.read_text(encoding="utf-8"))
    assert saved["animbridge_rig_pair"] == 1
    assert saved["pairs"][3] == {
        "slot": before[3][0],
        "source": before[3][1],
        "target": before[3][2],
        "on": False,
    }


def test_offsets_there_and_back(rigs: tuple[Any, Any], tmp_path: Path) -> None:
    operators.animbridge.retarget_auto()
    settings().pairs[2].offset = [math.radians(degrees) for degrees in (10.0, -20.5, 0.0)]
    path = tmp_path / "pairs.json"
    operators.animbridge.retarget_save(filepath=str(path))
    saved = json.loads(path.read_text(encoding="utf-8"))["pairs"]
    assert [row.get("offset") for row in saved[:4]] == [None, None, [10.0, -20.5, 0.0], None]
    operators.animbridge.retarget_clear()
    operators.animbridge.retarget_load(filepath=str(path))
    assert [math.degrees(angle) for angle in settings().pairs[2].offset] == pytest.approx([10, -20.5, 0])
    assert not any(settings().pairs[3].offset)


def test_offsets_belong_to_the_target(rigs: tuple[Any, Any], tmp_path: Path) -> None:
    """Read the other way round, they would turn bones of another rig."""
    row = {
        "slot": "",
        "source": "mShoulderLeft",
        "target": "mixamorig:LeftArm",
        "on": True,
        "offset": [0, 9, 0],
    }
    found = load(tmp_path, json.dumps({"animbridge_rig_pair": 1, "pairs": [row]}))
    assert found == [("leftUpperArm", "mixamorig:LeftArm", "mShoulderLeft")]
    assert not any(settings().pairs[0].offset)


@pytest.mark.parametrize("offset", [[1, 2], [1, 2, 361], ["1", 2, 3], [True, 0, 0], 5])
def test_a_bad_offset(rigs: tuple[Any, Any], tmp_path: Path, offset: Any) -> None:
    row = {"slot": "", "source": "a", "target": "b", "on": True, "offset": offset}
    path = tmp_path / "map.json"
    path.write_text(json.dumps({"animbridge_rig_pair": 1, "pairs": [row]}), encoding="utf-8")
    with refused("pairs[0].offset"):
        operators.animbridge.retarget_load(filepath=str(path))


def test_keemap(rigs: tuple[Any, Any], tmp_path: Path) -> None:
    rows = [
        {"label": "arm", "SourceBoneName": source, "DestinationBoneName": target, "CorrectionFactorX": 0.0}
        for source, target in ARM.items()
    ]
    found = load(tmp_path, json.dumps({"start_frame_to_apply": 0, "bones": rows}))
    assert found == [
        ("leftUpperArm", "mixamorig:LeftArm", "mShoulderLeft"),
        ("leftLowerArm", "mixamorig:LeftForeArm", "mElbowLeft"),
    ]


def test_onigiri(rigs: tuple[Any, Any], tmp_path: Path) -> None:
    rename = {"mixamorig:LeftArm": "mShoulderLeft", "Tail": "mTail1"}
    text = f"# comment\nversion = 3\nrename = {rename!r}\nreskin = {{}}\n"
    found = load(tmp_path, text, "map.onim")
    assert found == [("leftUpperArm", "mixamorig:LeftArm", "mShoulderLeft"), ("", "Tail", "mTail1")]


def test_onigiri_is_never_run(rigs: tuple[Any, Any], tmp_path: Path) -> None:
    marker = tmp_path / "ran"
    for text in (
        f"rename = open({str(marker)!r}, 'w')",
        f"open({str(marker)!r}, 'w')\nrename = {{'mixamorig:LeftArm': 'mShoulderLeft'}}",
        f"rename = {{'a': str(open({str(marker)!r}, 'w'))}}",
    ):
        path = tmp_path / "map.onim"
        path.write_text(text, encoding="utf-8")
        try:
            operators.animbridge.retarget_load(filepath=str(path))
        except RuntimeError as fault:
            assert "cannot be read" in str(fault)
        assert not marker.exists()


def test_rokoko_names_of_the_target(rigs: tuple[Any, Any], tmp_path: Path) -> None:
    """Lower case, and Rokoko's own words for the parts; what it doesn't name is found."""
    lists = {"leftUpLeg": ["mhipleft"], "hip": ["xx", "mpelvis"], "leftHand": ["mhandmiddle1left"]}
    text = json.dumps({"rokoko_custom_names": True, "version": 1, "bones": lists, "shapes": {}})
    found = {slot: (source, target) for slot, source, target in load(tmp_path, text)}
    assert found["leftUpperLeg"] == ("mixamorig:LeftUpLeg", "mHipLeft")
    assert found["leftHand"] == ("mixamorig:LeftHand", "mHandMiddle1Left")
    assert "leftMiddleProximal" not in found
    assert found["rightFoot"] == ("mixamorig:RightFoot", "mAnkleRight")


def test_the_vrm_add_ons_map(rigs: tuple[Any, Any], tmp_path: Path) -> None:
    found = load(tmp_path, json.dumps({"hips": "mPelvis", "head": "mNeck", "neck": "", "jaw": "mJaw"}))
    pairs = {slot: (source, target) for slot, source, target in found}
    assert pairs["head"] == ("mixamorig:Head", "mNeck")
    assert "neck" not in pairs


def test_a_rig_file_of_the_source(rigs: tuple[Any, Any], tmp_path: Path, capfd: Any) -> None:
    slots = {slot: ["nothing", name] for slot, name in mixamo_names().items()}
    slots["head"] = ["mixamorig:Neck"]
    del slots["neck"]
    reported(capfd)
    found = load(tmp_path, json.dumps({"animbridge_rig": 1, "slots": slots}))
    assert "by its names for 'Walker'" in " ".join(reported(capfd).split())
    pairs = {slot: (source, target) for slot, source, target in found}
    assert pairs["head"] == ("mixamorig:Neck", "mHead")
    assert pairs["leftFoot"] == (mixamo_names()["leftFoot"], bento_names()["leftFoot"])


@pytest.mark.parametrize("kind", ["onim", "json"])
def test_a_file_for_the_other_way_round(rigs: tuple[Any, Any], tmp_path: Path, kind: str, capfd: Any) -> None:
    turned = {target: source for source, target in ARM.items()}
    rows = [{"SourceBoneName": source, "DestinationBoneName": target} for source, target in turned.items()]
    text = f"rename = {turned!r}" if kind == "onim" else json.dumps({"bones": rows})
    reported(capfd)
    found = load(tmp_path, text, f"map.{kind}")
    assert [pair[1:] for pair in found] == list(ARM.items())
    assert "the other way round" in " ".join(reported(capfd).split())


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("{", ("map.json", "valid JSON", "Line 1")),
        ("", ("map.json", "no dictionary named rename", "Onigiri")),
        ("rename = 3", ("rename of the map map.json", "is 3", "a dictionary")),
        ("rename = {'a': 3}", ("has the entry", "names")),
        ("rename = {", ("SyntaxError",)),
        ("rename = " + "(" * 5000, ("cannot be read",)),
        ('{"a": ' + "[" * 100000 + "}", ("map.json",)),
        ("{}", ("none of the layouts", "KeeMap")),
        ('{"bones": {}}', ("none of the layouts",)),
        ('{"bones": [3]}', ("bones[0]", "is 3", "an object")),
        ('{"bones": [{"SourceBoneName": "a"}]}', ("bones[0].DestinationBoneName", "is missing", "text")),
        ('{"animbridge_rig_pair": 2, "pairs": []}', ("animbridge_rig_pair", "is 2", "1")),
        ('{"animbridge_rig_pair": 1}', ("pairs of the map", "is missing", "a list")),
        (
            '{"animbridge_rig_pair": 1, "pairs": [{"slot": "", "source": "a", "target": "b", "on": 1}]}',
            ("pairs[0].on", "is 1", "true or false"),
        ),
        ('{"animbridge_rig": 1, "slots": {"head": "a"}}', ("slots.head", "a list of names")),
        ('{"rokoko_custom_names": true, "bones": {"hip": [1]}}', ("bones.hip", "a list of names")),
        ('{"hips": "nothing"}', ("names no bone of 'Walker' or 'Avatar'",)),
        ("rename = {'a': 'b'}", ("pairs no bone of 'Walker' with one of 'Avatar'",)),
    ],
)
def test_bad_files_are_refused(
    rigs: tuple[Any, Any], tmp_path: Path, text: str, words: tuple[str, ...]
) -> None:
    operators.animbridge.retarget_auto()
    count = len(settings().pairs)
    path = tmp_path / "map.json"
    path.write_text(text, encoding="utf-8")
    with refused(*words):
        operators.animbridge.retarget_load(filepath=str(path))
    assert len(settings().pairs) == count


def test_files_that_cannot_be_read_or_written(rigs: tuple[Any, Any], tmp_path: Path) -> None:
    operators.animbridge.retarget_auto()
    (tmp_path / "bytes.json").write_bytes(b"\xff\xfe{")
    for name in ("bytes.json", "missing.json"):
        with refused(name, "cannot be read"):
            operators.animbridge.retarget_load(filepath=str(tmp_path / name))
    with refused("cannot be written"):
        operators.animbridge.retarget_save(filepath=str(tmp_path / "no" / "folder.json"))
