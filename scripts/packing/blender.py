# SPDX-License-Identifier: MIT
"""The two kinds of zip file that Blender installs."""

from __future__ import annotations

import re
from pathlib import Path

from .archives import Entry, write_zip
from .checkout import ADDON, MANIFEST, PackageError, addon_files, is_for_blender
from .components import license_files
from .installed import Installed


def write_extension(out: Path, version: str, build: Installed) -> Path:
    """The extension for Blender 4.2 and later, for one platform."""
    path = out / f"animbridge-{version}-{build.folder_name}.zip"
    files = {**_addon(), **license_files([build]), **build.addon_files()}
    write_zip(path, _entries({**files, MANIFEST: manifest_for(build.platform)}))
    return path


def write_legacy(out: Path, version: str, builds: list[Installed]) -> Path:
    """The add-on for Blender 3.4 to 4.1, for all platforms: one folder, and no manifest."""
    place = f"-{builds[0].folder_name}" if len(builds) == 1 else ""
    path = out / f"animbridge-{version}{place}-blender-3.4-to-4.1.zip"
    files = {**_addon(), **license_files(builds)}
    for build in builds:
        files |= build.addon_files()
    del files[MANIFEST]
    write_zip(path, _entries({f"animbridge/{name}": data for name, data in files.items()}))
    return path


def _addon() -> dict[str, bytes]:
    return {name: data for name, data in addon_files().items() if is_for_blender(name)}


def _entries(files: dict[str, bytes]) -> dict[str, Entry]:
    # Blender forgets that a file is a program; the add-on puts that right.
    return {name: Entry(data, is_program="lib" in Path(name).parts[:-1]) for name, data in files.items()}


def manifest_for(platform: str) -> bytes:
    """The add-on's manifest, for one platform alone."""
    text = (ADDON / MANIFEST).read_text(encoding="utf-8")
    changed, count = re.subn(
        r"^platforms = .*$", f'platforms = ["{platform}"]', text, count=1, flags=re.MULTILINE
    )
    listed = re.search(r"^platforms = \[(.*)\]$", text, re.MULTILINE)
    if count != 1 or listed is None or f'"{platform}"' not in listed[1]:
        raise PackageError(f"{ADDON / MANIFEST} does not list the platform {platform}")
    return changed.encode()
