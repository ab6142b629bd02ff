# SPDX-License-Identifier: MIT
"""The words on buttons, panels and menus are those of labels.txt, which people read before it changes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import bpy
import pytest

pytestmark = pytest.mark.compat

LABELS = Path(__file__).with_name("labels.txt")


def own_classes(base: type) -> Iterator[type]:
    """The add-on's registered classes."""
    for found in base.__subclasses__():
        yield from own_classes(found)
        module = getattr(found, "__module__", "")
        if module.startswith("animbridge") and getattr(found, "is_registered", False):
            yield found


def shown() -> list[str]:
    """A line for each label: where it is, and what it says."""
    lines: set[str] = set()
    for kind in (bpy.types.Operator, bpy.types.Panel, bpy.types.Menu):
        for found in own_classes(kind):
            name = getattr(found, "bl_idname", "") or found.__name__
            lines.add(f"{name}: {getattr(found, 'bl_label', '')}")
    return sorted(lines)


def test_labels_are_as_people_read_them() -> None:
    """After a change that is meant: write what this test prints into the file."""
    assert shown() == LABELS.read_text(encoding="utf-8").splitlines(), "\n".join(shown())
