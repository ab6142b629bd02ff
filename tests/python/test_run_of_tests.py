# SPDX-License-Identifier: MIT
"""What scripts/test runs, in which order and how it ends: with stages that only say their names."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import NamedTuple

import pytest
from material import ROOT

#: A stage: says its name and its part of the tests; fails or sleeps where the test asks for it.
STAGE = """#!/bin/bash
echo "$1" >>ran
echo "$ANIMBRIDGE_TEST_PART" >part
[[ $1 != "$SLOW" ]] || sleep 60
[[ $1 != "$BROKEN" ]]
"""
GROUP = re.compile(r"^Group (\d), (NOT )?in this run: ([^(\n]*)", re.MULTILINE)


#: By whoever runs these tests, for itself.
SET_BY_CI = {"CI", "SECONDS", "ANIMBRIDGE_TEST_PART"}


class Run(NamedTuple):
    """How scripts/test ended."""

    exit_code: int
    output: str
    stages: list[str]

    @property
    def groups(self) -> dict[int, tuple[bool, list[str]]]:
        """By the group's number: whether it is in this run, and its stages."""
        return {int(n): (not left_out, names.split()) for n, left_out, names in GROUP.findall(self.output)}


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A repository of one commit with scripts/test, where nothing is fetched or built."""
    scripts = tmp_path / "checkout" / "scripts"
    scripts.mkdir(parents=True)
    shutil.copy(ROOT / "scripts" / "test", scripts)
    (scripts / "lib").mkdir()
    for name in ("common.sh", "budgets.sh"):
        shutil.copy(ROOT / "scripts" / "lib" / name, scripts / "lib")
    (scripts / "lib" / "stages.sh").write_text(STAGE)
    (scripts / "lib" / "needs.sh").write_text(
        "find_needs() { :; }\nannounce() { :; }\nfetch_ahead() { :; }\n"
    )
    (scripts / "setup").write_text("#!/bin/sh\n")
    (scripts / "setup").chmod(0o755)
    git(scripts.parent, "init", "--quiet")
    commit(scripts.parent)
    return scripts.parent


def git(folder: Path, *words: str | Path) -> None:
    subprocess.run(
        ["git", "-c", "user.name=a", "-c", "user.email=a@example.org", *words], cwd=folder, check=True
    )


def commit(folder: Path) -> None:
    git(folder, "commit", "--quiet", "--allow-empty", "--message", "one more")


def run(folder: Path, *words: str, **environment: str) -> Run:
    kept = {name: value for name, value in os.environ.items() if name not in SET_BY_CI}
    done = subprocess.run(
        [folder / "scripts" / "test", *words],
        env={**kept, "SLOW": "none", "BROKEN": "none", **environment},
        capture_output=True,
        text=True,
        check=False,
        timeout=50,
    )
    ran = folder / "ran"
    stages = ran.read_text().split() if ran.exists() else []
    ran.unlink(missing_ok=True)
    return Run(done.returncode, done.stdout + done.stderr, stages)


def test_six_commits_run_every_group_once(checkout: Path) -> None:
    gate, seen = None, []
    for _ in range(6):
        done = run(checkout)
        assert done.exit_code == 0, done.output
        assert len(done.groups) == 6
        (here,) = [number for number, (is_here, _) in done.groups.items() if is_here]
        long = done.groups[here][1]
        assert done.stages[-len(long) :] == long
        assert gate in (None, done.stages[: -len(long)]), "the gate is the same in each run"
        gate = done.stages[: -len(long)]
        seen.append(here)
        commit(checkout)
    assert sorted(seen) == [1, 2, 3, 4, 5, 6]
    assert gate and {"style", "native", "python", "fuzz", "blender-3.4", "blender-5.2"} <= set(gate)


def test_all_runs_the_gate_and_every_group(checkout: Path) -> None:
    done = run(checkout, "--all")
    long = [name for is_here, names in done.groups.values() if is_here for name in names]
    assert done.stages[-len(long) :] == long and len(done.groups) == 6
    assert len(set(done.stages)) == len(done.stages)
    others = run(checkout, "--list").output.split()
    assert set(others) - set(done.stages) == {"bare", "bare-13", "cluster"}


def test_five_commits_run_every_part_of_the_tests_on_windows_once(checkout: Path) -> None:
    parts = []
    for _ in range(5):
        run(checkout, "--only", "windows-blender")
        parts.append((checkout / "part").read_text().strip())
        commit(checkout)
    assert sorted(parts) == ["1/5", "2/5", "3/5", "4/5", "5/5"]
    run(checkout, "--all", "--only", "windows-blender")
    assert (checkout / "part").read_text() == "\n", "all of them"


def test_a_group_can_be_named(checkout: Path) -> None:
    done = run(checkout, "--group", "2")
    assert [number for number, (is_here, _) in done.groups.items() if is_here] == [2]
    for wrong in ("0", "7", "two"):
        refused = run(checkout, "--group", wrong)
        assert (refused.exit_code, refused.stages) == (1, [])
        assert f"no group '{wrong}'; there are 1 to 6" in refused.output


def test_a_shallow_clone_takes_a_group_by_its_hash(checkout: Path, tmp_path: Path) -> None:
    commit(checkout)
    git(tmp_path, "clone", "--quiet", "--depth", "1", checkout.as_uri(), "shallow")
    shallow = tmp_path / "shallow"
    shutil.copytree(checkout / "scripts", shallow / "scripts")
    done = run(shallow)
    head = subprocess.check_output(["git", "rev-parse", "HEAD"], cwd=shallow, text=True)
    assert [n for n, (is_here, _) in done.groups.items() if is_here] == [int(head[:7], 16) % 6 + 1]


def test_what_fails_fails_the_run(checkout: Path) -> None:
    for name in ("native", "clang"):
        done = run(checkout, "--group", "1", BROKEN=name)
        assert done.exit_code == 1
        assert re.search(rf"^== {name} FAILED", done.output, re.MULTILINE)
        assert done.output.endswith("11 passed, 1 failed\n")
        assert "clang" in done.stages and "blender-5.2" in done.stages, "the others run all the same"


def test_ci_leaves_out_what_would_end_too_late(checkout: Path) -> None:
    """bash takes its clock from the environment: here 70 minutes are gone from the start."""
    done = run(checkout, "--group", "1", CI="true", SECONDS="4200")
    assert done.exit_code == 0
    assert "clang" not in done.stages and "blender-5.2" in done.stages
    assert "!!!! NOT RUN" in done.output and "NOT RUN OR NOT FINISHED, for lack of time: clang" in done.output
    assert run(checkout, "--group", "1", CI="true", SECONDS="4200", BROKEN="native").exit_code == 1
    assert "clang" in run(checkout, "--group", "1", SECONDS="4200").stages, "a user's machine has time"


def test_a_stage_that_ci_stops_is_named(checkout: Path) -> None:
    script = checkout / "scripts" / "test"
    script.write_text(re.sub(r"^LAST_END=\d+$", "LAST_END=3000", script.read_text(), flags=re.MULTILINE))
    done = run(checkout, "--only", "clang", CI="true", SECONDS="2995", SLOW="clang")
    assert done.exit_code == 0
    assert done.stages == ["clang"]
    assert "!!!! NOT FINISHED" in done.output and "for lack of time: clang" in done.output
