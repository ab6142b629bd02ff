# SPDX-License-Identifier: GPL-3.0-or-later
"""What moves objects to OBANs: key by key where plain curves do it, else as the world shows it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import bpy
import numpy as np
from numpy.typing import NDArray

from ..compat import actions
from ..native import oban
from ..native.abi import Facing
from ..native.curves import Timing
from ..native.document import Document
from ..native.errors import AnimBridgeError, Status
from ..native.oban import OBAN_FORMAT, TAG, name_of
from . import template
from .channels import BoneCurves
from .export_options import ExportResult, Method, ObanExportOptions
from .oban_curves import obstacle_to_curves, plain_curves
from .oban_import import FRAMES_PER_SECOND
from .oban_properties import ObanHeader, header_of, oni_of
from .object_motion import assigned_channels, carried_by, object_curves
from .sampling import frame_kept, set_frame, stale_reason
from .spans import Span, span_of
from .timing import scene_frames_per_second, step_count

Floats = NDArray[np.float32]

#: The file's frames are counted with 15 bits.
_MOST_FRAMES: Final = 32767
#: How far, as a share of a frame, the last frame may lie before its place: Blender's frames are rounded.
_FRAME_ROUNDING: Final = 1e-3
#: Fields of errors that name a frame of the file: what an OBAN cannot animate.
_OF_A_FRAME: Final = frozenset({"matrix", "scale", "shear", "mirroring"})


@dataclass(frozen=True)
class Work:
    """One file to be made of one object. `kept`, `source`: as of exports of armatures."""

    thing: bpy.types.Object
    scene: bpy.types.Scene
    channels: actions.Channels | None
    curves: BoneCurves
    kept: template.Template | None
    source: Document | None
    header: ObanHeader
    span: Span
    name: str
    options: ObanExportOptions

    @property
    def timing(self) -> Timing:
        """The template's rate as long as the scene shows it, else the scene's."""
        rate = scene_frames_per_second(self.scene)
        if self.kept is not None and self.kept.is_of_rate(rate):
            return Timing(self.kept.timing.frames_per_second, self.span.first)
        return Timing(rate, self.span.first)

    @property
    def frames(self) -> NDArray[np.float64]:
        """The scene's frames at which those of the file are: one every 60th of a second."""
        step = self.timing.frames_per_second / FRAMES_PER_SECOND
        count = step_count(self.span.first, self.span.last, step, _FRAME_ROUNDING) + 1
        if count > _MOST_FRAMES:
            raise AnimBridgeError(
                f"The object '{self.thing.name}' would get {count} frames of the game (60 a second), but an "
                f"OBAN has at most {_MOST_FRAMES}. Choose another range."
            )
        return self.span.first + step * np.arange(max(count, 1), dtype=np.float64)


def export_objects(
    things: Sequence[tuple[bpy.types.Object, str]], scene: bpy.types.Scene, options: ObanExportOptions
) -> list[ExportResult]:
    """A document for each object and the name of its file; those that need samples share one pass."""
    works = [work_of(thing, name, scene, options) for thing, name in things]
    made = [_from_curves(work) for work in works]
    results = [one if isinstance(one, ExportResult) else None for one in made]
    rest = [(index, str(one)) for index, one in enumerate(made) if not isinstance(one, ExportResult)]
    samples = sample_objects(scene, [works[index] for index, _ in rest])
    for (index, reason), matrices in zip(rest, samples, strict=True):
        results[index] = _from_samples(works[index], matrices, reason)
    return [result for result in results if result is not None]


def work_of(thing: bpy.types.Object, name: str, scene: bpy.types.Scene, options: ObanExportOptions) -> Work:
    """What Blender says of an object. A motion parent stands for what it carries."""
    thing = carried_by(thing)
    channels = assigned_channels(thing)
    action = channels.action if channels else None
    curves = object_curves(channels.fcurves if channels else [])
    kept = template.load_of(action, OBAN_FORMAT) if action else None
    source = kept.document() if kept else None
    header = options.header or (header_of(oni_of(action)) if action else ObanHeader())
    ranging = action if curves.channels else _action_above(thing)
    return Work(
        thing=thing,
        scene=scene,
        channels=channels,
        curves=curves,
        kept=kept,
        source=source,
        header=header,
        span=span_of(options.frame_range, ranging, [curves], kept, source, scene),
        name=name,
        options=options,
    )


def _action_above(thing: bpy.types.Object) -> bpy.types.Action | None:
    """The Action of the nearest parent that has one with a range of its own."""
    parent = thing.parent
    while parent is not None:
        animation = parent.animation_data
        if animation is not None and animation.action is not None and animation.action.use_frame_range:
            return animation.action
        parent = parent.parent
    return None


def _from_curves(work: Work) -> ExportResult | str:
    """The result; or why the curves would not do."""
    if work.options.method is Method.SAMPLES:
        return "asked for"
    reason = obstacle_to_curves(work.thing, work.curves, (work.span.first, work.span.last), work.options)
    if not reason:
        curves, base = plain_curves(work.thing, work.curves)
        members = {**_members(work), "base_matrix": base}
        try:
            document, report = oban.document_from_curves(work.timing, curves, members, work.source)
            return _result(work, document, report)
        except AnimBridgeError as error:
            if error.code is not Status.INVALID_ARGUMENT:
                raise
            reason = error.message
    if work.options.method is Method.CURVES:
        raise AnimBridgeError(
            f"The curves of '{work.thing.name}' do not tell its motion ({reason}). Export samples instead "
            "(Method: Samples)."
        )
    return reason


def sample_objects(scene: bpy.types.Scene, works: Sequence[Work]) -> Iterator[Floats]:
    """World matrices (frames x 16, column-major) of each, taken in one pass over the frames of all."""
    for work in works:
        reason = stale_reason(scene, work.thing)
        if reason:
            raise AnimBridgeError(
                f"The object '{work.thing.name}' {reason}, so its motion cannot be sampled."
            )
    wanted = [work.frames for work in works]
    frames = np.unique(np.concatenate(wanted)) if wanted else np.empty(0)
    shown: Any = bpy.context.view_layer.objects
    # Names may be there twice: objects from other files keep theirs.
    place = {one.as_pointer(): index for index, one in enumerate(shown)}
    for work in works:
        if work.thing.as_pointer() not in place:
            raise AnimBridgeError(
                f"The object '{work.thing.name}' is not in the active view layer, so its motion cannot be "
                "sampled."
            )
    columns = np.array([place[work.thing.as_pointer()] for work in works], np.intp)
    matrices = np.empty((len(frames), len(works), 16), np.float32)
    everything = np.empty(16 * len(place), np.float32)
    with frame_kept(scene):
        for row, frame in enumerate(frames):
            set_frame(scene, frame)
            shown.foreach_get("matrix_world", everything)
            matrices[row] = everything.reshape(-1, 16)[columns]
    for column, own in enumerate(wanted):
        yield np.ascontiguousarray(matrices[np.searchsorted(frames, own), column])


def _from_samples(work: Work, matrices: Floats, reason: str) -> ExportResult:
    try:
        document, report = oban.document_from_samples(matrices, _members(work), work.source)
    except AnimBridgeError as error:
        raise _of_object(work, error) from error
    return replace(_result(work, document, report), sampled_because=reason)


def _of_object(work: Work, error: AnimBridgeError) -> AnimBridgeError:
    """The library knows no objects' names, and no frames but the file's."""
    hint = ""
    if error.field in _OF_A_FRAME:
        step = work.timing.frames_per_second / FRAMES_PER_SECOND
        hint = f" (frame N of the file is frame {work.span.first:g} + {step:.6g} N of the scene)"
    return AnimBridgeError(f"{work.thing.name}: {error.message}{hint}", error.code, field=error.field)


def _result(work: Work, document: Document, report: dict[str, Any]) -> ExportResult:
    warnings = tuple(str(warning) for warning in report["warnings"])
    # OniSplit's XML says the same in several ways.
    same = work.kept is not None and work.source is not None and document.write() == work.source.write()
    source = work.kept.source if same and work.kept and not work.kept.is_json else None
    return ExportResult(document, report, warnings, work.span.first, Facing.AUTO, source=source)


def _members(work: Work) -> dict[str, Any]:
    """The options as the library has them; what is as the file had it is not named."""
    options, header, known = work.options, work.header, work.kept.details if work.kept else None
    axes = options.axes or (str(known.get("axes", "file")) if known else "file")
    is_camera = work.thing.type == "CAMERA" if options.is_camera is None else options.is_camera
    members: dict[str, Any] = {
        "axes": "file" if is_camera else axes,
        "origin": header.origin,
        "max_position_mm": options.max_position_mm,
        "max_rotation_degrees": options.max_rotation_degrees,
        "camera": is_camera,
        "door": {"mirror": True} if options.door else None,
    }
    if options.container is not None:
        members["container"] = options.container
    values: dict[str, Any] = {
        "flags": header.flags,
        "half_stop_frame": header.half_stop_frame,
        "frame_length": header.frame_length,
    }
    if options.door:
        del values["half_stop_frame"]
    members |= {name: value for name, value in values.items() if known is None or known.get(name) != value}
    if _is_named(work):
        members["name"] = header.name or work.name.removeprefix(TAG)
    return members


def _is_named(work: Work) -> bool:
    """Whether the file gets another name than the imported one's, which may have none."""
    if work.source is None:
        return True
    told = work.source.info()
    return work.options.container == "oni" and (
        told["container"] != "oni" or name_of(told) != work.header.name
    )
