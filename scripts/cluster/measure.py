#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The figures of docs/scale.md: files a second for each pair of formats, and batches of many files.

scripts/cluster/measure.py --pairs 300        # each pair with 300 files, one job
scripts/cluster/measure.py --files 100000     # .anim to .bvh, one job and two
scripts/cluster/measure.py --blends 1000      # .anim to .blend and back, one Blender and two
scripts/cluster/measure.py --farm 20000       # .anim to .bvh, one worker of the farm and two
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
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
    """Runs `animbridge batch` on a folder."""
    return timed([str(COMMAND), "batch", str(inputs), "--to", target, "--out", str(out), "--quiet", *options])


def timed(words: Sequence[str], **environment: str) -> Run:
    """Runs a program, whose children count."""
    began = time.monotonic()
    with Path(os.devnull).open("wb") as nowhere:
        process = subprocess.Popen(words, stdout=nowhere, stderr=nowhere, env={**os.environ, **environment})
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
    """One job, two jobs, and a resumed run that finds nothing to do; the share of time outside the files."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        copies(INPUTS[".anim"], count, folder / "in")
        for options in (("--jobs", "1"), ("--jobs", "2"), ("--jobs", "2", "--resume")):
            if "--resume" not in options:
                shutil.rmtree(folder / "out", ignore_errors=True)
            report = folder / "report.json"
            run = batch(folder / "in", "bvh", folder / "out", "--report", str(report), *options)
            show(count, " ".join(options), run)
            in_files = seconds_in_files(report) / int(options[1])
            print(
                f"  {100 * (1 - in_files / run.seconds):.1f} % outside reading, converting and writing files"
            )
        ledger = folder / "out" / ".animbridge" / "ledger.jsonl"
        rows = [json.loads(line) for line in ledger.read_text("utf-8").splitlines()]
        print(f"ledger: {len(rows)} lines, {ledger.stat().st_size / 1e6:.1f} MB")


def seconds_in_files(report: Path) -> float:
    """The sum of a report's rows. In another process: the system counts this one's memory to its children."""
    code = "import json, sys; print(sum(row['seconds'] for row in json.load(open(sys.argv[1]))['rows']))"
    return float(subprocess.check_output([sys.executable, "-c", code, str(report)]))


def show(count: int, name: str, run: Run) -> None:
    """A line."""
    print(
        f"{count} files, {name}: {run.seconds:.1f} s, {count / run.seconds:.0f} files/s, "
        f"{run.processor_seconds:.1f} s of processor, {run.megabytes:.1f} MB",
        flush=True,
    )


def print_blends(count: int) -> None:
    """To .blend and back, with one Blender and with two side by side."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        copies(INPUTS[".anim"], count, folder / "in")
        for inputs, target in (("in", "blend"), ("to-blend-2", "anim")):
            for jobs in ("1", "2"):
                words = [str(ROOT / "scripts" / "convert"), str(folder / inputs), "--to", target, "--quiet"]
                words += ["--out", str(folder / f"to-{target}-{jobs}"), "--jobs", jobs]
                show(count, f"to .{target}, --jobs {jobs}", timed(words))


def print_farm(count: int) -> None:
    """The command alone, and the farm with one worker and with two."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        copies(INPUTS[".anim"], count, folder / "in")
        show(count, "--jobs 1", batch(folder / "in", "bvh", folder / "alone", "--jobs", "1"))
        for workers in ("1", "2"):
            words = [sys.executable, "-m", "animbridge.farm", str(folder / "in"), "--to", "bvh", "--out"]
            run = timed(
                [*words, str(folder / f"out-{workers}"), "--workers", workers, "--quiet"],
                PYTHONPATH=str(ROOT / "native" / "python"),
                ANIMBRIDGE_COMMAND=str(COMMAND),
            )
            show(count, f"farm, --workers {workers}", run)


def main() -> None:
    """Prints what is asked for."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--pairs", type=int, default=0, help="files for each pair of formats")
    parser.add_argument("--files", type=int, default=0, help="files of one large batch")
    parser.add_argument("--blends", type=int, default=0, help=".blend files of one batch")
    parser.add_argument("--farm", type=int, default=0, help="files of a batch by the farm")
    given = parser.parse_args()
    if given.pairs:
        print_pairs(given.pairs)
    if given.files:
        print_many(given.files)
    if given.blends:
        print_blends(given.blends)
    if given.farm:
        print_farm(given.farm)


if __name__ == "__main__":
    main()
