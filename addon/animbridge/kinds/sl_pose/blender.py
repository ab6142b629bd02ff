# SPDX-License-Identifier: GPL-3.0-or-later
"""What Blender shows and asks of poses."""

from __future__ import annotations

from typing import Final

from ...scene.avatar.maker import SlSkeletons
from ...scene.avatar.skeleton import SkeletonOptions
from ...scene.export.options import FrameRange
from ...ui.menus import EXPORT_MENU, IMPORT_MENU, POSE_MENU, FileDrop, MenuEntry
from ..armature_files import ArmatureFiles
from ..kind import InBlender
from .export_operator import EXPORT_ANIM_OT_secondlife_pose
from .exporter import PoseExporter
from .finger_operators import POSE_OT_animbridge_fingers, POSE_OT_animbridge_hand_assets
from .import_operator import IMPORT_ANIM_OT_secondlife_pose
from .importer import PoseImporter
from .options import PoseExportOptions, PoseImportOptions

_LABEL: Final = "Second Life Pose (.xml)"

IN_BLENDER: Final = InBlender(
    classes=(
        IMPORT_ANIM_OT_secondlife_pose,
        EXPORT_ANIM_OT_secondlife_pose,
        POSE_OT_animbridge_fingers,
        POSE_OT_animbridge_hand_assets,
    ),
    menu_entries=(
        MenuEntry(IMPORT_MENU, IMPORT_ANIM_OT_secondlife_pose.bl_idname, _LABEL),
        MenuEntry(EXPORT_MENU, EXPORT_ANIM_OT_secondlife_pose.bl_idname, _LABEL),
        MenuEntry(POSE_MENU, POSE_OT_animbridge_fingers.bl_idname, icon="VIEW_PAN"),
        MenuEntry(POSE_MENU, POSE_OT_animbridge_hand_assets.bl_idname, icon="ASSET_MANAGER"),
    ),
    drop=FileDrop("IO_FH_animbridge_pose", "Second Life Pose", IMPORT_ANIM_OT_secondlife_pose.bl_idname),
    blend_files=ArmatureFiles(
        PoseImporter(),
        PoseExporter(),
        PoseImportOptions,
        lambda _options: SlSkeletons(SkeletonOptions()),
        lambda _target, _flags: PoseExportOptions(frame_range=FrameRange.POSE),
        takes_rate=False,
    ),
)
