# SPDX-License-Identifier: MIT
"""Inputs on storage are copied to the worker before the conversion, and outputs from it afterwards."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, NamedTuple

from ..text import text_of_json
from .ledger import NAME, OWN_FOLDER, rows_in, share_name, stem_of
from .storage import Folder, Source, patiently, reason

#: So many files are copied at once: storage answers late, and has room for many.
_COPIES_AT_ONCE: Final = 16
_PART_FILES: Final = 512
_PART_BYTES: Final = 256 << 20


class File(NamedTuple):
    """An input: the number of its source, and its place below the source's folder."""

    source: int
    place: str
    size: int
    modified: int | None  # nanoseconds since 1970; None where the storage has no times


@dataclass(frozen=True)
class Staged:
    """Inputs on storage, those with the same stem one after another, and the place of the outputs."""

    sources: tuple[Source, ...]
    files: tuple[File, ...]
    out: Source

    def parts(self) -> Iterator[list[File]]:
        """The inputs in parts that a worker's disk has room for. Inputs with the same stem stay together."""
        part: list[File] = []
        size = 0
        for file in self.files:
            is_full = len(part) >= _PART_FILES or size + file.size > _PART_BYTES
            if part and is_full and stem_of(file.place) != stem_of(part[-1].place):
                yield part
                part, size = [], 0
            part.append(file)
            size += file.size
        if part:
            yield part


class Staging:
    """The copies of some inputs and outputs, in a folder of their own."""

    def __init__(self, scratch: Path, staged: Staged) -> None:
        self._inbox = scratch / "in"
        self.out = scratch / "out"  # where the program writes
        self._sources = staged.sources
        self._folders = [Folder(source) for source in staged.sources]
        self._remote_shown = staged.out.shown
        self._remote = Folder(staged.out)
        self._copied = set[int]()  # sources of the copies

    def fetch(self, files: Sequence[File]) -> list[dict[str, Any]]:
        """Copies inputs; rows of the report for those that cannot be copied."""
        return _side_by_side(self._fetch, files)

    def _fetch(self, file: File) -> list[dict[str, Any]]:
        local = self._inbox / str(file.source) / file.place
        try:
            local.parent.mkdir(parents=True, exist_ok=True)
            patiently(self._folders[file.source].get, file.place, local)
        except Exception as problem:  # storages have exceptions of their own kinds
            given = f"{self._sources[file.source].shown}/{file.place}"
            return [failed_row(given, f"it cannot be copied from the storage ({reason(problem)})")]
        self._copied.add(file.source)
        if file.modified is not None:
            os.utime(local, ns=(file.modified, file.modified))
        return []

    def inputs(self) -> list[str]:
        """What was copied, as arguments of the program."""
        return [str(self._inbox / str(each) / self._sources[each].name) for each in sorted(self._copied)]

    def deliver(self, ledger: list[bytes], number: int, count: int) -> list[dict[str, Any]]:
        """Copies outputs to their places, and then the ledger of a share, to which it adds their rows.

        Rows of the report for inputs whose outputs cannot be copied.
        """
        rows = self.with_urls(rows_in(self.out / OWN_FOLDER / NAME))
        failures = _side_by_side(self._deliver, rows)
        failed = {row["input"] for row in failures}
        ledger += [line_of(row) for row in rows if row["input"] not in failed]
        if ledger:
            local = self.out / "share.jsonl"
            local.write_bytes(b"".join(ledger))
            patiently(self._remote.put, local, f"{OWN_FOLDER}/{share_name(number, count)}")
        return failures

    def _deliver(self, row: dict[str, Any]) -> list[dict[str, Any]]:
        try:
            for output in row["outputs"]:
                place = text_of_json(output["path"])
                patiently(self._remote.put, self.out / place, place)
        except Exception as problem:  # as above
            why = f"the outputs cannot be copied to the storage ({reason(problem)})"
            return [failed_row(row["input"], why)]
        return []

    def with_urls(self, rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """The program's rows, with the names of the storage in the place of the copies' paths."""

        def url(found: re.Match[str]) -> str:
            return json.dumps(self._sources[int(found[1])].shown)[1:-1] + "/"

        text = re.sub(re.escape(self._inbox.as_posix()) + r"/(\d+)/", url, json.dumps(rows))
        return json.loads(text.replace(self.out.as_posix() + "/", json.dumps(self._remote_shown)[1:-1] + "/"))


def failed_row(given: str, why: str) -> dict[str, Any]:
    """For an input of which the program cannot report."""
    return {"input": given, "status": "failed", "error": f"{given}: {why}."}


def line_of(row: dict[str, Any]) -> bytes:
    """A ledger's row, as the program writes it."""
    return json.dumps(row, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def _side_by_side(work: Callable[[Any], list[dict[str, Any]]], all_of: Sequence[Any]) -> list[dict[str, Any]]:
    with ThreadPoolExecutor(_COPIES_AT_ONCE) as threads:
        return [row for rows in threads.map(work, all_of) for row in rows]
