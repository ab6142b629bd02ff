# SPDX-License-Identifier: GPL-3.0-or-later
"""Options and results of imports onto armatures."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ...compat import actions
from ...package import Facing
from ..retarget_choice import Retarget, rig_file_of


@dataclass(frozen=True)
class ImportOptions:
    """How a file becomes an Action on an armature.

    `frame_start`: the frame of the animation's second 0. `action_name`: of a new Action; {file} and
    {armature} stand for these names. `keep_euler`: bones with an Euler rotation mode keep it, rather than
    turn by quaternions. `rig_map`: JSON of a rig map, or of a rig file for the armature; None: the built-in
    one. `facing`: where the character looks in the armature's space. `import_anyway`: also if under half of
    the limbs found a bone. `is_own`: the armature was made for the file, bone by joint. `library`: what else
    the user chose for the library, by the names of its options (docs/options.md).
    """

    frame_start: float = 1.0
    facing: Facing = Facing.AUTO
    action_name: str = "{file}"
    fake_user: bool = True
    keep_euler: bool = False
    rig_map: str | None = None
    retarget: Retarget = Retarget.NEVER
    import_anyway: bool = True
    is_own: bool = False
    library: Mapping[str, Any] = field(default_factory=dict)

    @property
    def rig_file(self) -> str | None:
        """The rig map's text if it is a rig file."""
        return rig_file_of(self.rig_map)


@dataclass(frozen=True)
class AnimationResult:
    """An Action with the animation, the animation's frames, and warnings: what the user has to decide.

    `notes`: what the import decided by itself. `details`: what else became of the file, for reports.
    """

    channels: actions.Channels
    frame_range: tuple[float, float]
    warnings: tuple[str, ...]
    notes: tuple[str, ...] = field(default=(), kw_only=True)
    details: tuple[str, ...] = field(default=(), kw_only=True)


@dataclass(frozen=True)
class ImportResult(AnimationResult):
    """The result on an armature. `unmatched`: every joint of the file without a bone; of a retargeted file,
    every part of the body. `pairs`: what moves like what, of a retargeted file.
    """

    matched_joints: int
    unmatched: tuple[str, ...]
    pairs: tuple[str, ...] = field(default=(), kw_only=True)
