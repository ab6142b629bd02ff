# SPDX-License-Identifier: MIT
"""The programs of these tests, in processes: the farm's client, and Dask's scheduler and workers."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
COMMAND = ROOT / "build" / "bin" / "animbridge"
WALK = ROOT / "fixtures" / "demo" / "walk.anim"
BROKEN = ROOT / "fixtures" / "sl_anim" / "cut_in_keys.anim"
LEDGER = Path(".animbridge", "ledger.jsonl")


def environment(**more: str) -> dict[str, str]:
    """What the programs see: this checkout's package and command."""
    return {
        **os.environ,
        "PYTHONPATH": str(ROOT / "native" / "python"),
        "ANIMBRIDGE_COMMAND": str(COMMAND),
        **more,
    }


def farm_command(*words: object) -> list[str]:
    return [sys.executable, "-m", "animbridge.farm", *map(str, words)]


def farm(
    *words: object, cwd: Path | None = None, more: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """The answer of the farm's client. `more`: of its environment."""
    return subprocess.run(
        farm_command(*words),
        env=environment(**(more or {})),
        cwd=cwd,
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )


def batch(*words: object, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    """The answer of `animbridge batch`, to which a farm is compared."""
    return subprocess.run(
        [COMMAND, "batch", *map(str, words)],
        cwd=cwd,
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )


def version() -> str:
    return subprocess.check_output([COMMAND, "--version"], text=True).split()[1]


def ledger_rows(out: Path) -> list[dict[str, Any]]:
    """In the order of their inputs."""
    lines = (out / LEDGER).read_text(encoding="utf-8").splitlines()
    return sorted(map(json.loads, lines), key=lambda row: (str(row["path"]), row.get("before", 0)))


def files_below(folder: Path) -> dict[str, bytes]:
    """{path below the folder: content}, without ledgers and locks."""
    paths = [path for path in sorted(folder.rglob("*")) if path.is_file() and ".animbridge" not in path.parts]
    return {str(path.relative_to(folder)): path.read_bytes() for path in paths}


def slow_command(folder: Path, seconds: float = 0.3) -> str:
    """The command with a pause for each share, for a machine of any speed to be busy for a while."""
    return program(folder, f'case " $* " in *" batch "*) sleep {seconds} ;; esac')


def program(folder: Path, first: str) -> str:
    """The command, in a shell that does something first."""
    path = folder / "animbridge"
    path.write_text(f'#!/bin/bash\n{first}\nexec "{COMMAND}" "$@"\n', encoding="utf-8")
    path.chmod(0o755)
    return str(path)


def until(holds: Callable[[], bool], seconds: float = 60) -> None:
    """Waits until something is so."""
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, "it did not happen in time"
        time.sleep(0.05)


@contextmanager
def running(command: Sequence[object], **more: str) -> Iterator[subprocess.Popen[bytes]]:
    """A program that is killed in the end, with all that it started."""
    process = subprocess.Popen(
        list(map(str, command)),
        env=environment(**more),
        stdout=subprocess.DEVNULL,  # nobody reads it, and a pipe would be full one day
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        yield process
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


@contextmanager
def cluster(folder: Path, workers: int, **more: str) -> Iterator[str]:
    """A scheduler, and workers that nannies start again when they die; the scheduler's address."""
    told = folder / "scheduler.json"
    dask = [sys.executable, "-m", "distributed.cli"]
    scheduler = [*dask[:2], "distributed.cli.dask_scheduler", "--port", "0", "--no-dashboard"]
    with running([*scheduler, "--scheduler-file", told]):
        until(told.exists)
        until(lambda: bool(told.read_text(encoding="utf-8")))
        address = json.loads(told.read_text(encoding="utf-8"))["address"]
        worker = [*dask[:2], "distributed.cli.dask_worker", address, "--nworkers", workers, "--nthreads", "1"]
        with running([*worker, "--no-dashboard", "--local-directory", folder], **more):
            yield address


def worker_processes(address: str) -> list[int]:
    """The process ids of a scheduler's workers."""
    code = (
        "import json, os, sys; from distributed import Client; "
        f"client = Client({address!r}); print(json.dumps(list(client.run(os.getpid).values())))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=False,
        env=environment(),
        timeout=60,
    )
    return json.loads(done.stdout) if done.returncode == 0 else []
