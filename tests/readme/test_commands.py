# SPDX-License-Identifier: MIT
"""The commands of README.md and docs/batch.md do what the pages say, typed as they stand there."""

from __future__ import annotations

import json
import re
from pathlib import Path

from readme.shell import DEMO, ROOT, SYSTEM_PATH, Shell, command_lines
from witness import anim_file, bvh_file

README = ROOT / "README.md"
BATCH = ROOT / "docs" / "batch.md"
#: The stage `package` types these, for they need a Blender with the add-on installed.
INSTALLED = "blender --command animbridge "


def relative_stems(folder: Path, suffix: str) -> set[Path]:
    return {path.relative_to(folder).with_suffix("") for path in folder.rglob(f"*{suffix}")}


def check_outputs(shell: Shell, line: str) -> None:
    """Every demo has become a file of the format that the line asks for, and another reader reads it."""
    target = re.search(r"--to (\w+)", line)
    folder = re.search(r"--out (\S+)", line)
    suffix = f".{target[1]}" if target else ".blend"
    out = shell.checkout / (folder[1] if folder else "out")
    assert relative_stems(out, suffix) == relative_stems(DEMO, ".anim") != set(), line
    if suffix == ".blend":
        assert shell.open_blends(out) == len(relative_stems(DEMO, ".anim"))
    for path in out.rglob(f"*{suffix}"):
        if suffix == ".anim":
            assert anim_file.parse(path.read_bytes()).joints
            assert path.read_bytes() == (DEMO / path.relative_to(out)).read_bytes(), "not as it was"
        elif suffix == ".bvh":
            assert bvh_file.parse(path.read_bytes()).joints
    report = re.search(r"--report (\S+)", line)
    if report:
        rows = json.loads((shell.checkout / report[1]).read_text(encoding="utf-8"))["rows"]
        assert [row["status"] for row in rows] == ["ok"] * len(relative_stems(DEMO, ".anim"))


def test_readme(shell: Shell, my_animations: Path) -> None:
    lines = command_lines(README)
    assert lines[0].split("#")[0].split() == ["scripts/convert"], "the page's first command"
    assert lines[1].split("#")[0].split() == ["scripts/test"], (
        "the page's second command; the stage bare runs it"
    )
    conversions = [line for line in lines if line.startswith("scripts/convert")]
    assert len(conversions) == 2
    for line in conversions:
        assert "6 written, 0 failed" in shell.type(line)
        check_outputs(shell, line)


def test_batch_page(shell: Shell, my_animations: Path) -> None:
    lines = [line for line in command_lines(BATCH) if not line.startswith(INSTALLED)]
    assert len(lines) >= 3
    for line in lines:
        assert "6 written, 0 failed" in shell.type(line)
        check_outputs(shell, line)


def test_batch_page_without_blender(shell: Shell, my_animations: Path) -> None:
    said = [
        shell.type(line, path=f"{ROOT}/build/bin:{SYSTEM_PATH}")
        for line in BATCH.read_text(encoding="utf-8").splitlines()
        if line.startswith("animbridge ")
    ]
    assert len(said) == 4
    assert "6 written, 0 failed" in said[0]
    assert "0 written, 0 failed, 0 skipped, 6 current" in said[1]
    written = re.search(r"^(\d) written, 0 failed", said[2], re.MULTILINE)
    assert written and said[3].startswith(f"{written[1]} row")
    assert relative_stems(shell.checkout / "bvh", ".bvh") == relative_stems(DEMO, ".anim")
