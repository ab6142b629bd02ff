# SPDX-License-Identifier: MIT
"""The checkout: where things are, the version that all its places give, and the add-on's own files."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[2]
ADDON: Final = ROOT / "addon" / "animbridge"
PACKAGE: Final = ROOT / "native" / "python" / "animbridge"
MANIFEST: Final = "blender_manifest.toml"


_PYTHON: Final = r'^(?:__version__: Final|VERSION) = "([^"]+)"'


class PackageError(Exception):
    """What keeps the packages from being made."""


def addon_files() -> dict[str, bytes]:
    """The add-on's files by their names in its folder, without the Python package, which a link leads to."""
    return {name: data for name, data in files_in(ADDON).items() if not name.startswith("animbridge/")}


def package_files() -> dict[str, bytes]:
    """The Python package's files by their places in a wheel."""
    return {f"animbridge/{name}": data for name, data in files_in(PACKAGE).items()}


def files_in(folder: Path) -> dict[str, bytes]:
    """The files below a folder by their names in it: no caches, nothing hidden."""
    names = [path.relative_to(folder) for path in folder.rglob("*") if path.is_file()]
    return {name.as_posix(): (folder / name).read_bytes() for name in names if _is_wanted(name)}


def _is_wanted(name: Path) -> bool:
    return not any(part == "__pycache__" or part.startswith(".") for part in name.parts)


def agreed_version() -> str:
    """The version that manifest, add-on, Python package and CMake all give."""
    versions = {
        "addon/animbridge/blender_manifest.toml": _manifest_version(),
        "bl_info in addon/animbridge/__init__.py": _bl_info_version(),
        "project() in CMakeLists.txt": _cmake_version(),
        "native/python/animbridge/__init__.py": version_in(PACKAGE / "__init__.py", _PYTHON),
        "addon/animbridge/requirements.py": version_in(ADDON / "requirements.py", _PYTHON),
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
