# SPDX-License-Identifier: MIT
"""The binding declares exactly what animbridge.h declares."""

from __future__ import annotations

import ctypes
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from material import ROOT

from animbridge import abi, library
from animbridge.errors import Status

HEADER = ROOT / "native" / "include" / "animbridge" / "animbridge.h"
STRUCTS = {
    "ab_error": abi.AbError,
    "ab_job": abi.AbJob,
    "ab_armature": abi.AbArmature,
    "ab_timing": abi.AbTiming,
    "ab_curve": abi.AbCurve,
    "ab_samples": abi.AbSamples,
    "ab_pose": abi.AbPose,
    "ab_retarget": abi.AbRetarget,
}
ENUMS = {
    "AB_FACING_": abi.Facing,
    "AB_CHANNEL_": abi.Channel,
    "AB_KEY_": abi.Key,
}


def header_text() -> str:
    """The header without its comments."""
    return re.sub(r"/\*.*?\*/", "", HEADER.read_text(encoding="utf-8"), flags=re.DOTALL)


def header_functions() -> dict[str, int]:
    """Every function of the header and how many arguments it has."""
    found = re.findall(r"AB_API\s+[\w\s*]+?\b(ab_\w+)\s*\(([^)]*)\)", header_text())
    return {name: 0 if given.strip() == "void" else given.count(",") + 1 for name, given in found}


def test_every_function_is_bound() -> None:
    bound = {name: len(arguments) for name, (_, arguments) in abi.SIGNATURES.items()}
    assert bound == header_functions()


def test_every_function_exists() -> None:
    loaded = library.load()
    assert all(hasattr(loaded, name) for name in abi.SIGNATURES)


def test_versions() -> None:
    defined = re.search(r"#define AB_ABI_VERSION (\d+)", header_text())
    assert defined and int(defined[1]) == abi.ABI_VERSION == library.load().ab_abi_version()
    parts = [
        re.search(rf"#define AB_VERSION_{part} (\d+)", header_text()) for part in ("MAJOR", "MINOR", "PATCH")
    ]
    assert library.version() == ".".join(part[1] for part in parts if part)


@pytest.mark.parametrize("prefix", ENUMS)
def test_enums(prefix: str) -> None:
    found = dict(re.findall(rf"{prefix}(\w+) = (\d+)", header_text()))
    assert {name: int(value) for name, value in found.items()} == {
        item.name: item.value for item in ENUMS[prefix]
    }


def test_status_codes() -> None:
    found = dict(re.findall(r"AB_ERROR_(\w+) = (-\d+)", header_text()))
    assert {"OK": 0} | {name: int(value) for name, value in found.items()} == {
        s.name: s.value for s in Status
    }


def test_struct_layout(tmp_path: Path) -> None:
    """Size and every offset, as a C compiler sees them."""
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip("no C compiler")
    lines = [
        f'printf("{name}.{field[0]} %zu\\n", offsetof({name}, {field[0]}));'
        for name, struct in STRUCTS.items()
        for field in struct._fields_
    ]
    lines += [f'printf("{name} %zu\\n", sizeof({name}));' for name in STRUCTS]
    source = tmp_path / "layout.c"
    body = "".join(lines)
    source.write_text(f"#include <animbridge/animbridge.h>\n#include <stdio.h>\nint main(void){{{body}}}")
    program = tmp_path / "layout"
    subprocess.run([compiler, "-I", HEADER.parents[1], source, "-o", program], check=True)
    said = subprocess.run([program], check=True, capture_output=True, text=True).stdout
    expected = dict(line.split() for line in said.splitlines())
    for name, struct in STRUCTS.items():
        assert ctypes.sizeof(struct) == int(expected[name])
        for field in struct._fields_:
            assert getattr(struct, field[0]).offset == int(expected[f"{name}.{field[0]}"]), (
                f"{name}.{field[0]}"
            )
