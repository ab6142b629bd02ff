# SPDX-License-Identifier: MIT
"""Files by URLs, such as s3://bucket/walks, through fsspec.

Whoever reads the place of an output sees the old file or the whole new one: object stores show an object when
all of it has arrived, and elsewhere a file is renamed when it is complete.
"""

from __future__ import annotations

import calendar
import posixpath
from collections.abc import Collection, Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from . import packages
from .errors import FarmError
from .plan import Row

#: Protocols whose files appear whole.
_OBJECT_STORES: Final = frozenset({"s3", "s3a", "gs", "gcs", "az", "abfs", "abfss", "adl", "oci", "memory"})
#: What file systems of fsspec call the time of the last change.
_TIMES: Final = ("LastModified", "last_modified", "mtime", "updated", "modified", "created")
_NANOSECONDS: Final = 1_000_000_000


def is_url(text: str) -> bool:
    """Whether fsspec is needed for a path."""
    return "://" in text


class Folder:
    """A folder that a URL names. FarmError: there is no such storage here."""

    def __init__(self, url: str) -> None:
        self.url = url.rstrip("/")
        core = packages.fsspec().core
        try:
            self._files, self._root = core.url_to_fs(self.url)
        except (
            ImportError,
            ValueError,
        ) as fault:  # a protocol that nobody knows, or a package that is missing
            raise FarmError(f"the storage of {url} cannot be used: {fault}") from fault
        protocol = self._files.protocol
        protocols = {protocol} if isinstance(protocol, str) else set(protocol)
        self._shows_whole_files = bool(protocols & _OBJECT_STORES)

    def sizes(self) -> dict[str, int]:
        """The files in the folder and below: {place below it: bytes}."""
        return {place: info["size"] for place, info in self._found().items()}

    def rows(self, extensions: Collection[str]) -> Iterator[Row]:
        """The animation files in the folder and below, or the one file that the URL names; by name.

        FileNotFoundError: there is nothing.
        """
        if self._files.isfile(self._root):
            parent, _, name = self.url.rpartition("/")
            yield _row(parent, name, self._files.info(self._root))
            return
        found = self._found()
        if not found:
            raise FileNotFoundError(f"there is nothing at {self.url}")
        for place in sorted(found):
            if place.lower().endswith(tuple(extensions)) and "/.animbridge/" not in f"/{place}":
                yield _row(self.url, place, found[place])

    def get(self, place: str, into: Path) -> None:
        """Copies a file of the folder to this machine; any exception of the storage."""
        self._files.get_file(self._path(place), str(into))

    def put(self, source: Path, place: str) -> None:
        """Copies a file of this machine under its final name; any exception of the storage."""
        path = self._path(place)
        if self._shows_whole_files:
            self._files.put_file(str(source), path)
            return
        self._files.makedirs(posixpath.dirname(path), exist_ok=True)
        partial = f"{path}.partial"
        self._files.put_file(str(source), partial)
        self._files.mv(partial, path)

    def remove(self, place: str) -> None:
        """Removes a file."""
        self._files.rm_file(self._path(place))

    def _path(self, place: str) -> str:
        return posixpath.join(self._root, place) if place else self._root

    def _found(self) -> Mapping[str, dict[str, Any]]:
        self._files.invalidate_cache()
        found = self._files.find(self._root, detail=True)
        prefix = self._root.rstrip("/") + "/"
        return {path.removeprefix(prefix): info for path, info in found.items() if path.startswith(prefix)}


def split(url: str) -> tuple[str, str]:
    """The folder of a file that a URL names, and the file's name."""
    folder, _, name = url.rpartition("/")
    return folder, name


def _row(folder: str, place: str, info: Mapping[str, Any]) -> Row:
    below, _, _ = place.rpartition("/")
    return Row(f"{folder}/{place}", below, info["size"], modified=_modified(info))


def _modified(info: Mapping[str, Any]) -> int | None:
    """Nanoseconds since 1970."""
    time = next((info[name] for name in _TIMES if info.get(name) is not None), None)
    if isinstance(time, datetime):
        return calendar.timegm(time.utctimetuple()) * _NANOSECONDS + time.microsecond * 1000
    return round(time * _NANOSECONDS) if isinstance(time, int | float) else None
