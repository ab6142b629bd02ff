# SPDX-License-Identifier: MIT
"""Finding and loading the library, and what is said when that fails."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from material import ROOT

from animbridge import abi, library, platforms
from animbridge.errors import LibraryError

PACKAGE = {"PYTHONPATH": str(ROOT / "native" / "python")}


@pytest.fixture(autouse=True)
def not_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(library, "_loaded", None)


def test_missing_library_names_every_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(library.ENVIRONMENT_VARIABLE, raising=False)
    monkeypatch.setattr(library, "_BESIDE", tmp_path / "checkout" / "native" / "python")
    with pytest.raises(LibraryError) as caught:
        library.load()
    assert len(library.candidates()) == 3
    for place in library.candidates():
        assert str(place) in caught.value.message
    assert library.ENVIRONMENT_VARIABLE in caught.value.message


def test_environment_variable_is_the_only_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(library.ENVIRONMENT_VARIABLE, str(tmp_path / "none.so"))
    assert library.candidates() == [tmp_path / "none.so"]
    with pytest.raises(LibraryError, match=r"none\.so"):
        library.load()


def test_another_library_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    other = next(Path(sys.prefix).rglob("*.so"), None) or next(Path("/usr/lib").rglob("libz.so*"))
    monkeypatch.setenv(library.ENVIRONMENT_VARIABLE, str(other))
    with pytest.raises(LibraryError, match="cannot be used"):
        library.load()


def test_no_library_file_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "lib.so").write_bytes(b"not a library")
    monkeypatch.setenv(library.ENVIRONMENT_VARIABLE, str(tmp_path / "lib.so"))
    with pytest.raises(LibraryError, match="cannot be used"):
        library.load()


def test_another_version_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip("no C compiler")
    source = tmp_path / "old.c"
    source.write_text("int ab_abi_version(void) { return 99; }")
    subprocess.run([compiler, "-shared", "-fPIC", source, "-o", tmp_path / "old.so"], check=True)
    monkeypatch.setenv(library.ENVIRONMENT_VARIABLE, str(tmp_path / "old.so"))
    with pytest.raises(LibraryError, match=rf"version 99.*needs version {abi.ABI_VERSION}"):
        library.load()


def test_importing_loads_nothing_and_needs_no_blender() -> None:
    """The package and its binding can be imported where there is neither a library nor a Blender."""
    code = (
        "import sys, animbridge, animbridge.document as d, animbridge.library as l;"
        "assert l._loaded is None; assert 'bpy' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True, env=PACKAGE)


def test_platform_is_what_blender_calls_it() -> None:
    """The ids are those of Blender's manifest; the words come from sys.platform and platform.machine()."""
    expected = {
        ("linux", "x86_64"): ("linux-x64", "libanimbridge.so"),
        ("linux", "aarch64"): ("linux-arm64", "libanimbridge.so"),
        ("win32", "amd64"): ("windows-x64", "animbridge.dll"),
        ("win32", "arm64"): ("windows-arm64", "animbridge.dll"),
        ("darwin", "arm64"): ("macos-arm64", "libanimbridge.dylib"),
        ("darwin", "x86_64"): ("macos-x64", "libanimbridge.dylib"),
        ("linux", "riscv64"): ("linux-riscv64", "libanimbridge.so"),
    }
    for words, (name, file_name) in expected.items():
        assert platforms.platform_of(*words)[:2] == (name, file_name)


def test_missing_library_names_the_platform(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(library.ENVIRONMENT_VARIABLE, raising=False)
    monkeypatch.setattr(library, "_BESIDE", tmp_path / "checkout" / "native" / "python")
    monkeypatch.setattr(library, "_PLATFORM", platforms.platform_of("win32", "arm64"))
    with pytest.raises(LibraryError, match=r"windows-arm64.*libs/windows-arm64/animbridge\.dll"):
        library.load()


def test_a_process_ends_with_the_reader_of_its_pipe() -> None:
    code = (
        "import time; from animbridge import command; command.end_with_reader(1); print('up', flush=True); {}"
    )
    words = [sys.executable, "-c", code.format("time.sleep(60)")]
    with subprocess.Popen(words, stdout=subprocess.PIPE, env=PACKAGE) as process:
        assert process.stdout is not None and process.stdout.readline() == b"up\n"
        assert process.poll() is None
        process.stdout.close()
        assert process.wait(20) == 1


def test_a_process_without_a_pipe_goes_on(tmp_path: Path) -> None:
    code = "from animbridge import command; command.end_with_reader(1); command.end_with_reader(-1)"
    with (tmp_path / "out").open("wb") as out:
        assert (
            subprocess.run([sys.executable, "-c", code], stdout=out, env=PACKAGE, check=False).returncode == 0
        )
