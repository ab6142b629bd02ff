# SPDX-License-Identifier: GPL-3.0-or-later
"""Exports objects as OBANs: key by key from plain curves, or else from samples of the scene."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import bpy
import numpy as np
from numpy.typing import NDArray

from ...compat import actions
from ...package import (
    OBAN_FORMAT,
    TAG,
    AnimBridgeError,
    Document,
    Facing,
    Progress,
    Status,
    Timing,
    advance,
    name_of,
    oban,
    part_of,
)
from ...scene import templates
from ...scene.channels import BoneCurves
from ...scene.export.options import Method
from ...scene.export.result import ExportResult
from ...scene.export.sampling import SAMPLING_SHARE, frame_restored, set_frame, stale_reason
from ...scene.export.spans import Span, span_of, timing_of
from ...scene.timing import frame_count
from .curves import obstacle_to_curves, plain_curves
from .game import FRAMES_PER_SECOND
from .object_motion import assigned_channels, carried_by, object_curves
from .options import ObanExportOptions
from .properties import ObanHeader, header_of, oni_of

Floats = NDArray[np.float32]

#: The file counts frames in 15 bits.
_MOST_FRAMES: Final = 32767
#: Fields of errors that name a frame of the file, in which something is animated that an OBAN cannot hold.
_OF_A_FRAME: Final = frozenset({"matrix", "scale", "shear", "mirroring"})


@dataclass(frozen=True)
class Work:
    """The file to be made of one object; `template` and `template_document` as in exports of armatures."""

    thing: bpy.types.Object
    scene: bpy.types.Scene
    channels: actions.Channels | None
    curves: BoneCurves
    template: templates.Template | None
    template_document: Document | None
    header: ObanHeader
    span: Span
    name: str
    options: ObanExportOptions

    @property
    def timing(self) -> Timing:
        """The frame rate, from the first frame on."""
        return timing_of(self.scene, self.template, self.span)

    @property
    def frames(self) -> NDArray[np.float64]:
        """The scene's frames for those of the file, one every 60th of a second."""
        step = self.timing.frames_per_second / FRAMES_PER_SECOND
        count = frame_count(self.span.first, self.span.last, step)
        if count > _MOST_FRAMES:
            raise AnimBridgeError(
                f"The object '{self.thing.name}' would get {count} frames of the game (60 a second), but an "
                f"OBAN has at most {_MOST_FRAMES}. Choose a shorter range."
            )
        return self.span.first + step * np.arange(count, dtype=np.float64)


def export_objects(
    things: Sequence[tuple[bpy.types.Object, str]], scene: bpy.types.Scene, options: ObanExportOptions
) -> list[ExportResult]:
    """Makes a document for each object, with the name of its file. Objects that need samples share a pass."""
    works = [work_of(thing, name, scene, options) for thing, name in things]
    made = [_from_curves(work) for work in works]
    results = [one if isinstance(one, ExportResult) else None for one in made]
    rest = [(index, str(one)) for index, one in enumerate(made) if not isinstance(one, ExportResult)]
    progress = part_of(options.progress, 0.0, SAMPLING_SHARE)
    samples = sample_objects(scene, [works[index] for index, _ in rest], progress)
    each = (1.0 - SAMPLING_SHARE) / max(len(rest), 1)
    for number, ((index, reason), matrices) in enumerate(zip(rest, samples, strict=True)):
        first = SAMPLING_SHARE + number * each
        results[index] = _from_samples(
            works[index], matrices, reason, part_of(options.progress, first, first + each)
        )
    return [result for result in results if result is not None]


def work_of(thing: bpy.types.Object, name: str, scene: bpy.types.Scene, options: ObanExportOptions) -> Work:
    """What Blender knows about an object. A motion parent stands for what it carries."""
    thing = carried_by(thing)
    channels = assigned_channels(thing)
    action = channels.action if channels else None
    curves = object_curves(channels.fcurves if channels else [])
    template = templates.load_of(action, OBAN_FORMAT) if action else None
    document = template.document() if template else None
    header = options.header or (header_of(oni_of(action)) if action else ObanHeader())
    ranging = action if curves.channels else action_above(thing)
    return Work(
        thing=thing,
        scene=scene,
        channels=channels,
        curves=curves,
        template=template,
        template_document=document,
        header=header,
        span=span_of(options.frame_range, ranging, [curves], template, document, scene),
        name=name,
        options=options,
    )


def action_above(thing: bpy.types.Object) -> bpy.types.Action | None:
    """The Action of the nearest parent whose Action has a range of its own."""
    parent = thing.parent
    while parent is not None:
        animation = parent.animation_data
        if animation is not None and animation.action is not None and animation.action.use_frame_range:
            return animation.action
        parent = parent.parent
    return None


def _from_curves(work: Work) -> ExportResult | str:
    """The result, or why the curves are not enough."""
    if work.options.method is Method.SAMPLES:
        return "because you chose Samples"
    reason = obstacle_to_curves(work.thing, work.curves, (work.span.first, work.span.last), work.options)
    if not reason:
        curves, base = plain_curves(work.thing, work.curves)
        members = {**_members(work), "base_matrix": base}
        try:
            document, report = oban.document_from_curves(work.timing, curves, members, work.template_document)
            return _result(work, document, report)
        except AnimBridgeError as error:
            if error.code is not Status.INVALID_ARGUMENT:
                raise
            reason = error.message
    if work.options.method is Method.CURVES:
        raise AnimBridgeError(
            f"F-curves alone do not describe the motion of '{work.thing.name}': {reason}. Export samples "
            "instead (Method: Samples)."
        )
    return reason


def sample_objects(
    scene: bpy.types.Scene, works: Sequence[Work], progress: Progress | None = None
) -> Iterator[Floats]:
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
    # Names need not be unique: objects from other files keep theirs.
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
    with frame_restored(scene):
        for row, frame in enumerate(frames):
            advance(progress, row / len(frames))
            set_frame(scene, frame)
            shown.foreach_get("matrix_world", everything)
            matrices[row] = everything.reshape(-1, 16)[columns]
    for column, own in enumerate(wanted):
        yield np.ascontiguousarray(matrices[np.searchsorted(frames, own), column])


def _from_samples(work: Work, matrices: Floats, reason: str, progress: Progress | None) -> ExportResult:
    try:
        document, report = oban.document_from_samples(
            matrices, _members(work), work.template_document, progress
        )
    except AnimBridgeError as error:
        raise _of_object(work, error) from error
    return replace(_result(work, document, report), sampled_because=reason)


def _of_object(work: Work, error: AnimBridgeError) -> AnimBridgeError:
    """Adds the object's name, and the scene's frame, to an error of the library."""
    hint = ""
    if error.field in _OF_A_FRAME:
        step = work.timing.frames_per_second / FRAMES_PER_SECOND
        hint = f" (frame N of the file is frame {work.span.first:g} + {step:.6g} N of the scene)"
    return AnimBridgeError(f"{work.thing.name}: {error.message}{hint}", error.code, field=error.field)


def _result(work: Work, document: Document, report: dict[str, Any]) -> ExportResult:
    # They say what became of the file; what has to be decided is an error.
    details = tuple(str(warning) for warning in report["warnings"])
    # OniSplit's XML can say the same in several ways.
    template, original = work.template, work.template_document
    same = template is not None and original is not None and document.write() == original.write()
    source = template.source if same and template and not template.is_json else None
    return ExportResult(document, report, (), work.span.first, Facing.AUTO, source=source, details=details)


def _members(work: Work) -> dict[str, Any]:
    """The options as the library has them, without header values that are as in the file."""
    options, header = work.options, work.header
    imported = work.template.details if work.template else None
    axes = options.axes or (str(imported.get("axes", "file")) if imported else "file")
    is_camera = work.thing.type == "CAMERA" if options.is_camera is None else options.is_camera
    members: dict[str, Any] = {
        "axes": "file" if is_camera else axes,
        "origin": header.origin,
        **options.library,
        "stop_above_mm": options.stop_above_mm,
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
    members |= {
        name: value for name, value in values.items() if imported is None or imported.get(name) != value
    }
    if _is_named(work):
        members["name"] = header.name or work.name.removeprefix(TAG)
    return members


def _is_named(work: Work) -> bool:
    """Whether the file gets a name other than the imported file's, which may have none."""
    if work.template_document is None:
        return True
    info = work.template_document.info()
    return work.options.container == "oni" and (
        info["container"] != "oni" or name_of(info) != work.header.name
    )
