# SPDX-License-Identifier: MIT
"""Zip and tar files whose bytes depend on their content alone."""

from __future__ import annotations

import contextlib
import gzip
import io
import tarfile
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

_ZIP_DATE: Final = (1980, 1, 1, 0, 0, 0)  # the first that a zip can hold
_TAR_DATE: Final = 315532800  # the same day


@dataclass(frozen=True)
class Entry:
    """A file of an archive, or a link to another one beside it."""

    data: bytes = b""
    is_program: bool = False
    link_to: str = ""


def write_zip(path: Path, entries: dict[str, Entry]) -> None:
    """Writes a zip file, whole or not at all. It cannot hold links."""
    with _written_whole(path) as partial, zipfile.ZipFile(partial, "w") as archive:
        for name in sorted(entries):
            entry = entries[name]
            info = zipfile.ZipInfo(name, _ZIP_DATE)
            info.create_system = 3  # Unix, on whatever machine
            info.external_attr = (0o100755 if entry.is_program else 0o100644) << 16
            archive.writestr(info, entry.data, zipfile.ZIP_DEFLATED)


def write_tar(path: Path, entries: dict[str, Entry]) -> None:
    """Writes a .tar.gz file, whole or not at all."""
    with (
        _written_whole(path) as partial,
        partial.open("wb") as file,
        gzip.GzipFile("", "wb", compresslevel=6, fileobj=file, mtime=_TAR_DATE) as packed,
        tarfile.open(mode="w", fileobj=packed, format=tarfile.PAX_FORMAT) as archive,
    ):
        for name in sorted(entries):
            entry = entries[name]
            info = tarfile.TarInfo(name)
            info.mtime = _TAR_DATE
            info.mode = 0o755 if entry.is_program else 0o644
            if entry.link_to:
                info.type, info.linkname = tarfile.SYMTYPE, entry.link_to
            info.size = len(entry.data)
            archive.addfile(info, io.BytesIO(entry.data))


def write_text(path: Path, text: str) -> None:
    """Writes a text, whole or not at all."""
    with _written_whole(path) as partial:
        partial.write_text(text, encoding="utf-8", newline="\n")


@contextlib.contextmanager
def _written_whole(path: Path) -> Iterator[Path]:
    """A name beside the path. The file gets its own when all went well; if not, an older one stays."""
    partial = path.with_name(path.name + ".partial")
    try:
        yield partial
        partial.replace(path)
    finally:
        partial.unlink(missing_ok=True)
