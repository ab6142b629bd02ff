# SPDX-License-Identifier: MIT
"""Online Manual leads from everything that the add-on has to a heading of its pages."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import ExitStack
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

import bpy
import pytest
from tests.python.material import ROOT

from animbridge import kinds
from animbridge.clip import blender as clip
from animbridge.retarget import blender as retargeting
from animbridge.ui import manual


@pytest.fixture
def packed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Path]:
    """The add-on as if a package had brought the pages."""
    monkeypatch.setattr(manual, "FOLDER", tmp_path)
    with ExitStack() as undo:
        manual.register(undo)
        yield tmp_path


def registered() -> list[Any]:
    classes = [cls for kind in kinds.KINDS for cls in kind.in_blender().classes]
    return [*classes, *clip.CLASSES, *retargeting.CLASSES]


def names() -> list[str]:
    """Blender's names of all operators and groups of properties of the add-on."""
    operators = [cls.bl_idname for cls in registered() if issubclass(cls, bpy.types.Operator)]
    groups = [cls.__name__ for cls in registered() if issubclass(cls, bpy.types.PropertyGroup)]
    return [f"bpy.ops.{name}" for name in operators] + [f"bpy.types.{name}.name" for name in groups]


def address(name: str) -> str:
    """What Blender opens."""
    operator: Any = bpy.types.WM_OT_doc_view_manual
    return operator._lookup_rna_url(name, verbose=False)


def anchors(page: str) -> set[str]:
    text = (ROOT / "docs" / page).with_suffix(".md").read_text(encoding="utf-8")
    headings = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_everything_has_a_heading(packed: Path) -> None:
    found = names()
    assert len(found) > 40
    for name in found:
        page, _, anchor = address(name).removeprefix(f"{packed.as_uri()}/").partition("#")
        assert (ROOT / "docs" / page).with_suffix(".md").is_file(), name
        assert not anchor or anchor in anchors(page), name


def test_each_row_is_of_use() -> None:
    for number, (pattern, _) in enumerate(manual.PAGES):
        before = manual.PAGES[:number]
        mine = [name for name in names() if matches(name, pattern)]
        assert any(not any(matches(name, other) for other, _ in before) for name in mine), pattern


def matches(name: str, pattern: str) -> bool:
    return fnmatchcase(name.lower(), pattern)


def maps() -> list[Any]:
    """Of pages, that Blender and its add-ons have registered; the stubs do not know what it returns."""
    utilities: Any = bpy.utils
    return list(utilities.manual_map())


def test_a_checkout_has_no_pages_to_lead_to(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Also where a package is what is tested, and has led Blender to its own pages."""
    monkeypatch.setattr(manual, "FOLDER", tmp_path / "manual")
    before = maps()
    with ExitStack() as undo:
        manual.register(undo)
        assert maps() == before
        manual.FOLDER.mkdir()
        manual.register(undo)
        assert len(maps()) == len(before) + 1
