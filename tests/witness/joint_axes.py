# SPDX-License-Identifier: MIT
"""BVH files with the same motion, of skeletons whose joints have other axes: so their rest poses differ."""

from __future__ import annotations

import math
from collections.abc import Sequence
from copy import deepcopy

from . import bvh_pose
from .bvh_file import Bvh
from .turns import NO_TURN, Turn, about, back, mul, rotate, swing
from .walk import zxy_degrees


def with_axes(bvh: Bvh, axes: Sequence[Turn]) -> Bvh:
    """The same motion of joints with these axes; per joint, as a turn from its axes in `bvh` at rest.

    Only the root may have positions. All rotations become ZXY.
    """
    made = deepcopy(bvh)
    for index, joint in enumerate(made.joints):
        if joint.parent is not None:
            joint.offset = rotate(back(axes[joint.parent]), bvh.joints[index].offset)
    for frame in range(len(bvh.motion)):
        local = bvh_pose.pose(bvh, frame).local_rotations
        row: list[float] = list(bvh.motion[frame][:3])
        for index, joint in enumerate(bvh.joints):
            x, y, z, w = (float(value) for value in local[index])
            above = NO_TURN if joint.parent is None else axes[joint.parent]
            row += zxy_degrees(mul(mul(back(above), (w, x, y, z)), axes[index]))
        made.motion[frame] = row
    return made


def row_axes(bvh: Bvh) -> list[Turn]:
    """With these, the offsets lie along +X. A joint with several children keeps its axes."""
    children: dict[int, list[int]] = {}
    for index, joint in enumerate(bvh.joints):
        if joint.parent is not None:
            children.setdefault(joint.parent, []).append(index)
    axes = [NO_TURN] * len(bvh.joints)
    for index, below in children.items():
        offset = bvh.joints[below[0]].offset
        if len(below) == 1 and math.hypot(*offset) > 0:
            axes[index] = swing((1.0, 0.0, 0.0), offset)
    return axes


def bones_in_a_row(bvh: Bvh) -> Bvh:
    """The same motion, of a skeleton whose offsets all lie along +X."""
    return with_axes(bvh, row_axes(bvh))


def along_x(bvh: Bvh, joints: dict[str, str]) -> Bvh:
    """The same motion of a Y-up skeleton that rests along X: spine and arms to +X, legs and feet to -X.

    So do the joints of bipeds whose X axes point along the bones. At rest, the legs and the arms are rolled
    by half a turn against the body: it is no pose of a person. `joints`: slot -> joint.
    """
    lying = about((0.0, 0.0, 1.0), math.pi / 2)  # +X becomes +Y
    rolled = mul(about((0.0, 1.0, 0.0), math.pi), lying)
    left_arm = about((1.0, 0.0, 0.0), math.pi)
    right_arm = mul(about((0.0, 0.0, 1.0), math.pi), left_arm)
    offsets = {joint.name: joint.offset for joint in bvh.joints}
    turns = {name: lying for slot, name in joints.items() if slot != "root"}
    for side, arm in (("left", left_arm), ("right", right_arm)):
        turns |= {joints[side + limb]: rolled for limb in ("UpperLeg", "LowerLeg")}
        foot = swing((-1.0, 0.0, 0.0), offsets[joints[side + "Toes"]])
        turns |= {joints[side + limb]: foot for limb in ("Foot", "Toes")}
        turns |= {joints[side + limb]: arm for limb in ("Shoulder", "UpperArm", "LowerArm", "Hand")}
    return with_axes(bvh, [turns.get(joint.name, NO_TURN) for joint in bvh.joints])
