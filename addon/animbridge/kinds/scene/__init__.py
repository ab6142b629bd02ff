# SPDX-License-Identifier: GPL-3.0-or-later
"""Scenes: FBX, glTF, COLLADA and others, of which only the motion is taken."""

from __future__ import annotations

from typing import Final

from ..kind import InBlender, Kind

#: As the library has them: those that are written, then those that only are read.
EXTENSIONS: Final = (
    ".glb",
    ".gltf",
    ".fbx",
    ".dae",
    ".vrm",
    ".vrma",
    ".x",
    ".b3d",
    ".lws",
    ".md5mesh",
    ".md5anim",
    ".ase",
    ".smd",
    ".mdl",
    ".irr",
    ".mesh.xml",
)


def _in_blender() -> InBlender:
    from .blender import IN_BLENDER

    return IN_BLENDER


KIND: Final = Kind(
    id="scene",
    extensions=EXTENSIONS,
    targets=("glb", "gltf", "fbx", "dae"),
    in_blender=_in_blender,
)
