# SPDX-License-Identifier: GPL-3.0-or-later
"""The report of an import as a text in Blender, in full, because messages must be short."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import bpy

from ...package import printable
from .files import FileResult, FilesResult
from .options import ImportResult

TEXT_NAME: Final = "AnimBridge Import"


def write_report(outcome: FilesResult) -> None:
    """Writes the text, over that of an earlier import."""
    text = bpy.data.texts.get(TEXT_NAME) or bpy.data.texts.new(TEXT_NAME)
    text.clear()
    text.write("\n".join(_lines(outcome)) + "\n")


def _lines(outcome: FilesResult) -> Iterator[str]:
    yield f"{len(outcome.done)} imported, {len(outcome.failed)} failed"
    for one in outcome.done:
        yield ""
        yield from _file_lines(one)
    if outcome.failed:
        yield ""
        yield "Failed:"
        yield from (f"  {line}" for line in outcome.failed)


def _file_lines(one: FileResult) -> Iterator[str]:
    result = one.result
    yield printable(str(one.path))
    if one.done:
        yield f"  {one.done}"
    else:
        first, last = result.frame_range
        done = "merged into" if one.was_merged else "imported as"
        yield f"  {done} the Action '{result.channels.action.name}', frames {first:g} to {last:g}"
    if isinstance(result, ImportResult):
        yield f"  {result.matched_joints} {'parts of the body' if result.pairs else 'joints'} move bones"
        if result.unmatched:
            yield "  without a bone: " + ", ".join(printable(name) for name in result.unmatched)
    yield from (f"  {printable(line)}" for line in (*result.notes, *result.warnings, *result.details))
    if isinstance(result, ImportResult):
        yield from (f"    {printable(line)}" for line in result.pairs)
