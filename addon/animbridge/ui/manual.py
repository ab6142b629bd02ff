# SPDX-License-Identifier: GPL-3.0-or-later
"""The manual: pages that come with the add-on, so that they are about its version and need no network.

Blender leads there by Online Manual in the menu of a right click, and by F1; findings have a button.
"""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import Any, Final

import bpy

#: A checkout has none: scripts/package makes it of docs/.
FOLDER: Final = Path(__file__).resolve().parents[1] / "manual"

#: The page of each operator and group of properties, by Blender's name for it in small letters. The first
#: that fits counts.
PAGES: Final = (
    ("bpy.ops.import_anim.secondlife_pose*", "poses.html#in-blender"),
    ("bpy.ops.export_anim.secondlife_pose*", "poses.html#in-blender"),
    ("bpy.ops.pose.animbridge_*", "poses.html#hands"),
    ("bpy.ops.import_anim.secondlife*", "second-life.html#import"),
    ("bpy.ops.export_anim.secondlife*", "second-life.html#export"),
    ("bpy.ops.import_anim.animbridge_bvh*", "bvh.html#import"),
    ("bpy.ops.export_anim.animbridge_bvh*", "bvh.html#export"),
    ("bpy.ops.import_anim.animbridge_scene*", "scenes.html#import"),
    ("bpy.ops.export_anim.animbridge_scene*", "scenes.html#export"),
    ("bpy.ops.import_anim.oni*", "oban.html#import"),
    ("bpy.ops.export_anim.oni*", "oban.html#export"),
    ("bpy.ops.import_anim.mrtk*", "mrtk.html#import-into-blender"),
    ("bpy.ops.export_anim.mrtk*", "mrtk.html#edit-and-export"),
    ("bpy.ops.armature.mrtk_hands_add*", "mrtk.html#make-hands-of-your-own"),
    ("bpy.ops.armature.secondlife_skeleton_add*", "second-life.html#the-new-skeleton"),
    ("bpy.ops.animbridge.check*", "second-life.html#check-before-you-upload"),
    ("bpy.ops.animbridge.predict_upload*", "second-life.html#check-before-you-upload"),
    ("bpy.ops.animbridge.mend*", "fixes.html"),
    ("bpy.ops.animbridge.show_finding*", "what-you-see.html"),
    ("bpy.ops.animbridge.*joint_priority*", "second-life.html#the-animbridge-tab"),
    ("bpy.ops.animbridge.set_all_priorities*", "second-life.html#the-animbridge-tab"),
    ("bpy.ops.animbridge.set_loop_point*", "second-life.html#the-animbridge-tab"),
    ("bpy.ops.animbridge.set_half_stop*", "oban.html#the-panel"),
    ("bpy.ops.animbridge.clip_*", "clip-tools.html#in-blender"),
    ("bpy.ops.animbridge.retarget_use_pose*", "retargeting.html#reference-poses"),
    ("bpy.ops.animbridge.retarget_preview*", "retargeting.html#reference-poses"),
    ("bpy.ops.animbridge.retarget_plant_feet*", "retargeting.html#planted-feet"),
    ("bpy.ops.animbridge.retarget_load*", "retargeting.html#files-of-pairs"),
    ("bpy.ops.animbridge.retarget_save*", "retargeting.html#files-of-pairs"),
    ("bpy.ops.animbridge.retarget_*", "retargeting.html#the-panel"),
    ("bpy.types.secondlife*", "second-life.html#the-animbridge-tab"),
    ("bpy.types.onianimation*", "oban.html#the-panel"),
    ("bpy.types.retargetpair*", "retargeting.html#the-list-of-pairs"),
    ("bpy.types.retargetsettings*", "retargeting.html#the-panel"),
    ("bpy.types.clip*", "clip-tools.html#how-good-is-it"),
)


def manual_map() -> tuple[str, tuple[tuple[str, str], ...]]:
    """As bpy.utils.register_manual_map asks for it."""
    return f"{FOLDER.as_uri()}/", PAGES


def draw_link(layout: Any, rule: str) -> None:
    """A button that leads to what the manual says about a finding's rule."""
    if FOLDER.is_dir():
        button = layout.operator("wm.url_open", text="", icon="HELP")
        button.url = f"{FOLDER.as_uri()}/findings.html#{rule}"


def register(undo: ExitStack) -> None:
    """Leads Blender to the pages, if they are there."""
    if FOLDER.is_dir():
        bpy.utils.register_manual_map(manual_map)
        undo.callback(bpy.utils.unregister_manual_map, manual_map)
