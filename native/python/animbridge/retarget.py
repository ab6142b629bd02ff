# SPDX-License-Identifier: MIT
"""What the bones of a rig are, and motion from one rig onto another."""

from __future__ import annotations

import ctypes
import functools
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import abi
from .arrays import KeptArrays
from .curves import Armature, Curve, NativeCurves, PackedArmature, PackedCurves, Timing, pack_timing
from .document import Document, parse_object
from .job import Progress, native_job
from .library import call, take_bytes
from .motion import Options, pack_options
from .samples import PackedSamples, Samples

Floats = NDArray[np.float32]


class RigUse(Enum):
    """What a rig does: of deform bones and controls, a source gives the ones and a target gets the others."""

    SOURCE = "source"
    TARGET = "target"


@dataclass(frozen=True)
class BuiltInRig:
    """A naming convention; `text`: its rig file."""

    identifier: str
    title: str
    text: str


@dataclass(frozen=True)
class FoundSlot:
    """The bone of a part of the body; `by`: "given", "convention", "name", "structure" or "shape".

    `score` is from 0 to 1.
    """

    bone: str
    by: str
    score: float


@dataclass(frozen=True)
class RigFound:
    """What the bones of a rig are, by slots of VRM 1.0 such as leftUpperArm.

    `convention`: the id of the naming convention, None if no known one fits. `chains`: bones one below the
    other that move one part together, top first. `missing`: slots without a bone. `moves_person`: of a
    document, whether the motion is that of a person, and moves a limb. `looks_like`: what the body has that
    no person has, such as "four legs"; "": nothing. `stands_at_rest`: of an armature, whether a body stands
    in its rest pose.
    """

    convention: str | None
    score: float
    slots: Mapping[str, FoundSlot]
    chains: Mapping[str, tuple[str, ...]]
    missing: tuple[str, ...]
    warnings: tuple[str, ...]
    moves_person: bool
    looks_like: str = ""
    stands_at_rest: bool = False

    def slot_of(self, bone: str) -> str:
        """The slot of a bone; "" if it has none."""
        return next((slot for slot, found in self.slots.items() if found.bone == bone), "")


@dataclass(frozen=True)
class SampledMotion:
    """An armature and its evaluated poses.

    `pose`: bones x 16, column-major, armature space: where it stands like the target. None: as the options
    say.
    """

    armature: Armature
    samples: Samples
    pose: Floats | None = None


@dataclass(frozen=True)
class CurveMotion:
    """An armature and the curves of its bones, where these say all that moves it.

    `frames` ascend: the motion is taken at these, as samples would be. Bones without curves are at rest; each
    bone inherits rotation. `pose` as for SampledMotion.
    """

    armature: Armature
    curves: Sequence[Curve]
    frames: NDArray[np.float64]
    pose: Floats | None = None


@dataclass(frozen=True)
class RigFit:
    """Whether an armature is a document's own rig.

    `needs_retargeting`: it isn't, and a retargeting finds at least as many limbs. `limbs`: arms, hands, legs
    and feet that the document moves; those with a bone by its name, and those that a retargeting finds.
    `few_matched`, `few_found`: these are under half of them.
    `matched_joints`: all joints with a bone by name. `unnamed`: parts that both have, under other names.
    `rest_degrees`: the largest angle between limbs at rest.
    """

    is_own: bool
    needs_retargeting: bool
    limbs: tuple[str, ...]
    matched_limbs: tuple[str, ...]
    found_limbs: tuple[str, ...]
    few_matched: bool
    few_found: bool
    matched_joints: int
    unnamed: tuple[str, ...]
    rest_degrees: float


def rig_fit(document: Document, armature: Armature, options: Options, rig_file: str | None = None) -> RigFit:
    """How an armature fits a document; `options`: its "document" as for `retarget`."""
    packed = PackedArmature(armature)
    given = {name: value for name, value in options.items() if name == "document"}
    if rig_file is not None:
        given["target_rig"] = rig_file
    out = ctypes.c_void_p()
    call("ab_rig_fit_json", document.pointer, packed.pointer, pack_options(given), ctypes.byref(out))
    report = parse_object(take_bytes(out))
    lists = {name: tuple(report[name]) for name in ("limbs", "matched_limbs", "found_limbs", "unnamed")}
    return RigFit(
        is_own=bool(report["own"]),
        needs_retargeting=bool(report["retarget"]),
        few_matched=bool(report["few_matched"]),
        few_found=bool(report["few_found"]),
        matched_joints=int(report["matched_joints"]),
        rest_degrees=float(report["rest_degrees"]),
        **lists,
    )


def find_rig(rig: Armature | Document, use: RigUse = RigUse.SOURCE, rig_file: str | None = None) -> RigFound:
    """What the bones are; `rig_file`: the text of a rig file, in place of the built-in ones."""
    packed = PackedArmature(rig) if isinstance(rig, Armature) else None
    options: dict[str, Any] = {"use": use.value}
    if rig_file is not None:
        options["rig"] = rig_file
    out = ctypes.c_void_p()
    call(
        *("ab_rig_find_json", rig.pointer if isinstance(rig, Document) else None),
        *(None if packed is None else packed.pointer, pack_options(options), ctypes.byref(out)),
    )
    return _found(parse_object(take_bytes(out)))


@functools.cache
def built_in_rigs() -> Mapping[str, BuiltInRig]:
    """The rigs that the library knows, by id."""
    out = ctypes.c_void_p()
    call("ab_rigs_json", ctypes.byref(out))
    rows = json.loads(take_bytes(out))
    return {row["id"]: BuiltInRig(row["id"], row["title"], json.dumps(row)) for row in rows}


def retarget(
    source: SampledMotion | CurveMotion | Document,
    target: Armature,
    timing: Timing,
    options: Options,
    target_pose: Floats | None = None,
    progress: Progress | None = None,
) -> NativeCurves:
    """The curves by which the target moves as the source does; options: docs/options.md, "retarget".

    The source's first frame is timing.frame_start. `target_pose`: as for SampledMotion.pose.
    """
    packed = _Packed(source, target, target_pose)
    out = ctypes.c_void_p()
    with native_job(progress) as job:
        call(
            *("ab_curves_from_retargeting", ctypes.byref(packed.struct), ctypes.byref(pack_timing(timing))),
            *(pack_options(options), job, ctypes.byref(out)),
        )
    return NativeCurves(out)


class _Packed:
    """An ab_retarget and what it points to."""

    def __init__(
        self, source: SampledMotion | CurveMotion | Document, target: Armature, target_pose: Floats | None
    ) -> None:
        arrays = self._arrays = KeptArrays()
        self._target = PackedArmature(target)
        self._source: Any = source
        size = 16 * len(target.names)
        self.struct = abi.AbRetarget(
            struct_size=ctypes.sizeof(abi.AbRetarget),
            target=ctypes.pointer(self._target.struct),
            target_pose=arrays.address(target_pose, np.float32, size, "target_pose"),
        )
        if isinstance(source, Document):
            self.struct.document = source.pointer.value
            return
        bones = len(source.armature.names)
        self._armature = PackedArmature(source.armature)
        self.struct.source = ctypes.pointer(self._armature.struct)
        if isinstance(source, SampledMotion):
            self._samples = PackedSamples(source.samples, bones)
            self.struct.samples = ctypes.pointer(self._samples.struct)
        else:
            count = len(source.frames)
            self._curves = PackedCurves(source.curves)
            self.struct.curves, self.struct.curve_count = self._curves.structs, len(source.curves)
            self.struct.frames = arrays.address(source.frames, np.float64, count, "frames")
            self.struct.frame_count = count
        self.struct.source_pose = arrays.address(source.pose, np.float32, 16 * bones, "source_pose")


def _found(report: Mapping[str, Any]) -> RigFound:
    return RigFound(
        convention=report["convention"],
        score=float(report["score"]),
        slots={
            slot: FoundSlot(_text(row["joint"]), str(row["by"]), float(row["score"]))
            for slot, row in report["slots"].items()
        },
        chains={name: tuple(_text(joint) for joint in joints) for name, joints in report["chains"].items()},
        missing=tuple(str(row["slot"]) for row in report["missing"]),
        warnings=tuple(_text(warning) for warning in report["warnings"]),
        moves_person=bool(report.get("moves_person", False)),
        looks_like=str(report.get("looks_like") or ""),
        stands_at_rest=bool(report.get("stands_at_rest", False)),
    )


def _text(name: str | dict[str, str]) -> str:
    """A name as Blender has it: bytes that are no UTF-8 are surrogates."""
    return name if isinstance(name, str) else bytes.fromhex(name["hex"]).decode("utf-8", "surrogateescape")
