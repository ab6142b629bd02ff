# SPDX-License-Identifier: GPL-3.0-or-later
"""Menu entries, and importers of dropped files."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

IMPORT_MENU: Final = "TOPBAR_MT_file_import"
EXPORT_MENU: Final = "TOPBAR_MT_file_export"
POSE_MENU: Final = "VIEW3D_MT_pose"
ADD_ARMATURE_MENU: Final = "VIEW3D_MT_armature_add"

#: Where files can be dropped.
DROP_AREAS: Final = frozenset({"VIEW_3D", "DOPESHEET_EDITOR"})


@dataclass(frozen=True)
class MenuEntry:
    """An entry of the menu with this id. `text` "": the operator's own label; `icon` "": none."""

    menu: str
    operator: str
    text: str = ""
    icon: str = ""


@dataclass(frozen=True)
class FileDrop:
    """The operator that imports dropped files; `name` is the file handler's.

    `extensions`: of files that are dropped, with the dot; None: all of the kind.
    """

    name: str
    label: str
    operator: str
    extensions: tuple[str, ...] | None = None


def drawer_of(entries: Sequence[MenuEntry]) -> Callable[[Any, Any], None]:
    """The function that draws these entries into their menu."""

    def draw(self: Any, _context: Any) -> None:
        for entry in entries:
            shown = {"text": entry.text, "icon": entry.icon}
            self.layout.operator(entry.operator, **{name: value for name, value in shown.items() if value})

    return draw
