# SPDX-License-Identifier: MIT
"""`animbridge batch` with another program in Blender's place, which does what the test wants.

With real Blenders: tests/blender/test_batch_processes.py.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from batch_programs import COMMAND, OWN_FOLDER, files_below
from material import ROOT, demos
from test_batch_command import batch, rows_of

WALK = next(path for path in demos() if path.name == "walk.anim")
#: Writes an output for each input: the words of the input's name, one file each. Some words have a meaning.
FAKE = """
import json, os, signal, sys, time
from pathlib import Path

words = sys.argv[1:]
plan = Path(words[words.index("--planned") + 1])
out = Path(words[words.index("--out") + 1])
ending = "." + words[words.index("--to") + 1]
with open(os.environ["STARTS"], "a") as starts:
    starts.write(f"{words[words.index('--planned') + 2:]}\\n")
if "refuse" in os.environ:
    print("error: unrecognized arguments: --nonsense", file=sys.stderr)
    sys.exit(2)
if "lacks" in os.environ:
    print("Traceback:\\n  a line\\n\\nerror: it needs NumPy.", file=sys.stderr)
    sys.exit(1)
if "slow" in os.environ:
    signal.signal(signal.SIGINT, lambda *_: None)
rows = open(f"{plan}.rows", "w")
for line in plan.read_text().splitlines():
    row = json.loads(line)
    path = Path(row["input"])
    made = []
    if "crash" in path.stem:
        os.kill(os.getpid(), signal.SIGSEGV)
    if "slow" in os.environ:
        time.sleep(0.02)
    for word in path.stem.split():
        folder = out / str(row["place"])
        folder.mkdir(parents=True, exist_ok=True)
        target = folder / f"{word}{ending}"
        target.write_text(f"{path.name} {word}")
        made.append({"input": str(path), "output": str(target), "status": "ok", "error": None, "findings": [],
            "warnings": [], "notes": ["a note"], "conversion": None, "max_rotation_error_degrees": 0.25,
            "max_position_error_mm": 1.5, "bytes_in": 7, "bytes_out": 9, "seconds": 0.5})
        if word == "later":
            made[-1] |= {"status": "failed", "output": None, "error": "no room", "may_work_later": True}
    rows.write(json.dumps({"place": row["place"], "rows": made}) + "\\n")
    rows.flush()
"""


@pytest.fixture
def fake(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The words that start it."""
    script = tmp_path / "fake.py"
    script.write_text(FAKE, encoding="utf-8")
    monkeypatch.setenv("STARTS", str(tmp_path / "starts"))
    return [f"--blender={word}" for word in (sys.executable, script)]


def starts(tmp_path: Path) -> list[str]:
    path = tmp_path / "starts"
    return path.read_text(encoding="utf-8").splitlines() if path.exists() else []


def blends(folder: Path, *names: str) -> Path:
    folder.mkdir(exist_ok=True)
    for name in names:
        (folder / f"{name}.blend").write_bytes(b"BLENDER")
    return folder


@pytest.mark.parametrize("jobs", [1, 2, 3, 7])
def test_outputs_are_reserved_in_the_order_of_inputs(fake: list[str], tmp_path: Path, jobs: int) -> None:
    """Two inputs with one output, of Blender and of the command alike: the first has it, for any N."""
    folder = blends(tmp_path / "in", *(f"clip{n} same{n % 5}" for n in range(20)), "walk only")
    for name in ("walk.anim", "only.anim", "a.anim"):
        shutil.copy(WALK, folder / name)
    report = tmp_path / "report.json"
    done = batch(folder, "--to", "bvh", "--out", tmp_path / "out", *fake, "--jobs", jobs, "--report", report)
    assert done.returncode == 1
    found = files_below(tmp_path / "out")
    owners = {f"same{n}.bvh": next(m for m in sorted(range(20), key=str) if m % 5 == n) for n in range(5)}
    assert {name: found[name] for name in owners} == {
        name: f"clip{n} {name[:-4]}.blend {name[:-4]}".encode() for name, n in owners.items()
    }
    # "only.anim" comes before "walk only.blend", and "walk.anim" after it.
    assert found["only.bvh"].startswith(b"HIERARCHY")
    assert found["walk.bvh"] == b"walk only.blend walk"
    rows = rows_of(report)
    assert [row["input"] for row in rows] == sorted((row["input"] for row in rows), key=lambda p: p.encode())
    good = next(row for row in rows if row["output"] and row["output"].endswith("clip0.bvh"))
    assert (good["max_rotation_error_degrees"], good["notes"]) == (0.25, ["a note"])
    assert good["bytes_out"] == len(b"clip0 same0.blend clip0")
    assert sum("already belongs to" in (row["error"] or "") for row in rows) == 15 + 2
    assert len(starts(tmp_path)) <= jobs
    assert not list((tmp_path / "out" / OWN_FOLDER).glob("work*"))


def test_crash_ends_one_input_alone(fake: list[str], tmp_path: Path) -> None:
    folder = blends(tmp_path / "in", "a", "b crash", "c", "d crash", "e")
    done = batch(folder, "--to", "bvh", "--out", tmp_path / "out", *fake, "--jobs", 1)
    assert done.returncode == 1
    assert set(files_below(tmp_path / "out")) == {"a.bvh", "c.bvh", "e.bvh"}
    assert done.stdout.count("Blender ended after a bad memory access (SIGSEGV)") == 2
    assert "3 written, 2 failed" in done.stdout
    assert len(starts(tmp_path)) == 3


def test_program_that_never_begins_is_not_started_for_each(
    fake: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("refuse", "1")
    folder = blends(tmp_path / "in", *(f"clip{n}" for n in range(30)))
    done = batch(folder, "--to", "bvh", "--out", tmp_path / "out", *fake, "--jobs", 1)
    assert done.returncode == 1
    assert done.stdout.count("unrecognized arguments: --nonsense") == 30
    assert len(starts(tmp_path)) == 1
    ledger = tmp_path / "out" / OWN_FOLDER / "ledger.jsonl"
    assert not ledger.read_bytes()  # the next run tries them again


def test_what_blender_says_is_printed_line_by_line(
    fake: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("lacks", "1")
    folder = blends(tmp_path / "in", "clip")
    done = batch(folder, "--to", "bvh", "--out", tmp_path / "out", *fake)
    assert done.returncode == 1
    said = ("Traceback:", "  a line", "error: it needs NumPy.")
    assert [line for line in done.stderr.splitlines() if line.startswith("animbridge: ")] == [
        f"animbridge: {line}" for line in said
    ]
    assert "with the code 1: error: it needs NumPy.\n" in done.stdout


def test_failure_of_the_file_system_is_tried_again(fake: list[str], tmp_path: Path) -> None:
    """It gets no line in the ledger."""
    folder = blends(tmp_path / "in", "later", "a")
    words = [folder, "--to", "bvh", "--out", tmp_path / "out", *fake]
    assert "1 written, 1 failed" in batch(*words).stdout
    before = len(starts(tmp_path))
    assert "1 current" in batch(*words, "--resume").stdout
    assert len(starts(tmp_path)) == before + 1


def test_many_files_for_each_process(fake: list[str], tmp_path: Path) -> None:
    folder = blends(tmp_path / "in", *(f"clip{n}" for n in range(1000)))
    done = batch(folder, "--to", "bvh", "--out", tmp_path / "out", *fake, "--jobs", 2)
    assert done.returncode == 0 and len(files_below(tmp_path / "out")) == 1000
    assert len(starts(tmp_path)) == 4


def test_resume_starts_nothing_for_what_is_done(fake: list[str], tmp_path: Path) -> None:
    folder = blends(tmp_path / "in", "a", "b")
    words = [folder, "--to", "bvh", "--out", tmp_path / "out", *fake]
    batch(*words, "--facing", "x")
    assert starts(tmp_path)[0].count("'--facing', 'x'") == 1
    assert "0 written, 0 failed, 0 skipped, 2 current" in batch(*words, "--facing", "x", "--resume").stdout
    assert len(starts(tmp_path)) <= 2
    before = len(starts(tmp_path))
    assert "2 written" in batch(*words, "--resume").stdout  # another option
    assert len(starts(tmp_path)) > before
    (tmp_path / "out" / "a.bvh").unlink()
    assert "1 written, 0 failed, 0 skipped, 1 current" in batch(*words, "--resume").stdout


def test_newer_outputs_need_no_blender(fake: list[str], tmp_path: Path) -> None:
    folder = blends(tmp_path / "in")
    for name in ("a.anim", "b.anim"):
        shutil.copy(WALK, folder / name)
    words = [folder, "--to", "blend", "--out", tmp_path / "out", *fake, "--newer"]
    assert "2 written" in batch(*words).stdout
    before = len(starts(tmp_path))
    assert "0 written, 0 failed, 0 skipped, 2 current" in batch(*words).stdout
    assert len(starts(tmp_path)) == before
    os.utime(folder / "b.anim")
    assert "1 written, 0 failed, 0 skipped, 1 current" in batch(*words).stdout
    # Of a .blend file, only Blender knows the outputs: those that are newer stay.
    kept = blends(tmp_path / "kept", "one two")
    batch(kept, "--to", "bvh", "--out", tmp_path / "bvh", *fake)
    os.utime(tmp_path / "bvh" / "one.bvh", (1, 1))
    done = batch(kept, "--to", "bvh", "--out", tmp_path / "bvh", *fake, "--newer")
    assert "1 written, 0 failed, 0 skipped, 1 current" in done.stdout


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_ended_run_is_resumed(
    fake: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: signal.Signals
) -> None:
    monkeypatch.setenv("slow", "1")
    # So many that some are in no hand yet after the first round of Blenders.
    folder = blends(tmp_path / "in", *(f"clip{n}" for n in range(1200)))
    words = [folder, "--to", "bvh", "--out", tmp_path / "out", *fake, "--jobs", "2"]
    with subprocess.Popen(
        [COMMAND, "batch", *map(str, words)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env=dict(os.environ),
        start_new_session=True,
    ) as process:
        deadline = time.monotonic() + 30
        while not list((tmp_path / "out").glob("*.bvh")):
            assert time.monotonic() < deadline
            time.sleep(0.02)
        os.killpg(process.pid, number) if number == signal.SIGKILL else process.send_signal(number)
        assert process.wait(30) == (143 if number == signal.SIGTERM else -number)
    done = len(files_below(tmp_path / "out"))
    assert 0 < done < 1200
    monkeypatch.delenv("slow")
    again = batch(*words, "--resume")
    assert again.returncode == 0
    assert len(files_below(tmp_path / "out")) == 1200
    lines = (tmp_path / "out" / OWN_FOLDER / "ledger.jsonl").read_text(encoding="utf-8").splitlines()
    assert len({json.loads(line)["path"] for line in lines}) == len(lines) == 1200
    assert not list((tmp_path / "out" / OWN_FOLDER).glob("work*"))


def test_options_of_the_child_are_those_of_the_command(fake: list[str], tmp_path: Path) -> None:
    """All that decides what becomes of a file, and nothing of the run."""
    folder = blends(tmp_path / "in", "a")
    words = ["--to", "bvh", "--out", tmp_path / "out", "--level", "strict", "--as-stored", "--digest"]
    batch(folder, *words, "--for", "opensim", "--jobs", 1, "--quiet", "--report", tmp_path / "r.json", *fake)
    (line,) = starts(tmp_path)
    assert "'--level', 'strict', '--as-stored'" in line
    assert not any(
        word in line for word in ("--for", "--jobs", "--quiet", "--report", "--digest", "--blender")
    )
    assert str(ROOT) not in line
