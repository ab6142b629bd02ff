# SPDX-License-Identifier: GPL-3.0-or-later
"""What Blender shows and asks of Second Life animations."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from ...scene.avatar.maker import SlSkeletons
from ...scene.avatar.skeleton import SkeletonOptions
from ...scene.import_.options import ImportOptions
from ...ui.menus import ADD_ARMATURE_MENU, EXPORT_MENU, IMPORT_MENU, FileDrop, MenuEntry
from ..armature_files import ArmatureFiles
from ..kind import InBlender
from . import header_operators, judging_operators, panels, properties
from .add_skeleton import ARMATURE_OT_secondlife_skeleton_add
from .export_operator import EXPORT_ANIM_OT_secondlife
from .exporter import SlExporter
from .flags import facing_of
from .import_operator import IMPORT_ANIM_OT_secondlife
from .importer import SlImporter
from .options import OPENSIM, SlExportOptions
from .sizes import size_of

_LABEL: Final = "Second Life Animation (.anim)"


def _export_options(_target: str, flags: Mapping[str, Any]) -> SlExportOptions:
    """Sizes are judged by the findings in the file's row: what was imported must come out again."""
    return SlExportOptions(facing=facing_of(flags), library={"encoder": flags["encoder"], "target": OPENSIM})


IN_BLENDER: Final = InBlender(
    classes=(
        *properties.CLASSES,
        *judging_operators.CLASSES,
        *header_operators.CLASSES,
        IMPORT_ANIM_OT_secondlife,
        EXPORT_ANIM_OT_secondlife,
        ARMATURE_OT_secondlife_skeleton_add,
        *panels.CLASSES,
    ),
    menu_entries=(
        MenuEntry(IMPORT_MENU, IMPORT_ANIM_OT_secondlife.bl_idname, _LABEL),
        MenuEntry(EXPORT_MENU, EXPORT_ANIM_OT_secondlife.bl_idname, _LABEL),
        MenuEntry(
            ADD_ARMATURE_MENU, ARMATURE_OT_secondlife_skeleton_add.bl_idname, icon="OUTLINER_OB_ARMATURE"
        ),
    ),
    drop=FileDrop(
        "IO_FH_animbridge_secondlife", "Second Life Animation", IMPORT_ANIM_OT_secondlife.bl_idname
    ),
    attach=properties.attach,
    detach=properties.detach,
    size_of=size_of,
    blend_files=ArmatureFiles(
        SlImporter(),
        SlExporter(),
        ImportOptions,
        lambda _options: SlSkeletons(SkeletonOptions()),
        _export_options,
        takes_rate=False,
    ),
)
