# SPDX-License-Identifier: GPL-3.0-or-later
"""The choice whether motion is retargeted, shared by the imports onto any armature and the exports."""

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


_EXPORT_ITEMS = (
    (
        "AUTO",
        "Automatic",
        "If the bones have other names than the avatar's joints, as those of Mixamo, Unreal or Rigify have",
    ),
    (
        "ALWAYS",
        "Always",
        "Find the parts of the body in the armature, and move the avatar's alike. For an armature with the "
        "joints' names that rests in another pose",
    ),
    ("NEVER", "Never", "Match bones by the rig map only, and rotate joints as the bones rotate"),
)


class ExportRetargetProperty:
    """The option of an export, for operators to inherit."""

    retarget: EnumProperty(
        name="Retarget",
        description="When the avatar is moved like an armature with other names or another rest pose",
        items=_EXPORT_ITEMS,
        default="AUTO",
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
        "bone, or if the file doesn't look like a person's motion",
        default=False,
    )

    def draw_retarget(self, layout: Any) -> None:
        """Draws them."""
        layout.prop(self, "retarget")
        layout.prop(self, "import_anyway")
