# SPDX-License-Identifier: MIT
"""Inputs on storage: the client lists them, leaves out what is done, and cuts them into shares."""

from __future__ import annotations

import json
import subprocess
import tempfile
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from .. import command
from ..text import text_of_json
from .errors import FarmError, UsageError
from .ledger import NAME, OWN_FOLDER, Key, number_of, rows_in, stem_of
from .share import Share, run
from .staging import File, Staged, failed_row
from .storage import Folder, Source, is_url, modified, reason

#: Options of `animbridge batch` that look at files which are not there.
_NOT_FOR_STORAGE: Final = ("--newer", "--digest", "--from")
#: Besides those of formats.
_MORE_EXTENSIONS: Final = (".json", ".animatn", ".blend")


class StorageInputs:
    """The inputs of a run whose inputs or outputs are on storage.

    UsageError: the words are wrong. FarmError: the storage cannot be used.
    """

    def __init__(self, words: Sequence[str], out: str) -> None:
        first = next((i for i, word in enumerate(words) if word.startswith("-")), len(words))
        given = [word for i, word in enumerate(words) if i < first or is_url(word)]
        self._options = tuple(word for word in words[first:] if not is_url(word))
        for option in _NOT_FOR_STORAGE:
            if option in self._options:
                raise UsageError(f"{option} does not go with URLs; leave it out")
        if not given:
            raise UsageError("found no inputs; give URLs, files or folders before the options")
        self._state = _state_of(self._options)
        self._out = Source.of(out)
        #: Rows of the report for what cannot be an input.
        self.failures: list[dict[str, Any]] = []
        self._sources: list[Source] = []
        self._files: list[File] = []
        extensions = (*_MORE_EXTENSIONS, *_extensions())
        for word in given:
            self._list(Source.of(word), extensions)

    def _list(self, source: Source, extensions: tuple[str, ...]) -> None:
        found = _found(source)
        if "" in found:  # the source is a file
            folder, _, name = source.shown.rpartition("/")
            source = Source(source.url, folder, name)
            found = {name: found[""]}
        inputs = {place: info for place, info in found.items() if source.name or _is_input(place, extensions)}
        for place, info in inputs.items():
            if _is_path(place):
                self._files.append(File(len(self._sources), place, info.get("size") or 0, modified(info)))
            else:
                why = 'its name is no path below the folder: a part is empty, "..", or no file name'
                self.failures.append(failed_row(f"{source.shown}/{place}", why))
        if not inputs:
            why = (
                "the folder contains no animation or .json file"
                if found
                else "there is nothing with this name"
            )
            self.failures.append(failed_row(source.shown, why))
        self._sources.append(source)

    def leave_out_done(self, rows: Mapping[Key, dict[str, Any]], *, retries_failed: bool) -> None:
        """Leaves out what a ledger has, unless input, options, version or outputs have changed.

        Inputs with the same stem are done together: the first one gets the output.
        """
        sizes = {place: info.get("size") for place, info in _found(self._out).items()}
        before = Counter[str]()
        left = set[str]()
        for file in self._files:
            row = rows.get((file.place, before[file.place]))
            before[file.place] += 1
            if (
                row is None
                or file.modified is None
                or (retries_failed and row["status"] == "failed")
                or (row["size"], row.get("modified")) != (file.size, file.modified)
                or (row["options"], row["version"]) != self._state
                or any(sizes.get(text_of_json(each["path"])) != each["size"] for each in row["outputs"])
            ):
                left.add(stem_of(file.place))
        self._files = [file for file in self._files if stem_of(file.place) in left]

    def shares(self, count: int, folder: str) -> list[Share]:
        """At most so many shares."""
        count = max(1, min(count, len(self._files)))
        files = defaultdict[int, list[File]](list)
        for file in sorted(self._files, key=lambda file: stem_of(file.place)):
            files[number_of(file.place, count)].append(file)
        sources = tuple(self._sources)
        return [
            Share(number, count, self._options, folder, Staged(sources, tuple(some), self._out))
            for number, some in sorted(files.items())
        ]


def _found(source: Source) -> Mapping[str, Mapping[str, Any]]:
    try:
        return Folder(source).found()
    except FarmError:
        raise
    except Exception as problem:  # storages have exceptions of their own kinds
        raise FarmError(f"{source.shown} cannot be listed: {reason(problem)}") from problem


def _is_input(place: str, extensions: tuple[str, ...]) -> bool:
    return place.lower().endswith(extensions) and f"/{OWN_FOLDER}/" not in f"/{place}"


def _is_path(place: str) -> bool:
    """Whether a name on storage is also the path of a file below a folder, on every system."""
    is_text = not any(letter in "\0\\" or 0xD800 <= ord(letter) < 0xE000 for letter in place)
    return is_text and not {"", ".", ".."} & set(place.split("/"))


def _extensions() -> tuple[str, ...]:
    """Of the files that are taken from folders, in lower case."""
    formats = subprocess.run([*command.words(), "formats", "--json"], capture_output=True, check=True)
    return tuple(name for each in json.loads(formats.stdout)["formats"] for name in each["extensions"])


def _state_of(options: Sequence[str]) -> tuple[str, str]:
    """What ledgers have for these options and this version: that of a file that is no animation."""
    with tempfile.TemporaryDirectory(prefix="animbridge-farm-") as scratch:
        probe, out = Path(scratch, "probe.json"), Path(scratch, "out")
        probe.write_text("{}", encoding="utf-8")
        _, _, said = run([str(probe), *options, "--out", str(out)], ".")
        rows = rows_in(out / OWN_FOLDER / NAME)
        if not rows:
            raise FarmError(said or "the options cannot be tried")
        return rows[0]["options"], rows[0]["version"]
