# SPDX-License-Identifier: MIT
"""The program animbridge-scene as its caller sees it: exit codes, limits, hostile and foreign files."""

from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Final

#: Of Assimp's models, which loader reads what; other extensions are not scenes.
LOADERS: Final = {
    "3d": "3d", "3ds": "3ds", "prj": "3ds", "3mf": "3mf", "ac": "ac", "acc": "ac", "amf": "amf",
    "ase": "ase", "b3d": "b3d", "blend": "blend", "bvh": "bvh", "cob": "cob", "csm": "csm", "dae": "collada",
    "zae": "collada", "dxf": "dxf", "fbx": "fbx", "glb": "gltf1", "gltf": "gltf1", "hmp": "hmp", "ifc": "ifc",
    "iqm": "iqm", "irr": "irr", "irrmesh": "irrmesh", "lwo": "lwo", "lxo": "lwo", "lws": "lws", "md2": "md2",
    "md3": "md3", "md5mesh": "md5", "mdc": "mdc", "mdl": "mdl", "ms3d": "ms3d", "nff": "nff", "ndo": "ndo",
    "obj": "obj", "off": "off", "ogex": "ogex", "ply": "ply", "pmx": "pmx", "q3o": "q3o", "q3s": "q3o",
    "raw": "raw", "sib": "sib", "smd": "smd", "stl": "stl", "ter": "ter", "uc": "3d", "x": "x", "x3d": "x3d",
    "xgl": "xgl", "zgl": "xgl",
}  # fmt: skip
MEMORY_MIB: Final = 1024
CPU_SECONDS: Final = 30


@dataclass
class End:
    """How one run ended."""

    code: int
    output: bytes
    words: str
    seconds: float


def call(child: Path, *words: str | Path, file: Path | None = None) -> End:
    """Runs the program as the library does, with `file` on its standard input."""
    started = time.monotonic()
    with (file or Path(os.devnull)).open("rb") as stream:
        done = subprocess.run(
            [child, *words], stdin=stream, capture_output=True, timeout=CPU_SECONDS * 4, check=False
        )
    return End(
        done.returncode, done.stdout, done.stderr.decode("utf-8", "replace"), time.monotonic() - started
    )


def read(child: Path, loader: str, file: Path, *more: str | Path, memory_mib: int = MEMORY_MIB) -> End:
    limits = ("--memory-mib", str(memory_mib), "--cpu-seconds", str(CPU_SECONDS))
    return call(child, "read", "--loader", loader, "--name", file.name, *limits, *more, file=file)


def demand(condition: object, what: str) -> None:
    if not condition:
        raise SystemExit(f"FAILED: {what}")


def is_plain_error(end: End) -> bool:
    """One line that says why, nothing on standard output."""
    return end.code == 1 and not end.output and end.words.count("\n") == 1 and len(end.words) > 5


def has_crashed(end: End) -> bool:
    """By a signal; or in Assimp's own code, where a sanitizer reports that and ends the program.

    Where the stack overflows in the sanitizer's own code, which Assimp called, the report has no stack.
    """
    is_theirs = "libassimp" in end.words or ("stack-overflow" in end.words and "<empty stack>" in end.words)
    return end.code < 0 or ("AddressSanitizer" in end.words and is_theirs)


def try_commands(child: Path) -> None:
    formats = json.loads(call(child, "formats").output)
    demand({"assimp", "ufbx", "reads", "writes"} <= set(formats), "formats lacks a member")
    demand({"fbx", "collada"} <= set(formats["reads"]), "formats does not read FBX and COLLADA")
    print(f"Assimp {formats['assimp']}, ufbx {formats['ufbx']}")
    for line in ("", "fly", "read", "read --loader", "read --loader nonsense", "read --colour red",
                 "read --loader fbx --memory-mib much"):  # fmt: skip
        words = line.split()
        demand(is_plain_error(call(child, *words)), f"no plain error: {words}")


def try_side_files(child: Path, fixtures: Path) -> None:
    """Only files of the folder, and none without one: MD5 has its motion in a file beside the mesh."""
    mesh = fixtures / "scene" / "arm.md5mesh"
    whole = read(child, "md5", mesh, "--folder", mesh.parent)
    alone = read(child, "md5", mesh)
    demand(whole.code == 0 and alone.code == 0, f"MD5 is not read: {whole.words} {alone.words}")
    demand(len(whole.output) > len(alone.output), "the motion beside is not read")
    with tempfile.TemporaryDirectory() as name:
        inner = Path(name) / "inner"
        inner.mkdir()
        copy = inner / mesh.name
        copy.write_bytes(mesh.read_bytes())
        motion = mesh.with_suffix(".md5anim")
        without = read(child, "md5", copy, "--folder", inner)
        (inner / motion.name).symlink_to(motion)
        demand(read(child, "md5", copy, "--folder", inner).output == without.output, "a link leads outside")
        (inner / motion.name).unlink()
        (inner / motion.name).write_bytes(motion.read_bytes())
        demand(read(child, "md5", copy, "--folder", inner).output == whole.output, "the copy is not read")


ONE_JOINT: Final = "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\n%sEnd Site\n{\nOFFSET 0 0 0\n}\n}\nMOTION\n%s"
MOVES: Final = "CHANNELS 3 Xposition Yposition Zposition\n"
#: Files that hurt Assimp's own reader of BVH, which only a caller that names it gets: guides/native.md, 1.4.
PROBES: Final = {
    "deep": "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\n" + "JOINT b\n{\nOFFSET 0 0 0\n" * 200_000,
    "late_channels": "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\n"
    + "JOINT b\n{\nOFFSET 0 0 0\nCHANNELS 0\n}\n" * 60
    + f"{MOVES}}}\nMOTION\nFrames: 1\nFrame Time: 0.1\n1 2 3\n",
    "four_billion_frames": ONE_JOINT % ("", "Frames: 4000000000\nFrame Time: 0.1\n"),
    "negative_frames": ONE_JOINT % ("", "Frames: -5\nFrame Time: 0.1\n"),
    "no_frames": ONE_JOINT % (MOVES, "Frames: 0\nFrame Time: 0.1\n"),
    "no_frame_time": ONE_JOINT % (MOVES, "Frames: 2\nFrame Time: 0\n1 2 3\n1 2 3\n"),
    "nan_frame_time": ONE_JOINT % (MOVES, "Frames: 2\nFrame Time: nan\n1 2 3\n1 2 3\n"),
    "odd_numbers": ONE_JOINT % (MOVES, "Frames: 2\nFrame Time: 0.1\nnan inf 1e400\n1,5 0x10 -inf\n"),
    "long_name": (ONE_JOINT % (MOVES, "Frames: 1\nFrame Time: 0.1\n1 2 3\n")).replace("a", "a" * 5000, 1),
}


def try_probes(child: Path, sanitize: str) -> None:
    """A result, an error in one line, or a crash that stays in the program; its limits hold."""
    if sanitize:
        return
    with tempfile.TemporaryDirectory() as name:
        for probe, text in PROBES.items():
            file = Path(name) / f"{probe}.bvh"
            file.write_text(text, encoding="utf-8")
            end = read(child, "bvh", file)
            how = "read" if end.code == 0 else "error" if is_plain_error(end) else "crash"
            print(f"   {probe}: {how} {end.words.strip()[:80]}")
            demand(how != "crash" or has_crashed(end), f"{probe}: {end.code} {end.words}")


def try_full_disk(child: Path, fixtures: Path) -> None:
    """What cannot be written is an error, and no half of a result that counts as one."""
    walk = fixtures / "scene" / "walk.fbx"
    with walk.open("rb") as stream, Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [child, "read", "--loader", "fbx"],
            stdin=stream,
            stdout=full,
            stderr=subprocess.PIPE,
            check=False,
        )
    words = done.stderr.decode()
    demand(done.returncode == 1 and "can't be written" in words, f"a full disk: {done.returncode} {words}")
    demand("No space left" in words, f"a full disk is not named: {words}")


def try_lone_child(child: Path) -> None:
    """A child whose parent was killed before it could ask for an end with it does not wait for its file."""
    if sys.platform != "linux":
        return
    reads, writes = os.pipe()
    os.close(reads)
    done = subprocess.Popen(
        [child, "read", "--loader", "fbx"], stdin=subprocess.PIPE, stdout=writes, stderr=subprocess.PIPE
    )
    os.close(writes)
    try:
        demand(done.wait(timeout=20) == 1, f"a lone program: {done.returncode}")
    except subprocess.TimeoutExpired:
        done.kill()
        demand(False, "the program waits for a file that nobody gives it, and nobody wants its answer")


def try_limits(child: Path, fixtures: Path, sanitize: str) -> None:
    if sanitize:
        print("sanitizers reserve more addresses than any limit: limits are not tried")
        return
    walk = fixtures / "scene" / "walk.fbx"
    end = read(child, "fbx", walk, memory_mib=64)
    demand(end.code == 0, f"64 MiB are not enough: {end.words}")
    with tempfile.TemporaryDirectory() as name:
        # 102 bytes that ask a BVH reader for 250 million frames: Assimp takes gigabytes.
        bomb = Path(name) / "bomb.bvh"
        bomb.write_text(
            "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nEnd Site\n{\nOFFSET 0 0 0\n}\n}\n"
            "MOTION\nFrames: 250000000\nFrame Time: 0.1\n"
        )
        end = read(child, "bvh", bomb)
        demand(
            is_plain_error(end) and end.seconds < CPU_SECONDS, f"the bomb went off: {end.code} {end.words}"
        )
        demand(f"allowed are {MEMORY_MIB} MiB" in end.words, f"the limit is not named: {end.words}")
        demand(is_plain_error(call(child, "read", "--loader", "fbx")), "an empty input is no error")


def try_fixtures(child: Path, fixtures: Path) -> None:
    """Every fixture of every format: what must be refused is, and the rest is an error or a result."""
    loaders = {
        "gltf": [],  # the library reads it
        "fbx": ["fbx", "fbx_assimp"],
        "collada": ["collada"],
        "x": ["x"],
        "md5": ["md5"],
        "smd": ["smd"],
    }
    for told in sorted((fixtures / "scene").glob("*.expect.json")):
        expected = json.loads(told.read_text(encoding="utf-8"))
        file = told.with_name(expected["file"])
        for loader in loaders[expected["format"]]:
            end = read(child, loader, file, "--folder", file.parent)
            crashed = has_crashed(end)
            if crashed:
                how = signal.Signals(-end.code).name if end.code < 0 else "found by the sanitizer"
                print(f"   contained: {file.name} by {loader}: {how}")
            demand(crashed or end.code == 0 or is_plain_error(end), f"{file.name}: {end.code} {end.words}")
            if expected["outcome"] == "refused":
                demand(end.code != 0, f"{file.name} is read by {loader}, and must be refused")
            if expected["outcome"] == "reads" and loader != "fbx_assimp":
                demand(end.code == 0, f"{file.name} is not read by {loader}: {end.words}")


def try_models(child: Path, models: Path) -> None:
    """Assimp's own test models: the program ends, whatever they do to it."""
    if not models.is_dir():
        print(f"{models} is not there (Debian's assimp-testmodels): not tried")
        return
    table: dict[str, Counter[str]] = {}
    slowest = End(0, b"", "", 0)
    for file in sorted(models.rglob("*")):
        loader = LOADERS.get(file.suffix.lower().removeprefix("."))
        if file.name.lower().endswith(".mesh.xml"):
            loader = "ogre"
        if loader is None or not file.is_file():
            continue
        end = read(child, loader, file, "--folder", file.parent)
        if end.seconds > slowest.seconds:
            slowest = End(end.code, b"", str(file.relative_to(models)), end.seconds)
        result = "read" if end.code == 0 else "error" if is_plain_error(end) else "crash"
        if result == "crash":
            demand(has_crashed(end), f"{file}: exit code {end.code}: {end.words[:300]}")
            print(f"   contained: {file.relative_to(models)}: {end.code} {end.words[:100]}")
        table.setdefault(loader, Counter())[result] += 1
    demand(sum(table.values(), Counter[str]())["read"] > 200, "fewer than 200 models could be read")
    print(f"{'loader':<12}{'read':>6}{'error':>6}{'crash':>6}")
    for loader, counts in [*sorted(table.items()), ("all", sum(table.values(), Counter[str]()))]:
        print(f"{loader:<12}{counts['read']:>6}{counts['error']:>6}{counts['crash']:>6}")
    print(f"slowest: {slowest.words}, {slowest.seconds:.2f} s")


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--child", type=Path, required=True)
    parser.add_argument("--fixtures", type=Path, required=True)
    parser.add_argument("--models", type=Path, required=True)
    parser.add_argument("--sanitize", default="")
    given = parser.parse_args()
    try_commands(given.child)
    try_side_files(given.child, given.fixtures)
    try_limits(given.child, given.fixtures, given.sanitize)
    try_probes(given.child, given.sanitize)
    try_full_disk(given.child, given.fixtures)
    try_lone_child(given.child)
    try_fixtures(given.child, given.fixtures)
    try_models(given.child, given.models)
    return 0


if __name__ == "__main__":
    sys.exit(main())
