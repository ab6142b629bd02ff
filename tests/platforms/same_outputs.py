# SPDX-License-Identifier: MIT
"""Whether the command of another system answers as this machine's own does: exit codes, streams and files.

tests/platforms/same_outputs.py --own build/bin/animbridge --every 8 -- wine .../animbridge.exe

Takes every Nth fixture. Calls both commands in folders of their own, with the same words, and compares every
byte. Only numbers of FBX scenes in JSON may differ, by the last digit: sines of two C libraries do. Written
scenes name the version of Assimp, which is another one here; their other bytes are the same. Those of FBX are
not compared: that version lays some parts of the file out in another order.
"""

from __future__ import annotations

import argparse
import concurrent.futures
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Final, NamedTuple

ROOT: Final = Path(__file__).resolve().parents[2]
#: What each file is asked; "IN" is the file. Targets that it cannot become answer with their errors.
QUESTIONS: Final = (
    ("info", "IN", "--json"),
    ("check", "IN", "--json"),
    ("pose", "IN", "--json", "--time", "0.3"),
    ("convert", "IN", "out.json"),
    ("convert", "IN", "out.anim"),
    ("convert", "IN", "out.bvh"),
    ("convert", "IN", "out.oban"),
    ("convert", "IN", "out.bin"),
    ("convert", "IN", "out.glb"),
    ("convert", "IN", "out.gltf"),
    ("convert", "IN", "out.dae"),
    ("convert", "IN", "out.fbx"),
    ("rig", "IN", "--json"),
)
FOLDERS: Final = ("demo", "sl_anim", "bvh", "oban", "mrtk", "walk", "scene")
EXTENSIONS: Final = frozenset(
    {
        *(".anim", ".bvh", ".oban", ".oni", ".dat", ".xml", ".bin"),
        *(".fbx", ".glb", ".gltf", ".vrm", ".vrma", ".dae", ".x", ".smd", ".md5mesh"),
    }
)
#: What numbers may differ by, for their size and at least for 1.
NEAR: Final = 1e-15


class Answer(NamedTuple):
    """What one call gave."""

    exit_code: int
    output: bytes
    errors: bytes
    files: dict[str, bytes]


def answer(command: list[str], fixture: Path, question: tuple[str, ...]) -> Answer:
    """Calls the command in an empty folder that holds the fixture under its own name."""
    with tempfile.TemporaryDirectory() as folder:
        name = fixture.name
        shutil.copy(fixture, folder)
        words = [name if word == "IN" else word for word in question]
        done = subprocess.run(
            [*command, *words],
            cwd=folder,
            capture_output=True,
            timeout=120,
            check=False,
            env={**os.environ, "WINEDEBUG": "-all"},
        )
        files = {path.name: written(path) for path in Path(folder).iterdir() if path.name != name}
        return Answer(done.returncode, without_version(done.stdout), done.stderr, files)


def written(path: Path) -> bytes:
    """What is compared of a written file."""
    data = path.read_bytes()
    if data.startswith(b"Kaydara FBX Binary"):
        return b"an FBX file"
    return without_version(data)


def without_version(text: bytes) -> bytes:
    """Scenes and what is said of them name the version of Assimp, which is another one there."""
    return re.sub(rb"Assimp \d\.\d\.\d", b"Assimp", text)


def are_near(a: object, b: object) -> bool:
    """Whether two JSON values differ in the last digits of numbers alone."""
    if isinstance(a, float) and isinstance(b, float):
        return abs(a - b) <= NEAR * max(1.0, abs(a))
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(map(are_near, a, b))
    if isinstance(a, dict) and isinstance(b, dict):
        return list(a) == list(b) and all(are_near(a[key], b[key]) for key in a)
    return type(a) is type(b) and a == b


def with_near_json(own: Answer, other: Answer) -> Answer:
    """The other's answer, with our JSON in place of its own where that is near."""
    files = {
        name: own.files[name]
        if name.endswith(".json")
        and name in own.files
        and are_near(json.loads(own.files[name]), json.loads(data))
        else data
        for name, data in other.files.items()
    }
    return other._replace(files=files)


def difference(own: Answer, other: Answer) -> str:
    """The first thing in which they differ; empty if nothing does."""
    for what in Answer._fields:
        a, b = getattr(own, what), getattr(other, what)
        if a != b:
            shown = (sorted(a), sorted(b)) if isinstance(a, dict) and a.keys() != b.keys() else (a, b)
            errors = "" if what == "errors" else f" (errors there: {other.errors[:600]!r})"
            return f"{what}: {str(shown[0])[:600]} here, {str(shown[1])[:600]} there{errors}"
    return ""


def fixtures(every: int) -> list[Path]:
    """Every Nth file of each folder, in the order of their names."""
    found: list[Path] = []
    for folder in FOLDERS:
        paths = sorted(p for p in (ROOT / "fixtures" / folder).rglob("*") if p.suffix in EXTENSIONS)
        found += paths[::every]
    return found


def main() -> int:
    """Prints what differs and a line of counts; the exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--own", type=Path, required=True, help="this machine's command")
    parser.add_argument("--every", type=int, default=8, help="take every Nth fixture")
    parser.add_argument("--leave-out", action="append", default=[], metavar="NAME", help="of a fixture")
    parser.add_argument("command", nargs="+", help="the other command, with what runs it")
    given = parser.parse_args()
    own = [str(given.own.resolve())]
    chosen = [path for path in fixtures(given.every) if path.name not in given.leave_out]
    calls = [(path, question) for path in chosen for question in QUESTIONS]

    def compared(call: tuple[Path, tuple[str, ...]]) -> str:
        here, there = answer(own, *call), answer(given.command, *call)
        return difference(here, with_near_json(here, there) if call[0].suffix == ".fbx" else there)

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        differences = list(pool.map(compared, calls))
    failed = 0
    for (path, question), text in zip(calls, differences, strict=True):
        if text:
            failed += 1
            print(f"{path.relative_to(ROOT)}: {' '.join(question)}: {text}")
    print(f"{len(calls) - failed} passed, {failed} failed")
    return 1 if failed or not calls else 0


if __name__ == "__main__":
    sys.exit(main())
