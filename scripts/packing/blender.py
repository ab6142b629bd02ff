# SPDX-License-Identifier: MIT
"""The two kinds of zip file that Blender installs."""

from __future__ import annotations

import re
from pathlib import Path

from .archives import Entry, write_zip
from .checkout import ADDON, MANIFEST, PackageError, addon_files, package_files
from .components import components_of, license_files
from .installed import Installed
from .manual import manual_files
from .wheel import libraries_folder


def write_extension(out: Path, version: str, build: Installed, wheel: Path) -> Path:
    """The extension for Blender 4.2 and later, for one platform: Python alone, and the platform's wheel."""
    path = out / f"animbridge-{version}-{build.folder_name}.zip"
    place = f"wheels/{wheel.name}"
    files = {**addon_files(), **_manual(), **license_files([build]), place: wheel.read_bytes()}
    write_zip(path, _entries({**files, MANIFEST: manifest_for(build, place)}))
    return path


def write_legacy(out: Path, version: str, builds: list[Installed]) -> Path:
    """The add-on for Blender 3.4 to 4.1, for all platforms: one folder, and no manifest."""
    place = f"-{builds[0].folder_name}" if len(builds) == 1 else ""
    path = out / f"animbridge-{version}{place}-blender-3.4-to-4.1.zip"
    files = {**addon_files(), **_manual(), **package_files(), **license_files(builds)}
    for build in builds:
        folder = f"{libraries_folder(version)}/{build.platform}"
        files |= {f"{folder}/{name}": data for name, data in build.libraries().items()}
    del files[MANIFEST]
    write_zip(path, _entries({f"animbridge/{name}": data for name, data in files.items()}))
    return path


def _manual() -> dict[str, bytes]:
    return {f"manual/{name}": data for name, data in manual_files().items()}


def _entries(files: dict[str, bytes]) -> dict[str, Entry]:
    return {name: Entry(data) for name, data in files.items()}


def manifest_for(build: Installed, wheel: str) -> bytes:
    """The add-on's manifest, for one platform alone: with its wheel, and the holders of all copyrights."""
    text = (ADDON / MANIFEST).read_text(encoding="utf-8")
    listed = re.search(r"^platforms = \[(.*)\]$", text, re.MULTILINE)
    if listed is None or f'"{build.platform}"' not in listed[1]:
        raise PackageError(f"{ADDON / MANIFEST} does not list the platform {build.platform}")
    holders = "".join(f',\n    "{part.copyright}"' for part in components_of(build))
    for pattern, line in {
        r"^platforms = .*$": f'platforms = ["{build.platform}"]\nwheels = ["./{wheel}"]',
        r"^copyright = \[(.*)\]$": rf"copyright = [\n    \1{holders}\n]",
    }.items():
        text, count = re.subn(pattern, line, text, count=1, flags=re.MULTILINE)
        if count != 1:
            raise PackageError(f"{ADDON / MANIFEST} has no line {pattern}")
    return text.encode()
