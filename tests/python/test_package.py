# SPDX-License-Identifier: MIT
"""The zip files that people install: what is in them, and that the same input gives the same bytes."""

from __future__ import annotations

import ctypes
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
import tomllib
from material import ROOT

import make_packages
from animbridge.native import platforms
from make_packages import ADDON, PackageError

LIBRARY = ROOT / "build" / "lib" / "libanimbridge.so"
PLATFORM = "linux-x64"
PLACE = f"lib/{PLATFORM}"
LIBRARY_PLACE = f"{PLACE}/libanimbridge.so"


@pytest.fixture(scope="module")
def staged(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The library and the installed program animbridge-scene, as scripts/package collects them."""
    folder = tmp_path_factory.mktemp("staged")
    subprocess.run(
        ["cmake", "--install", ROOT / "build", "--component", "scene", "--prefix", folder], check=True
    )
    if not list(folder.glob("libassimp.so.*")):
        pytest.skip("animbridge-scene is not built with an Assimp of its own")
    shutil.copy(LIBRARY, folder)
    subprocess.run(["strip", "--strip-unneeded", folder / LIBRARY.name], check=True)
    return folder


@pytest.fixture(scope="module")
def packages(tmp_path_factory: pytest.TempPathFactory, staged: Path) -> list[Path]:
    """The extension's zip and the add-on's."""
    return make_packages.make_packages({PLATFORM: staged}, tmp_path_factory.mktemp("packages"))


@pytest.fixture
def library_alone(tmp_path: Path) -> Path:
    """Only the library, without the program for scenes."""
    folder = tmp_path / "alone"
    folder.mkdir()
    shutil.copy(LIBRARY, folder)
    return folder


def names(package: Path) -> set[str]:
    with zipfile.ZipFile(package) as archive:
        assert archive.testzip() is None
        return set(archive.namelist())


def tracked() -> set[str]:
    """The add-on's files as git knows them."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "."],
        cwd=ADDON,
        capture_output=True,
        text=True,
        check=False,
    )
    if listed.returncode:
        pytest.skip("not a git checkout")
    return set(listed.stdout.split())


def test_extension_holds_the_addon_the_library_and_the_licenses(packages: list[Path]) -> None:
    added = {
        name for name in names(packages[0]) if name.startswith(("lib/", "licenses/")) or name == "LICENSE"
    }
    assert names(packages[0]) - added == tracked()
    assert {"LICENSE", LIBRARY_PLACE, "licenses/animbridge-library.txt", "licenses/glm.txt"} <= added
    assert {f"{PLACE}/animbridge-scene", f"{PLACE}/libassimp.so.6"} <= added
    assert {"licenses/assimp.txt", "licenses/ufbx.txt"} <= added


def test_addon_lies_in_one_folder_without_a_manifest(packages: list[Path]) -> None:
    extension, addon = (names(package) for package in packages)
    assert addon == {f"animbridge/{name}" for name in extension - {"blender_manifest.toml"}}


def test_same_input_gives_the_same_bytes(packages: list[Path], staged: Path, tmp_path: Path) -> None:
    for path in ADDON.rglob("*.py"):
        os.utime(path)
    again = make_packages.make_packages({PLATFORM: staged}, tmp_path)
    assert [package.read_bytes() for package in again] == [package.read_bytes() for package in packages]


def test_caches_hidden_files_and_stray_libraries_stay_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    strays = ("a/__pycache__/b.pyc", ".hidden", "a/.hidden/b.py", "lib/linux-x64/libanimbridge.so")
    for name in ("a/b.py", "liberal.py", *strays):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(name)
    monkeypatch.setattr(make_packages, "ADDON", tmp_path)
    assert make_packages.addon_files() == {"a/b.py": b"a/b.py", "liberal.py": b"liberal.py"}


def test_stripped_library_loads_and_is_smaller(packages: list[Path], tmp_path: Path) -> None:
    with zipfile.ZipFile(packages[0]) as archive:
        library = Path(archive.extract(LIBRARY_PLACE, tmp_path))
    assert library.stat().st_size < LIBRARY.stat().st_size
    code = "from animbridge.native import library; library.load(); print(library.version())"
    environment = {**os.environ, "ANIMBRIDGE_LIBRARY": str(library), "PYTHONPATH": str(ROOT / "addon")}
    printed = subprocess.check_output([sys.executable, "-c", code], env=environment, text=True)
    assert printed.strip() == make_packages.agreed_version()


def test_unpacked_program_for_scenes_is_found_and_reads(packages: list[Path], tmp_path: Path) -> None:
    """As Blender unpacks it: without the right to be executed. Its library is the one beside it."""
    with zipfile.ZipFile(packages[0]) as archive:
        archive.extractall(tmp_path)
    program = tmp_path / PLACE / "animbridge-scene"
    assert not os.access(program, os.X_OK)
    told = subprocess.check_output(["readelf", "-d", program], text=True)
    assert re.findall(r"(?:RUNPATH|RPATH).*\[(.*)\]", told) == ["$ORIGIN"]
    code = "from animbridge.native import library; library.load()"
    environment = {
        **os.environ,
        "ANIMBRIDGE_LIBRARY": str(tmp_path / LIBRARY_PLACE),
        "PYTHONPATH": str(ROOT / "addon"),
    }
    environment.pop("LD_LIBRARY_PATH", None)
    subprocess.run([sys.executable, "-c", code], env=environment, check=True)
    formats = json.loads(subprocess.check_output([program, "formats"], env=environment))
    assert formats["assimp"] == "6.0.5"
    walk = (ROOT / "fixtures" / "scene" / "walk.fbx").read_bytes()
    command = [program, "read", "--loader", "fbx", "--memory-mib", "1024", "--cpu-seconds", "20"]
    assert len(subprocess.check_output(command, input=walk, env=environment)) > 100


def test_packages_without_the_program_say_so(
    library_alone: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made = make_packages.make_packages({PLATFORM: library_alone}, tmp_path / "out")
    assert not any("scene" in Path(name).name and name.startswith("lib/") for name in names(made[0]))
    assert "no program animbridge-scene" in capsys.readouterr().err


def test_each_platform_has_an_extension_and_all_share_one_addon(tmp_path: Path) -> None:
    folders = {"windows-x64": "animbridge.dll", "linux-x64": "libanimbridge.so"}
    for platform, library in folders.items():
        (tmp_path / platform / "licenses").mkdir(parents=True)
        (tmp_path / platform / library).write_text(platform)
        (tmp_path / platform / "licenses" / f"{platform}.txt").write_text("its terms")
    made = make_packages.make_packages({name: tmp_path / name for name in folders}, tmp_path / "out")
    version = make_packages.agreed_version()
    assert [path.name for path in made] == [
        f"animbridge-{version}-windows_x64.zip",
        f"animbridge-{version}-linux_x64.zip",
        f"animbridge-{version}-blender-3.4-to-4.1.zip",
    ]
    for path, platform in zip(made, folders, strict=False):
        with zipfile.ZipFile(path) as archive:
            manifest = tomllib.loads(archive.read("blender_manifest.toml").decode())
            assert archive.read(f"lib/{platform}/{folders[platform]}").decode() == platform
        assert manifest["platforms"] == [platform]
        assert [name for name in names(path) if name.startswith("lib/")] == [
            f"lib/{platform}/{folders[platform]}"
        ]
    for platform, library in folders.items():
        assert {f"animbridge/lib/{platform}/{library}", f"animbridge/licenses/{platform}.txt"} <= names(
            made[2]
        )
    sums = (tmp_path / "out" / "SHA256SUMS").read_text().splitlines()
    assert sums == [f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}" for path in made]


def test_the_manifest_lists_what_the_addon_looks_for() -> None:
    manifest = tomllib.loads((ADDON / make_packages.MANIFEST).read_text(encoding="utf-8"))
    words = [
        (system, processor)
        for system, processors in {
            "linux": ("x86_64", "aarch64"),
            "win32": ("amd64", "arm64"),
            "darwin": ("arm64", "x86_64"),
        }.items()
        for processor in processors
    ]
    platforms_looked_for = [platforms.platform_of(*each) for each in words]
    assert manifest["platforms"] == [each.id for each in platforms_looked_for]
    for each in platforms_looked_for:
        assert make_packages.LIBRARIES[each.id.partition("-")[0]] == each.library
        assert each.scene_program in make_packages.SCENE_PROGRAMS


def test_library_asks_for_what_the_page_says_and_no_more() -> None:
    page = (ROOT / "docs" / "install.md").read_text(encoding="utf-8")
    said = re.search(r"glibc ([0-9.]+) or later", page)
    assert said is not None
    told = subprocess.check_output(["objdump", "-p", str(LIBRARY)], text=True)
    assert set(re.findall(r"NEEDED\s+(\S+)", told)) <= {"libc.so.6", "libm.so.6", "ld-linux-x86-64.so.2"}
    versions = [tuple(map(int, found.split("."))) for found in re.findall(r"GLIBC_([0-9.]+)", told)]
    assert max(versions) == tuple(map(int, said[1].split(".")))


@pytest.mark.parametrize("place", ["_manifest_version", "_bl_info_version", "_cmake_version"])
def test_versions_that_differ_are_refused(
    place: str, library_alone: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(make_packages, place, lambda *_: "9.8.7")
    with pytest.raises(PackageError, match=r"9\.8\.7"):
        make_packages.make_packages({PLATFORM: library_alone}, tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_library_has_the_version_of_the_packages() -> None:
    version = ctypes.CDLL(str(LIBRARY)).ab_version
    version.restype = ctypes.c_char_p
    assert version().decode() == make_packages.agreed_version()


def test_missing_library_platform_and_license_are_named(
    library_alone: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(PackageError, match=r"none/libanimbridge\.so is not there"):
        make_packages.make_packages({PLATFORM: tmp_path / "none"}, tmp_path)
    with pytest.raises(PackageError, match="no platform haiku-x64"):
        make_packages.make_packages({"haiku-x64": library_alone}, tmp_path)
    monkeypatch.setattr(make_packages, "_LICENSES", {"LICENSE": tmp_path / "none"})
    with pytest.raises(PackageError, match=r"no licence text at .*none"):
        make_packages.make_packages({PLATFORM: library_alone}, tmp_path)
