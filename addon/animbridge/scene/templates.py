# SPDX-License-Identifier: GPL-3.0-or-later
"""Templates: the file that an imported Action was made from, and how to tell which curves are untouched.

A template travels in the Action's custom property "animbridge": the file's bytes (compressed if they are
few), the timing and facing that give the curves their meaning, and per bone and property a hash of the curves
as Blender holds them. Rest poses are stored as numbers, because Blender computes them again in Edit mode and
may change their last bits.
"""

from __future__ import annotations

import hashlib
import json
import struct
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

import bpy
import numpy as np
from numpy.typing import NDArray

from ..compat.keyframes import Keys
from ..package import AnimBridgeError, Armature, Document, Facing, Timing, printable
from .placement import Placement
from .source_files import SourceFile
from .stored_members import StoredMembers, plain_bytes, unpacked

PROPERTY: Final = "animbridge"
_LAYOUT: Final = 1
#: Compressing more would take longer than the rest of the import.
_LARGEST_PACKED_BYTES: Final = 1 << 20
#: Some fifty thousand bones. JSON takes a dozen times its length while it is read.
_LONGEST_META: Final = 1 << 24
#: Each has a name and a hash in the metadata.
_MOST_BONES: Final = _LONGEST_META // 40
#: Two matrices of a bone.
_REST_BYTES: Final = 128
#: Far beyond Blender's frames.
_FARTHEST_FRAME: Final = 1e9
_AXES: Final = ("X", "Y", "Z", "-X", "-Y", "-Z")
#: Metres and matrix elements: a tenth of the smallest step of the finest code of a file.
_REST_TOLERANCE: Final = 2e-6

#: The exceptions that reading arbitrary values may raise.
_DAMAGES: Final = (
    LookupError,
    TypeError,
    ValueError,
    AttributeError,
    RecursionError,
    MemoryError,
    zlib.error,
)

#: {bone: {property: hash}}; the object itself is channels.OBJECT
Fingerprints = dict[str, dict[str, str]]


@dataclass(frozen=True, kw_only=True)
class ImportState:
    """How a file was imported, and the state of its curves at that time.

    `scene_rate`: the scene's frames per second, which need not be those of the timing. `object_name`: the
    armature, or whatever the Action moves. `placement`: of files with axes of their own. `details`: what the
    format's exporter needs, as JSON. `is_json`: the template's source is AnimBridge's JSON of the document,
    because no file of the format can hold all of it.
    """

    timing: Timing
    scene_rate: float
    object_name: str
    facing: Facing = Facing.AUTO
    fingerprints: Fingerprints = field(default_factory=dict)
    rests: dict[str, NDArray[np.float32]] = field(default_factory=dict)
    placement: Placement | None = None
    details: Mapping[str, Any] = field(default_factory=dict)
    is_json: bool = False


@dataclass(frozen=True, kw_only=True)
class Template(ImportState):
    """The file that an Action was made from. `name`: the file's; `action_range`: the Action's frames."""

    name: str
    source: bytes
    format_id: str
    action_range: tuple[float, float]

    def is_of_rate(self, scene_rate: float) -> bool:
        """Whether the timing still holds in a scene of this rate."""
        return scene_rate == self.scene_rate

    def document(self) -> Document:
        """The file as a document."""
        found = Document.read(self.source, self.name, None if self.is_json else self.format_id)
        if found.format != self.format_id:
            raise AnimBridgeError(
                f"{printable(self.name)}: the file that is kept with the Action is of the format "
                f"{found.format}, but its custom property '{PROPERTY}' says {printable(self.format_id)}."
            )
        return found

    def is_unchanged(self, bone: str, prop: str, fingerprint: str, rest: NDArray[np.float32]) -> bool:
        """Whether a bone's curves of a property, and its rest pose, are as they were imported."""
        stored = self.rests.get(bone)
        if stored is None or self.fingerprints.get(bone, {}).get(prop) != fingerprint:
            return False
        return bool(np.allclose(stored, rest, rtol=0.0, atol=_REST_TOLERANCE))


def duration_of(document: Document) -> float:
    """Seconds from a file's first frame to its last."""
    info = document.info()
    if "duration_seconds" in info:
        return float(info["duration_seconds"])
    return max(int(info["frames"]) - 1, 0) * float(info["frame_time_seconds"])


def fingerprint(components: Mapping[int, Keys], rotation_mode: str, flags: int) -> str:
    """A hash of the keys of a property's components, as Blender holds them, and of how they are applied."""
    state = hashlib.sha256(f"{rotation_mode} {flags}".encode())
    for component, keys in sorted(components.items()):
        state.update(struct.pack("<ii", component, len(keys.co)))
        state.update(np.ascontiguousarray(keys.co).data)
        state.update(np.ascontiguousarray(keys.interpolation).data)
    return state.hexdigest()[:32]


def rest_of(armature: Armature, bone: int) -> NDArray[np.float32]:
    """The rest matrices that a bone's values refer to: its own and its parent's (zeros without one).

    `bone` -1: the object, whose custom properties refer to none.
    """
    if bone < 0:
        return np.zeros((2, 16), np.float32)
    parent = int(armature.parents[bone])
    own = armature.rest_matrices[bone]
    return np.stack([own, armature.rest_matrices[parent] if parent >= 0 else np.zeros_like(own)])


def store(action: bpy.types.Action, file: SourceFile, state: ImportState) -> None:
    """Stores the template of an Action that was made from a file and has its final frame range."""
    source = file.data
    if source is None:
        source = file.document.json() if state.is_json else file.document.write()
    first, last = (float(frame) for frame in action.frame_range)
    file_members = {"name": file.name, "source": source, "format_id": file.document.format}
    _write(action, Template(**file_members, action_range=(first, last), **vars(state)))


def _write(action: bpy.types.Action, template: Template) -> None:
    is_packed = len(template.source) <= _LARGEST_PACKED_BYTES
    meta = json.dumps(_meta(template, is_packed=is_packed))
    rests = template.rests
    if len(meta) > _LONGEST_META:
        # It would be too long to be read back. Without fingerprints every channel counts as edited.
        rests = {}
        meta = json.dumps(_meta(replace(template, fingerprints={}, rests=rests), is_packed=is_packed))
    values = np.array(list(rests.values()), np.float32)
    # The dictionary is replaced as a whole: from Blender 4.3 on, bytes assigned over bytes are cut short.
    action.pop(PROPERTY, None)
    action[PROPERTY] = {
        "meta": meta,
        "source": zlib.compress(template.source, 1) if is_packed else template.source,
        "rests": zlib.compress(values.tobytes()),
    }


def _meta(template: Template, *, is_packed: bool) -> dict[str, Any]:
    return {
        "layout": _LAYOUT,
        "name": template.name,
        "format": template.format_id,
        "size": len(template.source),
        "crc32": zlib.crc32(template.source),
        "frames_per_second": template.timing.frames_per_second,
        "frame_start": template.timing.frame_start,
        "facing": template.facing.name,
        "action_range": template.action_range,
        "armature": template.object_name,
        "fingerprints": template.fingerprints,
        "rest_bones": list(template.rests),
        "scene_rate": template.scene_rate,
        "is_packed": is_packed,
        "placement": template.placement.members() if template.placement else None,
        "details": dict(template.details),
        "is_json": template.is_json,
    }


def load(action: bpy.types.Action) -> Template | None:
    """The template of an Action; None for one that was not imported."""
    stored = action.get(PROPERTY)
    if stored is None:
        return None
    try:
        return _read(stored)
    except _DAMAGES as fault:
        raise AnimBridgeError(
            f"The file that the Action '{action.name}' was imported from is kept in its custom property "
            f"'{PROPERTY}', which is damaged ({fault}). Delete the property to export it as a new file."
        ) from fault


def load_of(action: bpy.types.Action, format_id: str) -> Template | None:
    """The template of an Action that was imported from a file of this format; None for any other."""
    template = load(action)
    return template if template is not None and template.format_id == format_id else None


def first_frame(action: bpy.types.Action) -> float:
    """The frame of the animation's second 0."""
    template = load(action)
    return template.timing.frame_start if template else float(action.frame_range[0])


def _read(stored: Any) -> Template:
    meta = StoredMembers.parse(stored["meta"], "meta", _LONGEST_META)
    meta.whole("layout", _LAYOUT, _LAYOUT)
    bones = meta.texts("rest_bones")
    if len(bones) > _MOST_BONES:
        raise ValueError(f"rest_bones: found {len(bones)}; allowed are {_MOST_BONES}")
    rests = np.frombuffer(unpacked(stored["rests"], _REST_BYTES * len(bones), "rests"), np.float32)
    timing = Timing(meta.rate("frames_per_second"), meta.number("frame_start"))
    if not -_FARTHEST_FRAME <= timing.frame_start <= _FARTHEST_FRAME:
        raise ValueError(f"frame_start: found {timing.frame_start:g}, which is no frame")
    placement = meta.object("placement")
    return Template(
        name=meta.text("name"),
        source=_read_source(stored["source"], meta),
        format_id=meta.text("format"),
        timing=timing,
        facing=Facing[meta.choice("facing", Facing.__members__)],
        action_range=meta.pair("action_range"),
        object_name=meta.text("armature"),
        fingerprints=meta.text_tables("fingerprints"),
        rests=dict(zip(bones, rests.reshape(-1, 2, 16), strict=True)),
        scene_rate=meta.rate("scene_rate", timing.frames_per_second),
        placement=_read_placement(placement) if placement else None,
        details=meta.plain("details"),
        is_json=meta.flag("is_json", default=False),
    )


def _read_source(data: Any, meta: StoredMembers) -> bytes:
    """The file's bytes. Only small files are packed: a few bytes that unpack to many are not ours."""
    if meta.flag("is_packed", default=True):
        source = unpacked(data, meta.whole("size", 0, _LARGEST_PACKED_BYTES), "source")
    else:
        source = plain_bytes(data, "source")
        meta.whole("size", len(source), len(source))
    if zlib.crc32(source) != meta.whole("crc32", 0, 0xFFFFFFFF):
        raise ValueError("the file's bytes do not match their checksum")
    return source


def _read_placement(members: StoredMembers) -> Placement:
    forward, up = members.choice("forward", _AXES), members.choice("up", _AXES)
    return Placement(forward, up, members.rate("scale"))
