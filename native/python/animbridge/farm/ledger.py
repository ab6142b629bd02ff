# SPDX-License-Identifier: MIT
"""The ledgers in an output folder: while a run goes on, one for each share, and else one (docs/batch.md)."""

from __future__ import annotations

import hashlib
import json
import os
import socket
import subprocess
import tempfile
from collections import defaultdict
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import IO, Any, Final

from .. import command
from ..text import text_of_json
from .errors import FarmError
from .storage import Folder, Source, patiently, reason

OWN_FOLDER: Final = ".animbridge"
NAME: Final = "ledger.jsonl"
_SHARES: Final = "ledger-*-of-*.jsonl"
_LINK: Final = "it is a link, and nothing is written through a link here. Remove it"
#: An input's path in ledgers, and how many inputs before it have the same.
Key = tuple[str, int]


def stem_of(path: str) -> str:
    """An input's path without its extension. Inputs with the same stem may have the same output."""
    begin = path.rfind("/") + 1
    dot = path.rfind(".", begin)
    return path[:dot] if begin < dot < len(path) - 1 else path


def number_of(path: str, count: int) -> int:
    """The share that an input belongs to, by its path in ledgers: docs/batch.md#several-machines."""
    digest = hashlib.sha256(stem_of(path).encode("utf-8", "surrogateescape")).digest()
    return int.from_bytes(digest[:8], "big") % count + 1


def share_name(number: int, count: int) -> str:
    """Of a share's ledger."""
    return f"ledger-{number}-of-{count}.jsonl"


def rows_in(path: Path) -> list[dict[str, Any]]:
    """The rows of a ledger; none if there is no ledger."""
    return [row for _, row in _lines(path)]


def newest_in(path: Path) -> dict[Key, dict[str, Any]]:
    """The newest row of each input."""
    return {(text_of_json(row["path"]), row.get("before", 0)): row for _, row in _lines(path)}


def _lines(path: Path) -> Iterator[tuple[bytes, dict[str, Any]]]:
    """The lines that are rows. `animbridge batch` says what is wrong with others."""
    if not path.exists():
        return
    with path.open("rb") as lines:
        for line in lines:
            try:
                row = json.loads(line)
                text_of_json(row["path"])
            except (ValueError, LookupError, TypeError):
                continue
            if line.endswith(b"\n"):
                yield line, row


def merge(folder: Path) -> str:
    """Makes one ledger of those in a folder, the newest last; what it says of two inputs with one output."""
    shares = sorted(folder.glob(_SHARES))
    if not shares:
        return ""
    whole = folder / NAME
    words = [*command.words(), "batch-merge", *([whole] if whole.exists() else []), *shares]
    done = subprocess.run([*words, "--out", whole, "--json"], capture_output=True, check=False)
    said = done.stderr.decode("utf-8", "replace").strip()
    if not done.stdout:
        raise FarmError(f"the ledgers in {folder} cannot be put together: {said}")
    for share in shares:
        share.unlink()
    return said


class LocalLedger:
    """Of a folder that all workers see. FarmError: another run writes there."""

    def __init__(self, out: Path) -> None:
        self._folder = out / OWN_FOLDER
        self._folder.mkdir(parents=True, exist_ok=True)
        if self._folder.is_symlink():
            raise FarmError(f"{self._folder}: {_LINK}")
        self._lock = _locked(self._folder / "lock", out)
        merge(self._folder)  # what a killed run left

    def rows(self) -> dict[Key, dict[str, Any]]:
        """The newest of each input."""
        return newest_in(self._folder / NAME)

    def split(self, count: int) -> None:
        """Gives each of so many shares its rows, for it to go on from them."""
        lines = defaultdict[int, list[bytes]](list)
        for line, row in _lines(self._folder / NAME):
            lines[number_of(text_of_json(row["path"]), count)].append(line)
        for number, some in lines.items():
            with (self._folder / share_name(number, count)).open("xb") as file:  # never through a link
                file.writelines(some)

    def begin(self) -> None:
        """Lets the shares of this run write, and no other run."""
        _lock(self._lock, is_shared=True)

    def end(self) -> str:
        """Puts the ledgers of the shares together; what is wrong with them."""
        said = merge(self._folder)
        with suppress(BlockingIOError):  # of shares that still end
            _lock(self._lock)
            for lock in self._folder.glob("lock-*"):
                lock.unlink()
        self._lock.close()
        return said


class RemoteLedger:
    """Of a folder on storage, which has no locks. FarmError: the storage fails several times."""

    def __init__(self, out: Source) -> None:
        self._folder = Folder(out, f"/{OWN_FOLDER}")
        self._shown = out.shown
        self._said = ""
        self._rows: dict[Key, dict[str, Any]] = {}
        self.end()

    def rows(self) -> dict[Key, dict[str, Any]]:
        """The newest of each input, when the run began."""
        return self._rows

    def begin(self) -> None:
        """Nothing."""

    def end(self) -> str:
        """As that of the other ledger."""
        try:
            return patiently(self._merge)
        except FarmError:
            raise
        except Exception as problem:  # storages have exceptions of their own kinds
            raise FarmError(
                f"the ledger of {self._shown} cannot be read or written: {reason(problem)}. "
                "Go on with the same command and --resume"
            ) from problem

    def _merge(self) -> str:
        with tempfile.TemporaryDirectory() as name:
            scratch = Path(name)
            for found in self._folder.found():
                if found == NAME or ("/" not in found and Path(found).match(_SHARES)):
                    patiently(self._folder.get, found, scratch / found)
            shares = [path.name for path in scratch.glob(_SHARES)]
            self._said = merge(scratch) or self._said
            if shares:
                patiently(self._folder.put, scratch / NAME, NAME)
            for share in shares:
                patiently(self._folder.remove, share)
            self._rows = newest_in(scratch / NAME)
        return self._said


def _locked(path: Path, out: Path) -> IO[bytes]:
    if path.is_symlink() or (path.exists() and path.stat().st_nlink > 1):
        raise FarmError(f"{path}: {_LINK}")
    file = path.open("a+b")
    try:
        _lock(file)
    except BlockingIOError as fault:
        file.seek(0)
        owner = file.read(4096).decode("utf-8", "replace") or "its owner is not known"
        file.close()
        raise FarmError(
            f"{out}: another run writes there: {owner}. Wait for it, or choose another folder"
        ) from fault
    file.truncate(0)
    file.write(f"process {os.getpid()} on {socket.gethostname()}, a farm".encode())
    file.flush()
    return file


def _lock(file: IO[bytes], *, is_shared: bool = False) -> None:
    """BlockingIOError: another process has it. Does nothing on Windows: there, a lock cannot be shared."""
    try:
        import fcntl
    except ImportError:
        return
    try:
        fcntl.flock(file, (fcntl.LOCK_SH if is_shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
    except BlockingIOError:
        raise
    except OSError:
        print(f"{file.name}: the file system has no locks. Make sure that no other run writes there")
