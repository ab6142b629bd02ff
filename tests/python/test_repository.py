# SPDX-License-Identifier: MIT
"""`scripts/package --repository`: what lies in the folder. The stage package has Blender install from it."""

from __future__ import annotations

import os
import subprocess
import zipfile
from pathlib import Path

from material import ROOT

from packing import repository


def extension(path: Path, manifest: str) -> Path:
    """A zip file with this manifest; "": without one."""
    path.parent.mkdir(exist_ok=True)
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("blender_manifest.toml" if manifest else "readme.txt", manifest)
    return path


def test_one_version_of_each_id_and_platform_stays(tmp_path: Path) -> None:
    folder = tmp_path / "repository"
    for name, manifest in {
        "animbridge-0.2.0-linux_x64": 'id = "animbridge"\nplatforms = ["linux-x64"]',
        "by-another-name": 'id = "animbridge"\nplatforms = ["macos-x64", "windows-x64"]',
        "for-all": 'id = "animbridge"',
        "animbridge-0.2.0-macos_arm64": 'id = "animbridge"\nplatforms = ["macos-arm64"]',
        "others": 'id = "others"\nplatforms = ["linux-x64"]',
        "no-extension": "",
    }.items():
        extension(folder / f"{name}.zip", manifest)
    (folder / "damaged.zip").write_bytes(b"PK")
    packages = [
        extension(tmp_path / "made" / "new-linux.zip", 'id = "animbridge"\nplatforms = ["linux-x64"]'),
        extension(tmp_path / "made" / "new-windows.zip", 'id = "animbridge"\nplatforms = ["windows-x64"]'),
        extension(tmp_path / "made" / "add-on-for-3.4.zip", ""),
    ]
    for _ in range(2):  # the same again changes nothing
        repository.put(folder, packages)
        assert sorted(path.stem for path in folder.iterdir()) == [
            *("animbridge-0.2.0-macos_arm64", "damaged", "new-linux", "new-windows", "no-extension"),
            "others",
        ]
    assert (folder / "new-linux.zip").read_bytes() == packages[0].read_bytes()


def test_without_a_blender_that_knows_extensions_nothing_is_built(tmp_path: Path) -> None:
    (tmp_path / "blender").write_text("#!/bin/sh\necho Blender 4.1.9\n")
    (tmp_path / "blender").chmod(0o755)
    done = subprocess.run(
        [ROOT / "scripts" / "package", "--out", tmp_path / "out", "--repository", tmp_path / "repository"],
        env={**os.environ, "PATH": f"{tmp_path}:/usr/bin:/bin", "ANIMBRIDGE_CACHE": str(tmp_path / "none")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert "needs Blender 4.2 or later" in done.stderr
    assert "scripts/debian13 prepare-blender" in done.stderr
    assert sorted(path.name for path in tmp_path.iterdir()) == ["blender"]
