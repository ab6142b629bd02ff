# SPDX-License-Identifier: MIT
"""How exact the repair of a lost W is: the table of docs/how-we-know.md, in the style of spec 5.3.

python3 -m tests.witness.mrtk_repair_figures [COMMAND] prints it. COMMAND is the animbridge to measure,
build/bin/animbridge by default.

The recordings are made up (cases/mrtk_motion.py), for five seconds, with a person who faces forward or
backward; recorded as MRTK 2.6.0 does, with its default partitions or with none. The truth are
samples of the motion, up to the last key of the file. All joints count, the camera does not.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Final

from . import mrtk_repair
from .cases import mrtk_motion
from .mrtk_file import Recording, parse, write
from .mrtk_recorder import Take, cut_after, record

ROOT: Final = Path(__file__).resolve().parents[2]
COMMAND: Final = ROOT / "build" / "bin" / "animbridge"
#: Frames of five seconds; of which every fifth is measured.
SAMPLES: Final = 300
MEASURED: Final = 5
#: Title, where the person faces in degrees, partition.
RECORDINGS: Final = (
    ("faces forward, partitions of 32", 0.0, 32),
    ("faces backward, partitions of 32", 180.0, 32),
    ("faces backward, whole curves", 180.0, 0),
)


def repaired(command: Path, damaged: Recording) -> Recording:
    """What the command makes of a recording."""
    with tempfile.TemporaryDirectory() as folder:
        source, target = Path(folder) / "damaged.bin", Path(folder) / "repaired.bin"
        source.write_bytes(write(damaged))
        subprocess.run(
            [command, "edit", source, target, "--repair-rotation-w"], check=True, capture_output=True
        )
        return parse(target.read_bytes())


def truth_of(take: Take, made: Recording) -> Recording:
    """A key for each measured sample, up to the last key of each curve of the file."""
    whole = record(take)
    ends = {name: max(curve.times(), default=0.0) for name, curve in made.curves.items()}
    # W ends where its X does.
    ends |= {name: ends[name[:-1] + "x"] for name in ends if name.endswith(".rotation.w")}
    curves = {name: cut_after(curve, ends[name]) for name, curve in whole.curves.items()}
    return replace(whole, curves={name: replace(c, keys=c.keys[::MEASURED]) for name, c in curves.items()})


def rows_of(command: Path, take: Take, partition: int) -> list[tuple[str, mrtk_repair.Errors]]:
    """The errors of each way to play the recording."""
    undamaged, damaged = (record(take, None, partition, loses_w) for loses_w in (False, True))
    truth = truth_of(take, undamaged)
    owners = mrtk_repair.joint_owners(truth)
    ways = (
        ("damaged, as MRTK plays it", damaged),
        ("continuity only (witness)", mrtk_repair.with_w(damaged, mrtk_repair.CONTINUITY)),
        ("all rules, by the witness", mrtk_repair.with_w(damaged)),
        ("**all rules, by AnimBridge**", repaired(command, damaged)),
        ("undamaged", undamaged),
    )
    return [(title, mrtk_repair.errors(truth, made, owners)) for title, made in ways]


def lines_of(command: Path, title: str, facing: float, partition: int) -> list[str]:
    """The table's lines of one recording."""
    rows = rows_of(command, mrtk_motion.take(SAMPLES, facing=facing), partition)
    return [f"| {title} | {way} | " + " | ".join(f"{d:.2f}" for d in found) + " |" for way, found in rows]


def table(command: Path = COMMAND) -> str:
    """The table, in Markdown."""
    lines = ["| recording | playback | mean | median | 95 % | largest |", "|---|---|---|---|---|---|"]
    for recording in RECORDINGS:
        lines += lines_of(command, *recording)
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    print(table(Path(sys.argv[1]) if len(sys.argv) > 1 else COMMAND), end="")
