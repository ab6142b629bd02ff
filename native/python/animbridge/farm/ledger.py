# SPDX-License-Identifier: MIT
"""The ledger of the output folder, which the run's client alone writes: docs/batch.md#the-ledger."""

from __future__ import annotations

import importlib
import json
import os
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime, timezone
from pathlib import Path
from typing import IO, Any, Final, Protocol, TypeVar

from .. import command
from .errors import FarmError
from .plan import Header
from .storage import Folder, is_url

OWN_FOLDER: Final = ".animbridge"
NAME: Final = "ledger.jsonl"
_PART: Final = "ledger-part-"
_SECONDS_BETWEEN_PARTS: Final = 10.0
#: After each failure of the storage.
_PAUSES_SECONDS: Final = (0.5, 2.0, 5.0, 0.0)
Result = TypeVar("Result")
#: Where the command locks a byte on Windows: far beyond the file's text.
_LOCKED_BYTE: Final = 1 << 52


class Ledger(Protocol):
    """Rows on storage that a lost client does not take with it."""

    def rows(self, begin: int = 0) -> Iterator[dict[str, Any]]:
        """What is there, from a byte of the file on."""
        ...

    def append(self, rows: Sequence[dict[str, Any]]) -> None:
        """Adds rows; OSError or an exception of the storage: the run cannot go on."""
        ...

    def close(self) -> None:
        """Stores what is not stored yet, and frees the folder."""
        ...


def open_ledger(header: Header) -> Ledger:
    """The ledger of a plan's output folder; FarmError where another run writes there."""
    if is_url(header.out):
        return RemoteLedger(header.out)
    if not Path(header.folder).is_dir():
        raise FarmError(f"there is no folder {header.folder}, where the plan was made")
    return LocalLedger(Path(header.folder, header.out))


class LocalLedger:
    """A file that grows, and the folder's lock, as `animbridge batch` has them."""

    def __init__(self, out: Path) -> None:
        own = out / OWN_FOLDER
        own.mkdir(parents=True, exist_ok=True)
        self._lock = _locked(own / "lock", out)
        self._path = own / NAME
        self._path.touch()
        self._file = self._path.open("r+b")
        self._file.truncate(_end_of_lines(self._file))
        self._file.seek(0, os.SEEK_END)

    def rows(self, begin: int = 0) -> Iterator[dict[str, Any]]:
        """From the byte `begin` of the file."""
        with self._path.open("rb") as file:
            file.seek(begin)
            yield from _rows_of(file)

    def append(self, rows: Sequence[dict[str, Any]]) -> None:
        """In one call of the system."""
        self._file.write(_text_of(rows).encode())
        self._file.flush()

    def close(self) -> None:
        """Waits until all is on the disk."""
        os.fsync(self._file.fileno())
        self._file.close()
        self._lock.close()


class RemoteLedger:
    """Objects cannot grow: rows go into parts, which become one object at the end.

    FarmError where the storage fails several times.
    """

    def __init__(self, out: str) -> None:
        self._folder = Folder(f"{out.rstrip('/')}/{OWN_FOLDER}")
        self._waiting: list[dict[str, Any]] = []
        self._stored = time.monotonic()
        self._run = f"{datetime.now(timezone.utc):%Y%m%dT%H%M%S}-{os.getpid()}"
        self._count = 0

    def rows(self, begin: int = 0) -> Iterator[dict[str, Any]]:
        """Of the whole ledger, and then of the parts that a killed run left."""
        del begin  # plans of URLs are made in the same run
        with tempfile.TemporaryDirectory() as scratch:
            for path in self._patiently("read", lambda: self._fetched(Path(scratch))):
                with path.open("rb") as file:
                    yield from _rows_of(file)

    def append(self, rows: Sequence[dict[str, Any]]) -> None:
        """Every ten seconds, as a part."""
        self._waiting += rows
        if time.monotonic() - self._stored >= _SECONDS_BETWEEN_PARTS:
            self._store()

    def close(self) -> None:
        """Makes one ledger of all parts."""
        self._store()
        self._patiently("put together", self._merge)

    def _merge(self) -> None:
        with tempfile.TemporaryDirectory() as scratch:
            parts = self._fetched(Path(scratch))
            if [path.name for path in parts] in ([], [NAME]):
                return
            merged = Path(scratch, "merged")
            subprocess.run(
                [*command.words(), "batch-merge", *parts, "--out", merged],
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,  # the run has reported inputs with the same output
                check=False,
            )
            self._folder.put(merged, NAME)
            for path in parts:
                if path.name != NAME:
                    self._folder.remove(path.name)

    def _store(self) -> None:
        if self._waiting:
            with tempfile.TemporaryDirectory() as scratch:
                part = Path(scratch, "part")
                part.write_text(_text_of(self._waiting), encoding="utf-8")
                name = f"{_PART}{self._run}-{self._count:06}.jsonl"
                self._patiently("written", lambda: self._folder.put(part, name))
            self._count += 1
            self._waiting = []
        self._stored = time.monotonic()

    def _patiently(self, done: str, work: Callable[[], Result]) -> Result:
        """Does something with the storage, and tries it again where that fails."""
        reason = ""
        for pause in _PAUSES_SECONDS:
            try:
                return work()
            except FarmError:
                raise
            except Exception as problem:  # storages have exceptions of their own kinds
                reason = f"{type(problem).__name__}: {problem}"
                time.sleep(pause)
        raise FarmError(
            f"the ledger {self._folder.url} cannot be {done}: {reason}. "
            "Go on with the same command and --resume"
        )

    def _fetched(self, into: Path) -> list[Path]:
        """Copies of the ledger and its parts, the oldest first."""
        try:
            names = {name for name in self._folder.sizes() if name == NAME or name.startswith(_PART)}
        except FileNotFoundError:
            return []
        for name in names:
            self._folder.get(name, into / name)
        return [into / name for name in sorted(names, key=lambda name: (name != NAME, name))]


def _locked(path: Path, out: Path) -> IO[bytes]:
    """The open file of the folder's lock. On a file system without locks it is open, and not locked."""
    file = path.open("a+b")
    try:
        _take(file)
    except BlockingIOError as fault:
        file.seek(0)
        owner = file.read(4096).decode("utf-8", "replace") or "its owner is not known"
        raise FarmError(
            f"{out}: another run writes there: {owner}. Wait for it, or choose another folder"
        ) from fault
    file.truncate(0)
    file.write(f"process {os.getpid()} on {socket.gethostname()}, a farm".encode())
    file.flush()
    return file


def _take(file: IO[bytes]) -> None:
    """BlockingIOError: another process has it."""
    try:
        import fcntl
    except ImportError:
        _take_on_windows(file)
        return
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise
    except OSError:
        print(f"{file.name}: the file system has no locks. Make sure that no other run writes there")


def _take_on_windows(file: IO[bytes]) -> None:
    msvcrt: Any = importlib.import_module("msvcrt")

    file.seek(_LOCKED_BYTE)
    try:
        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
    except OSError as fault:
        raise BlockingIOError(*fault.args) from fault
    finally:
        file.seek(0)


def _end_of_lines(file: IO[bytes]) -> int:
    """Where the last whole line ends: a killed run may have left a part of one."""
    end = file.seek(0, os.SEEK_END)
    step = 1 << 16
    while end > 0:
        begin = max(0, end - step)
        file.seek(begin)
        found = file.read(end - begin).rfind(b"\n")
        if found >= 0:
            return begin + found + 1
        end = begin
    return 0


def _rows_of(file: Iterable[bytes]) -> Iterator[dict[str, Any]]:
    """The whole lines that are rows."""
    for line in file:
        try:
            row = json.loads(line)
        except ValueError:
            continue
        if isinstance(row, dict) and "path" in row:
            yield row


def _text_of(rows: Sequence[dict[str, Any]]) -> str:
    return "".join(json.dumps(row, ensure_ascii=False, separators=(",", ":")) + "\n" for row in rows)
