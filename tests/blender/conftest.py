# SPDX-License-Identifier: MIT
"""A registered add-on for the session and an empty scene for every test."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import bpy
import pytest
from retarget_sampling import Recorder
from window import has_window

import animbridge


@pytest.fixture(scope="session", autouse=True)
def registered_addon() -> Iterator[None]:
    """The add-on, registered as Blender would."""
    animbridge.register()
    yield
    animbridge.unregister()


@pytest.fixture
def window(empty_scene: None) -> Iterator[None]:
    """Blender's window, if it has one; a new scene leaves the context without."""
    if not has_window():
        yield
        return
    with bpy.context.temp_override(window=bpy.context.window_manager.windows[0]):
        yield


@pytest.fixture(autouse=True)
def empty_scene(registered_addon: None) -> None:
    """Factory settings without any object."""
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)


@pytest.fixture
def no_program(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The library does not find the program that reads and writes scenes."""
    monkeypatch.setenv("ANIMBRIDGE_SCENE", str(tmp_path / "none" / "animbridge-scene"))


@pytest.fixture
def recorder(monkeypatch: pytest.MonkeyPatch) -> Recorder:
    """What Retarget samples."""
    return Recorder(monkeypatch)
