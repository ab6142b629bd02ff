# SPDX-License-Identifier: GPL-3.0-or-later
"""Animation curves as numpy arrays, in and out."""

from __future__ import annotations

import ctypes
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from . import abi
from .arrays import KeptArrays
from .document import Document, parse_object
from .job import Progress, native_job
from .library import Handle, call, encode_text, load, take_bytes

Floats = NDArray[np.float32]
Bytes = NDArray[np.uint8]
_Scalar = TypeVar("_Scalar", bound=np.generic)


@dataclass(frozen=True)
class Armature:
    """An armature as Blender has it: rest matrices column-major (bones x 16), armature space, metres.

    `rig_map`: which bones show which joints, as JSON (docs/rig-maps.md); None: the built-in map.
    `rotation_channels`: per bone the abi.Channel in which an import gives its rotation, quaternion or Euler;
    None: quaternions.
    """

    names: tuple[str, ...]
    parents: NDArray[np.int32]
    rest_matrices: Floats
    flags: Bytes
    facing: abi.Facing = abi.Facing.AUTO
    rig_map: str | None = None
    rotation_channels: Bytes | None = None


@dataclass(frozen=True)
class Timing:
    """frame = frame_start + seconds * frames_per_second."""

    frames_per_second: float
    frame_start: float


@dataclass(frozen=True)
class Curve:
    """One F-curve. `co` and the handles are keys x (frame, value); None: all linear, no handles, no mark.

    `unchanged`: the template's record stays and no array is read.
    """

    bone: int
    channel: abi.Channel
    component: int
    co: Floats
    interpolation: Bytes | None = None
    handle_left: Floats | None = None
    handle_right: Floats | None = None
    inserted: Bytes | None = None
    unchanged: bool = False


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
    `fit_bytes`: keys are dropped, under the smallest error that does, until the file is no larger; 0: none.
    `joint_priorities`: {joint: priority} for the joints of the result, those of the template included.
    """

    frame_end: float
    encoder: abi.Encoder = abi.Encoder.UPLOAD
    template: Document | None = None
    keep_duration: bool = False
    header: SlHeader | None = None
    target: abi.Target = abi.Target.SECOND_LIFE
    fit_bytes: int = 0
    joint_priorities: Mapping[str, int] = field(default_factory=dict[str, int])


class NativeCurves:
    """Curves that the library has made.

    The arrays are read-only views of its memory, which they keep alive.
    """

    def __init__(self, pointer: ctypes.c_void_p) -> None:
        """Takes over a native ab_curves."""
        self._handle = Handle(pointer, "ab_curves_free")

    def __len__(self) -> int:
        return int(load().ab_curves_count(self._handle.pointer))

    def __iter__(self) -> Iterator[Curve]:
        for index in range(len(self)):
            yield self._get(index)

    def _get(self, index: int) -> Curve:
        raw = abi.AbCurve(struct_size=ctypes.sizeof(abi.AbCurve))
        call("ab_curves_get", self._handle.pointer, index, ctypes.byref(raw))
        count = raw.key_count
        co = self._view(raw.co, ctypes.c_float, np.float32, 2 * count)
        return Curve(
            bone=raw.bone,
            channel=abi.Channel(raw.channel),
            component=raw.component,
            co=np.empty((0, 2), np.float32) if co is None else np.reshape(co, (count, 2)),
            interpolation=self._view(raw.interpolation, ctypes.c_uint8, np.uint8, count),
            inserted=self._view(raw.inserted, ctypes.c_uint8, np.uint8, count),
        )

    def _view(
        self, address: int | None, item: Any, scalar: type[_Scalar], count: int
    ) -> NDArray[_Scalar] | None:
        """A read-only array on native memory, which holds the handle; None for NULL."""
        if not address or not count:
            return None
        memory = (item * count).from_address(address)
        memory.owner = self._handle
        view: NDArray[_Scalar] = np.frombuffer(memory, dtype=scalar)
        view.flags.writeable = False
        return view

    def report(self) -> dict[str, Any]:
        """What was matched, inserted and left out."""
        out = ctypes.c_void_p()
        call("ab_curves_report", self._handle.pointer, ctypes.byref(out))
        return parse_object(take_bytes(out))


class ImportedCurves(NativeCurves):
    """The curves that play a document on an armature."""

    def __init__(self, document: Document, armature: Armature, timing: Timing) -> None:
        packed = PackedArmature(armature)
        out = ctypes.c_void_p()
        call(
            *("ab_curves_from_document", document.pointer, ctypes.byref(packed.struct)),
            *(ctypes.byref(pack_timing(timing)), ctypes.byref(out)),
        )
        super().__init__(out)


def document_from_curves(
    armature: Armature,
    timing: Timing,
    curves: Sequence[Curve],
    options: SlExport,
    progress: Progress | None = None,
) -> tuple[Document, dict[str, Any]]:
    """Curves of an armature to a .anim document, and the report of what changed and how exact it is."""
    packed_armature = PackedArmature(armature)
    packed_curves = PackedCurves(curves)
    export, _keep = pack_export(options)
    document = ctypes.c_void_p()
    report = ctypes.c_void_p()
    with native_job(progress) as job:
        call(
            *(
                "ab_sl_document_from_curves",
                ctypes.byref(packed_armature.struct),
                ctypes.byref(pack_timing(timing)),
            ),
            *(packed_curves.structs, len(curves), ctypes.byref(export), job),
            *(ctypes.byref(document), ctypes.byref(report)),
        )
    return Document(document), parse_object(take_bytes(report))


class PackedArmature:
    """An ab_armature and the arrays that it points to."""

    def __init__(self, armature: Armature) -> None:
        count = len(armature.names)
        self._names = b"".join(encode_text(name) + b"\0" for name in armature.names)
        self._arrays = KeptArrays()
        self.struct = abi.AbArmature(
            struct_size=ctypes.sizeof(abi.AbArmature),
            bone_count=count,
            names=self._names,
            names_size=len(self._names),
            parents=self._arrays.address(armature.parents, np.int32, count, "parents"),
            rest_matrices=self._arrays.address(
                armature.rest_matrices, np.float32, 16 * count, "rest_matrices"
            ),
            flags=self._arrays.address(armature.flags, np.uint8, count, "flags"),
            facing=int(armature.facing),
            rig_map=None if armature.rig_map is None else encode_text(armature.rig_map),
            rotation_channels=self._arrays.address(
                armature.rotation_channels, np.uint8, count, "rotation_channels"
            ),
        )


class PackedCurves:
    """An array of ab_curve and the arrays that they point to."""

    def __init__(self, curves: Sequence[Curve]) -> None:
        self._arrays = KeptArrays()
        self.structs = (abi.AbCurve * len(curves))(*(self._pack(curve) for curve in curves))

    def _pack(self, curve: Curve) -> abi.AbCurve:
        count = len(curve.co)
        return abi.AbCurve(
            struct_size=ctypes.sizeof(abi.AbCurve),
            bone=curve.bone,
            channel=int(curve.channel),
            component=curve.component,
            key_count=count,
            unchanged=int(curve.unchanged),
            co=self._arrays.address(curve.co, np.float32, 2 * count, "co"),
            interpolation=self._arrays.address(curve.interpolation, np.uint8, count, "interpolation"),
            handle_left=self._arrays.address(curve.handle_left, np.float32, 2 * count, "handle_left"),
            handle_right=self._arrays.address(curve.handle_right, np.float32, 2 * count, "handle_right"),
            inserted=self._arrays.address(curve.inserted, np.uint8, count, "inserted"),
        )


def pack_timing(timing: Timing) -> abi.AbTiming:
    """The struct of the C interface."""
    return abi.AbTiming(
        struct_size=ctypes.sizeof(abi.AbTiming),
        reserved=0,
        frames_per_second=timing.frames_per_second,
        frame_start=timing.frame_start,
    )


def pack_export(options: SlExport) -> tuple[abi.AbSlExport, object]:
    """The struct, and what must live as long as it."""
    header = _pack_header(options.header) if options.header else None
    struct = abi.AbSlExport(
        struct_size=ctypes.sizeof(abi.AbSlExport),
        encoder=int(options.encoder),
        frame_end=options.frame_end,
        template_document=options.template.pointer if options.template else None,
        keep_duration=int(options.keep_duration),
        header=ctypes.pointer(header) if header else None,
        target=int(options.target),
        fit_bytes=options.fit_bytes,
        joint_priorities_json=json.dumps(dict(options.joint_priorities)).encode("ascii"),
    )
    return struct, (header, options.template)


def _pack_header(header: SlHeader) -> abi.AbSlHeader:
    return abi.AbSlHeader(
        struct_size=ctypes.sizeof(abi.AbSlHeader),
        base_priority=header.base_priority,
        joint_priority=header.joint_priority,
        loop=int(header.loop),
        loop_in_seconds=header.loop_in_seconds,
        loop_out_seconds=header.loop_out_seconds,
        ease_in_seconds=header.ease_in_seconds,
        ease_out_seconds=header.ease_out_seconds,
        hand_pose=header.hand_pose,
        emote=encode_text(header.emote),
    )
