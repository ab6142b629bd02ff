# SPDX-License-Identifier: MIT
"""Second Life animations on armatures and back, and with fewer keys."""

from __future__ import annotations

import ctypes
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Final

from . import abi
from .curves import Armature, Curve, NativeCurves, Timing
from .document import Document, as_json, parse_object
from .job import Progress, native_job
from .library import call, encode_text, take_bytes
from .motion import curves_of, from_curves, from_samples, pack_options
from .samples import Samples

SL_FORMAT: Final = "sl_anim"


@dataclass(frozen=True)
class SlHeader:
    """The header of a new .anim: seconds, priorities -1..6, hand pose 0..13; defaults as in the viewer."""

    base_priority: int = 2
    joint_priority: int = 2
    loop: bool = False
    loop_in_seconds: float = 0.0
    loop_out_seconds: float = 0.0
    ease_in_seconds: float = 0.3
    ease_out_seconds: float = 0.3
    hand_pose: int = 1
    emote: str = ""


@dataclass(frozen=True)
class SlExport:
    """How curves or samples become a .anim. With a template its header stays, and `header` is not read.

    `target`: Second Life refuses more than 60 s and 250,000 bytes, which is an error; for OpenSim it is told.
    `max_position_mm` and `max_rotation_degrees`: keys of curves that changed are dropped while joints stay
    this near; None: every key stays. For samples, `Samples` has them.
    `fit_bytes`: keys are dropped, under the smallest error that does, until the file is no larger; 0: none.
    `stop_above_mm`: where positions are farther off, there is no document but an error; 0: never.
    `joint_priorities`: {joint: priority} for the joints of the result, those of the template included.
    """

    frame_end: float
    encoder: abi.Encoder = abi.Encoder.UPLOAD
    template: Document | None = None
    keep_duration: bool = False
    header: SlHeader | None = None
    target: abi.Target = abi.Target.SECOND_LIFE
    fit_bytes: int = 0
    max_position_mm: float | None = None
    max_rotation_degrees: float | None = None
    stop_above_mm: float = 20.0
    joint_priorities: Mapping[str, int] = field(default_factory=dict[str, int])


class ImportedCurves(NativeCurves):
    """The curves that play a .anim on an armature."""

    def __init__(self, document: Document, armature: Armature, timing: Timing) -> None:
        super().__init__(curves_of(document, armature, timing, None))


def document_from_curves(
    armature: Armature,
    timing: Timing,
    curves: Sequence[Curve],
    options: SlExport,
    progress: Progress | None = None,
) -> tuple[Document, dict[str, Any]]:
    """Curves of an armature to a .anim document, and the report of what changed and how exact it is."""
    members = {**_members(options), **_bound(options)}
    return from_curves(SL_FORMAT, armature, timing, curves, members, options.template, progress)


def document_from_samples(
    armature: Armature,
    timing: Timing,
    samples: Samples,
    options: SlExport,
    progress: Progress | None = None,
) -> tuple[Document, dict[str, Any]]:
    """Sampled poses to a .anim document, and the report of what is in it and how exact it is."""
    members = {**_members(options), **_bound(samples)}
    return from_samples(SL_FORMAT, armature, timing, samples, members, options.template, progress)


def reduce_document(
    document: Document,
    *,
    max_position_mm: float | None = None,
    max_rotation_degrees: float | None = None,
    fit_bytes: int | None = None,
    progress: Progress | None = None,
) -> tuple[Document, dict[str, Any]]:
    """The document with only the keys that the viewer needs, and the report.

    Without `fit_bytes` the bounds default to 0.5 mm and 0.05 degrees; with it, to the smallest that fit.
    """
    given = {
        "max_position_mm": max_position_mm,
        "max_rotation_degrees": max_rotation_degrees,
        "fit_bytes": fit_bytes,
    }
    wanted = {name: value for name, value in given.items() if value is not None}
    out = ctypes.c_void_p()
    report = ctypes.c_void_p()
    with native_job(progress) as job:
        call(
            *("ab_document_reduce", document.pointer, pack_options(wanted), job),
            *(ctypes.byref(out), ctypes.byref(report)),
        )
    return Document(out), parse_object(take_bytes(report))


def _bound(given: SlExport | Samples) -> dict[str, float]:
    """For the library: 0 keeps every key."""
    return {
        "max_position_mm": given.max_position_mm or 0.0,
        "max_rotation_degrees": given.max_rotation_degrees or 0.0,
    }


def _members(options: SlExport) -> dict[str, Any]:
    """The options as animbridge.h lists them."""
    members: dict[str, Any] = {
        "encoder": options.encoder.value,
        "target": options.target.value,
        "keep_duration": options.keep_duration,
        "fit_bytes": options.fit_bytes,
        "stop_above_mm": options.stop_above_mm,
        "joint_priorities": dict(options.joint_priorities),
    }
    if not options.keep_duration:
        members["frame_end"] = options.frame_end
    if options.header is not None and options.template is None:
        header = {name: as_json(value) for name, value in asdict(options.header).items()}
        members["header"] = {**header, "emote": _text(options.header.emote)}
    return members


def _text(text: str) -> str | dict[str, str]:
    """Text as the library's JSON has it: bytes that are not UTF-8 as digits."""
    encoded = encode_text(text)
    try:
        return encoded.decode("utf-8")
    except UnicodeDecodeError:
        return {"hex": encoded.hex()}
