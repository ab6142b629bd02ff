# SPDX-License-Identifier: MIT
"""Second Life animations with fewer keys."""

from __future__ import annotations

import ctypes
from typing import Any, Final

from .document import Document, parse_object
from .job import Progress, native_job
from .library import call, take_bytes
from .motion import pack_options

SL_FORMAT: Final = "sl_anim"


def reduce_document(
    document: Document,
    *,
    max_position_mm: float | None = None,
    max_rotation_degrees: float | None = None,
    fit_bytes: int | None = None,
    progress: Progress | None = None,
) -> tuple[Document, dict[str, Any]]:
    """The document with only the keys that the viewer needs, and the report.

    Without `fit_bytes`, the bound defaults to 0.5 mm; with it, to the smallest that fits. Without
    `max_rotation_degrees`, these are a tenth of the millimetres.
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
