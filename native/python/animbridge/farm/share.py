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
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from .. import __version__, command
from ..text import one_line, text_of_json
from .errors import FarmError, UsageError
from .ledger import share_name
from .staging import File, Row, Staging
from .storage import PAUSES_SECONDS, Folder

_SECONDS_BETWEEN_LOOKS: Final = 1.0
#: Messages of the program: an earlier one is still at work; and it stopped, for its ledger cannot be written.
_OTHER_RUN: Final = "another run writes there"
_NO_LEDGER: Final = "go on with --resume"


@dataclass(frozen=True)
class Share:
    """The `number`th of `count` shares. `words`: of `animbridge batch`, without inputs that are staged."""

    number: int
    count: int
    words: tuple[str, ...]
    out: Folder
    files: tuple[File, ...] = ()  # the inputs, if they or the outputs are on storage
    folder: str = field(default_factory=lambda: str(Path.cwd()))  # where relative paths begin
    version: str = __version__


@dataclass
class Done:
    """What came of a share. `lines`: what failed, was skipped or is refused. `counts`: of rows, by status."""

    lines: list[str] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter[str])
    fault: str = ""  # why some of its inputs were not tried

    @classmethod
    def of(cls, rows: Iterable[Row], fault: str = "") -> Done:
        """Of rows of the program's report."""
        done = cls(fault=fault)
        for row in rows:
            done.counts[row["status"]] += 1
            done.counts["refused"] += bool(row.get("refused"))
            done.counts["failing"] += bool(row.get("fails"))
            if row["status"] in ("failed", "skipped"):
                done.lines.append(one_line(f"{row['status']:<7}  {row['error']}"))
            elif row.get("refused"):
                done.lines.append(one_line(f"refused  {text_of_json(row['output'])}  {row['refused']}"))
        return done


def convert(share: Share, event: Any) -> Done:
    """Does a share, as far as it goes before the event is set. FarmError: this worker can do none."""
    if share.version != __version__:
        raise FarmError(f"a worker has AnimBridge {__version__}, and not {share.version}")
    has_folder = Path(share.folder).is_dir()
    if not share.files:
        if not has_folder:
            raise FarmError(f"a worker has no folder {share.folder}")
        words = [*share.words, "--out", share.out.url, "--shard", f"{share.number}/{share.count}"]
        return Done.of(*_converted(words, share.folder, event.is_set))
    with tempfile.TemporaryDirectory(prefix="animbridge-farm-") as scratch:
        staging = Staging(Path(scratch), share.files, share.out)
        inputs, failures = staging.fetch()
        words = [*inputs, *share.words, "--out", str(staging.folder)]
        folder = share.folder if has_folder else scratch
        rows, fault = _converted(words, folder, event.is_set) if inputs else ([], "")
        failures += staging.deliver(share_name(share.number, share.count))
        failed = {row["input"] for row in failures}
        rows = [row for row in staging.with_urls(rows) if row["input"] not in failed]
        return Done.of(rows + failures, fault)


def _converted(words: Sequence[str], folder: str, must_stop: Callable[[], bool]) -> tuple[list[Row], str]:
    """Runs the program, several times if that may help. Rows of its report; why they are not all."""
    rows, fault = list[Row](), "the run was stopped"
    pauses = iter((*PAUSES_SECONDS, 0))
    while not must_stop():
        code, rows, said = run([*words, "--resume"], folder, must_stop)
        if code == 1 and not rows:
            if _OTHER_RUN not in said:
                raise FarmError(f"a worker cannot do its share: {said}")
            time.sleep(_SECONDS_BETWEEN_LOOKS)  # a worker that was lost has left it
            continue
        how = f"was killed by the signal {-code}" if code < 0 else f"ended with the code {code}"
        fault = f"the program {how}. {said}" if code not in (0, 1) else said if _NO_LEDGER in said else ""
        pause = next(pauses)
        if not pause or not (fault or any(row.get("may_work_later") for row in rows)):
            break
        time.sleep(pause)
    return rows, fault


def run(
    words: Sequence[str], folder: str, must_stop: Callable[[], bool] = lambda: False
) -> tuple[int, list[Row], str]:
    """The exit code of `animbridge batch`, the rows of its report, and its messages.

    UsageError: the words are wrong. LibraryError: there is no such program here. OSError: no such folder.
    """
    pipe = subprocess.PIPE
    whole = [*command.words(), "batch", *words, "--jobs", "1", "--json-lines", "--quiet"]
    with subprocess.Popen(whole, cwd=folder, stdin=subprocess.DEVNULL, stdout=pipe, stderr=pipe) as process:
        try:
            rows, messages = _output_of(process, must_stop)
        finally:
            process.kill()  # does nothing if it has ended
    said = messages.decode("utf-8", "replace").strip()
    if process.returncode == 2:
        raise UsageError(said)
    return process.returncode, [json.loads(line) for line in rows.splitlines() if line.endswith(b"}")], said


def _output_of(process: subprocess.Popen[bytes], must_stop: Callable[[], bool]) -> tuple[bytes, bytes]:
    while not must_stop():
        with suppress(subprocess.TimeoutExpired):
            return process.communicate(timeout=_SECONDS_BETWEEN_LOOKS)
    process.terminate()  # it finishes the files in hand
    return process.communicate()
