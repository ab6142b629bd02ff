# SPDX-License-Identifier: MIT
"""The zip files that people install: what is in them, and that the same input gives the same bytes."""

from __future__ import annotations

import ast
import ctypes
import hashlib
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
from animbridge import platforms
from packing import checkout, components
from packing.checkout import ADDON, MANIFEST, PackageError
from packing.installed import LIBRARIES
from packing.wheel import libraries_folder

LIBRARY = ROOT / "build" / "lib" / "libanimbridge.so"
PLATFORM = "linux-x64"
PLACE = f"animbridge/{libraries_folder(checkout.agreed_version())}/{PLATFORM}"
LIBRARY_PLACE = f"{PLACE}/libanimbridge.so"


@pytest.fixture
def packages(made_packages: list[Path]) -> list[Path]:
    """The extension's zip and the add-on's."""
    return [path for path in made_packages if path.suffix == ".zip"]


@pytest.fixture
def without_scenes(tmp_path: Path, staged: Path) -> Path:
    """The installed build without the reader of scenes."""
    folder = tmp_path / "alone"
    shutil.copytree(staged, folder, symlinks=True)
    shutil.rmtree(folder / "lib" / "animbridge")
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
    return set(listed.stdout.split()) - {"animbridge"}  # the link to the Python package


def test_extension_holds_python_alone_and_the_wheel_that_pip_installs(made_packages: list[Path]) -> None:
    extension, wheel = made_packages[:2]
    place = f"wheels/{wheel.name}"
    made = {name for name in names(extension) if name.startswith(("licenses/", "manual/"))}
    added = made | {"LICENSE", place}
    assert names(extension) - added == tracked()
    assert {"licenses/animbridge-library.txt", "licenses/meshoptimizer.txt", "licenses/assimp.txt"} <= added
    with zipfile.ZipFile(extension) as archive:
        assert archive.read(place) == wheel.read_bytes()
        manifest = tomllib.loads(archive.read(MANIFEST).decode())
        assert not any(info.external_attr >> 16 & 0o111 for info in archive.infolist())
    assert (manifest["wheels"], manifest["platforms"]) == ([f"./{place}"], [PLATFORM])


def test_the_manifest_credits_whoever_has_a_licence_in_the_package(packages: list[Path]) -> None:
    with zipfile.ZipFile(packages[0]) as archive:
        manifest = tomllib.loads(archive.read(MANIFEST).decode())
        texts = [archive.read(name).decode() for name in archive.namelist() if name.startswith("licenses/")]
    assert manifest["copyright"][0] == "2026 The AnimBridge authors"
    holders = [line.partition(" ")[2] for line in manifest["copyright"]]
    assert len(texts) > 5
    for text in texts:
        assert any(holder in text for holder in holders), text[:300]


def test_addon_lies_in_one_folder_with_the_package_and_without_a_manifest(packages: list[Path]) -> None:
    extension, addon = (names(package) for package in packages)
    own = {name for name in extension if not name.startswith("wheels/")} - {MANIFEST}
    package = set(checkout.package_files())
    libraries = {name for name in addon if name.startswith(f"{PLACE}/")}
    assert addon == {f"animbridge/{name}" for name in own | package} | libraries
    assert {LIBRARY_PLACE, f"{PLACE}/libanimbridge-scene.so", f"{PLACE}/libassimp.so.6"} == libraries


def test_same_input_gives_the_same_bytes(packages: list[Path], staged: Path, tmp_path: Path) -> None:
    for path in ADDON.rglob("*.py"):
        os.utime(path)
    again = make_packages.make_packages({PLATFORM: staged}, tmp_path)
    before = packages[0].parent
    assert {path.name for path in tmp_path.iterdir()} == {path.name for path in before.iterdir()}
    assert len(again) == 5
    for package in [*again, tmp_path / "SHA256SUMS"]:
        assert package.read_bytes() == (before / package.name).read_bytes(), package.name


def test_caches_hidden_files_and_stray_libraries_stay_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    strays = ("a/__pycache__/b.pyc", ".hidden", "a/.hidden/b.py", "animbridge/__init__.py")
    for name in ("a/b.py", "liberal.py", *strays):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(name)
    monkeypatch.setattr(checkout, "ADDON", tmp_path)
    assert checkout.addon_files() == {"a/b.py": b"a/b.py", "liberal.py": b"liberal.py"}


def test_stripped_library_loads_and_is_smaller(packages: list[Path], tmp_path: Path) -> None:
    with zipfile.ZipFile(packages[1]) as archive:
        library = Path(archive.extract(LIBRARY_PLACE, tmp_path))
    assert library.stat().st_size < LIBRARY.stat().st_size
    code = "from animbridge import library; library.load(); print(library.version())"
    environment = {
        **os.environ,
        "ANIMBRIDGE_LIBRARY": str(library),
        "PYTHONPATH": str(ROOT / "native" / "python"),
    }
    printed = subprocess.check_output([sys.executable, "-c", code], env=environment, text=True)
    assert printed.strip() == checkout.agreed_version()


def test_unpacked_reader_of_scenes_is_found_and_reads(packages: list[Path], tmp_path: Path) -> None:
    """As Blender unpacks it: nothing is a program. The libraries are those beside it."""
    with zipfile.ZipFile(packages[1]) as archive:
        archive.extractall(tmp_path)
    reader = tmp_path / PLACE / "libanimbridge-scene.so"
    assert not os.access(reader, os.X_OK)
    told = subprocess.check_output(["readelf", "-d", reader], text=True)
    assert re.findall(r"(?:RUNPATH|RPATH).*\[(.*)\]", told) == ["$ORIGIN"]
    walk = ROOT / "fixtures" / "scene" / "walk.fbx"
    code = (
        "import sys; from animbridge import scene_reader; from animbridge.document import Document;"
        f"print(scene_reader.options()['scene_reader'][-1]); Document.read_file({str(walk)!r})"
    )
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("ANIMBRIDGE", "LD_LIBRARY"))}
    environment = {**kept, "PYTHONPATH": str(tmp_path / "animbridge")}
    printed = subprocess.check_output([sys.executable, "-c", code], env=environment, text=True)
    assert printed.strip() == str(reader)


def test_packages_without_the_program_say_so(
    without_scenes: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made = make_packages.make_packages({PLATFORM: without_scenes}, tmp_path / "out")
    held = {name for name in names(made[3]) if name.startswith(f"{PLACE}/")}
    assert held == {LIBRARY_PLACE}
    assert "no reader of scenes" in capsys.readouterr().err


def installed_build(prefix: Path, platform: str) -> Path:
    """What a build of another platform installs, with its name in place of its programs."""
    library, command = {
        "windows-x64": ("bin/animbridge.dll", "bin/animbridge.exe"),
        "linux-x64": ("lib/libanimbridge.so", "bin/animbridge"),
    }[platform]
    share = "share/doc/animbridge"
    for name in (library, command, f"{share}/licenses/{platform}.txt"):
        (prefix / name).parent.mkdir(parents=True, exist_ok=True)
        (prefix / name).write_text(platform)
    (prefix / share / "components.json").write_text('{"glm": "1.2.3", "assimp": ""}')
    return prefix


def test_each_platform_has_its_packages_and_all_share_one_addon(tmp_path: Path) -> None:
    folders = {name: installed_build(tmp_path / name, name) for name in ("windows-x64", "linux-x64")}
    made = make_packages.make_packages(folders, tmp_path / "out", for_other_machines=True)
    version = checkout.agreed_version()
    assert [path.name.removeprefix(f"animbridge-{version}") for path in made] == [
        "-windows_x64.zip",
        "-py3-none-win_amd64.whl",
        "-windows_x64-command-and-library.zip",
        "-linux_x64.zip",
        "-py3-none-manylinux_2_28_x86_64.whl",
        "-linux_x64-command-and-library.tar.gz",
        "-blender-3.4-to-4.1.zip",
        ".spdx.json",
    ]
    libraries = {"windows-x64": "animbridge.dll", "linux-x64": "libanimbridge.so"}
    folder = libraries_folder(version)
    for number, (platform, library) in zip((0, 3), libraries.items(), strict=True):
        extension, wheel = made[number : number + 2]
        with zipfile.ZipFile(extension) as archive:
            manifest = tomllib.loads(archive.read(MANIFEST).decode())
        assert (manifest["platforms"], manifest["wheels"]) == ([platform], [f"./wheels/{wheel.name}"])
        with zipfile.ZipFile(wheel) as archive:
            assert archive.read(f"{folder}/{library}").decode() == platform
        assert {name for name in names(wheel) if name.startswith(folder)} == {f"{folder}/{library}"}
        wanted = {f"animbridge/{folder}/{platform}/{library}", f"animbridge/licenses/{platform}.txt"}
        assert wanted <= names(made[6])
    sums = (tmp_path / "out" / "SHA256SUMS").read_text().splitlines()
    assert sums == [f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}" for path in made]


def test_the_manifest_lists_what_the_addon_looks_for() -> None:
    manifest = tomllib.loads((ADDON / MANIFEST).read_text(encoding="utf-8"))
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
        assert LIBRARIES[each.id.partition("-")[0]] == each.library


def test_the_manifest_says_what_bl_info_says_and_obeys_the_platforms_limits() -> None:
    manifest = tomllib.loads((ADDON / MANIFEST).read_text(encoding="utf-8"))
    lines = ast.parse((ADDON / "__init__.py").read_text(encoding="utf-8")).body
    (info,) = (
        ast.literal_eval(line.value)
        for line in lines
        if isinstance(line, ast.Assign) and ast.unparse(line.targets[0]) == "bl_info"
    )
    assert manifest["id"] == "animbridge" == ADDON.name
    assert manifest["version"] == ".".join(map(str, info["version"]))
    assert manifest["name"] == info["name"]
    assert len(manifest["tagline"]) <= 64 and manifest["tagline"][-1].isalnum()
    assert len(manifest["permissions"]["files"]) <= 64
    assert manifest["blender_version_min"] >= "4.2.0"


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
    place: str, without_scenes: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checkout, place, lambda *_: "9.8.7")
    with pytest.raises(PackageError, match=r"9\.8\.7"):
        make_packages.make_packages({PLATFORM: without_scenes}, tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_library_has_the_version_of_the_packages() -> None:
    version = ctypes.CDLL(str(LIBRARY)).ab_version
    version.restype = ctypes.c_char_p
    assert version().decode() == checkout.agreed_version()


def test_missing_library_platform_and_license_are_named(
    without_scenes: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(PackageError, match=r"none does not hold the library, libanimbridge\.so"):
        make_packages.make_packages({PLATFORM: tmp_path / "none"}, tmp_path)
    with pytest.raises(PackageError, match="no platform haiku-x64"):
        make_packages.make_packages({"haiku-x64": without_scenes}, tmp_path)
    monkeypatch.setattr(components, "_LICENSES", {"LICENSE": tmp_path / "none"})
    with pytest.raises(PackageError, match=r"no licence text at .*none"):
        make_packages.make_packages({PLATFORM: without_scenes}, tmp_path)
