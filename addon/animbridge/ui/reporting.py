# SPDX-License-Identifier: GPL-3.0-or-later
"""How operators report what went wrong: in a popup that is no wider than its lines."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Sequence
from typing import Any, Final

from ..native.errors import AnimBridgeError
from ..native.text import listed, printable

#: Characters per line of a popup, which Blender does not wrap.
_LINE: Final = 90
#: How many failed files a popup names.
_MOST_FILES: Final = 5


def report_error(operator: Any, error: AnimBridgeError | str) -> set[Any]:
    """Reports what stopped an operator, and returns the operator's result."""
    text = printable(error if isinstance(error, str) else error.message)
    operator.report({"ERROR"}, "\n".join(line for part in text.split("\n") for line in _wrapped(part)))
    return {"CANCELLED"}


def run_reported(operator: Any, work: Callable[[], str | None]) -> set[Any]:
    """Runs an operator's work and reports its error, or the line that it gives; the operator's result."""
    try:
        line = work()
    except AnimBridgeError as error:
        return report_error(operator, error)
    if line:
        operator.report({"INFO"}, line)
    return {"FINISHED"}


def report_failed(operator: Any, failed: Sequence[str]) -> set[Any]:
    """Reports why no file could be used; the operator's result."""
    return report_error(operator, listed(failed, _MOST_FILES, joint="\n", longest=None))


def _wrapped(text: str) -> list[str]:
    # Names and paths stay whole: they are what is looked for.
    return textwrap.wrap(text, _LINE, break_long_words=False, break_on_hyphens=False)
