# SPDX-License-Identifier: MIT
"""The avatar's joints: names, parents and rest pose (spec 1.6, 3), and the emotes it knows (spec 1.5)."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from .quaternion import IDENTITY, Vector, euler_x_first, euler_z_first

_NATIVE = Path(__file__).resolve().parents[2] / "native"
DATA = _NATIVE / "formats" / "sl_anim" / "data"
JOINTS = _NATIVE / "rig" / "data"
FORBIDDEN = (b"mScreen", b"mRoot")
_UUID = re.compile(rb"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)


@dataclass(frozen=True)
class Node:
    """A joint at rest: position in metres and rotation (x, y, z, w) in the parent's frame."""

    name: str
    parent: str
    position: Vector
    rotation: Vector
    kind: str  # bone, volume, attachment or hud


class Skeleton:
    """Every animatable joint by its canonical name, and what other names lead to it."""

    def __init__(self, data: dict[str, Any]) -> None:
        self.nodes: dict[str, Node] = {}
        self._names: dict[bytes, str] = {}
        for bone in data["bones"]:
            # mPelvis rests at 0: the viewer overwrites the file's 1.067 m (spec 3).
            position = np.array(bone["pos"]) if bone["parent"] else np.zeros(3)
            parent = bone["parent"] or "mRoot"
            self._add(Node(bone["name"], parent, position, IDENTITY, "bone"), bone["aliases"])
        for volume in data["collision_volumes"]:
            rotation = euler_x_first(volume["rot_deg"])
            self._add(Node(volume["name"], volume["parent"], np.array(volume["pos"]), rotation, "volume"), [])
        for point in data["attachment_points"]:
            rotation = euler_z_first(point["rot_deg"])
            kind = "hud" if point["hud"] else "attachment"
            node = Node(point["name"], point["joint"], np.array(point["pos"]), rotation, kind)
            self._add(node, [point["name"].replace(" ", "_")])

    def _add(self, node: Node, aliases: list[str]) -> None:
        self.nodes[node.name] = node
        for name in [node.name, *aliases]:
            self._names.setdefault(name.encode(), node.name)

    def canonical(self, name: bytes) -> str | None:
        """The joint that a record's name means on one's own avatar, or None."""
        return self._names.get(name)

    def is_volume(self, name: bytes) -> bool:
        """A collision volume, spelt exactly (spec 1.7)."""
        node = self.nodes.get(name.decode("latin-1"))
        return node is not None and node.kind == "volume"

    def chain(self, volume: bytes, links: int) -> list[str]:
        """The volume's parent bone and `links` ancestors; shorter, with mRoot last, where they run out."""
        names = [self.nodes[volume.decode()].parent]
        while len(names) <= links and names[-1] in self.nodes:
            names.append(self.nodes[names[-1]].parent)
        return names


@cache
def load_skeleton(folder: Path = JOINTS) -> Skeleton:
    """The skeleton of the project's data file, read once. Nothing changes a Skeleton."""
    return Skeleton(json.loads((folder / "skeleton.json").read_text(encoding="utf-8")))


@cache
def load_emotes(folder: Path = DATA) -> frozenset[bytes]:
    """The lower-case names of the animation states that an emote name can call."""
    states = json.loads((folder / "animation_states.json").read_text(encoding="utf-8"))["states"]
    return frozenset(name.lower().encode() for name in states)


def emote_fate(name: bytes, emotes: frozenset[bytes]) -> str:
    """What the viewer does with an emote name: none, closed_mouth (dropped), known, or unknown (cleared)."""
    if not name:
        return "none"
    if name == b"Closed_Mouth":
        return "closed_mouth"
    return "known" if name.lower() in emotes or _UUID.fullmatch(name) else "unknown"
