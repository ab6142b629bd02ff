# SPDX-License-Identifier: MIT
"""Two .anim files as NLA strips one after the other, exported as one file and each by itself; then undone."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import bpy

#: Of the second strip, after the walk's end.
START = 61.0


def show(stage: Any) -> Iterator[float]:
    """One file lasts as long as both strips; a file for each track lasts as long as its own."""
    sys.path.insert(0, str(stage.demo.parents[1]))
    from tests.witness import anim_file, quantise

    stage.clear()
    walk, wave = stage.demo / "walk.anim", stage.demo / "wave.anim"
    yield from stage.choose_file("import_anim.secondlife", walk, place="NLA")
    yield from stage.choose_file("import_anim.secondlife", wave, place="NLA", frame_start=START)
    assert strips() == [("walk", 1.0), ("wave", START)]
    with tempfile.TemporaryDirectory() as folder:
        both = Path(folder) / "both.anim"
        yield from stage.choose_file("export_anim.secondlife", both, frame_range="SCENE")
        one, other, written = (anim_file.parse(path.read_bytes()) for path in (walk, wave, both))
        # Samples of a joint that rests all the time are left out.
        assert moved(one, quantise) | moved(other, quantise) <= {joint.name for joint in written.joints}
        scene = bpy.context.scene
        seconds = (scene.frame_end - scene.frame_start) / stage.frames_per_second
        assert abs(float(written.duration) - seconds) < 0.001
        assert seconds >= (START - 1) / stage.frames_per_second + float(other.duration)
        # The browser remembers the frames of the export before.
        each: dict[str, Any] = {"actions": "NLA", "frame_range": "ACTION"}
        yield from stage.choose_file("export_anim.secondlife", Path(folder) / "x.anim", **each)
        for path, imported in ((walk, one), (wave, other)):
            alone = anim_file.parse((Path(folder) / path.name).read_bytes())
            assert moved(imported, quantise) <= {joint.name for joint in alone.joints}, path.name
            assert abs(float(alone.duration) - float(imported.duration)) < 0.001
    yield from stage.undo()
    assert strips() == [("walk", 1.0)]
    yield from stage.undo()
    assert not len(bpy.data.actions) and not len(bpy.data.armatures)


def moved(file: Any, quantise: Any) -> set[bytes]:
    """The joints that a file turns."""
    turned = ((joint.name, quantise.decode_rotation(joint.rotation_keys[:, 1:])) for joint in file.joints)
    return {name for name, vectors in turned if abs(vectors).max(initial=0.0) > 0.01}


def strips() -> list[tuple[str, float]]:
    """The Action and the first frame of each strip, in order of time."""
    rig: Any
    (rig,) = (thing for thing in bpy.data.objects if thing.type == "ARMATURE")
    found = [strip for track in rig.animation_data.nla_tracks for strip in track.strips]
    return sorted(((strip.action.name, strip.frame_start) for strip in found), key=lambda one: one[1])
