# SPDX-License-Identifier: MIT
"""The ledger of `animbridge batch`: killed runs, full disks, two runs at once, what changed since."""

from __future__ import annotations

import hashlib
import json
import os
import random
import resource
import shutil
import signal
import subprocess
import time
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from batch_programs import COMMAND, OWN_FOLDER, files_below
from material import ROOT, UNREADABLE, demos
from test_batch_command import batch

WALK = next(path for path in demos() if path.name == "walk.anim")
WAVE = next(path for path in demos() if path.name == "wave.anim")
BROKEN = next(case.path for case in UNREADABLE if case.path.name == "cut_in_keys.anim")
#: A hundred, once, by hand.
KILLS = int(os.environ.get("ANIMBRIDGE_KILLS", "20"))


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """in/walk.anim, in/deep/wave.anim, in/broken.anim"""
    folder = tmp_path / "in"
    (folder / "deep").mkdir(parents=True)
    shutil.copy(WALK, folder / "walk.anim")
    shutil.copy(WAVE, folder / "deep" / "wave.anim")
    shutil.copy(BROKEN, folder / "broken.anim")
    return folder


def ledger_of(out: Path, name: str = "ledger.jsonl") -> list[dict[str, Any]]:
    """The ledger's rows, of which each is a whole line."""
    text = (out / OWN_FOLDER / name).read_text(encoding="utf-8")
    assert text == "" or text.endswith("\n")
    return [json.loads(line) for line in text.splitlines()]


def statuses(out: Path, *words: object) -> dict[str, str]:
    """Runs a batch; what became of each input, by its name."""
    report = out.parent / "report.json"
    batch(*words, "--out", out, "--report", report)
    rows = json.loads(report.read_text(encoding="utf-8"))["rows"]
    return {Path(row["input"]).name: row["status"] for row in rows}


def test_a_row_says_what_an_input_became(tree: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    assert batch(tree, "--to", "bvh", "--out", out).returncode == 1
    rows = {row["path"]: row for row in ledger_of(out)}
    assert set(rows) == {"walk.anim", "deep/wave.anim", "broken.anim"}
    wave = rows["deep/wave.anim"]
    made = (out / "deep" / "wave.bvh").read_bytes()
    assert wave["input"] == str(tree / "deep" / "wave.anim") and wave["status"] == "ok"
    assert wave["size"] == WAVE.stat().st_size
    assert wave["modified"] == (tree / "deep" / "wave.anim").stat().st_mtime_ns
    assert wave["outputs"] == [
        {"path": "deep/wave.bvh", "size": len(made), "digest": hashlib.sha256(made).hexdigest()}
    ]
    version = subprocess.run(
        [COMMAND, "--version"], capture_output=True, text=True, check=True
    ).stdout.split()[1]
    assert {row["version"] for row in rows.values()} == {version}
    assert rows["broken.anim"]["status"] == "failed" and "byte " in rows["broken.anim"]["error"]
    assert rows["broken.anim"]["outputs"] == []


def test_resume_does_what_is_missing_or_changed(tree: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    words = (tree, "--to", "bvh", "--resume")
    assert statuses(out, *words) == {"walk.anim": "ok", "wave.anim": "ok", "broken.anim": "failed"}
    whole = files_below(out)
    rest = {"walk.anim": "current", "wave.anim": "current", "broken.anim": "failed"}
    assert statuses(out, *words) == rest
    assert len(ledger_of(out)) == 3

    (out / "walk.bvh").unlink()
    assert statuses(out, *words) == {**rest, "walk.anim": "ok"}
    changed = bytearray((out / "walk.bvh").read_bytes())
    changed[-2] ^= 1
    (out / "walk.bvh").write_bytes(changed)
    assert statuses(out, *words) == {**rest, "walk.anim": "ok"}
    assert files_below(out) == whole

    os.utime(tree / "walk.anim", ns=(1, 1))
    assert statuses(out, *words) == {**rest, "walk.anim": "ok"}
    assert statuses(out, *words, "--fps", "20") == {
        "walk.anim": "ok",
        "wave.anim": "ok",
        "broken.anim": "failed",
    }
    assert files_below(out) != whole
    assert statuses(out, *words) == {"walk.anim": "ok", "wave.anim": "ok", "broken.anim": "failed"}
    assert files_below(out) == whole

    path = out / OWN_FOLDER / "ledger.jsonl"
    path.write_text(path.read_text().replace('"version":"', '"version":"older than '))
    assert statuses(out, *words)["walk.anim"] == "ok"


def without_long_lists(value: Any) -> Any:
    """What a ledger keeps of a conversion's report: no lists about each joint."""
    if not isinstance(value, dict):
        return value
    return {
        key: without_long_lists(each)
        for key, each in value.items()
        if not isinstance(each, list) or (len(each) <= 8 and not any(isinstance(one, dict) for one in each))
    }


def test_a_ledger_stays_small(tmp_path: Path) -> None:
    """The report of a retargeted file has a row for each joint; that of a resumed run needs its numbers."""
    report = tmp_path / "report.json"
    words = (WALK, "--to", "anim", "--retarget", "--out", tmp_path / "out", "--report", report)
    batch(*words)
    (before,) = json.loads(report.read_text(encoding="utf-8"))["rows"]
    assert len(json.dumps(before["conversion"])) > 10_000
    ledger = tmp_path / "out" / OWN_FOLDER / "ledger.jsonl"
    assert ledger.stat().st_size < 4_000
    batch(*words, "--resume")
    (after,) = json.loads(report.read_text(encoding="utf-8"))["rows"]
    assert after["status"] == "current"
    assert after["conversion"]["max_position_error_mm"] == before["conversion"]["max_position_error_mm"]
    assert after["conversion"]["retarget"]["body"] == before["conversion"]["retarget"]["body"]


@pytest.mark.parametrize("target", ["anim", "bvh"])
def test_resume_reports_what_the_first_run_did(tmp_path: Path, target: str) -> None:
    """Findings, warnings, the conversion's report and the exit code of outputs that are as they were."""
    folder = tmp_path / "in"
    folder.mkdir()
    for name in ("name_m_screen.anim", "base_priority_7.anim"):
        shutil.copy(BROKEN.with_name(name), folder)
    shutil.copy(WALK, folder)
    shutil.copy(ROOT / "fixtures" / "scene" / "several_animations.glb", folder)
    for name in ("count_too_small.bvh", "rotation_orders.bvh"):
        shutil.copy(ROOT / "fixtures" / "bvh" / "dialects" / name, folder)
    report = tmp_path / "report.json"
    words = (folder, "--to", target, "--out", tmp_path / "out", "--report", report)
    first = batch(*words)
    whole = json.loads(report.read_text(encoding="utf-8"))
    for more in ((), ("--fail-on", "never"), ("--fail-on", "altered")):
        again = batch(*words, "--resume", *more)
        resumed = json.loads(report.read_text(encoding="utf-8"))
        assert resumed["totals"]["current"] == whole["totals"]["outputs"] > 0
        assert resumed["totals"]["findings"] == whole["totals"]["findings"]
        assert resumed["totals"]["refused"] == whole["totals"]["refused"]
        for row, first_row in zip(resumed["rows"], whole["rows"], strict=True):
            before = {**first_row, "conversion": without_long_lists(first_row["conversion"])}
            assert row["status"] == ("current" if before["status"] == "ok" else before["status"])
            # A failed row says where its output would have been, once.
            other = ("status", "seconds", "fails", *(("output",) if before["status"] == "failed" else ()))
            assert {key: row[key] for key in row if key not in other} == {
                key: before[key] for key in before if key not in other
            }
        if not more:
            assert again.returncode == first.returncode
            lines = [line.replace("current", "ok     ") for line in again.stdout.splitlines()[:-1]]
            assert [line for line in lines if line[:6] != "failed"] == [
                line for line in first.stdout.splitlines()[:-1] if line[:6] != "failed"
            ]
    assert any(row["findings" if target == "anim" else "warnings"] for row in whole["rows"])
    assert any(row["conversion"] for row in whole["rows"])
    # Findings of another level are those of another run.
    batch(*words, "--resume", "--level", "strict")
    assert json.loads(report.read_text(encoding="utf-8"))["totals"]["current"] == 0


def test_a_ledger_without_reports_is_no_answer(tree: Path, tmp_path: Path) -> None:
    """Of what an older AnimBridge wrote, nobody knows the findings."""
    out = tmp_path / "out"
    statuses(out, tree, "--to", "bvh")
    path = out / OWN_FOLDER / "ledger.jsonl"
    rows = [{key: row[key] for key in row if key != "reports"} for row in ledger_of(out)]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    assert statuses(out, tree, "--to", "bvh", "--resume")["walk.anim"] == "ok"


def test_what_failed_is_tried_again_when_that_is_asked_for(tree: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    statuses(out, tree, "--to", "bvh")
    stamp = (tree / "broken.anim").stat().st_mtime_ns
    good = WALK.read_bytes()
    size = BROKEN.stat().st_size
    assert len(good) > size
    # The file is mended, but looks as before.
    (tree / "broken.anim").write_bytes((tree / "broken.anim").read_bytes()[:-1] + b"\0")
    os.utime(tree / "broken.anim", ns=(stamp, stamp))
    before = ledger_of(out)
    assert statuses(out, tree, "--to", "bvh", "--resume")["broken.anim"] == "failed"
    assert ledger_of(out) == before
    assert statuses(out, tree, "--to", "bvh", "--retry-failed") == {
        "walk.anim": "current",
        "wave.anim": "current",
        "broken.anim": "failed",
    }
    assert len(ledger_of(out)) == len(before) + 1
    (tree / "broken.anim").write_bytes(good)
    assert statuses(out, tree, "--to", "bvh", "--resume")["broken.anim"] == "ok"


def test_inputs_by_their_content(tree: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    words = (tree, "--to", "bvh", "--resume", "--digest")
    statuses(out, *words)
    rows = {row["path"]: row for row in ledger_of(out)}
    assert rows["walk.anim"]["digest"] == hashlib.sha256(WALK.read_bytes()).hexdigest()
    assert "modified" not in rows["walk.anim"]
    os.utime(tree / "walk.anim", ns=(1, 1))
    assert statuses(out, *words)["walk.anim"] == "current"
    stamp = (tree / "walk.anim").stat().st_mtime_ns
    data = bytearray(WALK.read_bytes())
    data[-1] ^= 1
    (tree / "walk.anim").write_bytes(data)
    os.utime(tree / "walk.anim", ns=(stamp, stamp))
    assert statuses(out, *words)["walk.anim"] in {"ok", "failed"}


def test_what_has_no_row_is_said_each_time(tree: Path, tmp_path: Path) -> None:
    """An output of another input, and what is no file: both may be different the next time."""
    out = tmp_path / "out"
    shutil.copy(WALK, tree / "walk.animatn")
    os.mkfifo(tree / "pipe.anim")
    words = (tree, "--to", "bvh", "--resume")
    for _ in range(2):
        told = statuses(out, *words)
        assert told["walk.animatn"] == "failed" and told["pipe.anim"] == "failed"
    assert {row["path"] for row in ledger_of(out)} == {"walk.anim", "deep/wave.anim", "broken.anim"}
    (tree / "walk.anim").unlink()
    assert statuses(out, *words)["walk.animatn"] == "ok"


def test_a_torn_line_is_dropped(tree: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    statuses(out, tree, "--to", "bvh", "--jobs", "1")
    path = out / OWN_FOLDER / "ledger.jsonl"
    whole = path.read_bytes()
    for cut in (1, 2, len(whole.splitlines(keepends=True)[-1]) - 1):
        path.write_bytes(whole[:-cut])
        last = json.loads(whole.splitlines()[-1])["path"].rpartition("/")[2]
        told = statuses(out, tree, "--to", "bvh", "--resume")
        assert [name for name, status in told.items() if status in {"ok"}] == (
            [last] if last != "broken.anim" else []
        )
        assert sorted(path.read_bytes().splitlines()) == sorted(whole.splitlines())
    # A run that does not resume appends to whole lines too.
    path.write_bytes(whole[:-3])
    statuses(out, tree, "--to", "bvh")
    assert len(ledger_of(out)) == 5


def test_a_line_that_is_no_row(tree: Path, tmp_path: Path) -> None:
    """What a power cut may leave: zeros. The rest counts."""
    out = tmp_path / "out"
    statuses(out, tree, "--to", "bvh", "--jobs", "1")
    path = out / OWN_FOLDER / "ledger.jsonl"
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join([*lines[:2], b"\0" * 40 + b"\n", b'{"path": 3}\n']))
    done = batch(tree, "--to", "bvh", "--out", out, "--resume")
    assert "2 lines of the ledger" in done.stderr
    assert "2 current" in done.stdout or "1 current" in done.stdout


@pytest.mark.parametrize(
    ("member", "value"),
    [
        ("outputs", [{"path": "../in/walk.anim"}]),
        ("outputs", [{"path": "/etc/hostname"}]),
        ("findings", 3),
        ("findings", [3]),
        ("findings", [{"id": "unknown_joint"}]),
        ("findings", {"id": "unknown_joint"}),
        ("status", 3),
    ],
)
def test_a_row_that_somebody_changed_is_no_row(tree: Path, tmp_path: Path, member: str, value: Any) -> None:
    """Its input is converted again: it neither fails, nor counts as done."""
    out = tmp_path / "out"
    shutil.copy(BROKEN.with_name("base_priority_7.anim"), tree / "walk.anim")  # with findings
    words = (tree, "--to", "anim", "--resume")
    statuses(out, *words)
    whole = files_below(out)
    path = out / OWN_FOLDER / "ledger.jsonl"
    rows = ledger_of(out)
    (row,) = (row for row in rows if row["path"] == "walk.anim")
    if member == "outputs":
        changed = (out / value[0]["path"]).read_bytes()
        row["outputs"] = [{**value[0], "size": len(changed), "digest": hashlib.sha256(changed).hexdigest()}]
    else:
        row["reports"][0][member] = value
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    assert statuses(out, *words) == {"walk.anim": "ok", "wave.anim": "current", "broken.anim": "failed"}
    assert files_below(out) == whole


def test_a_run_that_is_killed_and_resumed_makes_the_same(tmp_path: Path) -> None:
    folder = tmp_path / "in"
    sources = [*demos(), BROKEN, ROOT / "fixtures" / "oban" / "level_pc.dat"]
    for number in range(300):
        place = folder / f"{number % 7}"
        place.mkdir(parents=True, exist_ok=True)
        source = sources[number % len(sources)]
        shutil.copy(source, place / f"{number:03}{source.suffix}")
    words = [folder, "--to", "json", "--quiet"]
    start = time.monotonic()
    whole = batch(*words, "--out", tmp_path / "whole", "--jobs", 2)
    took = time.monotonic() - start
    expected = files_below(tmp_path / "whole")
    rows = sorted(map(json.dumps, ledger_of(tmp_path / "whole")))
    dice = random.Random(18)
    cut_short = 0
    for number in range(KILLS):
        out = tmp_path / f"out{number}"
        command = [COMMAND, "batch", *words, "--out", out, "--jobs", "2", "--resume"]
        for _ in range(dice.randrange(1, 4)):
            with subprocess.Popen(
                list(map(str, command)), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
            ) as process:
                time.sleep(dice.uniform(0.0, took))
                process.kill()
            cut_short += process.returncode == -signal.SIGKILL
        done = batch(*words, "--out", out, "--jobs", 2, "--resume")
        assert done.returncode == whole.returncode == 1, done.stderr
        assert files_below(out) == expected
        left = {path.name for path in out.rglob("*")} - {
            path.name for path in (tmp_path / "whole").rglob("*")
        }
        # Replacing a file may leave this one: see docs/command.md.
        assert {name for name in left if not name.endswith(".tmp")} == set()
        newest = {row["path"]: json.dumps(row) for row in ledger_of(out)}
        assert sorted(newest.values()) == rows
        shutil.rmtree(out)
    assert cut_short > KILLS / 3


def test_a_file_that_ends_the_program_costs_its_row(tree: Path, tmp_path: Path) -> None:
    """It needs more seconds of the processor than the program may have. Others need milliseconds."""
    head, motion = (ROOT / "fixtures" / "walk" / "slides.bvh").read_text(encoding="utf-8").split("MOTION")
    frames = [motion.strip().splitlines()[2]] * 400_000
    text = f"{head}MOTION\nFrames: {len(frames)}\nFrame Time: 0.033\n"
    (tree / "poison.bvh").write_text(text + "\n".join(frames) + "\n", encoding="utf-8")
    out = tmp_path / "out"
    words = [COMMAND, "batch", tree, "--to", "json", "--out", out, "--jobs", "1", "--resume"]
    limit = partial(resource.setrlimit, resource.RLIMIT_CPU, (1, 1))
    codes = [
        subprocess.run(words, preexec_fn=limit, capture_output=True, check=False, timeout=300).returncode
        for _ in range(4)
    ]
    assert codes == [-signal.SIGKILL] * 3 + [1]
    rows = {row["path"]: row for row in ledger_of(out)}
    assert {path: row["status"] for path, row in rows.items() if row["status"] != "ok"} == {
        "broken.anim": "failed",
        "poison.bvh": "failed",
    }
    assert "the program was killed each of the 3 times" in rows["poison.bvh"]["error"]
    assert set(files_below(out)) == {"walk.json", "deep/wave.json"}
    assert not list((out / OWN_FOLDER).glob("in-hand*"))
    again = subprocess.run([*words, "--retry-failed"], preexec_fn=limit, capture_output=True, check=False)
    assert again.returncode == -signal.SIGKILL


def test_ctrl_c_that_also_ends_the_readers_of_scenes(tmp_path: Path) -> None:
    """A terminal sends it to all of them. What they left undone is no failure of the files."""
    folder = tmp_path / "in"
    folder.mkdir()
    for number in range(24):
        shutil.copy(ROOT / "fixtures" / "scene" / "walk.fbx", folder / f"{number}.fbx")
    whole = batch(folder, "--to", "json", "--out", tmp_path / "whole")
    assert whole.returncode == 0
    dice = random.Random(18)
    stopped = 0
    for number in range(8):
        out = tmp_path / f"out{number}"
        with subprocess.Popen(
            [COMMAND, "batch", str(folder), "--to", "json", "--out", str(out), "--jobs", "2"],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        ) as process:
            assert process.stdout
            process.stdout.readline()
            time.sleep(dice.uniform(0.0, 0.1))
            os.killpg(process.pid, signal.SIGINT)
            said, _ = process.communicate(timeout=60)
        assert process.returncode in (0, 130) and " 0 failed" in said, said
        stopped += process.returncode == 130
        assert {row["status"] for row in ledger_of(out)} == {"ok"}
        assert batch(folder, "--to", "json", "--out", out, "--resume").returncode == 0
        assert files_below(out) == files_below(tmp_path / "whole")
    assert stopped > 0


def test_a_full_disk(tree: Path, tmp_path: Path) -> None:
    """No file may grow beyond a limit: outputs fail, then the ledger does. What is there is whole."""
    for number in range(40):
        shutil.copy(WALK, tree / f"more{number:02}.anim")
    whole = tmp_path / "whole"
    batch(tree, "--to", "anim", "--out", whole)
    expected = files_below(whole)
    sizes = sorted(len(data) for data in expected.values())

    def limited_to(limit: int) -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

    ledger_bytes = (whole / OWN_FOLDER / "ledger.jsonl").stat().st_size
    above_outputs = sizes[-1] + 100
    assert above_outputs < ledger_bytes
    for limit, has_ledger in ((above_outputs, False), (sizes[0] // 2, True)):
        out = tmp_path / f"out{limit}"
        done = subprocess.run(
            [COMMAND, "batch", str(tree), "--to", "anim", "--out", str(out)],
            preexec_fn=partial(limited_to, limit),
            capture_output=True,
            text=True,
            check=False,
            timeout=120,
        )
        assert done.returncode == 1
        assert ("its ledger cannot be written" in done.stderr) is not has_ledger
        assert files_below(out).items() < expected.items()
        assert 1 <= len(ledger_of(out)) < len(expected) + 1
        again = batch(tree, "--to", "anim", "--out", out, "--resume")
        assert again.returncode == 1 and "1 failed" in again.stdout  # the broken one
        assert files_below(out) == expected


def waiting_run(fifo: Path, out: Path) -> subprocess.Popen[bytes]:
    """A run that waits for its list, with its lock."""
    return subprocess.Popen(
        [COMMAND, "batch", "--from", str(fifo), "--to", "bvh", "--out", str(out)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


def test_a_second_run_into_the_folder_is_refused(tree: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    os.mkfifo(tmp_path / "list")
    with waiting_run(tmp_path / "list", out) as first:
        with (tmp_path / "list").open("w") as list_of_first:
            second = batch(tree, "--to", "bvh", "--out", out)
            assert second.returncode == 1 and second.stdout == ""
            assert f"process {first.pid} on " in second.stderr and " since 2" in second.stderr
            third = batch(tree, "--to", "bvh", "--out", out, "--shard", "1/2")
            assert third.returncode == 1 and f"process {first.pid}" in third.stderr
            assert not list(out.glob("*.bvh"))
            list_of_first.write(f"{tree}/walk.anim\n")
        assert first.wait(timeout=60) == 0
    assert batch(tree / "walk.anim", "--to", "bvh", "--out", out).returncode == 0


def test_a_killed_run_holds_no_lock(tree: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    os.mkfifo(tmp_path / "list")
    with waiting_run(tmp_path / "list", out) as first, (tmp_path / "list").open("w"):
        first.kill()
        first.wait()
    assert batch(tree / "walk.anim", "--to", "bvh", "--out", out).returncode == 0
