# SPDX-License-Identifier: GPL-3.0-or-later
"""The formats that the add-on knows: a folder each, and a line in `KINDS`.

Registration, menus, drag and drop, and the batch all use this table.
"""

from __future__ import annotations

from importlib import import_module

from .kind import Kind

#: In the order of menus. The first one exports Actions to JSON that were not imported.
KINDS: tuple[Kind, ...] = tuple(
    import_module(f"{__name__}.{folder}").KIND
    for folder in (
        "sl_anim",
        "bvh",
        "oban",
        "mrtk",
        "sl_pose",
        "scene",
    )
)


def kind_of(format_id: str) -> Kind | None:
    """The kind of documents of this format; None if Blender cannot show them."""
    return next((kind for kind in KINDS if kind.id == format_id), None)


def kind_for_target(target: str) -> Kind | None:
    """The kind that writes a target of the batch's --to; None for JSON, which any kind may become."""
    return next((kind for kind in KINDS if target in kind.targets), None)
