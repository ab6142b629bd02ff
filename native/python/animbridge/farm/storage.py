# SPDX-License-Identifier: MIT
"""Files by URLs, such as s3://bucket/walks, through fsspec.

Whoever reads the place of an output sees the old file or the whole new one: object stores show an object when
all of it has arrived, and elsewhere a file is renamed when it is complete.
"""

from __future__ import annotations

import calendar
import posixpath
import re
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Final, TypeVar

from . import packages
from .errors import FarmError

Result = TypeVar("Result")

#: Protocols whose files appear whole.
_OBJECT_STORES: Final = frozenset({"s3", "s3a", "gs", "gcs", "az", "abfs", "abfss", "adl", "oci", "memory"})
#: What file systems of fsspec call the time of the last change.
_TIMES: Final = ("LastModified", "last_modified", "mtime", "updated", "modified", "created")
_NANOSECONDS: Final = 1_000_000_000
_PAUSES_SECONDS: Final = (0.3, 1.0, 3.0)
_USER: Final = re.compile(r"(?<=://)[^/\s\"']*@")
_QUERY: Final = re.compile(r"(://[^\s\"'?]*)\?[^\s\"')\]}>]*")


def is_url(text: str) -> bool:
    """Whether fsspec is needed for a path."""
    return "://" in text


def without_secrets(text: str) -> str:
    """Text without the users, passwords and queries of the URLs in it: queries may hold signatures."""
    return _QUERY.sub(r"\1", _USER.sub("", text))


def reason(problem: Exception) -> str:
    """What an exception says, in one line."""
    text = f"{type(problem).__name__}: {problem}".strip().splitlines()[0]
    return without_secrets(text)


def patiently(work: Callable[..., Result], *arguments: Any) -> Result:
    """Does something with the storage, and tries it again where that fails; its last exception."""
    for pause in _PAUSES_SECONDS:
        try:
            return work(*arguments)
        except Exception:  # storages have exceptions of their own kinds
            time.sleep(pause)
    return work(*arguments)


@dataclass(frozen=True)
class Source:
    """A folder that a word of the command line names, or a file. Words that are not URLs are local paths."""

    url: str  # as it was given: it may hold a password
    shown: str  # of the folder, without secrets
    name: str = ""  # of the file in the folder; "": the whole folder

    @classmethod
    def of(cls, word: str) -> Source:
        """A folder."""
        return cls(word if is_url(word) else str(Path.cwd() / word), without_secrets(word).rstrip("/"))


class Folder:
    """What a source names. FarmError: there is no such storage here."""

    def __init__(self, source: Source, below: str = "") -> None:
        core = packages.fsspec().core
        try:
            self._files, root = core.url_to_fs(source.url)
        except (ImportError, ValueError) as fault:  # a protocol that nobody knows, or a missing package
            raise FarmError(f"the storage of {source.shown} cannot be used: {reason(fault)}") from fault
        self._name = source.name
        self._root = root.rstrip("/") + below
        protocol = self._files.protocol
        protocols = {protocol} if isinstance(protocol, str) else set(protocol)
        self._shows_whole_files = bool(protocols & _OBJECT_STORES)

    def found(self) -> Mapping[str, Mapping[str, Any]]:
        """The files below, and what storage says of them: {place: {"size": ...}}; {"": ...} for a file."""
        self._files.invalidate_cache()
        try:
            found = self._files.find(self._root, detail=True)
        except FileNotFoundError:
            return {}
        return {path[len(self._root) + 1 :]: info for path, info in found.items()}

    def get(self, place: str, into: Path) -> None:
        """Copies a file of the folder to this machine; any exception of the storage."""
        self._files.get_file(self._root if self._name else self._path(place), str(into))

    def put(self, source: Path, place: str) -> None:
        """Copies a file of this machine under its final name; any exception of the storage."""
        path = self._path(place)
        if self._shows_whole_files:
            self._files.put_file(str(source), path)
            return
        self._files.makedirs(posixpath.dirname(path), exist_ok=True)
        self._files.put_file(str(source), f"{path}.partial")
        self._files.mv(f"{path}.partial", path)

    def remove(self, place: str) -> None:
        """Removes a file."""
        self._files.rm_file(self._path(place))

    def _path(self, place: str) -> str:
        return f"{self._root}/{place}"


def modified(info: Mapping[str, Any]) -> int | None:
    """When a file was changed, in nanoseconds since 1970; None where the storage has no times."""
    time = next((info[name] for name in _TIMES if info.get(name) is not None), None)
    if isinstance(time, datetime):
        return calendar.timegm(time.utctimetuple()) * _NANOSECONDS + time.microsecond * 1000
    return round(time * _NANOSECONDS) if isinstance(time, int | float) else None
