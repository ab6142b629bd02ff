# SPDX-License-Identifier: MIT
"""From documents of any format to curves of a scene, and from curves or poses of a scene to documents.

Options are the JSON members that docs/options.md lists for the format and the call.
"""

from __future__ import annotations

import ctypes
import json
from collections.abc import Mapping, Sequence
from typing import Any

from . import scene_reader
from .curves import Armature, Curve, NativeCurves, PackedArmature, PackedCurves, Timing, pack_timing
from .document import Document, parse_object
from .errors import AnimBridgeError, Status
from .job import Progress, native_job
from .library import call, encode_text, take_bytes
from .samples import PackedSamples, Samples

Options = Mapping[str, Any]


def pack_options(options: Options | None) -> bytes | None:
    """Options as the library takes them: JSON, which has no number for what is not finite."""
    if options is None:
        return None
    try:
        return json.dumps(options, allow_nan=False).encode("ascii")
    except ValueError as fault:
        raise AnimBridgeError(
            f"An option is not a finite number: {dict(options)!r:.200}", Status.INVALID_ARGUMENT
        ) from fault


class DocumentCurves(NativeCurves):
    """The curves that play a document on an armature, or on an object where that is None."""

    def __init__(
        self, document: Document, armature: Armature | None, timing: Timing, options: Options | None = None
    ) -> None:
        packed = None if armature is None else PackedArmature(armature)
        out = ctypes.c_void_p()
        call(
            *("ab_curves_from_document", document.pointer, None if packed is None else packed.pointer),
            *(ctypes.byref(pack_timing(timing)), pack_options(options), None, ctypes.byref(out)),
        )
        super().__init__(out)


def document_skeleton(document: Document, options: Options | None = None) -> dict[str, Any]:
    """A document's joints at rest, in armature space, and what else its format says of them."""
    out = ctypes.c_void_p()
    call("ab_skeleton_json", None, document.pointer, pack_options(options), ctypes.byref(out))
    return parse_object(take_bytes(out))


def from_curves(
    format_id: str,
    armature: Armature | None,
    timing: Timing,
    curves: Sequence[Curve],
    options: Options,
    template: Document | None = None,
    progress: Progress | None = None,
) -> tuple[Document, dict[str, Any]]:
    """Curves of an armature, or of an object, to a document; and the report."""
    packed = PackedCurves(curves)
    return _made(
        "ab_document_from_curves",
        *(format_id, armature, timing, (packed.structs, len(curves)), options, template, progress),
    )


def from_samples(
    format_id: str,
    armature: Armature | None,
    timing: Timing,
    samples: Samples,
    options: Options,
    template: Document | None = None,
    progress: Progress | None = None,
) -> tuple[Document, dict[str, Any]]:
    """Evaluated poses of an armature, or of an object, to a document; and the report."""
    packed = PackedSamples(samples, 0 if armature is None else len(armature.names))
    return _made(
        "ab_document_from_samples",
        *(format_id, armature, timing, (ctypes.byref(packed.struct),), options, template, progress),
    )


def _made(
    function: str,
    format_id: str,
    armature: Armature | None,
    timing: Timing,
    motion: tuple[Any, ...],
    options: Options,
    template: Document | None,
    progress: Progress | None,
) -> tuple[Document, dict[str, Any]]:
    if format_id == "scene":
        options = {**options, **scene_reader.options()}
    packed = None if armature is None else PackedArmature(armature)
    document = ctypes.c_void_p()
    report = ctypes.c_void_p()
    with native_job(progress) as job:
        call(
            *(function, encode_text(format_id), None if packed is None else packed.pointer),
            *(ctypes.byref(pack_timing(timing)), *motion),
            *(None if template is None else template.pointer, pack_options(options), job),
            *(ctypes.byref(document), ctypes.byref(report)),
        )
    return Document(document), parse_object(take_bytes(report))
