# SPDX-License-Identifier: GPL-3.0-or-later
"""The clip tools in file dialogs: they change what is imported, and what is exported."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from bpy.props import BoolProperty

from ..compat.interface import folding_panel
from ..package import finding_text
from ..scene.export.result import ExportResult
from .option_property import option_property
from .panels import draw_props

#: In the order in which they are applied.
_TOOLS: Final = (
    *("keep_parts", "leave_out", "mirror", "reverse", "speed", "duration", "bpm", "hold_first", "hold_last"),
    *("loop_points", "no_travel", "travel", "root_scale", "smooth", "close_loop", "start_at"),
)
_LISTS: Final = {"keep_parts", "leave_out"}
#: Blender fills in what was chosen last, which may have been for another file.
_FRESH: Final[Any] = {"SKIP_SAVE"}


class ClipToolProperties:
    """The tools, each switched off at first, for operators to inherit."""

    keep_parts: option_property("clip", "tools", "keep_parts", name="Keep Parts", options=_FRESH)
    leave_out: option_property(
        "clip",
        "tools",
        "leave_out",
        name="Leave Out",
        description="Leave out the keys of these parts",
        options=_FRESH,
    )
    mirror: option_property("clip", "tools", "mirror", name="Mirror", options=_FRESH)
    reverse: option_property("clip", "tools", "reverse", name="Reverse", options=_FRESH)
    speed: option_property(
        "clip", "tools", "speed", name="Speed", min=0.0, default=0.0, soft_max=4.0, options=_FRESH
    )
    duration: option_property(
        "clip", "tools", "duration", name="Length", min=0.0, default=0.0, options=_FRESH
    )
    bpm: option_property("clip", "tools", "bpm", name="Beats a Minute", min=0.0, default=0.0, options=_FRESH)
    hold_first: option_property(
        "clip", "tools", "hold_first", name="Hold First", min=0.0, default=0.0, options=_FRESH
    )
    hold_last: option_property(
        "clip", "tools", "hold_last", name="Hold Last", min=0.0, default=0.0, options=_FRESH
    )
    loop_points: option_property("clip", "tools", "loop_points", name="Loop", options=_FRESH)
    no_travel: option_property("clip", "tools", "no_travel", name="Remove Travel", options=_FRESH)
    travel: option_property("clip", "tools", "travel", name="Travel", min=0.0, default=0.0, options=_FRESH)
    root_scale: option_property("clip", "tools", "root_scale", name="Path Scale", options=_FRESH)
    smooth: option_property("clip", "tools", "smooth", name="Smooth", min=0.0, default=0.0, options=_FRESH)
    close_loop: option_property("clip", "tools", "close_loop", name="Close Loop", options=_FRESH)
    start_at: option_property(
        "clip", "tools", "start_at", name="Start At", min=0.0, default=0.0, options=_FRESH
    )

    shows_tools: BoolProperty(
        name="Show Tools", description="Show the clip tools", default=False, options=_FRESH
    )

    def chosen_tools(self) -> dict[str, Any]:
        """The tools that are switched on, as the library takes them."""
        chosen = {name: getattr(self, name) for name in _TOOLS}
        return {
            name: [part.strip() for part in value.split(",")] if name in _LISTS else value
            for name, value in chosen.items()
            if value
        }

    def draw_tools(self, layout: Any, _context: Any = None) -> None:
        """Draws the tools one below the other, once they are asked for."""
        layout.prop(self, "shows_tools")
        if self.shows_tools:
            draw_props(layout, self, *_TOOLS)

    def draw_tools_folded(self, layout: Any) -> None:
        """The same in a panel that begins folded."""
        body = folding_panel(layout, "ANIMBRIDGE_clip_tools", "Clip", is_closed=True)
        if body is not None:
            self.draw_tools(body.column())

    def with_tools(self, result: ExportResult) -> ExportResult:
        """An export's document after the tools, and what they did."""
        tools = self.chosen_tools()
        if not tools:
            return result
        document, report = result.document.edit(tools)
        changed: dict[str, Any] = {**result.report, "tools": report["tools"]}
        warnings = [*result.warnings, *(finding_text(finding) for finding in report["findings"])]
        if "findings" in changed:
            changed["findings"] = document.check()["findings"]
        if "size_bytes" in changed:
            changed["size_bytes"] = len(document.write())
        details = (*result.details, *(str(row["what"]) for row in report["tools"]))
        return replace(
            result,
            document=document,
            report=changed,
            warnings=tuple(warnings),
            details=details,
            source=None,
        )
