# SPDX-License-Identifier: MIT
"""The Python package and the archive for programmers, installed as people do; and the list of parts."""

from __future__ import annotations

import base64
import csv
import email
import hashlib
import io
import json
import os
import signal
import subprocess
import sys
import time
import venv
import zipfile
from pathlib import Path

import pytest
from material import ROOT

from packing import checkout
from packing.components import components_of
from packing.installed import Installed

PLATFORM = "linux-x64"
WALK = ROOT / "fixtures" / "demo" / "walk.anim"


@pytest.fixture(scope="module")
def packages(made_packages: list[Path]) -> dict[str, Path]:
    """By their last suffix; the zip files, which are not tested here, among them."""
    return {path.suffix: path for path in made_packages}


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory, packages: dict[str, Path]) -> Path:
    """The folder of programs of an environment that pip installed the wheel into."""
    folder = tmp_path_factory.mktemp("environment")
    venv.EnvBuilder(with_pip=True).create(folder)
    pip = [folder / "bin" / "python", "-m", "pip", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*pip, "install", "--no-index", "--no-deps", packages[".whl"]], check=True)
    return folder / "bin"


def bare(**more: str) -> dict[str, str]:
    """An environment that shows nothing of the checkout."""
    kept = {
        name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "ANIMBRIDGE"))
    }
    return {**kept, **more}


def run(*command: str | Path, cwd: Path, code: int = 0, **more: str) -> str:
    done = subprocess.run(command, cwd=cwd, env=bare(**more), capture_output=True, text=True, check=False)
    assert done.returncode == code, done.stderr
    return done.stdout


def test_installed_command_runs_under_its_name_and_as_a_module(programs: Path, tmp_path: Path) -> None:
    version = checkout.agreed_version()
    assert version in run(programs / "animbridge", "--version", cwd=tmp_path)
    assert version in run(programs / "python", "-m", "animbridge", "--version", cwd=tmp_path)
    run(programs / "animbridge", "info", "none.anim", cwd=tmp_path, code=1)
    run(programs / "animbridge", "convert", WALK, "walk.fbx", cwd=tmp_path)
    assert (tmp_path / "walk.fbx").read_bytes().startswith(b"Kaydara FBX Binary")
    run(programs / "animbridge", "convert", "walk.fbx", "walk.bvh", cwd=tmp_path)
    assert (tmp_path / "walk.bvh").read_text().startswith("HIERARCHY")


def test_installed_binding_reads(programs: Path, tmp_path: Path) -> None:
    code = (
        "import sys, animbridge.library as library; from animbridge.document import Document;"
        "print(library.candidates()[0].parent.is_relative_to(sys.prefix));"
        f"print(Document.read_file({str(WALK)!r}).info()['duration_seconds'])"
    )
    numpy = subprocess.check_output(
        [sys.executable, "-c", "import numpy, os; print(os.path.dirname(os.path.dirname(numpy.__file__)))"],
        text=True,
    ).strip()
    told = run(programs / "python", "-c", code, cwd=tmp_path, PYTHONPATH=numpy).split()
    assert told[0] == "True"
    assert float(told[1]) == pytest.approx(1.1, abs=0.05)


def test_installed_farm_says_which_package_it_needs(programs: Path, tmp_path: Path) -> None:
    told = run(programs / "python", "-m", "animbridge.farm", "--help", cwd=tmp_path)
    assert "--scheduler ADDRESS" in told
    words = [programs / "python", "-m", "animbridge.farm", WALK, "--to", "bvh", "--out", "out"]
    for more, extra in ((["--scheduler", "tcp://127.0.0.1:1"], "dask"), (["s3://bucket/walk.anim"], "s3")):
        done = subprocess.run(
            [*words, *more], cwd=tmp_path, env=bare(), capture_output=True, text=True, check=False
        )
        assert (done.returncode, done.stdout) == (1, "")
        assert f"pip install 'animbridge[{extra}]'" in done.stderr
        assert not (tmp_path / "out").exists()
    assert "1 written" in run(*words, "--workers", "1", cwd=tmp_path)


def test_installed_command_needs_no_numpy(programs: Path, tmp_path: Path) -> None:
    code = "import sys, animbridge.__main__; print('numpy' in sys.modules)"
    assert run(programs / "python", "-c", code, cwd=tmp_path).strip() == "False"


def test_missing_library_is_said_with_the_places(programs: Path, tmp_path: Path) -> None:
    nowhere = str(tmp_path / "libanimbridge.so")
    done = subprocess.run(
        [programs / "animbridge", "--version"],
        env=bare(ANIMBRIDGE_LIBRARY=nowhere),
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith(
        f"error: The AnimBridge library for {PLATFORM} was not found; looked at: {nowhere}."
    )


def test_ctrl_c_and_a_closed_pipe_end_the_command(programs: Path, tmp_path: Path) -> None:
    """As they end a program, although the command runs inside Python."""
    words = [programs / "animbridge", "batch", "--from", "-", "--to", "bvh", "--out", tmp_path / "out"]
    with subprocess.Popen(words, env=bare(), stdin=subprocess.PIPE, stderr=subprocess.PIPE) as waiting:
        time.sleep(1)
        waiting.send_signal(signal.SIGINT)
        waiting.communicate(timeout=20)
    assert waiting.returncode in {-signal.SIGINT, 130}
    words = [programs / "animbridge", "formats", "--json"]
    with subprocess.Popen(words, env=bare(), stdout=subprocess.PIPE) as told:
        assert told.stdout is not None
        told.stdout.close()
        assert told.wait(timeout=20) == -signal.SIGPIPE


def test_wheel_lists_its_files_with_their_digests(packages: dict[str, Path]) -> None:
    version = checkout.agreed_version()
    info = f"animbridge-{version}.dist-info"
    assert packages[".whl"].name == f"animbridge-{version}-py3-none-linux_x86_64.whl"
    with zipfile.ZipFile(packages[".whl"]) as archive:
        names = set(archive.namelist())
        rows = list(csv.reader(io.StringIO(archive.read(f"{info}/RECORD").decode())))
        metadata = email.message_from_bytes(archive.read(f"{info}/METADATA"))
        for name, digest, size in rows:
            if name != f"{info}/RECORD":
                data = archive.read(name)
                seal = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
                assert (digest, int(size)) == (f"sha256={seal}", len(data)), name
    assert {row[0] for row in rows} == names
    libraries = f"animbridge-{version}.libs"
    assert {name.partition("/")[0] for name in names} == {"animbridge", libraries, info}
    assert {f"{libraries}/libanimbridge.so", f"{libraries}/libanimbridge-scene.so"} <= names
    assert metadata["Version"] == version
    assert "(MIT OR Unlicense)" in metadata["License"]
    assert metadata.get_all("Provides-Extra") == ["arrays", "dask", "s3"]
    assert {
        f"{info}/licenses/{name}.txt" for name in ("assimp", "ufbx", "meshoptimizer", "glm", "cli11")
    } <= names


def test_archive_builds_a_program(packages: dict[str, Path], tmp_path: Path) -> None:
    """A program in C and one in C++ find the library by its CMake package, in whatever folder."""
    subprocess.run(["tar", "-xzf", packages[".gz"], "-C", tmp_path], check=True)
    (prefix,) = tmp_path.glob("animbridge-*")
    assert (prefix / "lib" / "libanimbridge.so").is_symlink()
    assert (prefix / "share" / "doc" / "animbridge" / "licenses" / "cli11.txt").is_file()
    project = ROOT / "tests" / "consumer" / "project"
    subprocess.run(
        ["cmake", "-G", "Ninja", "-S", project, "-B", tmp_path / "b", f"-DCMAKE_PREFIX_PATH={prefix}"],
        check=True,
    )
    subprocess.run(["cmake", "--build", tmp_path / "b"], check=True)
    for program in ("consumer_c", "consumer_cpp"):
        assert run(tmp_path / "b" / program, WALK, cwd=tmp_path).startswith("sl_anim, ")
    run(prefix / "bin" / "animbridge", "convert", WALK, "walk.dae", cwd=tmp_path)
    assert (prefix / "share" / "man" / "man1" / "animbridge.1").read_text().startswith(".")


def test_list_of_parts_names_every_package_and_part(packages: dict[str, Path], staged: Path) -> None:
    document = json.loads(packages[".json"].read_text())
    rows = {row["SPDXID"]: row for row in document["packages"]}
    files = {row["packageFileName"]: row for row in rows.values() if "packageFileName" in row}
    assert set(files) == {path.name for path in packages[".json"].parent.iterdir()} - {
        "SHA256SUMS",
        packages[".json"].name,
    }
    for name, row in files.items():
        data = (packages[".json"].parent / name).read_bytes()
        assert row["checksums"][0]["checksumValue"] == hashlib.sha256(data).hexdigest()
        assert {link["relatedSpdxElement"] for link in document["relationships"]} <= set(rows)
    parts = {row["name"]: row["versionInfo"] for row in rows.values() if "packageFileName" not in row}
    assert parts == {part.name: part.version for part in components_of(Installed(PLATFORM, staged))}
    assert {
        "assimp": "6.0.5",
        "ufbx": "0.21.2",
        "meshoptimizer": "1.3",
        "pugixml": "1.13",
    }.items() <= parts.items()
    assert all(parts.values())
