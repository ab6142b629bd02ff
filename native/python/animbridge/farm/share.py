# SPDX-License-Identifier: MIT
"""What a worker does: a share of the inputs, by `animbridge batch --shard I/N --resume`.

Doing a share again does no harm: what is in its ledger is left as it is.
"""

from __future__ import annotations

import json
import subprocess
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from .. import __version__, command
from ..errors import LibraryError
from ..text import one_line, text_of_json
from .errors import FarmError, UsageError
from .staging import Staged, Staging

#: The program leaves a file out that was in hand each of three times that it was killed.
_MOST_TRIES: Final = 4
_SECONDS_BETWEEN_LOOKS: Final = 1.0
#: Messages of the program: an earlier one is still at work; and it stopped, for its ledger cannot be written.
_OTHER_RUN: Final = "another run writes there"
_STOPPED: Final = "the run was stopped"
_NO_LEDGER: Final = "go on with --resume"


@dataclass(frozen=True)
class Share:
    """The `number`th of `count` shares. `words`: of `animbridge batch`, without the share's own."""

    number: int
    count: int
    words: tuple[str, ...]
    folder: str  # where relative paths begin
    staged: Staged | None = None  # the inputs, if they or the outputs are on storage
    version: str = __version__


@dataclass
class Done:
    """What came of a share. `lines`: what failed, was skipped or is refused. `counts`: of rows, by status."""

    lines: list[str] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter[str])
    fault: str = ""  # why some of its inputs were not tried
    is_refused: bool = False  # because this worker can do no share
    is_usage: bool = False  # because nobody can
    may_be_better_later: bool = False

    def add(self, rows: Iterable[dict[str, Any]]) -> None:
        """Rows of the program's report."""
        for row in rows:
            self.counts[row["status"]] += 1
            self.counts["refused"] += bool(row.get("refused"))
            self.counts["failing"] += bool(row.get("fails"))
            self.may_be_better_later |= bool(row.get("may_work_later"))
            if row["status"] in ("failed", "skipped"):
                self.lines.append(one_line(f"{row['status']:<7}  {row['error']}"))
            elif row.get("refused"):
                self.lines.append(one_line(f"refused  {text_of_json(row['output'])}  {row['refused']}"))


def convert(share: Share, event: Any) -> Done:
    """Does a share, as far as it goes before the event is set. Raises nothing: Dask would print all calls."""
    done = Done()
    if share.version != __version__:
        fault = f"the worker has AnimBridge {__version__}, and not {share.version}"
        return Done(fault=fault, is_refused=True)
    try:
        if share.staged:
            _convert_staged(share, share.staged, event.is_set, done)
        elif Path(share.folder).is_dir():
            words = [*share.words, "--shard", f"{share.number}/{share.count}"]
            done.add(_run(words, share.folder, event.is_set, done))
        else:
            done.fault, done.is_refused = f"the worker has no folder {share.folder}", True
    except LibraryError as fault:
        done.fault, done.is_refused = fault.message, True
    except (FarmError, OSError) as fault:
        done.fault, done.is_refused, done.is_usage = str(fault), True, isinstance(fault, UsageError)
    return done


def _convert_staged(share: Share, staged: Staged, must_stop: Callable[[], bool], done: Done) -> None:
    ledger: list[bytes] = []
    for part in staged.parts():
        if must_stop():
            done.fault = _STOPPED
            return
        with tempfile.TemporaryDirectory(prefix="animbridge-farm-") as scratch:
            staging = Staging(Path(scratch), staged)
            failures = staging.fetch(part)
            if inputs := staging.inputs():
                folder = share.folder if Path(share.folder).is_dir() else scratch
                words = [*inputs, *share.words, "--out", str(staging.out)]
                rows = staging.with_urls(_run(words, folder, must_stop, done))
                failures += staging.deliver(ledger, share.number, share.count)
                failed = {row["input"] for row in failures}
                done.add(row for row in rows if row["input"] not in failed)
            done.add(failures)
        if done.fault:
            return


def _run(
    words: Sequence[str], folder: str, must_stop: Callable[[], bool], done: Done
) -> list[dict[str, Any]]:
    """Runs the program, again if it is killed. Rows of its report; why it was not whole, in `done`."""
    tries = 0
    while not must_stop():
        code, rows, said = run([*words, "--resume"], folder, must_stop)
        if code == 1 and not rows and _OTHER_RUN in said:
            time.sleep(_SECONDS_BETWEEN_LOOKS)  # a worker that was lost has left it
            continue
        tries += 1
        if code in (0, 1):
            done.is_refused = code == 1 and not rows
            done.fault = said if done.is_refused or (code == 1 and _NO_LEDGER in said) else ""
            return rows
        if tries == _MOST_TRIES or must_stop():
            how = f"was killed by the signal {-code}" if code < 0 else f"ended with the code {code}"
            done.fault = f"the program {how}. {said}"
            return rows
    done.fault = _STOPPED
    return []


def run(
    words: Sequence[str], folder: str, must_stop: Callable[[], bool] = lambda: False
) -> tuple[int, list[dict[str, Any]], str]:
    """The exit code of `animbridge batch`, the rows of its report, and its messages.

    UsageError: the words are wrong. LibraryError: there is no such program here.
    """
    whole = [*command.words(), "batch", *words, "--jobs", "1", "--json-lines", "--quiet"]
    with tempfile.TemporaryFile() as rows, tempfile.TemporaryFile() as messages:
        code = _code_of(
            subprocess.Popen(whole, cwd=folder, stdin=subprocess.DEVNULL, stdout=rows, stderr=messages),
            must_stop,
        )
        rows.seek(0)
        messages.seek(0)
        said = messages.read().decode("utf-8", "replace").strip()
        if code == 2:
            raise UsageError(said)
        return code, [json.loads(line) for line in rows if line.endswith(b"}\n")], said


def _code_of(process: subprocess.Popen[bytes], must_stop: Callable[[], bool]) -> int:
    try:
        while True:
            try:
                return process.wait(_SECONDS_BETWEEN_LOOKS)
            except subprocess.TimeoutExpired:
                if must_stop():
                    process.terminate()  # it finishes the files in hand
                    return process.wait()
    finally:
        process.kill()  # does nothing if it has ended
