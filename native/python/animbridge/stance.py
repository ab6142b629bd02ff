# SPDX-License-Identifier: MIT
"""Armatures as their objects turn and scale them: a Mixamo rig lies on its back in its own axes.

The library gets both armatures upright and in metres; where the objects stand doesn't matter to it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from . import abi
from .curves import Armature, Curve
from .errors import AnimBridgeError

Doubles = NDArray[np.float64]
Floats = NDArray[np.float32]

#: How much the axes may differ in length or lean, which curves of bones can't express.
_EVENNESS: Final = 1e-2
#: Nearer to no turn and no scale than Blender's single precision.
_NOTHING: Final = 1e-6


@dataclass(frozen=True)
class Stance:
    """How an object turns (3 x 3) and evenly scales what is in it."""

    turn: Doubles
    scale: float

    @property
    def is_identity(self) -> bool:
        """Whether it changes nothing."""
        return bool(np.abs(self.turn - np.eye(3)).max() < _NOTHING and abs(self.scale - 1.0) < _NOTHING)


def standing(armature: Armature, stance: Stance) -> Armature:
    """The armature with its rest matrices turned and scaled."""
    if stance.is_identity:
        return armature
    return replace(armature, rest_matrices=standing_matrices(armature.rest_matrices, stance))


def standing_matrices(matrices: Any, stance: Stance) -> Floats:
    """Matrices (... x 16, column-major, armature space) turned and scaled; rotations stay rotations."""
    if stance.is_identity:
        return np.asarray(matrices, np.float32)
    columns = np.reshape(np.asarray(matrices, np.float32), (-1, 4, 4)).copy()
    columns[:, :, :3] = columns[:, :, :3] @ stance.turn.T.astype(np.float32)
    columns[:, 3, :3] *= np.float32(stance.scale)
    return columns.reshape(np.shape(matrices))


def standing_curves(curves: Sequence[Curve], stance: Stance) -> list[Curve]:
    """The curves of the armature as the standing one takes them: the reverse of `own_curves`.

    Not for a bone with neither a parent nor local location in an object that turns: its locations are along
    the armature's axes, and would have to turn too.
    """
    if stance.is_identity:
        return list(curves)
    return [
        _scaled(curve, stance.scale) if curve.channel == abi.Channel.LOCATION else curve for curve in curves
    ]


def _scaled(curve: Curve, factor: float) -> Curve:
    """The curve with all values times a factor."""
    scale = np.array([1.0, factor], np.float32)
    left, right = curve.handle_left, curve.handle_right
    return replace(
        curve,
        co=curve.co * scale,
        handle_left=None if left is None else left * scale,
        handle_right=None if right is None else right * scale,
    )


def own_curves(curves: Sequence[Curve], armature: Armature, stance: Stance) -> list[Curve]:
    """The curves of a standing armature as the armature itself takes them: locations in its own metres.

    Bones without local location read theirs along the armature's axes.
    """
    if stance.is_identity:
        return list(curves)
    taken: list[Curve] = []
    turned: dict[int, list[Curve]] = {}
    for curve in curves:
        if curve.channel != abi.Channel.LOCATION:
            taken.append(curve)
        elif armature.flags[curve.bone] & abi.BONE_NO_LOCAL_LOCATION:
            turned.setdefault(curve.bone, []).append(curve)
        else:
            taken.append(_with_values(curve, curve.co[:, 1] / stance.scale))
    for parts in turned.values():
        values = np.stack([curve.co[:, 1] for curve in sorted(parts, key=lambda curve: curve.component)])
        own = stance.turn.T @ values / stance.scale
        taken += [_with_values(curve, own[curve.component]) for curve in parts]
    return taken


def _with_values(curve: Curve, values: Any) -> Curve:
    """The curve with other values; what shapes it is linear, as all curves of a retargeting are."""
    return replace(curve, co=np.stack([curve.co[:, 0], values.astype(np.float32)], axis=1))


def stance_of_axes(axes: Doubles, name: str) -> Stance:
    """The stance of an object whose axes are the columns of a 3 x 3 matrix; `name` is for the error."""
    lengths = np.linalg.norm(axes, axis=0)
    scale = float(lengths.mean())
    turn = axes / scale if scale > 0.0 else axes
    is_even = np.abs(turn.T @ turn - np.eye(3)).max() < _EVENNESS
    if not (is_even and np.linalg.det(turn) > 0.0):
        raise AnimBridgeError(
            f"The armature object '{name}' is mirrored or scaled unevenly ({lengths[0]:.3g}, "
            f"{lengths[1]:.3g}, {lengths[2]:.3g}). Select it and apply its scale (Ctrl A) first."
        )
    left, _, right = np.linalg.svd(turn)
    return Stance(left @ right, scale)
