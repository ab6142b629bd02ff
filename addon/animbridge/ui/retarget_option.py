# SPDX-License-Identifier: GPL-3.0-or-later
"""The choice whether an import retargets, shared by the imports onto any armature."""

from __future__ import annotations

from typing import Any

from bpy.props import BoolProperty, EnumProperty

_RETARGET_ITEMS = (
    (
        "AUTO",
        "Automatic",
        "If the bones have other names or another rest pose than the file's joints. An armature that is the "
        "file's own rig gets the file's motion exactly",
    ),
    ("ALWAYS", "Always", "Find the parts of the body in both, and move them alike"),
    (
        "NEVER",
        "Never",
        "Match bones by names and by the rig map only, and rotate them as the file's joints rotate",
    ),
)


class RetargetProperties:
    """The options, for operators to inherit."""

    retarget: EnumProperty(
        name="Retarget",
        description="When to fit the motion to an armature with other names or another rest pose",
        items=_RETARGET_ITEMS,
        default="AUTO",
    )
    import_anyway: BoolProperty(
        name="Import Anyway",
        description="Import even if under half of the arms, hands, legs and feet that the file moves have a "
        "bone",
        default=False,
    )

    def draw_retarget(self, layout: Any) -> None:
        """Draws them."""
        layout.prop(self, "retarget")
        layout.prop(self, "import_anyway")
