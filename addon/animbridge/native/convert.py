# SPDX-License-Identifier: GPL-3.0-or-later
"""Files to files, without Blender."""

from __future__ import annotations

import ctypes
import json
import os
from typing import Any

from .document import parse_object
from .library import call, encode_path, take_bytes


def convert_file(
    source: str | os.PathLike[str], target: str | os.PathLike[str], *, as_stored: bool = False
) -> dict[str, Any]:
    """Any input file to any output file, by the names' extensions; the report of `animbridge convert`.

    `as_stored`: what the Second Life viewer would store after an upload. A failure leaves an existing target
    as it was.
    """
    out = ctypes.c_void_p()
    options = json.dumps({"as_stored": as_stored}).encode("ascii")
    call("ab_convert_file", encode_path(source), encode_path(target), options, ctypes.byref(out))
    return parse_object(take_bytes(out))
