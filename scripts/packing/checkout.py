# SPDX-License-Identifier: MIT
"""The checkout: where things are, the version that all its places give, and the add-on's own files."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[2]
ADDON: Final = ROOT / "addon" / "animbridge"
MANIFEST: Final = "blender_manifest.toml"
#: What works without Blender and is of no use in it: it starts the command, here or on many machines.
WHEEL_ONLY: Final = ("__main__.py", "farm")


class PackageError(Exception):
    """What keeps the packages from being made."""


def addon_files() -> dict[str, bytes]:
    """The files of the folder by their names in it: no caches, no library that lies there, nothing hidden."""
    names = [path.relative_to(ADDON) for path in ADDON.rglob("*") if path.is_file()]
    return {name.as_posix(): (ADDON / name).read_bytes() for name in names if _is_wanted(name)}


def _is_wanted(name: Path) -> bool:
    return name.parts[0] != "lib" and not any(p == "__pycache__" or p.startswith(".") for p in name.parts)


def is_for_blender(name: str) -> bool:
    """Whether Blender's packages hold this file of the add-on."""
    return name.partition("/")[0] not in WHEEL_ONLY


def agreed_version() -> str:
    """The version that manifest, bl_info and CMake all give."""
    versions = {
        "addon/animbridge/blender_manifest.toml": _manifest_version(),
        "bl_info in addon/animbridge/__init__.py": _bl_info_version(),
        "project() in CMakeLists.txt": _cmake_version(),
    }
    if len(set(versions.values())) != 1:
        raise PackageError(
            "the versions differ: " + ", ".join(f"{v} in {place}" for place, v in versions.items())
        )
    return _manifest_version()


def _manifest_version() -> str:
    return version_in(ADDON / MANIFEST, r'^version = "([^"]+)"')


def _bl_info_version() -> str:
    """Read as Blender reads it: without running the module."""
    for statement in ast.parse((ADDON / "__init__.py").read_text(encoding="utf-8")).body:
        if isinstance(statement, ast.Assign) and ast.unparse(statement.targets[0]) == "bl_info":
            return ".".join(map(str, ast.literal_eval(statement.value)["version"]))
    raise PackageError(f"{ADDON / '__init__.py'} has no bl_info")


def _cmake_version() -> str:
    return version_in(ROOT / "CMakeLists.txt", r"^project\(animbridge VERSION ([0-9.]+)")


def version_in(file: Path, pattern: str) -> str:
    """The first group of the pattern in the file."""
    found = re.search(pattern, file.read_text(encoding="utf-8"), re.MULTILINE)
    if found is None:
        raise PackageError(f"{file} gives no version")
    return found[1]
