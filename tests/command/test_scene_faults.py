# SPDX-License-Identifier: MIT
"""`animbridge` with a stand-in for animbridge-scene that misbehaves: one clear error, nothing written."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest
from material import ROOT

COMMAND = ROOT / "build" / "bin" / "animbridge"
PROGRAM = ROOT / "build" / "bin" / "animbridge-scene"
LIBRARY = ROOT / "build" / "lib" / "libanimbridge.so"
WALK = ROOT / "fixtures" / "scene" / "walk.fbx"
BVH = ROOT / "fixtures" / "walk" / "slides.bvh"


def stand_in(folder: Path, script: str) -> Path:
    """A program that does what the script of the shell says."""
    path = folder / "stand-in"
    path.write_text(f"#!/bin/sh\n{textwrap.dedent(script)}\n", encoding="utf-8")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return path


def run(program: Path, *words: object) -> subprocess.CompletedProcess[str]:
    """The command's answer; the program reads and writes its scenes."""
    environment = {**os.environ, "ANIMBRIDGE_SCENE": str(program)}
    return subprocess.run(
        [str(COMMAND), *map(str, words)],
        check=False,
        capture_output=True,
        encoding="utf-8",
        timeout=60,
        env=environment,
    )


def complaint(program: Path, folder: Path, *words: object, source: Path = WALK) -> str:
    """What the command says when it cannot read a file: one line that names it; no file is written."""
    target = folder / "out" / ("made.bvh" if source == WALK else "made.glb")
    target.parent.mkdir(exist_ok=True)
    target.write_bytes(b"as it was")
    answer = run(program, "convert", source, target, *words)
    assert answer.returncode == 1, answer.stderr
    assert answer.stdout == ""
    lines = answer.stderr.splitlines()
    assert len(lines) == 1, answer.stderr
    assert lines[0].startswith(f"animbridge: {source}: ")
    assert target.read_bytes() == b"as it was"
    assert [path.name for path in target.parent.iterdir()] == [target.name]
    return lines[0]


#: A script, the options of the command, and what the error must say.
FAULTS = {
    "nothing": ("exit 0", (), ("gave what is not a scene", "Nothing was read")),
    "garbage": ("head -c 100000 /dev/zero", (), ("gave what is not a scene", "Nothing was read")),
    "another build": ("printf 'ABscene\\002rest'", (), ("gave what is not a scene",)),
    "cut": ("printf 'ABscene\\001\\004\\000\\000\\000gl'", (), ("gave what is not a scene", "byte")),
    "a huge count": (
        "printf 'ABscene\\001\\377\\377\\377\\377gltf'",
        (),
        ("gave what is not a scene", "loader"),
    ),
    "a reason": (
        "echo 'the keys are upside down' >&2; exit 1",
        (),
        ("reading FBX failed: the keys are upside",),
    ),
    "many reasons": (
        "echo 'the first' >&2; echo 'the second' >&2; exit 1",
        (),
        ("reading FBX failed: the first",),
    ),
    "no reason": ("exit 1", (), ("ended with the status 1", "Nothing was read or written")),
    "a status": ("exit 3", (), ("ended with the status 3", "Nothing was read or written")),
    "a status and noise": ("echo oh >&2; exit 3", (), ("ended with the status 3 and said: oh",)),
    "noise that is no text": (
        "printf '\\377\\033[2Jred\\001' >&2; exit 1",
        (),
        ("reading FBX failed",),
    ),
    "a bad memory access": (
        "kill -s SEGV $$",
        (),
        ("it crashed: a bad memory access (SIGSEGV)", "2048 MiB", "--memory-mib"),
    ),
    "an abort": ("kill -s ABRT $$", ("--memory-mib", 64), ("an abort (SIGABRT)", "64 MiB")),
    "another signal": ("kill -s TERM $$", (), ("it crashed: ", "15")),
    "killed": ("kill -s KILL $$", (), ("--processor-seconds", "120 seconds")),
    "sleep": (
        "exec sleep 100",
        ("--processor-seconds", 1),
        ("longer than the 2 seconds", "--processor-seconds"),
    ),
    "a sleeping child of its own": (
        "sleep 5 & exit 3",
        ("--processor-seconds", 1),
        ("longer than the 2 seconds",),
    ),
    "closed streams": (
        "exec >&- 2>&-; exec sleep 100",
        ("--processor-seconds", 1),
        ("longer than the 2 seconds",),
    ),
    "a flood": ("exec cat /dev/zero", ("--memory-mib", 64), ("larger than the 64 MiB", "--memory-mib")),
    "a flood of noise": ("head -c 3000000 /dev/zero >&2; exit 3", (), ("ended with the status 3",)),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_one_clear_error(fault: str, tmp_path: Path) -> None:
    script, words, wanted = FAULTS[fault]
    text = complaint(stand_in(tmp_path, script), tmp_path, *words)
    for part in wanted:
        assert part in text, text
    assert len(text) < 2000
    assert all(character.isprintable() for character in text), ascii(text)


@pytest.mark.parametrize("fault", ["nothing", "a status", "a bad memory access", "a reason"])
def test_a_fault_while_writing_is_one_clear_error(fault: str, tmp_path: Path) -> None:
    text = complaint(stand_in(tmp_path, FAULTS[fault][0]), tmp_path, source=BVH)
    assert "writing .glb" in text or "does not begin like a scene" in text


def test_noise_of_a_program_that_does_well_is_not_shown(tmp_path: Path) -> None:
    program = stand_in(tmp_path, f'echo noise >&2; exec "{PROGRAM}" "$@"')
    answer = run(program, "info", WALK, "--json")
    assert (answer.returncode, answer.stderr) == (0, "")
    assert answer.stdout == run(PROGRAM, "info", WALK, "--json").stdout


def test_the_program_gets_the_file_and_no_descriptor_but_its_three(tmp_path: Path) -> None:
    program = stand_in(tmp_path, f'ls /proc/self/fd > "{tmp_path}/open"; cat > "{tmp_path}/input"; exit 3')
    with (tmp_path / "other").open("wb") as other:
        os.set_inheritable(other.fileno(), False)
        complaint(program, tmp_path)
    assert (tmp_path / "input").read_bytes() == WALK.read_bytes()
    # `ls` itself opens one more.
    assert len((tmp_path / "open").read_text("utf-8").split()) == 4


@pytest.mark.parametrize("kind", ["absent", "a folder", "no program", "not executable"])
def test_a_missing_program_is_one_clear_error(kind: str, tmp_path: Path) -> None:
    program = tmp_path / "stand-in"
    if kind == "a folder":
        program.mkdir()
    elif kind == "no program":
        program.write_bytes(b"\0\1\2")
        program.chmod(0o755)
    elif kind == "not executable":
        program.write_text("#!/bin/sh\n", encoding="utf-8")
        program.chmod(0o644)
    text = complaint(program, tmp_path)
    assert str(program) in text
    assert "cannot be started" in text


def test_a_lone_command_says_where_the_program_should_be(tmp_path: Path) -> None:
    alone = tmp_path / "bin" / "animbridge"
    alone.parent.mkdir()
    alone.write_bytes(COMMAND.read_bytes())
    alone.chmod(0o755)
    environment = {name: value for name, value in os.environ.items() if name != "ANIMBRIDGE_SCENE"}
    answer = subprocess.run(
        [alone, "info", WALK], check=False, capture_output=True, encoding="utf-8", timeout=60, env=environment
    )
    assert answer.returncode == 1
    assert len(answer.stderr.splitlines()) == 1
    for part in (str(WALK), "animbridge-scene", str(alone.parent), "ANIMBRIDGE_SCENE"):
        assert part in answer.stderr
    # All else works.
    assert subprocess.run([alone, "info", BVH], check=False, capture_output=True, timeout=60).returncode == 0


def test_gltf_needs_no_program(tmp_path: Path) -> None:
    gltf = WALK.with_suffix(".glb")
    missing = tmp_path / "not there"
    answer = run(missing, "convert", gltf, tmp_path / "made.bvh")
    assert (answer.returncode, (tmp_path / "made.bvh").exists()) == (0, True), answer.stderr
    told = run(missing, "formats").stdout
    assert "only glTF can be read, and none can be written" in told


def test_the_library_says_the_same_and_leaves_no_zombie(tmp_path: Path) -> None:
    programs = {fault: stand_in_named(tmp_path, fault) for fault in ("nothing", "a status", "an abort")}
    code = textwrap.dedent("""
        import ctypes, json, os, pathlib, sys
        library = ctypes.CDLL(sys.argv[1])
        data = pathlib.Path(sys.argv[2]).read_bytes()
        statuses = []
        for program in sys.argv[3:]:
            os.environ["ANIMBRIDGE_SCENE"] = program
            document = ctypes.c_void_p()
            for _ in range(20):
                statuses.append(library.ab_document_read(
                    data, ctypes.c_size_t(len(data)), None, None, None, ctypes.byref(document), None))
                assert not document.value
        children = pathlib.Path(f"/proc/self/task/{os.getpid()}/children").read_text()
        descriptors = sorted(int(name) for name in os.listdir("/proc/self/fd"))
        print(json.dumps([statuses, children, len(descriptors)]))
    """)
    answer = subprocess.run(
        [sys.executable, "-c", code, LIBRARY, WALK, *programs.values()],
        check=True,
        capture_output=True,
        encoding="utf-8",
        timeout=60,
    )
    statuses, children, descriptors = json.loads(answer.stdout)
    assert len(statuses) == 60
    assert 0 not in statuses
    assert children == ""
    assert descriptors == 4  # the three, and the one that lists them


def stand_in_named(folder: Path, fault: str) -> Path:
    """A stand-in in a folder of its own."""
    own = folder / fault.replace(" ", "_")
    own.mkdir()
    return stand_in(own, FAULTS[fault][0])


@pytest.mark.parametrize("ending", ["glb", "gltf", "fbx", "dae"])
def test_a_full_disk_is_one_clear_error(ending: str, tmp_path: Path) -> None:
    """A link to a device that is always full stands for the disk."""
    full = tmp_path / f"full.{ending}"
    full.symlink_to("/dev/full")
    source = ROOT / "fixtures" / "scene" / ("walk.fbx" if ending != "fbx" else "walk.dae")
    answer = run(PROGRAM, "convert", source, full)
    assert answer.returncode == 1
    assert answer.stderr == f"animbridge: {full}: cannot write: No space left on device\n"
    assert Path("/dev/full").is_char_device()
    assert [path.name for path in tmp_path.iterdir()] == [full.name]


def test_a_batch_reads_a_file_of_several_animations_once(tmp_path: Path) -> None:
    starts = tmp_path / "starts"
    program = stand_in(tmp_path, f'echo "$1" >> "{starts}"\nexec "{PROGRAM}" "$@"')
    answer = run(
        program, "batch", WALK.with_name("several_animations.fbx"), "--to", "bvh", "--out", tmp_path / "out"
    )
    assert answer.returncode == 0, answer.stdout
    assert len(list((tmp_path / "out").glob("*.bvh"))) == 3
    assert starts.read_text(encoding="utf-8").split().count("read") == 1
