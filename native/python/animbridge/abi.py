# SPDX-License-Identifier: MIT
"""The C interface (animbridge.h) as ctypes: constants, structs and the signature of every function."""

from __future__ import annotations

import os
from collections.abc import Sequence
from ctypes import (
    CFUNCTYPE,
    POINTER,
    Array,
    Structure,
    c_char,
    c_char_p,
    c_double,
    c_int32,
    c_int64,
    c_size_t,
    c_uint32,
    c_void_p,
)
from enum import Enum, IntEnum
from typing import Any, Final

from . import abi_version

ABI_VERSION: Final = abi_version

#: Pointer to an out-handle: ab_buffer**, ab_document** and ab_curves** are all handles to Python.
HANDLE_OUT: Final = POINTER(c_void_p)
PROGRESS: Final = CFUNCTYPE(c_int32, c_void_p, c_double)

BONE_CONNECTED: Final = 1
BONE_NO_LOCAL_LOCATION: Final = 2
BONE_NO_INHERIT_ROTATION: Final = 4


class Facing(IntEnum):
    """Where the character looks, in armature space."""

    AUTO = 0
    X = 1
    NEGATIVE_Y = 2
    NEGATIVE_X = 3
    Y = 4


#: The names of the reports.
FACING_NAMES: Final = {
    "+X": Facing.X,
    "-Y": Facing.NEGATIVE_Y,
    "-X": Facing.NEGATIVE_X,
    "+Y": Facing.Y,
}


class Channel(IntEnum):
    """What an F-curve drives: metres, unit quaternions w x y z, radians, or a custom property."""

    LOCATION = 0
    ROTATION_QUATERNION = 1
    ROTATION_AXIS_ANGLE = 2
    ROTATION_XYZ = 3
    ROTATION_XZY = 4
    ROTATION_YXZ = 5
    ROTATION_YZX = 6
    ROTATION_ZXY = 7
    ROTATION_ZYX = 8
    PROPERTY = 9  # a number of a custom property of the object
    SCALE = 10  # of a bone; only in curves that the library makes


class Key(IntEnum):
    """Interpolation from a key to the next; the codes are Blender's own."""

    CONSTANT = 0
    LINEAR = 1
    BEZIER = 2


class Encoder(Enum):
    """How a .anim's values become 16-bit codes; the option "encoder"."""

    UPLOAD = "upload"
    NEAREST = "nearest"
    VIEWER = "viewer"


class Target(Enum):
    """Who shall play a .anim, and so what it must keep within; the option "target"."""

    SECOND_LIFE = "second_life"
    OPENSIM = "opensim"


class AbError(Structure):
    """ab_error."""

    _fields_ = (
        ("struct_size", c_uint32),
        ("code", c_int32),
        ("byte_offset", c_int64),
        ("line", c_int64),
        ("field", c_char * 64),
        ("message", c_char * 512),
    )
    struct_size: int
    code: int
    byte_offset: int
    line: int
    field: bytes
    message: bytes


class AbJob(Structure):
    """ab_job."""

    _fields_ = (("struct_size", c_uint32), ("progress", PROGRESS), ("user", c_void_p))
    struct_size: int
    progress: Any
    user: int | None


class AbArmature(Structure):
    """ab_armature."""

    _fields_ = (
        ("struct_size", c_uint32),
        ("bone_count", c_uint32),
        ("names", c_char_p),
        ("names_size", c_size_t),
        ("parents", c_void_p),
        ("rest_matrices", c_void_p),
        ("flags", c_void_p),
        ("facing", c_int32),
        ("rig_map", c_char_p),
        ("rotation_channels", c_void_p),
    )
    struct_size: int
    bone_count: int
    names: bytes | None
    names_size: int
    parents: int | None
    rest_matrices: int | None
    flags: int | None
    facing: int
    rig_map: bytes | None
    rotation_channels: int | None


class AbTiming(Structure):
    """ab_timing."""

    _fields_ = (
        ("struct_size", c_uint32),
        ("reserved", c_uint32),
        ("frames_per_second", c_double),
        ("frame_start", c_double),
    )
    struct_size: int
    reserved: int
    frames_per_second: float
    frame_start: float


class AbCurve(Structure):
    """ab_curve."""

    _fields_ = (
        ("struct_size", c_uint32),
        ("bone", c_int32),
        ("channel", c_int32),
        ("component", c_int32),
        ("key_count", c_uint32),
        ("unchanged", c_int32),
        ("co", c_void_p),
        ("interpolation", c_void_p),
        ("handle_left", c_void_p),
        ("handle_right", c_void_p),
        ("inserted", c_void_p),
        ("property", c_char_p),
        ("sources", c_void_p),
    )
    struct_size: int
    bone: int
    channel: int
    component: int
    key_count: int
    unchanged: int
    co: int | None
    interpolation: int | None
    handle_left: int | None
    handle_right: int | None
    inserted: int | None
    property: bytes | None
    sources: int | None


class AbSamples(Structure):
    """ab_samples."""

    _fields_ = (
        ("struct_size", c_uint32),
        ("sample_count", c_uint32),
        ("frames", c_void_p),
        ("matrices", c_void_p),
        ("object_matrices", c_void_p),
        ("bones", c_void_p),
    )
    struct_size: int
    sample_count: int
    frames: int | None
    matrices: int | None
    object_matrices: int | None
    bones: int | None


class AbPose(Structure):
    """ab_pose."""

    _fields_ = (
        ("struct_size", c_uint32),
        ("reserved", c_uint32),
        ("joint_capacity", c_size_t),
        ("clip_seconds", c_void_p),
        ("ease_weights", c_void_p),
        ("local_rotations", c_void_p),
        ("local_positions", c_void_p),
        ("world_rotations", c_void_p),
        ("world_positions", c_void_p),
    )
    struct_size: int
    reserved: int
    joint_capacity: int
    clip_seconds: int | None
    ease_weights: int | None
    local_rotations: int | None
    local_positions: int | None
    world_rotations: int | None
    world_positions: int | None


class AbRetarget(Structure):
    """ab_retarget."""

    _fields_ = (
        ("struct_size", c_uint32),
        ("reserved", c_uint32),
        ("document", c_void_p),
        ("source", POINTER(AbArmature)),
        ("samples", POINTER(AbSamples)),
        ("source_pose", c_void_p),
        ("target", POINTER(AbArmature)),
        ("target_pose", c_void_p),
        ("curves", POINTER(AbCurve)),
        ("curve_count", c_size_t),
        ("frames", c_void_p),
        ("frame_count", c_size_t),
    )
    struct_size: int
    reserved: int
    document: int | None
    source: Any
    samples: Any
    source_pose: int | None
    target: Any
    target_pose: int | None
    curves: Any
    curve_count: int
    frames: int | None
    frame_count: int


_ERROR: Final = POINTER(AbError)
_JOB: Final = POINTER(AbJob)
_ARMATURE: Final = POINTER(AbArmature)
_TIMING: Final = POINTER(AbTiming)
_CURVE: Final = POINTER(AbCurve)
_SAMPLES: Final = POINTER(AbSamples)
_RETARGET: Final = POINTER(AbRetarget)

#: name: (result, arguments). A function whose last argument is an error object answers with a status.
SIGNATURES: Final[dict[str, tuple[Any, tuple[Any, ...]]]] = {
    "ab_abi_version": (c_int32, ()),
    "ab_version": (c_char_p, ()),
    "ab_status_name": (c_char_p, (c_int32,)),
    "ab_formats_json": (c_int32, (HANDLE_OUT, _ERROR)),
    "ab_command": (c_int32, (POINTER(c_char_p), c_size_t, c_char_p)),
    "ab_end_with_reader": (None, (c_int32,)),
    "ab_file_stem": (c_int32, (c_char_p, c_size_t, c_char_p, HANDLE_OUT, _ERROR)),
    "ab_buffer_data": (c_void_p, (c_void_p,)),
    "ab_buffer_size": (c_size_t, (c_void_p,)),
    "ab_buffer_free": (None, (c_void_p,)),
    "ab_document_read": (
        c_int32,
        (c_void_p, c_size_t, c_char_p, c_char_p, c_char_p, HANDLE_OUT, _ERROR),
    ),
    "ab_document_read_file": (c_int32, (c_char_p, c_char_p, c_char_p, HANDLE_OUT, _ERROR)),
    "ab_document_free": (None, (c_void_p,)),
    "ab_document_format": (c_char_p, (c_void_p,)),
    "ab_document_write": (c_int32, (c_void_p, c_char_p, HANDLE_OUT, _ERROR)),
    "ab_document_write_file": (c_int32, (c_void_p, c_char_p, c_char_p, _ERROR)),
    "ab_document_json": (c_int32, (c_void_p, HANDLE_OUT, _ERROR)),
    "ab_document_info": (c_int32, (c_void_p, HANDLE_OUT, _ERROR)),
    "ab_document_check": (c_int32, (c_void_p, c_char_p, HANDLE_OUT, _ERROR)),
    "ab_document_compare": (c_int32, (c_void_p, c_void_p, _JOB, HANDLE_OUT, _ERROR)),
    "ab_document_quality": (c_int32, (c_void_p, _JOB, HANDLE_OUT, _ERROR)),
    "ab_document_edit": (c_int32, (c_void_p, c_char_p, HANDLE_OUT, HANDLE_OUT, _ERROR)),
    "ab_document_join": (c_int32, (c_void_p, c_size_t, c_char_p, HANDLE_OUT, HANDLE_OUT, _ERROR)),
    "ab_document_fix": (c_int32, (c_void_p, c_char_p, HANDLE_OUT, HANDLE_OUT, HANDLE_OUT, _ERROR)),
    "ab_document_reduce": (c_int32, (c_void_p, c_char_p, _JOB, HANDLE_OUT, HANDLE_OUT, _ERROR)),
    "ab_document_as_stored": (c_int32, (c_void_p, HANDLE_OUT, HANDLE_OUT, _ERROR)),
    "ab_document_child": (c_int32, (c_void_p, c_char_p, HANDLE_OUT, _ERROR)),
    "ab_document_with_child": (c_int32, (c_void_p, c_char_p, c_void_p, HANDLE_OUT, _ERROR)),
    "ab_convert_file": (c_int32, (c_char_p, c_char_p, c_char_p, _JOB, HANDLE_OUT, _ERROR)),
    "ab_skeleton_json": (c_int32, (c_char_p, c_void_p, c_char_p, HANDLE_OUT, _ERROR)),
    "ab_document_joint_count": (c_size_t, (c_void_p,)),
    "ab_document_pose": (
        c_int32,
        (c_void_p, c_void_p, c_size_t, c_double, POINTER(AbPose), _ERROR),
    ),
    "ab_rig_map_json": (c_int32, (HANDLE_OUT, _ERROR)),
    "ab_rig_match_json": (c_int32, (_ARMATURE, HANDLE_OUT, _ERROR)),
    "ab_curves_from_document": (
        c_int32,
        (c_void_p, _ARMATURE, _TIMING, c_char_p, _JOB, HANDLE_OUT, _ERROR),
    ),
    "ab_curves_count": (c_size_t, (c_void_p,)),
    "ab_curves_get": (c_int32, (c_void_p, c_size_t, _CURVE, _ERROR)),
    "ab_curves_report": (c_int32, (c_void_p, HANDLE_OUT, _ERROR)),
    "ab_curves_free": (None, (c_void_p,)),
    "ab_curves_edit": (
        c_int32,
        (_ARMATURE, _TIMING, _CURVE, c_size_t, c_char_p, _JOB, HANDLE_OUT, _ERROR),
    ),
    "ab_rig_fit_json": (c_int32, (c_void_p, _ARMATURE, c_char_p, HANDLE_OUT, _ERROR)),
    "ab_rigs_json": (c_int32, (HANDLE_OUT, _ERROR)),
    "ab_rig_find_json": (c_int32, (c_void_p, _ARMATURE, c_char_p, HANDLE_OUT, _ERROR)),
    "ab_curves_from_retargeting": (
        c_int32,
        (_RETARGET, _TIMING, c_char_p, _JOB, HANDLE_OUT, _ERROR),
    ),
    "ab_document_from_curves": (
        c_int32,
        (
            *(c_char_p, _ARMATURE, _TIMING, _CURVE, c_size_t, c_void_p, c_char_p, _JOB),
            *(HANDLE_OUT, HANDLE_OUT, _ERROR),
        ),
    ),
    "ab_document_from_samples": (
        c_int32,
        (
            *(c_char_p, _ARMATURE, _TIMING, _SAMPLES, c_void_p, c_char_p, _JOB),
            *(HANDLE_OUT, HANDLE_OUT, _ERROR),
        ),
    ),
}


def words_array(words: Sequence[str]) -> Array[c_char_p]:
    """Words as the library takes them: UTF-8, or on POSIX the bytes that they stand for."""
    return (c_char_p * len(words))(*map(os.fsencode, words))
