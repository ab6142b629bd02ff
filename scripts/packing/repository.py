# SPDX-License-Identifier: MIT
"""A repository of extensions: a folder of zip files. Blender writes its list, index.json."""

from __future__ import annotations

import shutil
import zipfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import tomllib

from .checkout import MANIFEST


def put(folder: Path, packages: Iterable[Path]) -> None:
    """Copies the extensions among the packages into the folder; what else lies there stays.

    They replace others of the same id for the same platform: of two versions, Blender may offer the older.
    """
    folder.mkdir(parents=True, exist_ok=True)
    extensions = {path.name: manifest for path in packages if (manifest := _manifest(path))}
    for old in folder.glob("*.zip"):
        before = _manifest(old)
        if before and any(_are_for_one_place(before, manifest) for manifest in extensions.values()):
            old.unlink()
    for package in packages:
        if package.name in extensions:
            shutil.copyfile(package, folder / package.name)


def _manifest(path: Path) -> dict[str, Any]:
    """An extension's manifest; empty for any other file."""
    if not zipfile.is_zipfile(path):
        return {}
    with zipfile.ZipFile(path) as archive:
        return tomllib.loads(archive.read(MANIFEST).decode()) if MANIFEST in archive.namelist() else {}


def _are_for_one_place(one: dict[str, Any], other: dict[str, Any]) -> bool:
    """Whether both may be offered to one Blender. An extension without platforms is for all of them."""
    platforms = [set(manifest.get("platforms", ())) for manifest in (one, other)]
    return one["id"] == other["id"] and (not all(platforms) or bool(platforms[0] & platforms[1]))
