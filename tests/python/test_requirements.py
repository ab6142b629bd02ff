# SPDX-License-Identifier: MIT
"""What the add-on says of the Python package that it finds, and how that starts the reader of scenes."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from material import ROOT

from animbridge import __version__, command, library, platforms, scene_reader
from animbridge.document import Document
from animbridge.errors import AnimBridgeError, LibraryError

ADDON = ROOT / "addon" / "animbridge"
WALK = ROOT / "fixtures" / "scene" / "walk.fbx"


def said_of(package: str | None, folder: Path) -> str:
    """What the check of an extension says where the wheel's package has this text; None: there is none."""
    (folder / "extension").mkdir()
    (folder / "extension" / "__init__.py").touch()
    shutil.copy(ADDON / "requirements.py", folder / "extension")
    if package is not None:
        (folder / "animbridge.py").write_text(package)
    code = "from extension import requirements\ntry: requirements.check()\nexcept ImportError as e: print(e)"
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONPATH": ""},
        cwd=folder,
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.strip()


@pytest.mark.parametrize(
    ("package", "said"),
    [
        (f"__version__ = '{__version__}'", ""),
        ("__version__ = '0.0.9'", f"update of AnimBridge from 0.0.9 to {__version__}."),
        ("__version__ = '0.10.0'", f"Remove version {__version__} in Preferences > Add-ons, then restart"),
        ("bl_info = {}", "Remove the old add-on AnimBridge in Preferences > Add-ons, then restart"),
        (None, "Disable AnimBridge in Preferences > Add-ons and enable it again"),
    ],
)
def test_the_addon_says_what_to_do_about_the_package(package: str | None, said: str, tmp_path: Path) -> None:
    found = said_of(package, tmp_path)
    assert said in found
    assert bool(said) == bool(found)


def test_a_python_that_cannot_be_started_is_passed_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In Blender, sys.executable may be whatever lies on PATH, or Blender itself."""
    monkeypatch.setitem(sys.modules, "bpy", sys)
    shutil.copy("/bin/true", tmp_path)  # ends well, and is no Python
    for name in ("blender-launcher", "true", "missing"):
        monkeypatch.setattr(sys, "executable", str(tmp_path / name))
        scene_reader.interpreter.cache_clear()
        found = Path(scene_reader.interpreter())
        assert found.is_relative_to(sys.prefix) and found.is_file(), name
    scene_reader.interpreter.cache_clear()


def test_a_reader_of_another_version_refuses() -> None:
    reader = library.place().parent / platforms.current().scene_library
    words = [sys.executable, "-I", "-S", scene_reader.LAUNCHER, "scene", reader]
    limits = ["--loader", "fbx", "--memory-mib", "1024", "--cpu-seconds", "20"]
    for version, code in ((__version__, 0), ("0.0.9", 1)):
        done = subprocess.run(
            [*words, "read", "--version", version, *limits],
            input=WALK.read_bytes(),
            capture_output=True,
            check=False,
        )
        assert done.returncode == code, done.stderr
    assert b"updated while this program ran, from 0.0.9 to " in done.stderr


def test_the_command_in_the_library_is_the_program(tmp_path: Path) -> None:
    """The same bytes, words and exit codes."""
    program = [str(ROOT / "build" / "bin" / "animbridge")]
    module = [sys.executable, "-m", "animbridge"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "native" / "python")}
    answers = []
    for number, words in enumerate((program, module)):
        out = tmp_path / str(number)
        out.mkdir()
        told = [
            subprocess.run([*words, *call], cwd=out, env=environment, capture_output=True, check=False)
            for call in (
                ["info", str(WALK), "--json"],
                ["convert", str(WALK), "out.dae"],
                ["convert", "none", "out.anim"],
                ["no-such-command"],
                ["formats", "--json"],
            )
        ]
        json.loads(told[-1].stdout)
        answers.append([(one.returncode, one.stdout, one.stderr) for one in told])
        answers[-1].append((0, (out / "out.dae").read_bytes(), b""))
    assert answers[0] == answers[1]


def test_a_place_that_is_no_utf8_reads_too(tmp_path: Path) -> None:
    """A folder of bytes that are no text, as old Linux systems have them."""
    place = os.fsdecode(os.fsencode(tmp_path) + b"/caf\xe9")
    shutil.copytree(ROOT / "native" / "python" / "animbridge", Path(place) / "animbridge")
    libraries = Path(place) / f"animbridge-{__version__}.libs"
    libraries.mkdir()
    for path in (library.place(), library.place().parent / platforms.current().scene_library):
        shutil.copy(path, libraries)
    code = f"from animbridge.document import Document; print(Document.read_file({str(WALK)!r}).format)"
    kept = {name: value for name, value in os.environ.items() if not name.startswith("ANIMBRIDGE")}
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**kept, "PYTHONPATH": place},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout.strip() == "scene", done.stderr


def test_without_a_python_to_start_nothing_else_is_started(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not even a file of that name in the current folder."""
    monkeypatch.setattr(scene_reader, "interpreter", lambda: "")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "python3").write_text("#!/bin/sh\ntouch started\n")
    (tmp_path / "python3").chmod(0o755)
    monkeypatch.setattr(sys, "prefix", str(tmp_path / "none"))
    scene_reader._words.cache_clear()
    try:
        with pytest.raises(AnimBridgeError, match=r"none/bin/python3.*cannot be started"):
            Document.read_file(WALK)
        with pytest.raises(LibraryError, match="No Python could be started"):
            command.words()
    finally:
        scene_reader._words.cache_clear()
    assert not (tmp_path / "started").exists()
