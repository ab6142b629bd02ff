# SPDX-License-Identifier: MIT
"""Reads glTF 2.0 (GLB or JSON) as a scene; shares nothing with the writer but the model."""

from __future__ import annotations

import base64
import json
import math
import struct
from collections.abc import Callable
from typing import Any
from urllib.parse import unquote

import numpy as np

from .scene_math import Array, array
from .scene_model import CUBICSPLINE, LINEAR, Y_UP, Animation, Channel, Local, Node, Scene, Skin

Json = dict[str, Any]
Beside = Callable[[str], bytes]
_DTYPES = {5120: "<i1", 5121: "<u1", 5122: "<i2", 5123: "<u2", 5125: "<u4", 5126: "<f4"}
# What a file may require without changing its motion.
_HARMLESS = {"KHR_materials_unlit", "KHR_texture_transform", "KHR_mesh_quantization", "VRMC_vrm"}
_MOST_ELEMENTS = 10_000_000  # an accessor without a bufferView costs no bytes of the file
_COUNTS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT2": 4, "MAT3": 9, "MAT4": 16}


class SceneError(ValueError):
    """The file is not what its specification says."""


def split_glb(data: bytes) -> tuple[Json, bytes | None]:
    """The JSON and the binary chunk of a GLB."""
    if len(data) < 12:
        raise SceneError("a GLB has a header of 12 bytes")
    magic, version, length = struct.unpack_from("<4sII", data)
    if magic != b"glTF" or version != 2 or length > len(data):
        raise SceneError(f"not a whole GLB of version 2: {magic!r}, {version}, {length} of {len(data)} bytes")
    told: Json | None = None
    binary: bytes | None = None
    at = 12
    while at < length:
        if at + 8 > length:
            raise SceneError("a chunk's header is cut off")
        size, kind = struct.unpack_from("<I4s", data, at)
        chunk = data[at + 8 : at + 8 + size]
        if len(chunk) < size:
            raise SceneError(f"a chunk of {size} bytes has only {len(chunk)}")
        if kind == b"JSON" and told is None:
            told = json.loads(chunk)
        elif kind == b"BIN\0" and binary is None:
            binary = chunk
        at += 8 + size
    if told is None:
        raise SceneError("no JSON chunk")
    return told, binary


def _check_tree(nodes: list[Node]) -> None:
    """SceneError: a node is below itself."""
    for index in range(len(nodes)):
        above, steps = nodes[index].parent, 0
        while above is not None:
            above, steps = nodes[above].parent, steps + 1
            if steps > len(nodes):
                raise SceneError(f"node {index} is below itself")


class _Reader:
    def __init__(self, told: Json, binary: bytes | None, beside: Beside | None) -> None:
        self.told, self.binary, self.beside = told, binary, beside

    def all(self, key: str) -> list[Json]:
        return self.told.get(key, [])

    def buffer(self, index: int) -> bytes:
        buffer = self.all("buffers")[index]
        uri: str | None = buffer.get("uri")
        if uri is None:
            found = self.binary
        elif uri.startswith("data:"):
            found = base64.b64decode(uri.split(",", 1)[1])
        else:
            found = self.beside(unquote(uri)) if self.beside else None
        if found is None or len(found) < buffer["byteLength"]:
            raise SceneError(f"buffer {index} is missing or short")
        return found

    def _rows(self, view: int, offset: int, count: int, component: int, width: int) -> Array:
        told = self.all("bufferViews")[view]
        dtype = np.dtype(_DTYPES[component])
        stride = int(told.get("byteStride", dtype.itemsize * width))
        start = int(told.get("byteOffset", 0)) + offset
        if offset + (count - 1) * stride + dtype.itemsize * width > told["byteLength"]:
            raise SceneError(f"an accessor reaches beyond bufferView {view}")
        data = self.buffer(told["buffer"])
        if start + (count - 1) * stride + dtype.itemsize * width > len(data):
            raise SceneError(f"an accessor reaches beyond buffer {told['buffer']}")
        rows = [np.frombuffer(data, dtype, width, start + i * stride) for i in range(count)]
        return array(rows)

    def accessor(self, index: int) -> Array:
        """The values of an accessor, a row for each element."""
        told = self.all("accessors")[index]
        width, component, count = _COUNTS[told["type"]], int(told["componentType"]), int(told["count"])
        if count > _MOST_ELEMENTS:
            raise SceneError(f"accessor {index} has {count} elements")
        result = np.zeros((count, width))
        if "bufferView" in told:
            result = self._rows(told["bufferView"], int(told.get("byteOffset", 0)), count, component, width)
        sparse: Json | None = told.get("sparse")
        if sparse is not None:
            n, i, v = sparse["count"], sparse["indices"], sparse["values"]
            at = self._rows(i["bufferView"], int(i.get("byteOffset", 0)), n, i["componentType"], 1)
            result[at[:, 0].astype(int)] = self._rows(
                v["bufferView"], int(v.get("byteOffset", 0)), n, component, width
            )
        if told.get("normalized"):
            limit = float(np.iinfo(np.dtype(_DTYPES[component])).max)
            result = np.maximum(result / limit, -1.0)
        return result

    def nodes(self) -> list[Node]:
        result: list[Node] = [self._node(told) for told in self.all("nodes")]
        for index, told in enumerate(self.all("nodes")):
            children: list[int] = told.get("children", [])
            for child in children:
                if result[child].parent is not None:
                    raise SceneError(f"node {child} has two parents")
                result[child].parent = index
        _check_tree(result)
        return result

    def _node(self, told: Json) -> Node:
        if "matrix" in told:
            rest = Local.of_matrix(array(told["matrix"]).reshape(4, 4).T)
        else:
            x, y, z, w = told.get("rotation", [0, 0, 0, 1])
            rest = Local.of(
                array(told.get("translation", [0, 0, 0])), (w, x, y, z), array(told.get("scale", [1, 1, 1]))
            )
        camera = None
        if "camera" in told:
            index: int = told["camera"]
            lens: Json = self.all("cameras")[index].get("perspective", {"yfov": 0.0})
            camera = math.degrees(lens["yfov"])
        light = "KHR_lights_punctual" in told.get("extensions", {})
        matrix = "matrix" in told
        return Node(
            told.get("name", ""),
            None,
            rest,
            "mesh" in told,
            told.get("skin"),
            camera,
            light,
            as_matrix=matrix,
        )

    def skin(self, told: Json) -> Skin:
        joints: list[int] = told["joints"]
        if "inverseBindMatrices" not in told:
            return Skin(joints, [np.eye(4) for _ in joints])
        rows = self.accessor(told["inverseBindMatrices"])
        return Skin(joints, [row.reshape(4, 4).T for row in rows[: len(joints)]])

    def animation(self, told: Json) -> Animation:
        channels: list[Channel] = []
        for channel in told["channels"]:
            target: Json = channel["target"]
            if "node" not in target or target["path"] == "weights":
                continue
            sampler: Json = told["samplers"][channel["sampler"]]
            times: list[float] = self.accessor(sampler["input"])[:, 0].tolist()
            values = self.accessor(sampler["output"])
            kind: str = sampler.get("interpolation", LINEAR)
            if len(values) != len(times) * (3 if kind == CUBICSPLINE else 1):
                raise SceneError(f"{len(values)} values for {len(times)} times")
            if target["path"] == "rotation":
                values = values[:, [3, 0, 1, 2]]
            channels.append(Channel(target["node"], target["path"], times, values, kind))
        return Animation.of(told.get("name", ""), channels)

    def humanoid(self) -> tuple[str, dict[str, int]] | None:
        found: Json = self.told.get("extensions", {})
        for key, kind in (("VRMC_vrm", "vrm1"), ("VRMC_vrm_animation", "vrma")):
            if key in found:
                bones: Json = found[key]["humanoid"]["humanBones"]
                return kind, {bone: int(at["node"]) for bone, at in bones.items()}
        if "VRM" in found:
            listed: list[Json] = found["VRM"]["humanoid"]["humanBones"]
            return "vrm0", {str(at["bone"]): int(at["node"]) for at in listed}
        return None


def read_gltf(data: bytes, beside: Beside | None = None) -> Scene:
    """The scene. `beside` gives a file that the JSON names. ValueError, LookupError: it is broken."""
    told, binary = split_glb(data) if data[:4] == b"glTF" else (json.loads(data), None)
    needed = set(told.get("extensionsRequired", [])) - _HARMLESS
    if needed:
        raise SceneError(f"needs {', '.join(sorted(needed))}")
    reader = _Reader(told, binary, beside)
    nodes = reader.nodes()
    skins = [reader.skin(skin) for skin in reader.all("skins")]
    animations = [reader.animation(animation) for animation in reader.all("animations")]
    return Scene(nodes, animations, skins, array(Y_UP), 1.0, reader.humanoid())
