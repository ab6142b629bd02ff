# SPDX-License-Identifier: MIT
"""Mend and Fix All: the Action as the library mends it, and the user's own one beside it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import bpy
import pytest
from helpers import export_file, import_file, operators, refused, the_action
from tests.witness import anim_file
from tests.witness.cases import content as cases
from window import begin_undo, undo_once, with_undo

from animbridge.package import Document

pytestmark = pytest.mark.compat


@pytest.fixture
def faulty(tmp_path: Path) -> Path:
    """A wrist that flicks away, and an emote that moves the whole body."""
    wrist = cases.spin("mWristLeft", 2, (0, 0), (0.45, 0), (0.5, 60), (0.55, 2), (0.65, 7), (1, 7))
    file = tmp_path / "faulty.anim"
    file.write_bytes(anim_file.write(replace(cases.once(wrist), emote_name=b"Express_Anger")))
    import_file(file)
    return file


def findings() -> dict[str, bool]:
    """Those that the panel lists, and whether each has a button that mends it."""
    return {finding.name: finding.can_mend for finding in the_action().secondlife.findings}


def test_one_finding(faulty: Path, tmp_path: Path) -> None:
    original = the_action()
    operators.animbridge.check()
    assert findings() == {"key_spike": True, "emote_moves_body": True}
    assert operators.animbridge.mend(rule="emote_moves_body") == {"FINISHED"}
    assert the_action().name == "faulty (mended)"
    assert findings() == {"key_spike": True}
    wanted = Document.read(faulty.read_bytes(), "faulty.anim").fix({"only": ["emote_moves_body"]})[0].write()
    assert export_file(tmp_path / "mended.anim") == wanted
    assert original.name == "faulty"
    assert original.use_fake_user


def test_all_findings(faulty: Path, tmp_path: Path) -> None:
    assert operators.animbridge.mend() == {"FINISHED"}
    assert not findings()
    mended = export_file(tmp_path / "mended.anim")
    assert mended == Document.read(faulty.read_bytes(), "faulty.anim").fix()[0].write()
    assert mended != faulty.read_bytes()
    with refused("Nothing was mended"):
        operators.animbridge.mend()


def test_what_cannot_be_mended(tmp_path: Path) -> None:
    file = tmp_path / "knee.anim"
    file.write_bytes(anim_file.write(cases.once(cases.spin("mKneeLeft", 1, (0, 0), (1, -60)))))
    import_file(file)
    operators.animbridge.check()
    assert findings() == {"joint_bends_backwards": False}
    with refused("only you can mend it"):
        operators.animbridge.mend()
    assert the_action().name == "knee"


def test_one_undo(window: None, faulty: Path) -> None:
    begin_undo()
    with_undo(operators.animbridge.mend)
    assert the_action().name == "faulty (mended)"
    undo_once()
    assert [action.name for action in bpy.data.actions] == ["faulty"]
    assert the_action().name == "faulty"
