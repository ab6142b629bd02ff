# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes an Action of an OBAN, which moves an object."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any

import bpy
import numpy as np
from mathutils import Matrix

from ...package import (
    Curve,
    Document,
    ObanCurves,
    Timing,
    has_tail,
    listed,
    name_of,
    printable,
)
from ...scene import templates
from ...scene.import_.action import MERGED_KEYS
from ...scene.import_.importer import findings_of
from ...scene.import_.new_action import make_action
from ...scene.import_.options import AnimationResult
from ...scene.names import data_block_name, filled_in
from ...scene.placing import assign
from ...scene.source_files import SourceFile
from ...scene.timing import scene_frames_per_second
from ...scene.undo import undone_on_failure
from . import properties
from .half_stop import mark_half_stop
from .object_motion import (
    carrier_of,
    driven_transforms,
    hang,
    has_delta,
    has_nla,
    is_motion_parent,
    moving_action,
    refuse_unwritable,
)
from .options import ObanImportOptions


@dataclass(frozen=True)
class Oban:
    """One animation, and its file; `name`: its name in a level."""

    file: SourceFile
    name: str = ""


def import_oban(
    oban: Oban, thing: bpy.types.Object, scene: bpy.types.Scene, options: ObanImportOptions
) -> AnimationResult:
    """Makes an Action that plays the animation, and lets it move the object. An error changes nothing."""
    refuse_unwritable(thing)
    axes = "file" if thing.type == "CAMERA" else options.axes
    timing = Timing(scene_frames_per_second(scene), options.frame_start)
    curves, report, origin = _curves(oban.file.document, timing, axes, options.origin)
    with undone_on_failure() as undo:
        name = _action_name(options.action_name, oban, thing)
        frames = (timing.frame_start, float(report["frame_end"]))
        channels, added = make_action(undo, name, thing, curves, None, frames, fake_user=options.fake_user)
        action = channels.action
        properties.show(action, report, oban.name or name_of(report), origin)
        if report["half_stop_frame"]:
            mark_half_stop(action, float(report["half_stop_scene_frame"]))
        templates.store(action, oban.file, _state(action, oban.file, thing, timing, axes))
    warnings = tuple(_warnings(oban.file.document, thing, report))
    details = tuple(_details(thing, report, added.merged_keys))
    mover = _moved(thing, report)
    mover.rotation_mode = "QUATERNION"
    assign(mover, channels)
    first, last = action.frame_range
    return AnimationResult(channels, (float(first), float(last)), warnings, details=details)


def _curves(
    document: Document, timing: Timing, axes: str, origin: Matrix | None
) -> tuple[list[Curve], dict[str, Any], Matrix | None]:
    """The curves, their report, and the origin if the animation is local."""
    native = ObanCurves(document, timing, {"axes": axes})
    report = native.report()
    if origin is None or not int(report["flags_value"]) & properties.LOCAL:
        return list(native), report, None
    place = properties.rigid_columns(origin.to_translation(), origin.to_quaternion().to_euler())
    native = ObanCurves(document, timing, {"axes": axes, "origin": place})
    return list(native), native.report(), origin


def _action_name(pattern: str, oban: Oban, thing: bpy.types.Object) -> str:
    stem = PurePath(oban.file.name).stem
    names = {"name": oban.name or stem, "file": stem, "object": thing.name}
    return data_block_name(printable(filled_in(pattern or "{name}", names)))


def _hangs(thing: bpy.types.Object, report: dict[str, Any]) -> bool:
    """Whether a parent is to carry the object: if the base is more than a scale, or there is one already."""
    return report["base"] == "matrix" or is_motion_parent(thing.parent)


def _moved(thing: bpy.types.Object, report: dict[str, Any]) -> bpy.types.Object:
    """Gives the object its base, and returns the object that the Action is to move: itself or a parent."""
    if not _hangs(thing, report):
        thing.scale = report["base_scale"] if report["base"] == "scale" else (1.0, 1.0, 1.0)
        return thing
    return hang(thing, Matrix(np.array(report["base_matrix"], np.float64).reshape(4, 4).T.tolist()))


def _state(
    action: bpy.types.Action, file: SourceFile, thing: bpy.types.Object, timing: Timing, axes: str
) -> templates.ImportState:
    header = properties.header_of(properties.oni_of(action))
    return templates.ImportState(
        timing=timing,
        # OBANs are always imported at the scene's own rate.
        scene_rate=timing.frames_per_second,
        object_name=thing.name,
        details={
            "axes": axes,
            "flags": header.flags,
            "half_stop_frame": header.half_stop_frame,
            "frame_length": header.frame_length,
        },
        is_json=file.data is None and has_tail(file.document),
    )


def _details(thing: bpy.types.Object, report: dict[str, Any], merged_keys: int) -> Iterator[str]:
    """What became of the object, before the Action moves it."""
    if report["base"] == "matrix":
        yield (
            "the animation's Base turns, moves, shears or mirrors, so the keys are on an empty, which is "
            "now the object's parent"
        )
    if merged_keys:
        yield MERGED_KEYS
    own = moving_action(thing)
    if own is not None and _hangs(thing, report):
        yield f"the Action '{own.name}' was unlinked from the object: its parent moves it now"


def _warnings(document: Document, thing: bpy.types.Object, report: dict[str, Any]) -> Iterator[str]:
    """What moves the object besides the Action, and what is wrong with the file."""
    movers = {thing, carrier_of(thing)}
    held = [constraint.name for one in movers for constraint in one.constraints if not constraint.mute]
    if held:
        yield f"constraints move the object too: {listed(sorted(held))}"
    if any(has_nla(one) for one in movers):
        yield "NLA tracks move the object too"
    driven = {path for one in movers for path in driven_transforms(one)}
    if driven:
        yield f"drivers move the object too: {listed(sorted(driven))}"
    if any(has_delta(one) for one in movers):
        yield "the object's delta transform moves it too"
    yield from (str(warning) for warning in report["warnings"])
    yield from findings_of(document)
