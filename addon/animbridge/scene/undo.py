# SPDX-License-Identifier: GPL-3.0-or-later
"""Undoing what was done so far if a later step fails."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import TypeVar

import bpy

_Block = TypeVar("_Block", bound=bpy.types.ID)


class Undo(ExitStack):
    """The steps that undo everything, in reverse order; `callback` adds one."""

    def made(self, block: _Block) -> _Block:
        """Adds the removal of a new data-block, and returns the data-block."""
        self.callback(bpy.data.batch_remove, [block])
        return block


@contextmanager
def undone_on_failure() -> Iterator[Undo]:
    """Runs the steps if the body fails, and forgets them if it does not."""
    with Undo() as undo:
        yield undo
        undo.pop_all()
