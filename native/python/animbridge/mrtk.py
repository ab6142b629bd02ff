# SPDX-License-Identifier: MIT
"""Recordings of MRTK on armatures. Options are the JSON members that animbridge.h lists for MRTK."""

from __future__ import annotations

import ctypes
from collections.abc import Collection
from typing import Any, Final

from .document import Document, parse_object
from .library import call, take_bytes
from .motion import Options, pack_options

MRTK_FORMAT: Final = "mrtk"


def recording_skeleton(document: Document | None, options: Options) -> dict[str, Any]:
    """The bones for a recording at rest, in armature space; None: two flat hands.

    `options`: rig ("exact" or "hands"), rest ("tracked" or "flat"), rest_seconds.
    """
    out = ctypes.c_void_p()
    pointer = None if document is None else document.pointer
    call("ab_skeleton_json", MRTK_FORMAT.encode(), pointer, pack_options(options), ctypes.byref(out))
    return parse_object(take_bytes(out))


def is_character(bone_names: Collection[str]) -> bool:
    """Whether an export finds the hands, because the bones don't have the names of a recording's joints."""
    return bool(recording_skeleton(None, {"bone_names": list(bone_names)})["is_character"])
