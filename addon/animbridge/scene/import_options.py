# SPDX-License-Identifier: GPL-3.0-or-later
"""What an import is told, and what it gives."""

from __future__ import annotations

from dataclasses import dataclass, field

from ..compat import actions
from ..native.abi import Facing
from .placement import Placement


@dataclass(frozen=True)
class BvhReading:
    """What a BVH leaves open.

    `fit_height`: the root's way is scaled by how high the armature's hips are beside the file's, and not by
    the placement. `is_own`: the armature was made for the file, bone by joint; else the rig map matches them.
    `whole_frames`: one frame of the file for each of the scene, whatever their rates.
    """

    placement: Placement = field(default_factory=Placement)
    fit_height: bool = False
    is_own: bool = False
    whole_frames: bool = False


@dataclass(frozen=True)
class ImportOptions:
    """`frame_start`: the frame of the animation's second 0.

    `action_name` is a new Action's; {file} and {armature} in it stand for these names. `keep_euler`: bones
    with an Euler rotation mode are turned in it, not by quaternions. `rig_map`: JSON; None: the built-in one.
    `facing` is read for Second Life's animations, `bvh` for BVH.
    """

    frame_start: float = 1.0
    facing: Facing = Facing.AUTO
    action_name: str = "{file}"
    fake_user: bool = True
    keep_euler: bool = False
    rig_map: str | None = None
    bvh: BvhReading = field(default_factory=BvhReading)


@dataclass(frozen=True)
class AnimationResult:
    """An Action with the animation, the frames of the animation, and what is worth knowing of it."""

    channels: actions.Channels
    frame_range: tuple[float, float]
    warnings: tuple[str, ...]


@dataclass(frozen=True)
class ImportResult(AnimationResult):
    """Of an armature. `unmatched`: every joint of the file that found no bone."""

    matched_joints: int
    unmatched: tuple[str, ...]
