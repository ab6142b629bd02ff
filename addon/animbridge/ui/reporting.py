# SPDX-License-Identifier: GPL-3.0-or-later
"""How operators report: what was done in one line of the status bar, and what needs a decision in a popup."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final

import bpy

from ..package import AnimBridgeError, listed, printable

#: Characters per line of a popup, which Blender does not wrap.
_LINE: Final = 90
#: How many failed files a popup names.
_MOST_FILES: Final = 5


def report_error(operator: Any, error: AnimBridgeError | str) -> set[Any]:
    """Reports what stopped an operator, and returns the operator's result."""
    text = printable(error if isinstance(error, str) else error.message)
    operator.report({"ERROR"}, "\n".join(_lines(text)))
    return {"CANCELLED"}


def report_done(
    operator: Any, line: str, *, warnings: Iterable[str] = (), details: Iterable[str] = ()
) -> set[Any]:
    """Reports what an operator did; the operator's result.

    The status bar shows the last report, so that is `line`. `warnings`: what the user has to decide; of an
    operator with a file browser, Blender shows them in a popup. `details` are in the Info editor alone.
    """
    for detail in dict.fromkeys(details):
        operator.report({"INFO"}, printable(detail))
    for warning in dict.fromkeys(warnings):
        operator.report({"WARNING"}, "\n".join(_lines(printable(warning))))
    operator.report({"INFO"}, printable(line))
    return {"FINISHED"}


def show_popup(context: bpy.types.Context, title: str, warnings: Sequence[str]) -> None:
    """Shows warnings of an operator without a file browser, whose reports Blender shows in no popup."""
    if not warnings or bpy.app.background:
        return

    def draw(menu: Any, _context: Any) -> None:
        for warning in warnings:
            for number, line in enumerate(_lines(printable(warning))):
                menu.layout.label(text=line, icon="BLANK1" if number else "ERROR")

    context.window_manager.popup_menu(draw, title=title)


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


def _lines(text: str) -> list[str]:
    # Names and paths stay whole: they are what is looked for.
    return [
        line
        for part in text.split("\n")
        for line in textwrap.wrap(part, _LINE, break_long_words=False, break_on_hyphens=False)
    ]
