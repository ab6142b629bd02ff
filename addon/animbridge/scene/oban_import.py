# SPDX-License-Identifier: GPL-3.0-or-later
"""An OBAN to an Action that moves an object."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any, Final

import bpy
import numpy as np
from mathutils import Matrix

from ..compat import actions, keyframes
from ..native.abi import Facing
from ..native.curves import Curve, Timing
from ..native.document import Document
from ..native.oban import ObanCurves, has_tail, name_of
from ..native.text import listed, printable, readable
from . import oban_properties, template
from .channels import property_of
from .import_options import AnimationResult
from .names import data_block_name, filled_in
from .oban_half_stop import mark_half_stop
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
from .placing import assign
from .timing import scene_frames_per_second

#: Frames of the game in a second.
FRAMES_PER_SECOND: Final = 60.0
#: Blender's own group for an object's curves.
_GROUP: Final = "Object Transforms"


@dataclass(frozen=True)
class Oban:
    """One animation, and where it is from; `source`: its bytes, if they are of its own format."""

    document: Document
    name: str
    file_name: str
    source: bytes | None = None


@dataclass(frozen=True)
class ObanReading:
    """How an OBAN becomes an Action.

    `axes`: "file" or "blender", those of the object's own vertices; cameras always have the file's.
    `origin`: where the object stands to which a local animation belongs. {name} in `action_name` is the
    animation's name, {file} the file's, {object} the object's.
    """

    frame_start: float = 1.0
    axes: str = "file"
    origin: Matrix | None = None
    action_name: str = "{name}"
    fake_user: bool = True


def import_oban(
    oban: Oban, thing: bpy.types.Object, scene: bpy.types.Scene, reading: ObanReading
) -> AnimationResult:
    """Makes an Action that plays the animation, and lets it move the object. On an error nothing changed."""
    refuse_unwritable(thing)
    axes = "file" if thing.type == "CAMERA" else reading.axes
    timing = Timing(scene_frames_per_second(scene), reading.frame_start)
    curves, report, origin = _curves(oban.document, timing, axes, reading.origin)
    with _undone_on_failure() as made:
        action = bpy.data.actions.new(_action_name(reading.action_name, oban, thing))
        made.append(action)
        action.use_fake_user = reading.fake_user
        channels = actions.create_channels(action, data_block_name(thing.name))
        merged_keys = _add_curves(channels, curves)
        action.frame_range = (timing.frame_start, float(report["frame_end"]))
        oban_properties.show(action, report, oban.name or name_of(report), origin)
        if report["half_stop_frame"]:
            mark_half_stop(action, float(report["half_stop_scene_frame"]))
        _store_template(action, oban, thing, timing, scene_frames_per_second(scene), axes)
    warnings = list(_warnings(oban.document, thing, report, merged_keys))
    mover = _moved(thing, report)
    mover.rotation_mode = "QUATERNION"
    assign(mover, channels)
    first, last = action.frame_range
    return AnimationResult(channels, (float(first), float(last)), tuple(warnings))


def _curves(
    document: Document, timing: Timing, axes: str, origin: Matrix | None
) -> tuple[list[Curve], dict[str, Any], Matrix | None]:
    """The curves and their report; and the origin, if the animation is local."""
    native = ObanCurves(document, timing, {"axes": axes})
    report = native.report()
    if origin is None or not int(report["flags_value"]) & oban_properties.LOCAL:
        return list(native), report, None
    place = oban_properties.rigid_columns(origin.to_translation(), origin.to_quaternion().to_euler())
    native = ObanCurves(document, timing, {"axes": axes, "origin": place})
    return list(native), native.report(), origin


def _action_name(pattern: str, oban: Oban, thing: bpy.types.Object) -> str:
    stem = PurePath(oban.file_name).stem
    names = {"name": oban.name or stem, "file": stem, "object": thing.name}
    return data_block_name(printable(filled_in(pattern or "{name}", names)))


@contextmanager
def _undone_on_failure() -> Iterator[list[Any]]:
    made: list[Any] = []
    try:
        yield made
    except BaseException:
        bpy.data.batch_remove(made)
        raise


def _add_curves(channels: actions.Channels, curves: list[Curve]) -> int:
    """Adds the F-curves; how many keys Blender merged."""
    group = channels.holder.groups.new(_GROUP)
    maker = keyframes.LinearCurves(channels.holder, sum(len(curve.co) for curve in curves))
    merged = 0
    for curve in curves:
        fcurve, keys = maker.add(property_of(curve.channel), curve.component, curve.co, None)
        fcurve.group = group
        merged += len(curve.co) - len(keys.co)
    return merged


def _hangs(thing: bpy.types.Object, report: dict[str, Any]) -> bool:
    """Whether a parent is to carry the object: a base that no scale shows, or one that is there already."""
    return report["base"] == "matrix" or is_motion_parent(thing.parent)


def _moved(thing: bpy.types.Object, report: dict[str, Any]) -> bpy.types.Object:
    """Gives the object its base; the object that the Action is to move: itself, or a parent."""
    if not _hangs(thing, report):
        thing.scale = report["base_scale"] if report["base"] == "scale" else (1.0, 1.0, 1.0)
        return thing
    return hang(thing, Matrix(np.array(report["base_matrix"], np.float64).reshape(4, 4).T.tolist()))


def _store_template(
    action: bpy.types.Action,
    oban: Oban,
    thing: bpy.types.Object,
    timing: Timing,
    scene_rate: float,
    axes: str,
) -> None:
    header = oban_properties.header_of(oban_properties.oni_of(action))
    first, last = action.frame_range
    is_json = oban.source is None and has_tail(oban.document)
    written = oban.document.json if is_json else oban.document.write
    template.store(
        action,
        template.Template(
            name=oban.file_name,
            source=written() if oban.source is None else oban.source,
            format_id=oban.document.format,
            timing=timing,
            facing=Facing.AUTO,
            action_range=(float(first), float(last)),
            armature_name=thing.name,
            fingerprints={},
            rests={},
            scene_rate=scene_rate,
            details={
                "axes": axes,
                "flags": header.flags,
                "half_stop_frame": header.half_stop_frame,
                "frame_length": header.frame_length,
            },
            is_json=is_json,
        ),
    )


def _warnings(
    document: Document, thing: bpy.types.Object, report: dict[str, Any], merged_keys: int
) -> Iterator[str]:
    if report["base"] == "matrix":
        yield (
            "the animation's Base turns, moves, shears or mirrors, so a parent empty carries the keys and "
            "the object hangs on it"
        )
    if merged_keys:
        yield f"this Blender merged {merged_keys} curve points that lay closer than 0.01 frame together"
    own = moving_action(thing)
    if own is not None and _hangs(thing, report):
        yield f"the Action '{own.name}' was taken off the object, which its parent moves now"
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
        yield "the object's delta transform is added to the motion"
    yield from (str(warning) for warning in report["warnings"])
    for finding in document.check()["findings"]:
        yield f"{finding['class']}: {finding['effect']} ({readable(finding['found'])})"
