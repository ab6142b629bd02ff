# SPDX-License-Identifier: MIT
"""Inputs on storage: the client lists them, leaves out what is done, and cuts them into shares."""

from __future__ import annotations

import json
import subprocess
import tempfile
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from .. import command
from ..text import text_of_json
from .errors import FarmError, UsageError
from .ledger import NAME, OWN_FOLDER, number_of, rows_in, stem_of
from .share import Share, run
from .staging import File, Row, failed_row
from .storage import Folder, is_url, modified

#: Besides those of formats.
_MORE_EXTENSIONS: Final = (".json", ".animatn", ".blend")
#: At most about so much a share, for which a worker's disk needs room.
_SHARE_FILES: Final = 512
_SHARE_BYTES: Final = 256 << 20


class StorageInputs:
    """The inputs of a run whose inputs or outputs are on storage.

    UsageError: the words are wrong. FarmError: the storage cannot be used.
    """

    def __init__(self, words: Sequence[str]) -> None:
        first = next((i for i, word in enumerate(words) if word.startswith("-")), len(words))
        given = dict.fromkeys(word for i, word in enumerate(words) if i < first or is_url(word))
        self._options = tuple(word for word in words[first:] if not is_url(word))
        if not given:
            raise UsageError("found no inputs; give URLs, files or folders before the options")
        #: Rows of the report for what cannot be an input.
        self.failures: list[Row] = []
        self._files: list[File] = []
        formats = subprocess.run([*command.words(), "formats", "--json"], capture_output=True, check=True)
        extensions = [name for each in json.loads(formats.stdout)["formats"] for name in each["extensions"]]
        for word in given:
            self._list(Folder.of(word), (*_MORE_EXTENSIONS, *extensions))

    def _list(self, source: Folder, extensions: tuple[str, ...]) -> None:
        found = source.found()
        if "" in found:  # the source is a file
            folder, _, name = source.shown.rpartition("/")
            source = Folder(source.url, folder, name)
            found = {name: found[""]}
        inputs = {place: info for place, info in found.items() if source.name or _is_input(place, extensions)}
        for place, info in inputs.items():
            if _is_path(place):
                self._files.append(File(source, place, info.get("size") or 0, modified(info)))
            else:
                why = 'its name is no path below the folder: a part is empty, "..", or no file name'
                self.failures.append(failed_row(f"{source.shown}/{place}", why))
        if not inputs:
            nothing = "the folder contains no animation or .json file"
            why = nothing if found else "there is nothing with this name"
            self.failures.append(failed_row(source.shown, why))

    def leave_out_done(self, rows: Mapping[str, Row], out: Folder, *, retries_failed: bool) -> None:
        """Leaves out what a ledger has, unless input, options, version or outputs have changed.

        Inputs with the same stem are done together: the first one gets the output.
        """
        state = self._state()
        sizes = {place: info.get("size") for place, info in out.found().items()}

        def is_done(file: File, row: Row) -> bool:
            try:
                return (
                    file.modified is not None
                    and not (retries_failed and row["status"] == "failed")
                    and (row["size"], row["modified"]) == (file.size, file.modified)
                    and (row["options"], row["version"]) == state
                    and all(sizes[text_of_json(each["path"])] == each["size"] for each in row["outputs"])
                )
            except (LookupError, TypeError):  # an output is gone, or no AnimBridge wrote the row
                return False

        left = {stem_of(file.place) for file in self._files if not is_done(file, rows.get(file.place, {}))}
        self._files = [file for file in self._files if stem_of(file.place) in left]

    def _state(self) -> tuple[str, str]:
        """What ledgers have for these options and this version: that of a file that is no animation."""
        with tempfile.TemporaryDirectory(prefix="animbridge-farm-") as scratch:
            probe, out = Path(scratch, "probe.json"), Path(scratch, "out")
            probe.write_text("{}", encoding="utf-8")
            _, _, said = run([str(probe), *self._options, "--out", str(out)], ".")
            for _, row in rows_in(out / OWN_FOLDER / NAME):
                return row["options"], row["version"]
            raise FarmError(said or "the options cannot be tried")

    def shares(self, count: int, out: Folder) -> list[Share]:
        """About so many, or more for each to have room on a worker's disk. Same stems stay together."""
        size = sum(file.size for file in self._files)
        count = max(count, len(self._files) // _SHARE_FILES, size // _SHARE_BYTES)
        count = max(1, min(count, len(self._files)))
        files = defaultdict[int, list[File]](list)
        for file in self._files:
            files[number_of(file.place, count)].append(file)
        return [
            Share(number, count, self._options, out, tuple(some)) for number, some in sorted(files.items())
        ]


def _is_input(place: str, extensions: tuple[str, ...]) -> bool:
    return place.lower().endswith(extensions) and f"/{OWN_FOLDER}/" not in f"/{place}"


def _is_path(place: str) -> bool:
    """Whether a name on storage is also the path of a file below a folder, on every system."""
    is_text = not any(letter in "\0\\" or 0xD800 <= ord(letter) < 0xE000 for letter in place)
    return is_text and not {"", ".", ".."} & set(place.split("/"))
