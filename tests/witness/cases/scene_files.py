# SPDX-License-Identifier: MIT
"""fixtures/scene: every file with FILE.expect.json beside it; README.md there says what the fields mean."""

from __future__ import annotations

from pathlib import Path

from ..scene_expect import Case, expectation, text
from . import (
    scene_bad_files,
    scene_dae_files,
    scene_fbx_files,
    scene_gltf_files,
    scene_other_files,
    scene_packed_files,
)

FOLDER = "scene"
_README = Path(__file__).resolve().parents[3] / "fixtures" / FOLDER / "README.md"


def cases() -> list[Case]:
    """Every fixture."""
    modules = (
        scene_gltf_files,
        scene_dae_files,
        scene_fbx_files,
        scene_other_files,
        scene_bad_files,
        scene_packed_files,
    )
    return [case for module in modules for case in module.cases()]


def all_files() -> dict[str, bytes]:
    """Every file by its path under fixtures/scene/."""
    # The page is written by hand. It is named here because whatever is in the folder must be.
    files = {"README.md": _README.read_bytes()}
    for case in cases():
        files[case.name] = case.data
        files[f"{case.name}.expect.json"] = text(expectation(case))
        files |= {name: data for name, data in case.side_files.items() if data is not None}
    return files
