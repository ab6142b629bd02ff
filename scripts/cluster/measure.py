#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The figures of docs/scale.md: files a second for each pair of formats, and batches of many files.

scripts/cluster/measure.py --pairs 300        # each pair with 300 files, one job
scripts/cluster/measure.py --files 100000     # .anim to .bvh, one job and two
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Final, NamedTuple

ROOT: Final = Path(__file__).resolve().parents[2]
COMMAND: Final = ROOT / "build" / "bin" / "animbridge"
FIXTURES: Final = ROOT / "fixtures"
INPUTS: Final = {
    ".anim": FIXTURES / "demo" / "walk.anim",
    ".bvh": FIXTURES / "walk" / "slides.bvh",
    ".glb": FIXTURES / "scene" / "walk.glb",
    ".fbx": FIXTURES / "scene" / "walk.fbx",
}
TARGETS: Final = ("anim", "bvh", "glb", "fbx", "dae", "json")


class Run(NamedTuple):
    """What one batch took."""

    seconds: float
    processor_seconds: float
    megabytes: float  # the largest resident size of one process


def copies(source: Path, count: int, folder: Path) -> None:
    """Files of one content, a thousand in a folder."""
    data = source.read_bytes()
    for i in range(count):
        inner = folder / f"{i // 1000:04}"
        if i % 1000 == 0:
            inner.mkdir(parents=True)
        (inner / f"{i:06}{source.suffix}").write_bytes(data)


def batch(inputs: Path, target: str, out: Path, *options: str) -> Run:
    """Runs the batch in a process of its own, whose children count."""
    words = [str(COMMAND), "batch", str(inputs), "--to", target, "--out", str(out), "--quiet", *options]
    began = time.monotonic()
    with Path(os.devnull).open("wb") as nowhere:
        process = subprocess.Popen(words, stdout=nowhere, stderr=nowhere)
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise SystemExit(f"exit code {process.returncode}: {' '.join(words)}")
    return Run(time.monotonic() - began, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024)


def print_pairs(count: int) -> None:
    """A row for each format that is read, a column for each that is written: files a second of one core."""
    print("| from | size | " + " | ".join(f"to `.{target}`" for target in TARGETS) + " |")
    print("|---|---|" + "---|" * len(TARGETS))
    for suffix, source in INPUTS.items():
        cells: list[str] = []
        for target in TARGETS:
            with tempfile.TemporaryDirectory() as name:
                folder = Path(name)
                copies(source, count, folder / "in")
                options = ("--retarget", "--force") if target == "anim" and suffix != ".anim" else ()
                run = batch(folder / "in", target, folder / "out", "--jobs", "1", *options)
                cells.append(f"{count / run.processor_seconds:.0f}")
        size = f"{source.stat().st_size / 1000:.0f} kB"
        print(f"| `{suffix}` | {size} | " + " | ".join(cells) + " |", flush=True)


def print_many(count: int) -> None:
    """One job, two jobs, and a resumed run that finds nothing to do."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        copies(INPUTS[".anim"], count, folder / "in")
        for options in (("--jobs", "1"), ("--jobs", "2"), ("--jobs", "2", "--resume")):
            if "--resume" not in options:
                shutil.rmtree(folder / "out", ignore_errors=True)
            run = batch(folder / "in", "bvh", folder / "out", *options)
            print(
                f"{count} files, {' '.join(options)}: {run.seconds:.1f} s, "
                f"{count / run.seconds:.0f} files/s, "
                f"{run.processor_seconds:.1f} s of processor, {run.megabytes:.1f} MB",
                flush=True,
            )
        ledger = folder / "out" / ".animbridge" / "ledger.jsonl"
        rows = [json.loads(line) for line in ledger.read_text("utf-8").splitlines()]
        print(f"ledger: {len(rows)} lines, {ledger.stat().st_size / 1e6:.1f} MB")


def main() -> None:
    """Prints what is asked for."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--pairs", type=int, default=0, help="files for each pair of formats")
    parser.add_argument("--files", type=int, default=0, help="files of one large batch")
    given = parser.parse_args()
    if given.pairs:
        print_pairs(given.pairs)
    if given.files:
        print_many(given.files)


if __name__ == "__main__":
    main()
