# SPDX-License-Identifier: GPL-3.0-or-later
"""Options of a new Second Life skeleton, shared by the import and Add > Armature."""

from __future__ import annotations

from typing import Any

from bpy.props import BoolProperty, EnumProperty

from ...package import Facing
from ...scene.avatar.skeleton import SkeletonOptions


class SkeletonProperties:
    """Options of a new skeleton, for operators to inherit."""

    skeleton_facing: EnumProperty(
        name="New Skeleton Facing",
        description="Where a new skeleton looks in its own space",
        items=(
            ("X", "+X", "Along +X, as Second Life's own skeleton and its mesh uploads do"),
            ("NEGATIVE_Y", "-Y", "Along -Y, as most rigs and Blender's front view do"),
        ),
        default="X",
    )
    skeleton_volumes: BoolProperty(
        name="Collision Volumes",
        description="Add the 26 collision volumes, which shape fitted mesh",
        default=False,
    )
    skeleton_attachments: BoolProperty(
        name="Attachment Points",
        description="Add the avatar's 47 attachment points, as bones that deform nothing",
        default=False,
    )
    skeleton_mannequin: BoolProperty(
        name="Mannequin",
        description="Give a new skeleton a simple body, to see its pose. It is never exported",
        default=True,
    )

    def skeleton_options(self) -> SkeletonOptions:
        """The options as create_sl_skeleton takes them."""
        return SkeletonOptions(
            Facing[self.skeleton_facing],
            volumes=self.skeleton_volumes,
            attachments=self.skeleton_attachments,
            mannequin=self.skeleton_mannequin,
        )

    def draw_skeleton_options(self, layout: Any) -> None:
        """Draws them, where no other facing is shown."""
        layout.prop(self, "skeleton_facing", text="Facing")
        for name in ("skeleton_mannequin", "skeleton_volumes", "skeleton_attachments"):
            layout.prop(self, name)
