# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether motion is retargeted between a file's skeleton and an armature, as users choose it."""

from __future__ import annotations

from enum import Enum

from ..package import AnimBridgeError, is_rig_file


class Retarget(Enum):
    """When motion is retargeted, instead of matching bones by name and by the rig map."""

    AUTO = "if the armature isn't the file's own rig"
    ALWAYS = "always"
    NEVER = "never"


def rig_file_of(rig_map: str | None) -> str | None:
    """The text that was chosen as a rig map if it is a rig file, which only a retargeting reads."""
    return rig_map if rig_map is not None and is_rig_file(rig_map) else None


def refuse_contradictions(retarget: Retarget, rig_map: str | None) -> None:
    """An error if the options ask for a retargeting and for none at once."""
    has_rig_file = rig_file_of(rig_map) is not None
    if has_rig_file and retarget is Retarget.NEVER:
        raise AnimBridgeError(
            "The rig map is a rig file, which only a retargeting reads. Set Retarget to Automatic, or "
            "choose a rig map."
        )
    if retarget is Retarget.ALWAYS and rig_map is not None and not has_rig_file:
        raise AnimBridgeError(
            "A rig map names the avatar's joints, which a retargeting doesn't read. Choose a rig file, or "
            "set Retarget to Automatic."
        )
