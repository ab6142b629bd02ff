# SPDX-License-Identifier: MIT
"""Files by URLs, such as s3://bucket/walks, through fsspec.

Whoever reads the place of an output sees the old file or the whole new one: object stores show an object when
all of it has arrived, and elsewhere a file is renamed when it is complete.
"""

from __future__ import annotations

import calendar
import functools
import importlib
import re
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from .errors import StorageError

#: Protocols whose files appear whole.
_OBJECT_STORES: Final = frozenset({"s3", "s3a", "gs", "gcs", "az", "abfs", "abfss", "adl", "oci"})
#: What file systems of fsspec call the time of the last change.
_TIMES: Final = ("LastModified", "last_modified", "mtime", "updated", "modified", "created")
_NANOSECONDS: Final = 1_000_000_000
#: Between tries of what may work a moment later.
PAUSES_SECONDS: Final = (0.3, 1.0, 3.0)
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
    return without_secrets(f"{type(problem).__name__}: {problem}".strip().splitlines()[0])


def _patient(work: Callable[..., Any]) -> Callable[..., Any]:
    """A method that is tried again where the storage fails. StorageError: it fails each time."""

    @functools.wraps(work)
    def tried(folder: Folder, *arguments: Any) -> Any:
        for pause in PAUSES_SECONDS:
            try:
                return work(folder, *arguments)
            except ImportError:
                raise
            except Exception:  # storages have exceptions of their own kinds
                time.sleep(pause)
        try:
            return work(folder, *arguments)
        except Exception as problem:  # as above
            raise StorageError(f"the storage {folder.shown} fails ({reason(problem)})") from problem

    return tried


@dataclass(frozen=True)
class Folder:
    """A folder that a word of the command line names, or a file. Words that are not URLs are local paths.

    Methods: StorageError. ImportError: the package for this storage is missing.
    """

    url: str  # as it was given: it may hold a password
    shown: str  # of the folder, without secrets
    name: str = ""  # of the file in the folder that the URL names; "": the whole folder

    @classmethod
    def of(cls, word: str) -> Folder:
        """What the word names, as a folder."""
        return cls(word if is_url(word) else str(Path.cwd() / word), without_secrets(word).rstrip("/"))

    @functools.cached_property
    def _opened(self) -> tuple[Any, str]:
        files, root = importlib.import_module("fsspec").core.url_to_fs(self.url)
        return files, root.rstrip("/")

    @_patient
    def found(self, below: str = "") -> Mapping[str, Mapping[str, Any]]:
        """The files there, and what storage says of them: {place: {"size": ...}}; {"": ...} for a file."""
        files, root = self._opened
        files.invalidate_cache()
        try:
            found = files.find(root + below, detail=True)
        except FileNotFoundError:
            return {}
        return {path[len(root) + 1 :]: info for path, info in found.items()}

    @_patient
    def get(self, place: str, into: Path) -> None:
        """Copies a file to this machine."""
        files, root = self._opened
        files.get_file(root if self.name else f"{root}/{place}", str(into))

    @_patient
    def put(self, source: Path, place: str) -> None:
        """Copies a file of this machine under its final name."""
        files, root = self._opened
        path = f"{root}/{place}"
        if self.url.partition("://")[0].rpartition("::")[2] in _OBJECT_STORES:
            files.put_file(str(source), path)
            return
        files.makedirs(path.rpartition("/")[0], exist_ok=True)
        files.put_file(str(source), f"{path}.partial")
        files.mv(f"{path}.partial", path)

    @_patient
    def remove(self, place: str) -> None:
        """Removes a file."""
        files, root = self._opened
        files.rm_file(f"{root}/{place}")


def modified(info: Mapping[str, Any]) -> int | None:
    """When a file was changed, in nanoseconds since 1970; None where the storage has no times."""
    time = next((info[name] for name in _TIMES if info.get(name) is not None), None)
    if isinstance(time, datetime):
        return calendar.timegm(time.utctimetuple()) * _NANOSECONDS + time.microsecond * 1000
    return round(time * _NANOSECONDS) if isinstance(time, int | float) else None
