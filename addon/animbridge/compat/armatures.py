# SPDX-License-Identifier: GPL-3.0-or-later
"""Bone collections, which Blender has since 4.0."""

from __future__ import annotations

import bpy


def collect_bones(armature: bpy.types.Armature, name: str) -> None:
    """Puts all bones of an armature (in Object mode) into one new bone collection, where Blender has them."""
    collections = getattr(armature, "collections", None)
    if collections is None:
        return
    collection = collections.new(name)
    for bone in armature.bones:
        collection.assign(bone)
