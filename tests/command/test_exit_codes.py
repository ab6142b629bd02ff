# SPDX-License-Identifier: MIT
"""The table of exit codes in docs/command.md: each row of it happens, and no row is missing."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
from pathlib import Path

from batch_programs import COMMAND
from material import ROOT

SL_ANIM = ROOT / "fixtures" / "sl_anim"
DEMO = ROOT / "fixtures" / "demo"
OBAN = ROOT / "fixtures" / "oban"
WALK = DEMO / "walk.anim"
#: By the witness: what the viewer refuses, and what it changes.
REFUSED = SL_ANIM / "name_m_screen.anim"
ALTERED = SL_ANIM / "base_priority_7.anim"
BROKEN = SL_ANIM / "cut_in_keys.anim"


def code_of(*words: object) -> int:
    return subprocess.run([COMMAND, *map(str, words)], capture_output=True, check=False).returncode


def stopped_code(folder: Path, number: signal.Signals) -> int:
    """Of a batch that gets the signal after its first line."""
    (folder / "many").mkdir(exist_ok=True)
    for i in range(800):
        target = folder / "many" / f"{i}{'x' * 200}.anim"
        if not target.exists():
            os.link(shutil.copy(WALK, folder / "walk.anim"), target)
    words = [COMMAND, "batch", folder / "many", "--to", "json", "--out", folder / number.name]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
        assert process.stdout
        process.stdout.readline()
        process.send_signal(number)
        process.communicate(timeout=120)
    return process.returncode


def conflicting_ledgers(folder: Path) -> list[Path]:
    """Two, each with another input of one output."""
    ledgers: list[Path] = []
    for path in ("walk.anim", "walk.fbx"):
        code_of("batch", WALK, "--to", "bvh", "--out", folder / path)
        ledger = folder / path / ".animbridge" / "ledger.jsonl"
        ledger.write_text(json.dumps({**json.loads(ledger.read_text()), "path": path}) + "\n")
        ledgers.append(ledger)
    return ledgers


def test_the_table_of_exit_codes(tmp_path: Path) -> None:
    out, one = tmp_path / "out", tmp_path / "one.anim"
    found = [
        ("0", "any", code_of("check", WALK)),
        ("0", "any", code_of("check", ALTERED, "--fail-on", "rejected")),
        ("0", "any", code_of("convert", WALK, tmp_path / "walk.json")),
        ("0", "any", code_of("batch", WALK, ALTERED, "--to", "anim", "--out", out)),
        ("0", "any", code_of("batch", REFUSED, "--to", "anim", "--out", out, "--fail-on", "never")),
        ("1", "any", code_of("info", BROKEN)),
        ("1", "any", code_of("convert", BROKEN, one)),
        ("1", "any", code_of("convert", WALK, tmp_path / "none" / "walk.json")),
        ("1", "`check`", code_of("check", ALTERED)),
        ("1", "`compare`", code_of("compare", WALK, DEMO / "wave.anim")),
        ("1", "`batch`", code_of("batch", BROKEN, WALK, "--to", "anim", "--out", out)),
        ("1", "`batch`", code_of("batch", OBAN / "door.oban", "--to", "anim", "--out", out)),
        ("1", "`batch`", code_of("batch", REFUSED, WALK, "--to", "anim", "--out", out)),
        ("1", "`batch`", code_of("batch", ALTERED, "--to", "anim", "--out", out, "--fail-on", "altered")),
        (
            "1",
            "`batch-merge`",
            code_of("batch-merge", *conflicting_ledgers(tmp_path), "--out", tmp_path / "l"),
        ),
        ("2", "any", code_of("convert", WALK)),
        ("2", "any", code_of("batch", WALK, "--to", "mp4", "--out", out)),
        ("2", "any", code_of("convert", f"{OBAN}/level_pc.dat#nobody", tmp_path / "x.oni")),
        ("3", "`convert`", code_of("convert", REFUSED, one)),
        ("3", "`edit`", code_of("edit", WALK, one, "--hand-pose", "15")),
        ("130", "`batch`", stopped_code(tmp_path, signal.SIGINT)),
        ("143", "`batch`", stopped_code(tmp_path, signal.SIGTERM)),
    ]
    assert [row for row in found if row[0] != str(row[2])] == []
    text = (ROOT / "docs" / "command.md").read_text(encoding="utf-8").partition("## Exit codes")[2]
    rows = re.findall(r"^\| (\d+) \| (.*?) \|", text.partition("\n## ")[0], re.M)
    assert {(code, command) for code, commands in rows for command in commands.split(", ")} == {
        row[:2] for row in found
    }
