# SPDX-License-Identifier: MIT
"""Batches by the command with Blenders like this one, as the installed add-on starts it; or in this one."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from animbridge.batch.command import own_words
from animbridge.batch.options import parse_options
from animbridge.batch.worker import Worker
from animbridge.package import command


def batch(*words: object) -> subprocess.CompletedProcess[str]:
    """The command's answer."""
    blender = [f"--blender={word}" for word in own_words()]
    return subprocess.run(
        [*command.words(), "batch", *map(str, words), *blender],
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
        stdin=subprocess.DEVNULL,
    )


def run(words: list[str]) -> int:
    """The exit code; what the command says is printed here."""
    done = batch(*words)
    sys.stdout.write(done.stdout)
    sys.stderr.write(done.stderr)
    return done.returncode


def convert(*words: object) -> tuple[int, list[dict[str, Any]]]:
    """With a report beside the output folder: the exit code and rows."""
    out = Path(str(words[list(words).index("--out") + 1]))
    report = out.parent / f"{out.name}.report.json"
    code = run([*map(str, words), "--report", str(report)])
    rows = rows_of(report)
    report.unlink()
    return code, rows


def convert_here(*words: object) -> tuple[int, list[dict[str, Any]]]:
    """As convert(), of files and folders, by what a process of the batch calls. Outputs are not moved."""
    first = list(words).index("--to")
    options = parse_options([str(word) for word in words[first:]])
    worker = Worker(options, is_stopped=lambda: False)
    rows: list[dict[str, Any]] = []
    for top in (Path(str(word)) for word in words[:first]):
        for path in sorted(one for one in top.rglob("*") if one.is_file()) if top.is_dir() else [top]:
            place = path.parent.relative_to(top) if top.is_dir() else Path()
            rows += [row.as_json() for row in worker.convert(path, options.out / place) or []]
    return int(any(row["status"] != "ok" for row in rows)), rows


def rows_of(report: Path) -> list[dict[str, Any]]:
    """The report's rows, without the time that each took."""
    rows = json.loads(report.read_text(encoding="utf-8"))["rows"]
    return [{key: value for key, value in row.items() if key != "seconds"} for row in rows]


def files_below(folder: Path) -> dict[str, bytes]:
    """{path below the folder: content}, without the folder of ledgers."""
    paths = [path for path in sorted(folder.rglob("*")) if path.is_file() and ".animbridge" not in path.parts]
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}


def start_of_batch() -> list[str]:
    """The words before the batch's own, as docs/batch.md has them."""
    script = Path(__file__).resolve().parents[2] / "scripts" / "batch_convert.py"
    return [*own_words()[:-2], str(script), "--"]
