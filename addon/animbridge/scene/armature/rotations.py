# SPDX-License-Identifier: GPL-3.0-or-later
"""Rotation modes: the one place that decides on them and sets them for an import."""

from __future__ import annotations

import bpy
import numpy as np
from numpy.typing import NDArray

from ...package import Armature, Channel, Curve
from .reading import pose_bones


def euler_channels(armature_object: bpy.types.Object, names: tuple[str, ...]) -> NDArray[np.uint8]:
    """The channel that turns each bone: its Euler order, or quaternions."""
    modes = [pose_bones(armature_object)[name].rotation_mode for name in names]
    others = ("QUATERNION", "AXIS_ANGLE")
    channels = [
        Channel.ROTATION_QUATERNION if mode in others else Channel[f"ROTATION_{mode}"] for mode in modes
    ]
    return np.array(channels, np.uint8)


class RotationModes:
    """Sets bones to the rotation mode of their new curves, and can take it back."""

    def __init__(self, armature_object: bpy.types.Object) -> None:
        self._bones = pose_bones(armature_object)
        self._before: dict[str, str] = {}

    def switch(self, armature: Armature, curves: list[Curve]) -> None:
        """Sets every bone with quaternion curves to quaternions."""
        for index in sorted({curve.bone for curve in curves if curve.channel == Channel.ROTATION_QUATERNION}):
            bone = self._bones[armature.names[index]]
            if bone.rotation_mode != "QUATERNION":
                self._before[bone.name] = bone.rotation_mode
                bone.rotation_mode = "QUATERNION"

    @property
    def switched(self) -> list[str]:
        """The bones that had another mode."""
        return list(self._before)

    def restore(self) -> None:
        """Restores the bones' former modes."""
        for name, mode in self._before.items():
            self._bones[name].rotation_mode = mode
