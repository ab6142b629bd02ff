# SPDX-License-Identifier: MIT
"""Armatures that stand upright at rest: one body on six rigs (fixtures/rigs), the avatar, and files."""

from __future__ import annotations

import json
import struct
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from tests.python.material import ROOT
from tests.witness import bvh_file

from animbridge.abi import Facing
from animbridge.curves import Armature
from animbridge.retarget import SampledMotion
from animbridge.samples import Samples
from animbridge.skeleton import skeleton_joints

Matrix = NDArray[np.float64]
_Z_UP = np.array([[1.0, 0, 0, 0], [0, 0, -1, 0], [0, 1, 0, 0], [0, 0, 0, 1]])


def matrix(wxyz: Sequence[float], place: Sequence[float]) -> Matrix:
    """A rotation and a place as 4 x 4."""
    w, x, y, z = wxyz
    made = np.eye(4)
    made[:3, :3] = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ]
    made[:3, 3] = place
    return made


def armature(names: Sequence[str], parents: Sequence[int], rests: Sequence[Matrix]) -> Armature:
    """From rest matrices in armature space, parents first."""
    rest = np.array(rests).transpose(0, 2, 1).reshape(-1, 16).astype(np.float32)
    sides = np.zeros(len(names), np.uint8)
    return Armature(tuple(names), np.array(parents, np.int32), rest, sides, Facing.AUTO)


def mpfb() -> dict[str, Armature]:
    """MPFB's rigs of one body, by name."""
    made: dict[str, Armature] = {}
    for path in sorted((ROOT / "fixtures" / "rigs").glob("mpfb_*.json")):
        bones = json.loads(path.read_text(encoding="utf-8"))["bones"]
        names = [bone["name"] for bone in bones]
        parents = [names.index(bone["parent"]) if bone["parent"] else -1 for bone in bones]
        rests = [matrix(bone["rest_rotation"], bone["head"]) for bone in bones]
        made[path.stem.removeprefix("mpfb_")] = armature(names, parents, rests)
    return made


def avatar() -> Armature:
    """Second Life's skeleton."""
    joints = [joint for joint in skeleton_joints() if joint.kind == "bone"]
    names = [joint.name for joint in joints]
    parents = [names.index(joint.parent) if joint.parent in names else -1 for joint in joints]
    rests: list[Matrix] = []
    for joint, parent in zip(joints, parents, strict=True):
        local = matrix(joint.rotation_wxyz, joint.position)
        rests.append(local if parent < 0 else rests[parent] @ local)
    return armature(names, parents, rests)


def of_bvh(path: Path) -> Armature:
    """A file's skeleton, Y up."""
    joints = bvh_file.parse(path.read_bytes()).joints
    parents = [-1 if joint.parent is None else joint.parent for joint in joints]
    rests: list[Matrix] = []
    for joint, parent in zip(joints, parents, strict=True):
        rests.append(np.eye(4))
        rests[-1][:3, 3] = _Z_UP[:3, :3] @ np.array(joint.offset)
        if parent >= 0:
            rests[-1][:3, 3] += rests[parent][:3, 3]
    return armature([joint.name for joint in joints], parents, rests)


class _Gltf:
    """The nodes of a binary glTF file, as it has them at rest."""

    def __init__(self, path: Path) -> None:
        data = path.read_bytes()
        (size,) = struct.unpack("<I", data[12:16])
        self.document: dict[str, Any] = json.loads(data[20 : 20 + size])
        self.nodes = self.document["nodes"]
        self.parents = {child: i for i, node in enumerate(self.nodes) for child in node.get("children", ())}

    def local(self, node: dict[str, Any]) -> Matrix:
        """The node's matrix in its parent."""
        if "matrix" in node:
            return np.array(node["matrix"]).reshape(4, 4).T
        x, y, z, w = node.get("rotation", (0.0, 0.0, 0.0, 1.0))
        made = matrix((w, x, y, z), node.get("translation", (0.0, 0.0, 0.0)))
        made[:3, :3] *= node.get("scale", (1.0, 1.0, 1.0))
        return made

    def world(self, index: int) -> Matrix:
        """The node's matrix in the file, turned to Z up."""
        above = self.world(self.parents[index]) if index in self.parents else _Z_UP
        return above @ self.local(self.nodes[index])

    def line(self, index: int) -> list[int]:
        """The node and all above it, the topmost first."""
        return [*(self.line(self.parents[index]) if index in self.parents else ()), index]


def of_gltf(path: Path) -> Armature:
    """The skin's joints, or all nodes of a file without one (VRMA)."""
    file = _Gltf(path)
    joints = set(file.document["skins"][0]["joints"] if "skins" in file.document else range(len(file.nodes)))
    order = list(dict.fromkeys(i for joint in sorted(joints) for i in file.line(joint) if i in joints))
    parents = [order.index(file.parents[i]) if file.parents.get(i) in joints else -1 for i in order]
    rests: list[Matrix] = []
    for index in order:
        rest = file.world(index)
        left, _, right = np.linalg.svd(rest[:3, :3])
        rest[:3, :3] = left @ right  # without the scale
        rests.append(rest)
    return armature([file.nodes[i].get("name", str(i)) for i in order], parents, rests)


def at_rest(rig: Armature) -> SampledMotion:
    """Two frames in which nothing moves."""
    matrices = np.tile(rig.rest_matrices.reshape(-1, 16), (2, 1, 1))
    return SampledMotion(rig, Samples(np.array([1.0, 2.0]), matrices))
