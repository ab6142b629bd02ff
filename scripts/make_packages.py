# SPDX-License-Identifier: MIT
"""Makes the zip files that people install, from a checkout and the built files of one platform or more.

scripts/make_packages.py --platform linux-x64=build/package/linux-x64 --out dist

Each platform has a folder with the library, the program for scenes with its library, and their licences.
The same files give the same bytes: they are sorted, and dates and rights are fixed.
"""

from __future__ import annotations

import argparse
import ast
import hashlib
import re
import sys
import zipfile
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parent.parent
ADDON: Final = ROOT / "addon" / "animbridge"
MANIFEST: Final = "blender_manifest.toml"
#: The library by the system of a platform, as the add-on looks for it in lib/PLATFORM (native/platforms.py).
LIBRARIES: Final = {
    "linux": "libanimbridge.so",
    "macos": "libanimbridge.dylib",
    "windows": "animbridge.dll",
}
#: The program for scenes, which the library looks for beside itself.
SCENE_PROGRAMS: Final = ("animbridge-scene", "animbridge-scene.exe")
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
    """Makes the packages and prints where they are; the exit code."""
    parser = argparse.ArgumentParser(description="Makes the zip files that people install.")
    parser.add_argument(
        "--platform",
        metavar="NAME=FOLDER",
        action="append",
        required=True,
        help="the built files of a platform, such as linux-x64=build/package/linux-x64; may be repeated",
    )
    parser.add_argument(
        "--out", type=Path, required=True, help="the folder of the zip files; made if need be"
    )
    given = parser.parse_args()
    try:
        folders = {name: Path(folder) for name, _, folder in (each.partition("=") for each in given.platform)}
        for package in make_packages(folders, given.out):
            print(f"{package}  {package.stat().st_size / 1000:.0f} kB")
    except (PackageError, OSError) as fault:
        print(f"error: {fault}", file=sys.stderr)
        return 1
    return 0


def make_packages(folders: dict[str, Path], out: Path) -> list[Path]:
    """Writes an extension for each platform (Blender 4.2 and later) and one add-on for all (up to 4.1).

    `folders` has the built files by the platforms' names. A list of checksums is beside the packages.
    """
    version = agreed_version()
    built = {name: platform_files(name, folder) for name, folder in folders.items()}
    common = {**addon_files(), **license_files()}
    out.mkdir(parents=True, exist_ok=True)
    made = []
    for name, files in built.items():
        made.append(out / f"animbridge-{version}-{name.replace('-', '_')}.zip")
        write_zip(made[-1], {**common, **files, MANIFEST: manifest_for(name)})
    # Blender up to 4.1 wants one folder with the add-on's name at the top; it knows no manifest.
    places = f"-{next(iter(folders)).replace('-', '_')}" if len(folders) == 1 else ""
    made.append(out / f"animbridge-{version}{places}-blender-3.4-to-4.1.zip")
    everything = {**common, **{name: data for files in built.values() for name, data in files.items()}}
    del everything[MANIFEST]
    write_zip(made[-1], {f"animbridge/{name}": data for name, data in everything.items()})
    sums = "".join(f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in made)
    (out / "SHA256SUMS").write_text(sums, encoding="ascii")
    return made


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


def platform_files(platform: str, folder: Path) -> dict[str, bytes]:
    """The library of a platform; where they are built, the program for scenes, its library and licences."""
    library = LIBRARIES.get(platform.partition("-")[0])
    if library is None:
        raise PackageError(f"there is no platform {platform}")
    if not (folder / library).is_file():
        raise PackageError(f"{folder / library} is not there: scripts/package builds it")
    if not any((folder / name).is_file() for name in SCENE_PROGRAMS):
        print(
            f"warning: the package for {platform} holds no program animbridge-scene, so it can't open FBX "
            "and COLLADA files, or write scenes",
            file=sys.stderr,
        )
    files = {f"lib/{platform}/{p.name}": p.read_bytes() for p in folder.iterdir() if p.is_file()}
    return files | {f"licenses/{p.name}": p.read_bytes() for p in folder.glob("licenses/*")}


def _is_program(name: str) -> bool:
    return not {".so", ".dylib"}.isdisjoint(Path(name).suffixes) or Path(name).name in SCENE_PROGRAMS


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
