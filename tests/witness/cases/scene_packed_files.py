# SPDX-License-Identifier: MIT
"""glTF fixtures whose numbers are stored in other ways: as shorts, sparsely, or by an extension."""

from __future__ import annotations

import struct
from dataclasses import replace
from typing import Any

import numpy as np

from ..scene_expect import Case
from ..scene_gltf import document, pack_glb
from ..scene_model import ROTATION, TRANSLATION, Animation, Scene
from .scene_build import arm
from .scene_gltf_files import y_up

Json = dict[str, Any]
_SHORT = 5122


def _view(told: Json, data: bytes, packed: bytes) -> tuple[int, bytes]:
    """A bufferView for more bytes: its index, and the buffer with them."""
    told["bufferViews"].append({"buffer": 0, "byteOffset": len(data), "byteLength": len(packed)})
    data += packed + b"\0" * (-len(packed) % 4)
    told["buffers"][0]["byteLength"] = len(data)
    return len(told["bufferViews"]) - 1, data


def _outputs(told: Json, path: str) -> list[Json]:
    """The accessors of what the channels of a path become."""
    animation: Json = told["animations"][0]
    return [
        told["accessors"][animation["samplers"][channel["sampler"]]["output"]]
        for channel in animation["channels"]
        if channel["target"]["path"] == path
    ]


def _as_shorts(scene: Scene) -> Scene:
    """The scene with rotation keys that shorts can hold: parts in 32,767ths, so not quite of unit length."""
    channels = [
        replace(c, values=np.round(c.values * 32767) / 32767) if c.path == ROTATION else c
        for c in scene.animations[0].channels()
    ]
    return replace(scene, animations=[Animation.of("Wave", channels)])


def _shorts() -> Case:
    scene = _as_shorts(y_up(arm()))
    told, data = document(scene)
    turns = [c for c in scene.animations[0].channels() if c.path == ROTATION]
    for accessor, channel in zip(_outputs(told, "rotation"), turns, strict=True):
        numbers = [round(v * 32767) for row in channel.values[:, [1, 2, 3, 0]].tolist() for v in row]
        accessor["bufferView"], data = _view(told, data, struct.pack(f"<{len(numbers)}h", *numbers))
        accessor |= {"componentType": _SHORT, "normalized": True}
    about = "Rotation keys are stored as normalised 16-bit integers."
    return Case("shorts.glb", "gltf", about, pack_glb(told, data), scene)


def _sparse() -> Case:
    """The places of the hips: key 2 comes from a sparse accessor, the bytes below it say something else."""
    scene = y_up(arm())
    told, data = document(scene)
    place = next(c for c in scene.animations[0].channels() if c.path == TRANSLATION)
    place.values[2] = [5.0, 6.0, 7.0]
    (accessor,) = _outputs(told, "translation")
    indices, data = _view(told, data, struct.pack("<H", 2))
    values, data = _view(told, data, struct.pack("<3f", 5.0, 6.0, 7.0))
    accessor["sparse"] = {
        "count": 1,
        "indices": {"bufferView": indices, "componentType": 5123},
        "values": {"bufferView": values},
    }
    return Case("sparse.glb", "gltf", "One key comes from a sparse accessor.", pack_glb(told, data), scene)


def _compressed() -> Case:
    told, data = document(y_up(arm()))
    name = "EXT_meshopt_compression"
    told |= {"extensionsUsed": [name], "extensionsRequired": [name]}
    view: Json = told["bufferViews"][_outputs(told, "rotation")[0]["bufferView"]]
    # As compressors write it: the plain bytes are a buffer that the file only says the length of.
    told["buffers"].append({"byteLength": view["byteLength"], "extensions": {name: {"fallback": True}}})
    view |= {"buffer": 1, "byteOffset": 0}
    view["extensions"] = {
        name: {"buffer": 0, "byteLength": 16, "byteStride": 16, "count": 4, "mode": "ATTRIBUTES"}
    }
    wrong = "It says that the keys are compressed with EXT_meshopt_compression, and they are not."
    return Case("compressed.glb", "gltf", wrong, pack_glb(told, data), None, (), "refused", wrong)


def cases() -> list[Case]:
    """These fixtures."""
    return [_shorts(), _sparse(), _compressed()]
