# SPDX-License-Identifier: GPL-3.0-or-later
"""Options that only imports and exports of scenes have."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ...scene.export.options import MotionOptions
from ...scene.import_.options import ImportOptions


@dataclass(frozen=True)
class SceneImportOptions(ImportOptions):
    """Which motion of a scene is taken.

    `all_animations`: each becomes an Action. Otherwise `animation`, a name or a number from 1; None: the one
    that moves most. `up`, `forward`: the file's axes that become Blender's +Z and +Y; None: as
    the file says. `keys`: "frames" or "exact", the library's option. `is_own`: the armature was made for the
    file, bone by joint.
    """

    all_animations: bool = True
    animation: str | None = None
    up: str | None = None
    forward: str | None = None
    keys: str = "frames"
    is_own: bool = False

    def axes(self) -> dict[str, Any]:
        """The library's options for the axes."""
        axes = {"up": self.up, "forward": self.forward}
        return {name: axis for name, axis in axes.items() if axis is not None}

    def members(self) -> dict[str, Any]:
        """The library's options: the axes, the keys, and the animation if one is chosen."""
        chosen = {} if self.animation is None else {"animation": self.animation}
        return {**self.axes(), "keys": self.keys, **chosen}


@dataclass(frozen=True)
class SceneExportOptions(MotionOptions):
    """How motion becomes a scene file.

    `container`: glb, gltf, fbx or dae. `carrier_mesh`: a mesh of tiny triangles makes programs see an
    armature. `turn_to_front`: a body looks to the file's front.
    """

    container: str = "glb"
    carrier_mesh: bool = True
    turn_to_front: bool = True
