# SPDX-License-Identifier: MIT
"""Makes the two zip files that people install from a checkout and a built library.

scripts/make_packages.py --library build/lib/libanimbridge.so --scene build/scene-package --out dist

The same sources and the same library give the same bytes: files are sorted, dates and rights are fixed.
"""

from __future__ import annotations

import argparse
import ast
import ctypes
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parent.parent
ADDON: Final = ROOT / "addon" / "animbridge"
#: Where the add-on looks for the library, seen from its own folder (native/library.py).
LIBRARY_PLACE: Final = "lib/linux-x64/libanimbridge.so"
#: The program for scenes, which the library looks for beside itself.
SCENE_PROGRAM: Final = "animbridge-scene"
_DATE: Final = (1980, 1, 1, 0, 0, 0)  # the first that a zip can hold
_LICENSES: Final = {
    "LICENSE": ROOT / "addon" / "LICENSE",
    "licenses/animbridge-library.txt": ROOT / "native" / "LICENSE",
    # What is compiled into the library; their licences want their notices to come along.
    "licenses/nlohmann-json.txt": Path("/usr/share/doc/nlohmann-json3-dev/copyright"),
    "licenses/glm.txt": Path("/usr/share/doc/libglm-dev/copyright"),
    "licenses/pugixml.txt": Path("/usr/share/doc/libpugixml-dev/copyright"),
    "licenses/tl-expected.txt": Path("/usr/share/doc/libexpected-dev/copyright"),
}


class PackageError(Exception):
    """What keeps the packages from being made."""


def main() -> int:
    """Makes both packages and prints where they are; the exit code."""
    parser = argparse.ArgumentParser(description="Makes the zip files that people install.")
    parser.add_argument("--library", type=Path, required=True, help="the built libanimbridge.so")
    parser.add_argument(
        "--scene", type=Path, help="the folder of the installed program animbridge-scene with its library"
    )
    parser.add_argument(
        "--out", type=Path, required=True, help="the folder of the zip files; made if need be"
    )
    given = parser.parse_args()
    try:
        for package in make_packages(given.library, given.scene, given.out):
            print(f"{package}  {package.stat().st_size / 1000:.0f} kB")
    except (PackageError, OSError) as fault:
        print(f"error: {fault}", file=sys.stderr)
        return 1
    return 0


def make_packages(library: Path, scene: Path | None, out: Path) -> list[Path]:
    """Writes the extension (Blender 4.2 and later) and the add-on (up to 4.1) into `out`."""
    version = agreed_version(library)
    files = {**addon_files(), **license_files(), **scene_files(scene), LIBRARY_PLACE: stripped(library)}
    out.mkdir(parents=True, exist_ok=True)
    extension = out / f"animbridge-{version}-linux_x64.zip"
    legacy = out / f"animbridge-{version}-linux_x64-blender-3.4-to-4.1.zip"
    write_zip(extension, files)
    # Blender up to 4.1 wants one folder with the add-on's name at the top; it knows no manifest.
    manifest = "blender_manifest.toml"
    write_zip(legacy, {f"animbridge/{name}": data for name, data in files.items() if name != manifest})
    return [extension, legacy]


def agreed_version(library: Path) -> str:
    """The version that manifest, bl_info, CMake and the library all give."""
    versions = {
        "addon/animbridge/blender_manifest.toml": _manifest_version(),
        "bl_info in addon/animbridge/__init__.py": _bl_info_version(),
        "project() in CMakeLists.txt": _cmake_version(),
        str(library): _library_version(library),
    }
    if len(set(versions.values())) != 1:
        raise PackageError(
            "the versions differ: " + ", ".join(f"{v} in {place}" for place, v in versions.items())
        )
    return _manifest_version()


def _manifest_version() -> str:
    return _version_in(ADDON / "blender_manifest.toml", r'^version = "([^"]+)"')


def _bl_info_version() -> str:
    """Read as Blender reads it: without running the module."""
    for statement in ast.parse((ADDON / "__init__.py").read_text(encoding="utf-8")).body:
        if isinstance(statement, ast.Assign) and ast.unparse(statement.targets[0]) == "bl_info":
            return ".".join(map(str, ast.literal_eval(statement.value)["version"]))
    raise PackageError(f"{ADDON / '__init__.py'} has no bl_info")


def _cmake_version() -> str:
    return _version_in(ROOT / "CMakeLists.txt", r"^project\(animbridge VERSION ([0-9.]+)")


def _version_in(file: Path, pattern: str) -> str:
    found = re.search(pattern, file.read_text(encoding="utf-8"), re.MULTILINE)
    if found is None:
        raise PackageError(f"{file} gives no version")
    return found[1]


def _library_version(library: Path) -> str:
    if not library.is_file():
        raise PackageError(f"{library} is not there: scripts/setup builds it")
    version = ctypes.CDLL(str(library.resolve())).ab_version
    version.restype = ctypes.c_char_p
    return version().decode("utf-8")


def addon_files() -> dict[str, bytes]:
    """The add-on's own files by their names in it: no caches, no library that lies there, nothing hidden."""
    names = [path.relative_to(ADDON) for path in ADDON.rglob("*") if path.is_file()]
    return {name.as_posix(): (ADDON / name).read_bytes() for name in names if _is_wanted(name)}


def _is_wanted(name: Path) -> bool:
    return name.parts[0] != "lib" and not any(p == "__pycache__" or p.startswith(".") for p in name.parts)


def license_files() -> dict[str, bytes]:
    """The licences of the add-on, of the library and of what is compiled into it."""
    missing = [str(path) for path in _LICENSES.values() if not path.is_file()]
    if missing:
        raise PackageError(f"no licence text at {', '.join(missing)}")
    return {name: path.read_bytes() for name, path in _LICENSES.items()}


def scene_files(folder: Path | None) -> dict[str, bytes]:
    """The program for scenes, its library and their licences; nothing if it needs a library of the system."""
    if folder is None or not (folder / SCENE_PROGRAM).is_file() or not list(folder.glob("libassimp.so.*")):
        print(
            "warning: the packages hold no program animbridge-scene, so they can't open FBX, glTF and "
            "COLLADA files. scripts/setup fetches Assimp 6 for it",
            file=sys.stderr,
        )
        return {}
    place = Path(LIBRARY_PLACE).parent
    programs = [folder / SCENE_PROGRAM, *folder.glob("libassimp.so.*")]
    files = {(place / path.name).as_posix(): stripped(path) for path in programs}
    licenses = {f"licenses/{path.name}": path.read_bytes() for path in (folder / "licenses").iterdir()}
    return files | licenses


def stripped(library: Path) -> bytes:
    """A library or program without the symbols that only a debugger reads."""
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / library.name
        shutil.copyfile(library, copy)
        subprocess.run(["strip", "--strip-unneeded", str(copy)], check=True)
        return copy.read_bytes()


def _is_program(name: str) -> bool:
    return ".so" in Path(name).suffixes or Path(name).name == SCENE_PROGRAM


def write_zip(path: Path, files: dict[str, bytes]) -> None:
    """Writes a zip beside its place and renames it: a failure leaves an older one as it was."""
    partial = path.with_suffix(".partial")
    try:
        with zipfile.ZipFile(partial, "w") as archive:
            for name in sorted(files):
                entry = zipfile.ZipInfo(name, _DATE)
                entry.create_system = 3  # Unix, on whatever machine
                entry.external_attr = (0o100755 if _is_program(name) else 0o100644) << 16
                archive.writestr(entry, files[name], zipfile.ZIP_DEFLATED, compresslevel=9)
        partial.replace(path)
    finally:
        partial.unlink(missing_ok=True)


if __name__ == "__main__":
    sys.exit(main())
