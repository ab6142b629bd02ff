# SPDX-License-Identifier: MIT
"""Which bones of an armature show which joints (docs/rig-maps.md)."""

from __future__ import annotations

import ctypes
import json
from dataclasses import dataclass
from typing import Final

import numpy as np

from .abi import FACING_NAMES, Facing
from .curves import Armature, PackedArmature
from .document import parse_object
from .library import call, take_bytes

#: By which a rig file is known.
RIG_FILE_MEMBER: Final = "animbridge_rig"


@dataclass(frozen=True)
class Match:
    """A bone that shows a joint; `by` tells which names of the rig map found it."""

    joint: str
    bone: str
    by: str


@dataclass(frozen=True)
class RigMatch:
    """What a rig map makes of an armature."""

    facing: Facing
    matched: tuple[Match, ...]
    unmatched_joints: tuple[str, ...]
    unmatched_bones: tuple[str, ...]


def built_in_rig_map() -> str:
    """The JSON of the built-in rig map, to start one's own from."""
    out = ctypes.c_void_p()
    call("ab_rig_map_json", ctypes.byref(out))
    return take_bytes(out).decode()


def is_rig_file(text: str) -> bool:
    """Whether the JSON is a rig file, which says what the joints of any rig are (docs/rig-maps.md)."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return False
    return isinstance(value, dict) and RIG_FILE_MEMBER in value


def check_rig_map(text: str) -> None:
    """An AnimBridgeError that places the fault, if the text is no rig map."""
    no_bones = np.empty(0, np.int32)
    nowhere = np.empty((0, 16), np.float32)
    match_rig(Armature((), no_bones, nowhere, np.empty(0, np.uint8), Facing.X, text))


def match_rig(armature: Armature) -> RigMatch:
    """Matches bones and joints; an AnimBridgeError lists bones that fit one joint equally well."""
    packed = PackedArmature(armature)
    out = ctypes.c_void_p()
    call("ab_rig_match_json", ctypes.byref(packed.struct), ctypes.byref(out))
    report = parse_object(take_bytes(out))
    return RigMatch(
        facing=FACING_NAMES[report["facing"]],
        matched=tuple(Match(row["joint"], _text(row["bone"]), _text(row["by"])) for row in report["matched"]),
        unmatched_joints=tuple(report["unmatched_joints"]),
        unmatched_bones=tuple(_text(name) for name in report["unmatched_bones"]),
    )


def _text(name: str | dict[str, str]) -> str:
    """A name as Blender has it: bytes that are no UTF-8 are surrogates."""
    return name if isinstance(name, str) else bytes.fromhex(name["hex"]).decode("utf-8", "surrogateescape")
