# SPDX-License-Identifier: MIT
"""What URLs name is copied to the worker before the conversion, and from it afterwards."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from ..text import text_of_json
from .plan import Row
from .storage import Folder, is_url, split

#: So many files are copied at once: storage answers late, and has room for many.
_COPIES_AT_ONCE: Final = 16
_SLICE_FILES: Final = 512
_SLICE_BYTES: Final = 256 << 20


def slices(rows: Sequence[Row]) -> Iterator[list[Row]]:
    """The inputs in parts that a worker's disk has room for. Inputs with the same stem stay together."""
    part: list[Row] = []
    size = 0
    for row in rows:
        is_full = len(part) >= _SLICE_FILES or size + row.size > _SLICE_BYTES
        if part and is_full and row.stem != part[-1].stem:
            yield part
            part, size = [], 0
        part.append(row)
        size += row.size
    if part:
        yield part


class Staging:
    """The copies of some inputs and outputs, in a folder of their own."""

    def __init__(self, scratch: Path, out: str) -> None:
        self._inbox = scratch / "in"
        self._outbox = scratch / "out"
        self._remote = Folder(out) if is_url(out) else None
        #: Where the program writes.
        self.out = str(self._outbox) if self._remote else out
        self._folders: dict[str, Folder] = {}
        #: Of the inputs, by their numbers.
        self._parents: list[str] = []

    def fetched(self, rows: Sequence[Row]) -> list[Row]:
        """The inputs as they are here. One that cannot be copied has a fault."""
        for row in rows:
            folder, _ = split(text_of_json(row.input))
            self._parents.append(folder)
            if is_url(folder) and folder not in self._folders:
                self._folders[folder] = Folder(folder)
        return self._side_by_side(self._fetch, list(enumerate(rows)))

    def _fetch(self, numbered: tuple[int, Row]) -> Row:
        """In one of several threads."""
        number, row = numbered
        folder, name = split(text_of_json(row.input))
        if row.fault is not None or not is_url(folder):
            return row
        local = self._inbox / str(number) / name
        try:
            local.parent.mkdir(parents=True)
            self._folders[folder].get(name, local)
        except Exception as problem:  # storages have exceptions of their own kinds
            return replace(row, fault=f"it cannot be copied from the storage ({_words(problem)})")
        if row.modified is not None:
            os.utime(local, ns=(row.modified, row.modified))
        return replace(row, input=str(local))

    def delivered(self, ledger: Iterable[dict[str, Any]]) -> list[tuple[dict[str, Any], str]]:
        """Copies the outputs of ledger rows to their places; each row, and why it did not work, or ""."""
        return self._side_by_side(self._deliver, list(ledger))

    def _deliver(self, row: dict[str, Any]) -> tuple[dict[str, Any], str]:
        try:
            for output in row["outputs"] if self._remote else ():
                assert self._remote is not None
                place = text_of_json(output["path"])
                self._remote.put(self._outbox / place, place)
        except Exception as problem:  # as above
            return row, f"the outputs cannot be copied to the storage ({_words(problem)})"
        return row, ""

    def with_urls(self, text: str) -> str:
        """The program's JSON, with the URLs in the place of the copies' paths."""

        def parent(found: re.Match[str]) -> str:
            return json.dumps(self._parents[int(found[1])], ensure_ascii=False)[1:-1] + "/"

        text = re.sub(re.escape(self._inbox.as_posix()) + r"/(\d+)/", parent, text)
        if self._remote:
            text = text.replace(self._outbox.as_posix() + "/", self._remote.url + "/")
        return text

    def _side_by_side(self, work: Callable[[Any], Any], all_of: Sequence[Any]) -> list[Any]:
        with ThreadPoolExecutor(_COPIES_AT_ONCE) as threads:
            return list(threads.map(work, all_of))


def _words(problem: Exception) -> str:
    return f"{type(problem).__name__}: {problem}"
