# SPDX-License-Identifier: GPL-3.0-or-later
"""What travels with an imported Action: the file it came from, and how to tell which curves are untouched.

It lies in the Action's custom property "animbridge": the file's bytes (compressed if few), the timing and
facing that give the curves their meaning, and per bone and property a hash of the curves as Blender holds
them. Rest poses are kept as numbers, because Blender computes them again in Edit mode and may change their
last bits.
"""

from __future__ import annotations

import hashlib
import json
import struct
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

import bpy
import numpy as np
from numpy.typing import NDArray

from ..compat.keyframes import Keys
from ..native.abi import Facing
from ..native.curves import Armature, Timing
from ..native.document import Document
from ..native.errors import AnimBridgeError
from .placement import Placement

PROPERTY: Final = "animbridge"
_LAYOUT: Final = 1
_LARGEST_SOURCE_BYTES: Final = 1 << 30
#: Compressing more would take longer than all else that an import does.
_LARGEST_PACKED_BYTES: Final = 1 << 20
#: Metres and matrix elements: a tenth of the smallest step of the finest code of a file.
_REST_TOLERANCE: Final = 2e-6

#: {bone: {property: hash}}
Fingerprints = dict[str, dict[str, str]]


@dataclass(frozen=True)
class Template:
    """The file that an Action was made from, and the state that its curves had then.

    `name` is the file's name; `action_range` the frames that the Action got; `scene_rate` the scene's frames
    per second then, which need not be those of the timing. `placement`: of files with axes of their own.
    `details`: what the format itself wants to know again, as JSON has it. `is_json`: the source is not of the
    format but AnimBridge's JSON of the document, for there is no file of the format that says the same.
    """

    name: str
    source: bytes
    format_id: str
    timing: Timing
    facing: Facing
    action_range: tuple[float, float]
    armature_name: str
    fingerprints: Fingerprints
    rests: dict[str, NDArray[np.float32]]
    scene_rate: float
    placement: Placement | None = None
    details: Mapping[str, Any] = field(default_factory=dict)
    is_json: bool = False

    def is_of_rate(self, scene_rate: float) -> bool:
        """Whether a scene of this rate still shows what the timing says."""
        return scene_rate == self.scene_rate

    def document(self) -> Document:
        """The file as a document."""
        return Document.read(self.source, self.name, None if self.is_json else self.format_id, lenient=True)

    def is_unchanged(self, bone: str, prop: str, fingerprint: str, rest: NDArray[np.float32]) -> bool:
        """Whether a bone's curves of a property, and the rest pose behind them, are as they were imported."""
        known = self.rests.get(bone)
        if known is None or self.fingerprints.get(bone, {}).get(prop) != fingerprint:
            return False
        return bool(np.allclose(known, rest, rtol=0.0, atol=_REST_TOLERANCE))


def duration_of(document: Document) -> float:
    """Seconds from a file's first frame to its last."""
    info = document.info()
    if "duration_seconds" in info:
        return float(info["duration_seconds"])
    return max(int(info["frames"]) - 1, 0) * float(info["frame_time_seconds"])


def fingerprint(components: Mapping[int, Keys], rotation_mode: str, flags: int) -> str:
    """A hash of the keys of one property's components, as Blender holds them, and of how they are applied."""
    state = hashlib.sha256(f"{rotation_mode} {flags}".encode())
    for component, keys in sorted(components.items()):
        state.update(struct.pack("<ii", component, len(keys.co)))
        state.update(np.ascontiguousarray(keys.co).data)
        state.update(np.ascontiguousarray(keys.interpolation).data)
    return state.hexdigest()[:32]


def rest_of(armature: Armature, bone: int) -> NDArray[np.float32]:
    """The rest matrices that a bone's values refer to: its own and its parent's (zeros without one)."""
    parent = int(armature.parents[bone])
    own = armature.rest_matrices[bone]
    return np.stack([own, armature.rest_matrices[parent] if parent >= 0 else np.zeros_like(own)])


def store(action: bpy.types.Action, template: Template) -> None:
    """Keeps the template in the Action."""
    is_packed = len(template.source) <= _LARGEST_PACKED_BYTES
    meta = {
        "layout": _LAYOUT,
        "name": template.name,
        "format": template.format_id,
        "size": len(template.source),
        "crc32": zlib.crc32(template.source),
        "frames_per_second": template.timing.frames_per_second,
        "frame_start": template.timing.frame_start,
        "facing": template.facing.name,
        "action_range": template.action_range,
        "armature": template.armature_name,
        "fingerprints": template.fingerprints,
        "rest_bones": list(template.rests),
        "scene_rate": template.scene_rate,
        "is_packed": is_packed,
        "placement": template.placement.members() if template.placement else None,
        "details": dict(template.details),
        "is_json": template.is_json,
    }
    rests = np.array(list(template.rests.values()), np.float32)
    # A dictionary that is replaced as a whole: bytes assigned over bytes are cut short from Blender 4.3 on.
    action.pop(PROPERTY, None)
    action[PROPERTY] = {
        "meta": json.dumps(meta),
        "source": zlib.compress(template.source, 1) if is_packed else template.source,
        "rests": zlib.compress(rests.tobytes()),
    }


def load(action: bpy.types.Action) -> Template | None:
    """The template of an Action; None for one that was not imported."""
    kept = action.get(PROPERTY)
    if kept is None:
        return None
    try:
        return _read(kept)
    except (KeyError, TypeError, ValueError, AttributeError, zlib.error) as fault:
        raise AnimBridgeError(
            f"The file that the Action '{action.name}' was imported from is kept in its custom property "
            f"'{PROPERTY}', which is damaged ({fault}). Delete the property to export it as a new file."
        ) from fault


def load_of(action: bpy.types.Action, format_id: str) -> Template | None:
    """The template of an Action that was imported from a file of this format; None for any other."""
    kept = load(action)
    return kept if kept is not None and kept.format_id == format_id else None


def _read(kept: Any) -> Template:
    meta = json.loads(kept["meta"])
    if meta["layout"] != _LAYOUT:
        raise ValueError(f"layout {meta['layout']} where {_LAYOUT} is known")
    size = int(meta["size"])
    if not 0 <= size <= _LARGEST_SOURCE_BYTES:
        raise ValueError(f"size {size}")
    source = _decompress(kept["source"], size) if meta.get("is_packed", True) else bytes(kept["source"])
    if zlib.crc32(source) != meta["crc32"]:
        raise ValueError("the file's bytes do not match their checksum")
    bones = [str(name) for name in meta["rest_bones"]]
    rests = np.frombuffer(_decompress(kept["rests"], 128 * len(bones)), np.float32).reshape(-1, 2, 16)
    first, last = meta["action_range"]
    timing = Timing(float(meta["frames_per_second"]), float(meta["frame_start"]))
    placement = meta.get("placement")
    return Template(
        name=str(meta["name"]),
        source=source,
        format_id=str(meta["format"]),
        timing=timing,
        facing=Facing[meta["facing"]],
        action_range=(float(first), float(last)),
        armature_name=str(meta["armature"]),
        fingerprints={str(bone): dict(hashes) for bone, hashes in meta["fingerprints"].items()},
        rests=dict(zip(bones, rests, strict=True)),
        scene_rate=float(meta.get("scene_rate", timing.frames_per_second)),
        placement=Placement.of(placement) if placement else None,
        details=dict(meta.get("details", {})),
        is_json=bool(meta.get("is_json", False)),
    )


def _decompress(data: bytes, size: int) -> bytes:
    """Exactly `size` bytes, and never more memory than that."""
    if size == 0:
        return b""
    plain = zlib.decompressobj().decompress(bytes(data), size)
    if len(plain) != size:
        raise ValueError(f"{len(plain)} bytes where {size} are announced")
    return plain
