# SPDX-License-Identifier: MIT
"""The ledgers in an output folder: while a run goes on, one for each share, and else one (docs/batch.md)."""

from __future__ import annotations

import hashlib
import json
import subprocess
import tempfile
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from .. import command
from ..text import text_of_json
from .errors import FarmError
from .storage import Folder, is_url

OWN_FOLDER: Final = ".animbridge"
NAME: Final = "ledger.jsonl"
_SHARES: Final = "ledger-*-of-*.jsonl"


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


def rows_in(path: Path) -> Iterator[tuple[bytes, dict[str, Any]]]:
    """The rows of a ledger, and their lines. `animbridge batch` says what is wrong with other lines."""
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


class Ledger:
    """A context in which an output folder is this run's. FarmError: it is another's, or its storage fails.

    Before the run and after it, the ledgers of shares are put together. Those on storage, which has no locks,
    are copied here for that, and the whole one is copied back.
    """

    def __init__(self, out: Folder) -> None:
        self._remote = out if is_url(out.url) else None
        self._scratch = tempfile.TemporaryDirectory(prefix="animbridge-farm-")
        self._folder = Path(self._scratch.name if self._remote else out.url, OWN_FOLDER)
        #: Of two inputs with one output.
        self.problems: list[str] = []

    def __enter__(self) -> Ledger:
        self._folder.mkdir(parents=True, exist_ok=True)
        for path in (self._folder, self._folder / "lock"):
            if path.is_symlink():
                raise FarmError(f"{path}: it is a link, and nothing is written through links here. Remove it")
        self._lock = (self._folder / "lock").open("ab+")  # nothing is written to it
        if not self._locks(is_shared=False):
            self._lock.seek(0)
            owner = self._lock.read(4096).decode("utf-8", "replace") or "its owner is not known"
            raise FarmError(f"{self._folder.parent}: another run writes there: {owner}. Wait for it")
        self._merge()
        return self

    def rows(self) -> dict[str, dict[str, Any]]:
        """The newest row of each input's path, before the run."""
        return {text_of_json(row["path"]): row for _, row in rows_in(self._folder / NAME)}

    def share_out(self, count: int, *, resumes: bool) -> None:
        """Lets so many shares write, and gives each its rows to go on from."""
        lines = defaultdict[int, list[bytes]](list)
        for line, row in rows_in(self._folder / NAME) if resumes else ():
            lines[number_of(text_of_json(row["path"]), count)].append(line)
        for number, some in lines.items():
            with (self._folder / share_name(number, count)).open("xb") as file:  # never through a link
                file.writelines(some)
        self._locks(is_shared=True)

    def __exit__(self, *_: object) -> None:
        if self._locks(is_shared=False):  # else shares go on, and the next run takes their ledgers
            self._merge()
            for lock in self._folder.glob("lock-*"):
                lock.unlink()

    def _locks(self, *, is_shared: bool) -> bool:
        """Whether no other process has the lock. Windows has none that can be shared."""
        try:
            import fcntl

            fcntl.flock(self._lock, (fcntl.LOCK_SH if is_shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        except ImportError:
            pass
        except OSError:
            print(f"{self._folder}: the file system has no locks. Make sure that no other run writes there")
        return True

    def _merge(self) -> None:
        """Makes one ledger, the newest rows last."""
        if self._remote:
            for place in self._remote.found(f"/{OWN_FOLDER}"):
                if Path(place).match(f"{OWN_FOLDER}/ledger*.jsonl"):
                    self._remote.get(place, self._folder / Path(place).name)
        whole, shares = self._folder / NAME, sorted(self._folder.glob(_SHARES))
        if not shares:
            return
        words = [*command.words(), "batch-merge", *([whole] if whole.exists() else []), *shares]
        done = subprocess.run([*words, "--out", whole, "--json"], capture_output=True, check=False)
        said = done.stderr.decode("utf-8", "replace").strip()
        if not done.stdout:
            raise FarmError(f"the ledgers in {self._folder} cannot be put together: {said}")
        self.problems = said.splitlines()
        if self._remote:
            self._remote.put(whole, f"{OWN_FOLDER}/{NAME}")
        for share in shares:
            share.unlink()
            if self._remote:
                self._remote.remove(f"{OWN_FOLDER}/{share.name}")
