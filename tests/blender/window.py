# SPDX-License-Identifier: MIT
"""What most Blenders do in a window only: undo, and the NLA's tweak mode.

Tests of these use the fixture `window` (conftest.py). Without a window they skip where this Blender needs
one; `scripts/blenders run-window` runs them in a window, where none may skip.
"""

from __future__ import annotations

from typing import Any, Final, NoReturn

import bpy
import pytest

_MARK: Final = "before"
#: How the reason of such a skip begins.
NEEDS_WINDOW: Final = "needs a window"


def skip_without_window(what: str) -> NoReturn:
    """For what this Blender could not do; in a window that is a failure."""
    assert not has_window(), f"this Blender has a window, but {what}"
    pytest.skip(f"{NEEDS_WINDOW}: {what}")


def has_window() -> bool:
    """Whether Blender runs as people see it."""
    return not bpy.app.background


def begin_undo() -> None:
    """The state that the next undo should bring back. It has a mark, so that the one before it is known."""
    bpy.data.worlds.new(_MARK).use_fake_user = True
    try:
        bpy.ops.ed.undo_push(message="before")
    except RuntimeError:
        skip_without_window("nothing can be undone")


def with_undo(operator: Any, **options: Any) -> None:
    """Runs an operator as a menu does: it leaves a step to undo if its bl_options say so."""
    assert operator("EXEC_DEFAULT", True, **options) == {"FINISHED"}


def undo_once() -> None:
    """Ctrl Z, which must lead to the state that was marked and not further back."""
    try:
        assert bpy.ops.ed.undo() == {"FINISHED"}
    except RuntimeError:
        skip_without_window("nothing can be undone")
    assert _MARK in bpy.data.worlds, "undone too far: the operator left no step of its own"


def tweak(rig: Any, track: Any) -> None:
    """Enters tweak mode with the track's first strip."""
    animation = rig.animation_data
    track.is_solo = False
    track.select = track.strips[0].select = True
    animation.nla_tracks.active = track
    try:
        animation.use_tweak_mode = True
    except (AttributeError, TypeError, RuntimeError):
        skip_without_window("tweak mode cannot be set")
    if not animation.use_tweak_mode:
        skip_without_window("tweak mode is not entered")
