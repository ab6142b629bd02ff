# SPDX-License-Identifier: MIT
"""The two kinds of zip file that Blender installs."""

from __future__ import annotations

import re
from pathlib import Path

from .archives import Entry, write_zip
from .checkout import ADDON, MANIFEST, PackageError, addon_files, package_files
from .components import license_files
from .installed import Installed
from .wheel import libraries_folder


def write_extension(out: Path, version: str, build: Installed, wheel: Path) -> Path:
    """The extension for Blender 4.2 and later, for one platform: Python alone, and the platform's wheel."""
    path = out / f"animbridge-{version}-{build.folder_name}.zip"
    place = f"wheels/{wheel.name}"
    files = {**addon_files(), **license_files([build]), place: wheel.read_bytes()}
    write_zip(path, _entries({**files, MANIFEST: manifest_for(build.platform, place)}))
    return path


def write_legacy(out: Path, version: str, builds: list[Installed]) -> Path:
    """The add-on for Blender 3.4 to 4.1, for all platforms: one folder, and no manifest."""
    place = f"-{builds[0].folder_name}" if len(builds) == 1 else ""
    path = out / f"animbridge-{version}{place}-blender-3.4-to-4.1.zip"
    files = {**addon_files(), **package_files(), **license_files(builds)}
    for build in builds:
        folder = f"{libraries_folder(version)}/{build.platform}"
        files |= {f"{folder}/{name}": data for name, data in build.libraries().items()}
    del files[MANIFEST]
    write_zip(path, _entries({f"animbridge/{name}": data for name, data in files.items()}))
    return path


def _entries(files: dict[str, bytes]) -> dict[str, Entry]:
    return {name: Entry(data) for name, data in files.items()}


def manifest_for(platform: str, wheel: str) -> bytes:
    """The add-on's manifest, for one platform alone, with the place of its wheel."""
    text = (ADDON / MANIFEST).read_text(encoding="utf-8")
    lines = f'platforms = ["{platform}"]\nwheels = ["./{wheel}"]'
    changed, count = re.subn(r"^platforms = .*$", lines, text, count=1, flags=re.MULTILINE)
    listed = re.search(r"^platforms = \[(.*)\]$", text, re.MULTILINE)
    if count != 1 or listed is None or f'"{platform}"' not in listed[1]:
        raise PackageError(f"{ADDON / MANIFEST} does not list the platform {platform}")
    return changed.encode()
