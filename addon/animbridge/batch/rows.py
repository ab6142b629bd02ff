# SPDX-License-Identifier: GPL-3.0-or-later
"""Rows: what became of one output, or of an input without one."""

from __future__ import annotations

import sys
import time
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Final

from ..package import AnimBridgeError, Document, Status, json_text

OK: Final = "ok"
FAILED: Final = "failed"
#: The input's format cannot become the target.
SKIPPED: Final = "skipped"
_MAY_WORK_LATER: Final = (Status.IO, Status.OUT_OF_MEMORY)
_FINDING_KEYS: Final = ("id", "class", "joint", "joint_count", "key", "byte_offset", "found")
#: The members that hold names, which may be bytes that are not UTF-8.
_NAMES: Final = ("input", "output", "error")


class CannotBecomeError(AnimBridgeError):
    """The input's format cannot become the target, whatever is in the file."""


@dataclass
class Row:
    """As native/batch/run/blender.cpp reads it. The largest errors are None if nothing was encoded.

    `error`: why it failed or was skipped. `notes`: what an import decided by itself. `may_work_later`:
    another time, because the file system failed.
    """

    input: str
    output: str | None = None
    status: str = FAILED
    error: str | None = None
    findings: list[dict[str, Any]] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    max_rotation_error_degrees: float | None = None
    max_position_error_mm: float | None = None
    bytes_in: int = 0
    seconds: float = 0.0
    may_work_later: bool = False

    def as_json(self) -> dict[str, Any]:
        """Names that are not UTF-8 as the library has them."""
        row = asdict(self)
        return row | {name: None if row[name] is None else json_text(row[name]) for name in _NAMES}

    def take_findings(self, document: Document, level: str | None) -> None:
        """Notes what is wrong with the output, by the rules of a level."""
        found = document.check(level)["findings"]
        self.findings = [{key: row.get(key) for key in _FINDING_KEYS} for row in found]


@contextmanager
def recorded(path: Path) -> Iterator[Row]:
    """A row of an input. Times the work of the block, and turns exceptions into the row's error."""
    start = time.perf_counter()
    row = Row(str(path))
    try:
        row.bytes_in = path.stat().st_size
        yield row
    except CannotBecomeError as fault:
        row.status, row.error, row.output = SKIPPED, fault.message, None
    except (AnimBridgeError, OSError, RuntimeError) as fault:
        row.error = str(fault).strip() or type(fault).__name__
        row.may_work_later = isinstance(fault, OSError) or getattr(fault, "code", None) in _MAY_WORK_LATER
    except UnicodeDecodeError:
        row.error = f"{row.input}: the file holds a name that is not UTF-8"
    except Exception as fault:
        # A mistake of ours: the other files are converted all the same, and the traceback shows where it is.
        traceback.print_exc(file=sys.stderr)
        row.error = f"internal error: {fault!r}"
    else:
        row.status = OK
    finally:
        row.seconds = time.perf_counter() - start
