# SPDX-License-Identifier: MIT
"""Inputs on storage are copied to the worker before the conversion, and outputs from it afterwards."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Final, NamedTuple

from ..text import text_of_json
from .errors import StorageError
from .ledger import NAME, OWN_FOLDER, rows_in
from .storage import Folder

#: So many files are copied at once: storage answers late, and has room for many.
_COPIES_AT_ONCE: Final = 16
Row = dict[str, Any]


class File(NamedTuple):
    """An input, and its place below the source."""

    source: Folder
    place: str
    size: int
    modified: int | None  # nanoseconds since 1970; None where the storage has no times


class Staging:
    """The copies of some inputs and outputs, in a folder of their own."""

    def __init__(self, scratch: Path, files: Sequence[File], out: Folder) -> None:
        self._inbox = scratch / "in"
        self.folder = scratch / "out"  # where the program writes
        self._files = files
        self._out = out
        self._sources = list(dict.fromkeys(file.source for file in files))
        self._copied = set[Folder]()

    def fetch(self) -> tuple[list[str], list[Row]]:
        """Copies inputs: arguments of the program, and rows of the report for those that cannot be copied."""
        failures = _side_by_side(self._fetch, self._files)
        places = [
            self._inbox / str(i) / each.name for i, each in enumerate(self._sources) if each in self._copied
        ]
        return list(map(str, places)), failures

    def _fetch(self, file: File) -> list[Row]:
        local = self._inbox / str(self._sources.index(file.source)) / file.place
        try:
            local.parent.mkdir(parents=True, exist_ok=True)
            file.source.get(file.place, local)
        except (StorageError, OSError) as problem:
            return [failed_row(f"{file.source.shown}/{file.place}", problem)]
        self._copied.add(file.source)
        if file.modified is not None:
            os.utime(local, ns=(file.modified, file.modified))
        return []

    def deliver(self, name: str) -> list[Row]:
        """Copies outputs to their places, and then the ledger as that of a share.

        Rows of the report for inputs whose outputs cannot be copied.
        """
        rows = self.with_urls([row for _, row in rows_in(self.folder / OWN_FOLDER / NAME)])
        failures = _side_by_side(self._deliver, rows)
        failed = {row["input"] for row in failures}
        if lines := [line_of(row) for row in rows if row["input"] not in failed]:
            (self.folder / name).write_bytes(b"".join(lines))
            self._out.put(self.folder / name, f"{OWN_FOLDER}/{name}")
        return failures

    def _deliver(self, row: Row) -> list[Row]:
        try:
            for output in row["outputs"]:
                place = text_of_json(output["path"])
                self._out.put(self.folder / place, place)
        except StorageError as problem:
            return [failed_row(row["input"], problem)]
        return []

    def with_urls(self, rows: list[Row]) -> list[Row]:
        """The program's rows, with the names of the storage in the place of the copies' paths."""

        def url(found: re.Match[str]) -> str:
            return json.dumps(self._sources[int(found[1])].shown)[1:-1] + "/"

        text = re.sub(re.escape(self._inbox.as_posix()) + r"/(\d+)/", url, json.dumps(rows))
        return json.loads(text.replace(f"{self.folder.as_posix()}/", json.dumps(self._out.shown)[1:-1] + "/"))


def failed_row(given: str, why: object) -> Row:
    """For an input of which the program cannot report."""
    return {"input": given, "status": "failed", "error": f"{given}: {why}."}


def line_of(row: Row) -> bytes:
    """A ledger's row, as the program writes it."""
    return json.dumps(row, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def _side_by_side(work: Callable[[Any], list[Row]], all_of: Sequence[Any]) -> list[Row]:
    with ThreadPoolExecutor(_COPIES_AT_ONCE) as threads:
        return [row for rows in threads.map(work, all_of) for row in rows]
