# SPDX-License-Identifier: MIT
"""Animation curves as numpy arrays, in and out."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from . import abi
from .arrays import KeptArrays
from .document import parse_object
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

    `unchanged`: the template's record stays and no array is read. `prop`: the name of a Channel.PROPERTY,
    which belongs to the object, so that `bone` is -1. `sources`: of an edited curve, as `edit_curves` says.
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
    prop: str = ""
    sources: NDArray[np.int32] | None = None


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
        co = self._pairs(raw.co, count)
        return Curve(
            bone=raw.bone,
            channel=abi.Channel(raw.channel),
            component=raw.component,
            co=np.empty((0, 2), np.float32) if co is None else co,
            interpolation=self._view(raw.interpolation, ctypes.c_uint8, np.uint8, count),
            handle_left=self._pairs(raw.handle_left, count),
            handle_right=self._pairs(raw.handle_right, count),
            inserted=self._view(raw.inserted, ctypes.c_uint8, np.uint8, count),
            prop=(raw.property or b"").decode(),
            sources=self._view(raw.sources, ctypes.c_int32, np.int32, count),
        )

    def _pairs(self, address: int | None, count: int) -> Floats | None:
        """Keys x (frame, value) on native memory; None for NULL."""
        flat = self._view(address, ctypes.c_float, np.float32, 2 * count)
        return None if flat is None else np.reshape(flat, (count, 2))

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
        self.pointer = ctypes.byref(self.struct)


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
            property=encode_text(curve.prop) if curve.prop else None,
        )


def pack_timing(timing: Timing) -> abi.AbTiming:
    """The struct of the C interface."""
    return abi.AbTiming(
        struct_size=ctypes.sizeof(abi.AbTiming),
        reserved=0,
        frames_per_second=timing.frames_per_second,
        frame_start=timing.frame_start,
    )
