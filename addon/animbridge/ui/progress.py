# SPDX-License-Identifier: GPL-3.0-or-later
"""Progress of long work, at Blender's mouse cursor.

Esc cannot stop it: Blender takes no event while an operator's `execute` runs. In 3.4 and 5.2, key presses
during a loop of `frame_set`, with `progress_update` and `wm.redraw_timer`, reached no keymap, modal operator
or timer before it ended.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

import bpy

from ..package import Progress

_WHOLE: Final = 100


@contextmanager
def shown_progress(context: bpy.types.Context) -> Iterator[Progress | None]:
    """Shows what the work inside reports; None where there is no window to show it in."""
    manager: Any = context.window_manager
    if bpy.app.background:
        yield None
        return

    shown = 0

    def show(fraction: float) -> bool:
        nonlocal shown
        percent = round(_WHOLE * fraction)
        if percent != shown:  # each update redraws the cursor
            shown = percent
            manager.progress_update(percent)
        return False

    manager.progress_begin(0, _WHOLE)
    try:
        yield show
    finally:
        manager.progress_end()
