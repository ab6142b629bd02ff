# SPDX-License-Identifier: MIT
"""The files that the Python and Blender tests work on."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FIXTURES = ROOT / "fixtures" / "sl_anim"
BVH = ROOT / "fixtures" / "bvh"
DEMO = ROOT / "fixtures" / "demo"
LEVELS = ("playback", "upload", "strict")


@dataclass(frozen=True)
class Case:
    """A fixture and what the manifest, which the witness wrote, says of it."""

    path: Path
    is_readable: bool
    findings: dict[str, list[str]]

    @property
    def data(self) -> bytes:
        """The file's bytes."""
        return self.path.read_bytes()


def manifest() -> list[Case]:
    """Every fixture."""
    rows = json.loads((FIXTURES / "manifest.json").read_text(encoding="utf-8"))
    return [
        Case(
            path=FIXTURES / row["file"],
            is_readable=row["read"] == "ok",
            findings=row["findings"],
        )
        for row in rows
    ]


def samples() -> list[Path]:
    """Files of other programs, where the environment variable ANIMBRIDGE_SAMPLES names a folder of them."""
    folder = os.environ.get("ANIMBRIDGE_SAMPLES")
    return sorted((Path(folder) / "sl_anim").iterdir()) if folder else []


def bvh_samples() -> list[Path]:
    """BVH files of other programs, from the same folder."""
    folder = os.environ.get("ANIMBRIDGE_SAMPLES")
    return sorted((Path(folder) / "bvh").glob("*.bvh")) if folder else []


def demos() -> list[Path]:
    """The files of fixtures/demo."""
    return sorted(DEMO.rglob("*.anim"))


def real_files() -> list[Path]:
    """Samples and demos: files as users have them."""
    return samples() + demos()


READABLE = [case for case in manifest() if case.is_readable]
UNREADABLE = [case for case in manifest() if not case.is_readable]


def name_of(item: Case | Path) -> str:
    """The name of a test's parameter."""
    return (item.path if isinstance(item, Case) else item).name
