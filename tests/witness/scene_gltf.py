# SPDX-License-Identifier: MIT
"""Scenes as glTF 2.0: GLB, or JSON with its buffer inside or beside it. Written from the specification.

A skinned mesh is one small triangle for each joint, all vertices distinct.
"""

from __future__ import annotations

import base64
import json
import math
import struct
from typing import Any

import numpy as np

from .scene_math import Array
from .scene_model import ASPECT, ROTATION, SCALE, TRANSLATION, Node, Scene

Json = dict[str, Any]
_TYPES = {1: "SCALAR", 3: "VEC3", 4: "VEC4", 16: "MAT4"}
_FLOAT, _BYTE, _SHORT = 5126, 5121, 5123
_PACK = {_FLOAT: "f", _BYTE: "B", _SHORT: "H"}


def plain(values: Array) -> list[float]:
    """Numbers for JSON: 9 places, no minus zero."""
    return [round(float(v), 9) + 0.0 for v in np.ravel(values)]


class _Buffer:
    """The binary chunk and what names its parts."""

    def __init__(self) -> None:
        self.data = b""
        self.views: list[Json] = []
        self.accessors: list[Json] = []

    def add(self, rows: list[list[float]], component: int = _FLOAT, bounds: bool = False) -> int:
        """An accessor of rows; its index."""
        flat = [value for row in rows for value in row]
        flat = plain(np.array(flat)) if component == _FLOAT else [int(v) for v in flat]
        packed = struct.pack(f"<{len(flat)}{_PACK[component]}", *flat)
        self.views.append({"buffer": 0, "byteOffset": len(self.data), "byteLength": len(packed)})
        self.data += packed + b"\0" * (-len(packed) % 4)
        accessor: Json = {
            "bufferView": len(self.views) - 1,
            "componentType": component,
            "count": len(rows),
            "type": _TYPES[len(rows[0])],
        }
        if bounds:  # as the stored floats are, for the specification asks for equality
            stored = np.array(flat, dtype=np.float32).reshape(len(rows), -1)
            accessor |= {"min": stored.min(axis=0).tolist(), "max": stored.max(axis=0).tolist()}
        self.accessors.append(accessor)
        return len(self.accessors) - 1


def _node(scene: Scene, index: int) -> Json:
    node = scene.nodes[index]
    result: Json = {"name": node.name}
    if not node.name:
        del result["name"]
    children = [i for i, other in enumerate(scene.nodes) if other.parent == index]
    if children:
        result["children"] = children
    if node.as_matrix:
        result["matrix"] = plain(node.rest.matrix().T)
        return result
    w, *xyz = plain(node.rest.rotation)
    scale = plain(node.rest.scale())
    result |= {"translation": plain(node.rest.translation), "rotation": [*xyz, w], "scale": scale}
    for key, none in (("translation", [0, 0, 0]), ("rotation", [0, 0, 0, 1]), ("scale", [1, 1, 1])):
        if result[key] == none:
            del result[key]
    return result


def _carrier(buffer: _Buffer, places: list[Array], joints: list[int] | None) -> Json:
    """A mesh of one triangle at each place; skinned to `joints`, one for each triangle."""
    corners = ([0.0, 0.0, 0.0], [0.01, 0.0, 0.0], [0.0, 0.01, 0.0])
    rows = [plain(place + np.array(corner)) for place in places for corner in corners]
    attributes = {"POSITION": buffer.add(rows, bounds=True)}
    if joints is not None:
        attributes["JOINTS_0"] = buffer.add([[float(j), 0, 0, 0] for j in joints for _ in corners], _BYTE)
        attributes["WEIGHTS_0"] = buffer.add([[1.0, 0, 0, 0] for _ in rows])
    indices = buffer.add([[float(i)] for i in range(len(rows))], _SHORT)
    return {"primitives": [{"attributes": attributes, "indices": indices, "mode": 4}]}


def _places(scene: Scene, node: Node) -> tuple[list[Array], list[int] | None]:
    """Where the triangles of a mesh node stand: at the joints of its skin, else at its origin."""
    if node.skin is None:
        return [np.zeros(3)], None
    skin = scene.skins[node.skin]
    binds = [np.asarray(np.linalg.inv(m), dtype=np.float64)[:3, 3] for m in skin.inverse_binds]
    # Joints that stand in one place still get triangles of their own.
    return [p + np.array([0.0, 0.0, 0.001 * i]) for i, p in enumerate(binds)], list(range(len(binds)))


def _animation(buffer: _Buffer, scene: Scene, index: int) -> Json:
    animation = scene.animations[index]
    channels: list[Json] = []
    samplers: list[Json] = []
    for channel in animation.channels():
        values = channel.values
        if channel.path == ROTATION:
            values = values[:, [1, 2, 3, 0]]
        samplers.append(
            {
                "input": buffer.add([[t] for t in channel.times], bounds=True),
                "output": buffer.add(values.tolist()),
                "interpolation": channel.interpolation,
            }
        )
        path = {TRANSLATION: "translation", ROTATION: "rotation", SCALE: "scale"}[channel.path]
        channels.append({"sampler": len(samplers) - 1, "target": {"node": channel.node, "path": path}})
    result: Json = {"name": animation.name, "channels": channels, "samplers": samplers}
    if not animation.name:
        del result["name"]
    return result


def _humanoid(scene: Scene) -> Json:
    """The extensions of a VRM or VRMA file."""
    if scene.humanoid is None:
        return {}
    kind, bones = scene.humanoid
    if kind == "vrm0":
        listed = [{"bone": bone, "node": node, "useDefaultValues": True} for bone, node in bones.items()]
        return {
            "VRM": {"specVersion": "0.0", "exporterVersion": "witness", "humanoid": {"humanBones": listed}}
        }
    nodes = {bone: {"node": node} for bone, node in bones.items()}
    if kind == "vrma":
        return {"VRMC_vrm_animation": {"specVersion": "1.0", "humanoid": {"humanBones": nodes}}}
    meta = {"name": "Witness", "authors": ["Witness"], "licenseUrl": "https://vrm.dev/licenses/1.0/"}
    return {"VRMC_vrm": {"specVersion": "1.0", "meta": meta, "humanoid": {"humanBones": nodes}}}


def document(scene: Scene) -> tuple[Json, bytes]:
    """The JSON, whose one buffer has no place yet, and the buffer."""
    if scene.metres_per_unit != 1.0:
        raise ValueError("glTF is in metres")
    buffer = _Buffer()
    result: Json = {"asset": {"version": "2.0", "generator": "AnimBridge witness"}, "scene": 0}
    result["scenes"] = [{"nodes": [i for i, n in enumerate(scene.nodes) if n.parent is None]}]
    result["nodes"] = [_node(scene, i) for i in range(len(scene.nodes))]
    meshes: list[Json] = []
    cameras: list[Json] = []
    for node, told in zip(scene.nodes, result["nodes"], strict=True):
        if node.mesh:
            told["mesh"] = len(meshes)
            meshes.append(_carrier(buffer, *_places(scene, node)))
            if node.skin is not None:
                told["skin"] = node.skin
        if node.camera is not None:
            told["camera"] = len(cameras)
            lens = {"yfov": math.radians(node.camera), "aspectRatio": ASPECT, "znear": 0.1}
            cameras.append({"type": "perspective", "perspective": lens})
    skins = [
        {"joints": s.joints, "inverseBindMatrices": buffer.add([plain(m.T) for m in s.inverse_binds])}
        for s in scene.skins
    ]
    animations = [_animation(buffer, scene, i) for i in range(len(scene.animations))]
    lists = {"meshes": meshes, "cameras": cameras, "skins": skins, "animations": animations}
    result |= {key: value for key, value in lists.items() if value}
    extensions = _humanoid(scene)
    if extensions:
        result |= {"extensionsUsed": list(extensions), "extensions": extensions}
    if buffer.data:
        result |= {"accessors": buffer.accessors, "bufferViews": buffer.views}
        result["buffers"] = [{"byteLength": len(buffer.data)}]
    return result, buffer.data


def _text(told: Json) -> bytes:
    return json.dumps(told, ensure_ascii=False, separators=(",", ":")).encode()


def pack_glb(told: Json, data: bytes) -> bytes:
    """A GLB of JSON and its buffer."""
    text = _text(told)
    chunks = [(b"JSON", text + b" " * (-len(text) % 4))]
    if data:
        chunks.append((b"BIN\0", data))
    body = b"".join(struct.pack("<I", len(chunk)) + kind + chunk for kind, chunk in chunks)
    return struct.pack("<4sII", b"glTF", 2, 12 + len(body)) + body


def write_glb(scene: Scene) -> bytes:
    """The scene as GLB."""
    return pack_glb(*document(scene))


def write_embedded(scene: Scene) -> bytes:
    """The scene as JSON with its buffer as a data URI."""
    told, data = document(scene)
    if data:
        uri = "data:application/octet-stream;base64," + base64.b64encode(data).decode()
        told["buffers"][0]["uri"] = uri
    return _text(told)


def write_beside(scene: Scene, bin_name: str) -> tuple[bytes, bytes]:
    """The scene as JSON, and the buffer that belongs beside it as `bin_name`."""
    told, data = document(scene)
    told["buffers"][0]["uri"] = bin_name
    return _text(told), data
