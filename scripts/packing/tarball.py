# SPDX-License-Identifier: MIT
"""What programmers and administrators unpack: library, command, CMake package, man page and completions."""

from __future__ import annotations

import os
from pathlib import Path

from .archives import Entry, write_tar, write_zip
from .components import license_files
from .installed import Installed


def write_tarball(out: Path, version: str, build: Installed) -> Path:
    """The installed tree as a .tar.gz file; as a zip file for Windows, which has no links."""
    top = f"animbridge-{version}-{build.folder_name}"
    entries = {f"{top}/{path.relative_to(build.prefix).as_posix()}": _entry(path) for path in build.tree()}
    for name, data in license_files([build]).items():
        # The add-on's own licence is of no use here.
        if name != "LICENSE":
            entries[f"{top}/share/doc/animbridge/{name}"] = Entry(data)
    if build.system == "windows":
        # Another name than the extension's.
        write_zip(path := out / f"{top}-command-and-library.zip", entries)
    else:
        write_tar(path := out / f"{top}-command-and-library.tar.gz", entries)
    return path


def _entry(path: Path) -> Entry:
    if path.is_symlink():
        return Entry(link_to=os.readlink(path))  # noqa: PTH115  (as it is written, not resolved)
    return Entry(path.read_bytes(), is_program=os.access(path, os.X_OK))
