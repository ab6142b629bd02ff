# SPDX-License-Identifier: MIT
"""Files to files, without Blender."""

from __future__ import annotations

import ctypes
import json
import os
from collections.abc import Mapping
from typing import Any, Literal

from . import scene_reader
from .document import parse_object
from .library import call, encode_path, take_bytes


def convert_file(
    source: str | os.PathLike[str],
    target: str | os.PathLike[str],
    *,
    as_stored: bool = False,
    strict: bool = False,
    conversion: Mapping[str, Any] | None = None,
    retarget: Mapping[str, Any] | Literal[False] | None = None,
    onto: str | os.PathLike[str] | None = None,
    certificate: bool = False,
) -> dict[str, Any]:
    """Any input file to any output file, by the names' extensions; the report of `animbridge convert`.

    `as_stored`: what the Second Life viewer would store after an upload. Text that contradicts itself is read
    as far as it makes sense; `strict` refuses it. `conversion`: options of the way between two formats.
    `retarget`: options for moving the output's skeleton like the input's, {} for the usual ones; None: only
    where the input's joints are not those of the output's skeleton; False: never. `onto`: a file whose
    skeleton gets the motion; None: the skeleton of the target's format. `certificate`: the report has a
    "certificate" that `animbridge compare --against` checks. A failure leaves an existing target as it was.
    """
    out = ctypes.c_void_p()
    options: dict[str, Any] = {
        **scene_reader.options(),
        "as_stored": as_stored,
        "strict": strict,
        "certificate": certificate,
        "conversion": dict(conversion or {}),
        "retarget": retarget if retarget is None or retarget is False else dict(retarget),
    }
    if onto is not None:
        options["onto"] = os.fsdecode(onto)
    text = json.dumps(options).encode("ascii")
    call(
        *("ab_convert_file", encode_path(source), encode_path(target), text),
        *(None, ctypes.byref(out)),
    )
    return parse_object(take_bytes(out))
