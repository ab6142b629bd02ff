# SPDX-License-Identifier: MIT
"""Lists that the panel offers, and progress that long work reports."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import bpy
import pytest
from helpers import import_file, the_action, the_armature
from tests.python.material import demos
from tests.witness.skeleton import load_emotes

from animbridge.kinds.sl_anim.exporter import SlExporter
from animbridge.kinds.sl_anim.options import SlExportOptions
from animbridge.package import AnimBridgeError, emote_names
from animbridge.scene.export.action import export_action
from animbridge.scene.export.options import Method
from animbridge.scene.playing import assigned_channels
from animbridge.ui.progress import shown_progress

pytestmark = pytest.mark.compat

DANCE = next(path for path in demos() if path.name == "dance.anim")


def test_the_emotes_are_the_viewers_faces_first() -> None:
    names = emote_names()
    assert {name.encode() for name in names} == set(load_emotes())
    faces = [name.startswith("express_") for name in names]
    assert any(faces) and faces == sorted(faces, reverse=True)


def test_the_emote_field_takes_names_and_ids(tmp_path: Path) -> None:
    """A list to search, and still a field for the id of another animation."""
    import_file(DANCE)
    shown: Any = the_action()
    identifier = "6b61c8e8-4747-0d75-12d7-e49ff207a4ca"
    for text in ("express_smile", identifier):
        shown.secondlife.emote = text
        assert shown.secondlife.emote == text


def export(**options: Any) -> None:
    armature = the_armature()
    channels = assigned_channels(armature)
    assert channels is not None
    wanted = SlExportOptions(**options)
    export_action(SlExporter(), armature, channels, bpy.context.scene, wanted, alone=True)


def test_a_fit_reports_how_far_it_is() -> None:
    import_file(DANCE)
    shares: list[float] = []

    def note(share: float) -> bool:
        shares.append(share)
        return False

    export(method=Method.SAMPLES, progress=note)
    assert len(shares) > 3
    assert all(0 <= share <= 1 for share in shares)
    assert max(shares) - min(shares) > 0.05


def test_each_sampled_frame_is_progress() -> None:
    """By how many frames Blender has set at each report."""
    import_file(DANCE)
    count: list[int] = []
    reports: list[tuple[int, float]] = []
    handler = lambda *_: count.append(1)  # noqa: E731
    bpy.app.handlers.frame_change_post.append(handler)
    try:
        export(
            method=Method.SAMPLES,
            library={"max_position_mm": 0.0, "max_rotation_degrees": 0.0},
            progress=lambda share: reports.append((len(count), share)) is not None,
        )
    finally:
        bpy.app.handlers.frame_change_post.remove(handler)
    first, last = the_action().frame_range
    frames = math.floor(last - first) + 1
    shares = [share for _, share in reports]
    assert shares == sorted(shares) and shares[0] == 0.0 and shares[-1] <= 1.0
    # One report before each frame; all in the first half.
    assert {done for done, _ in reports} >= set(range(frames))
    assert all(share <= 0.5 for done, share in reports if done < frames)


@pytest.mark.parametrize("after", [1, 5])
def test_progress_can_stop_the_work(after: int) -> None:
    """While frames are sampled; the scene is back at its frame."""
    import_file(DANCE)
    bpy.context.scene.frame_set(7)
    count: list[float] = []

    def stop(share: float) -> bool:
        count.append(share)
        return len(count) == after

    with pytest.raises(AnimBridgeError, match="cancelled"):
        export(method=Method.SAMPLES, progress=stop)
    assert len(count) == after and bpy.context.scene.frame_current == 7


def test_progress_stops_the_library_too() -> None:
    import_file(DANCE)
    with pytest.raises(AnimBridgeError, match="cancelled"):
        export(method=Method.SAMPLES, progress=lambda share: share > 0.6)


def test_without_a_window_nothing_is_shown() -> None:
    with shown_progress(bpy.context) as progress:
        assert (progress is None) == bpy.app.background
