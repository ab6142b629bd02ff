# SPDX-License-Identifier: MIT
"""The zip files that people install: what is in them, and that the same input gives the same bytes."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from material import ROOT

import make_packages
from make_packages import ADDON, LIBRARY_PLACE, PackageError

LIBRARY = ROOT / "build" / "lib" / "libanimbridge.so"
PLACE = Path(LIBRARY_PLACE).parent.as_posix()


@pytest.fixture(scope="module")
def scene(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The installed program animbridge-scene."""
    folder = tmp_path_factory.mktemp("scene")
    subprocess.run(
        ["cmake", "--install", ROOT / "build", "--component", "scene", "--prefix", folder], check=True
    )
    if not list(folder.glob("libassimp.so.*")):
        pytest.skip("animbridge-scene is not built with an Assimp of its own")
    return folder


@pytest.fixture(scope="module")
def packages(tmp_path_factory: pytest.TempPathFactory, scene: Path) -> list[Path]:
    """The extension's zip and the add-on's."""
    return make_packages.make_packages(LIBRARY, scene, tmp_path_factory.mktemp("packages"))


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


def test_same_input_gives_the_same_bytes(packages: list[Path], scene: Path, tmp_path: Path) -> None:
    for path in ADDON.rglob("*.py"):
        os.utime(path)
    again = make_packages.make_packages(LIBRARY, scene, tmp_path)
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
    assert printed.strip() == make_packages.agreed_version(LIBRARY)


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
    walk = (ROOT / "fixtures" / "scene" / "walk.glb").read_bytes()
    command = [program, "read", "--loader", "gltf", "--memory-mib", "1024", "--cpu-seconds", "20"]
    assert len(subprocess.check_output(command, input=walk, env=environment)) > 100


def test_packages_without_the_program_say_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    made = make_packages.make_packages(LIBRARY, tmp_path, tmp_path / "out")
    assert not any("scene" in Path(name).name and name.startswith("lib/") for name in names(made[0]))
    assert "no program animbridge-scene" in capsys.readouterr().err


def test_library_asks_for_what_the_page_says_and_no_more() -> None:
    page = (ROOT / "docs" / "install.md").read_text(encoding="utf-8")
    said = re.search(r"glibc ([0-9.]+) or later", page)
    assert said is not None
    told = subprocess.check_output(["objdump", "-p", str(LIBRARY)], text=True)
    assert set(re.findall(r"NEEDED\s+(\S+)", told)) <= {"libc.so.6", "libm.so.6", "ld-linux-x86-64.so.2"}
    versions = [tuple(map(int, found.split("."))) for found in re.findall(r"GLIBC_([0-9.]+)", told)]
    assert max(versions) == tuple(map(int, said[1].split(".")))


@pytest.mark.parametrize(
    "place", ["_manifest_version", "_bl_info_version", "_cmake_version", "_library_version"]
)
def test_versions_that_differ_are_refused(
    place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(make_packages, place, lambda *_: "9.8.7")
    with pytest.raises(PackageError, match=r"9\.8\.7"):
        make_packages.make_packages(LIBRARY, None, tmp_path)
    assert not list(tmp_path.iterdir())


def test_missing_library_and_license_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(PackageError, match=r"none\.so is not there"):
        make_packages.make_packages(tmp_path / "none.so", None, tmp_path)
    monkeypatch.setattr(make_packages, "_LICENSES", {"LICENSE": tmp_path / "none"})
    with pytest.raises(PackageError, match=r"no licence text at .*none"):
        make_packages.make_packages(LIBRARY, None, tmp_path)
