# SPDX-License-Identifier: MIT
"""What a reader must find in a scene file, as fixtures/scene/README.md says it."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from .scene_math import Array, angle_degrees, split
from .scene_model import ASPECT, Animation, Scene

Json = dict[str, Any]


@dataclass
class Case:
    """A fixture: its bytes and what is true about it. `scene` is None where a reader must refuse the file."""

    name: str
    format: str
    about: str
    data: bytes
    scene: Scene | None = None
    traps: Sequence[str] = ()
    outcome: str = "reads"
    wrong: str = ""
    side_files: dict[str, bytes | None] = field(default_factory=dict[str, bytes | None])  # None: missing
    samples: int = 13  # poses at even times; the keys' times are added


def _plain(values: Array) -> list[float]:
    return [round(float(v), 7) + 0.0 for v in np.ravel(values)]


def _nodes(scene: Scene) -> list[Json]:
    skinned, animated, joints = scene.skinned(), scene.animated(), scene.joints()
    worlds = scene.world()[0]
    binds = {
        joint: scene.to_clip(np.asarray(np.linalg.inv(matrix), dtype=np.float64))
        for skin in scene.skins
        for joint, matrix in zip(skin.joints, skin.inverse_binds, strict=True)
    }
    result: list[Json] = []
    for i, node in enumerate(scene.nodes):
        has = {
            "skinned": i in skinned,
            "animated": i in animated,
            "mesh": node.mesh,
            "camera": node.camera is not None,
            "light": node.light,
        }
        told: Json = {"name": node.name, "parent": node.parent, "roles": [r for r, on in has.items() if on]}
        told |= {"joint": i in joints, "world_rest": _plain(worlds[i])}
        if i in binds:
            told["world_bind"] = _plain(binds[i])
        result.append(told)
    return result


def rest_is_not_bind_degrees(scene: Scene) -> float | None:
    """The largest angle between rest and bind rotation; None without a skin."""
    worlds = scene.world()[0]
    angles = [
        angle_degrees(
            split(worlds[joint][:3, :3])[0],
            split(scene.to_clip(np.asarray(np.linalg.inv(matrix), dtype=np.float64))[:3, :3])[0],
        )
        for skin in scene.skins
        for joint, matrix in zip(skin.joints, skin.inverse_binds, strict=True)
    ]
    return max(angles) if angles else None


def _on_key(animation: Animation, seconds: float) -> bool:
    """Whether every channel has a key then, or holds still around that time."""
    for motion in animation.motions.values():
        for times in motion.key_times():
            still = len(times) == 1 or seconds <= times[0] or seconds >= times[-1]
            if not still and min(abs(t - seconds) for t in times) > 1e-7:
                return False
    return True


def _sample_times(case: Case, start: float, end: float, keys: list[float]) -> list[float]:
    even = [start + (end - start) * i / (case.samples - 1) for i in range(case.samples)]
    times: list[float] = []
    for t in sorted([*even, *keys]):
        if not times or t - times[-1] > 1e-6:
            times.append(t)
    return times


def _has_scales(scene: Scene, times: list[float]) -> bool:
    poses = [p for a in scene.animations for t in times for p in scene.locals(a, t)]
    poses += [node.rest for node in scene.nodes]
    return any(float(np.abs(p.linear.T @ p.linear - np.eye(3)).max()) > 1e-6 for p in poses) or any(
        float(np.linalg.det(node.rest.linear)) < 0 for node in scene.nodes
    )


def _animation(case: Case, scene: Scene, animation: Animation) -> Json:
    joints = scene.joints()
    # A take of an FBX file is what its stack says, and begins at 0; keys outside shape what is within.
    start, end = (
        animation.said if animation.said and animation.said[0] < animation.said[1] else animation.span()
    )
    zero = start if animation.said and (start, end) == animation.said else 0.0
    all_keys = [t for motion in animation.motions.values() for of in motion.key_times() for t in of]
    keys = [t for t in all_keys if start <= t <= end]
    times = _sample_times(case, start, end, keys)
    channels = [
        {"node": node, "path": path, "interpolation": kind, "keys": count}
        for node, motion in animation.motions.items()
        for path, kind, count in motion.summary()
    ]
    heads: list[list[list[float]]] = []
    turns: list[list[list[float]]] = []
    linear: list[list[list[float]]] = []
    for seconds in times:
        matrices, rotations = scene.world(animation, seconds)
        heads.append([_plain(matrices[j][:3, 3]) for j in joints])
        turns.append([_plain(rotations[j]) for j in joints])
        linear.append([_plain(matrices[j][:3, :3]) for j in joints])
    told: Json = {
        "name": animation.name,
        "start_seconds": round(start - zero, 8),
        "end_seconds": round(end - zero, 8),
        "duration_seconds": round(end - start, 8),
        "joints": joints,
        "channels": channels,
        "times_seconds": [round(t - zero, 8) for t in times],
        "on_key": [_on_key(animation, t) for t in times],
        "world_heads": heads,
        "world_rotations": turns,
    }
    if animation.said is not None:
        told["said_seconds"] = _plain(np.array(animation.said))
    if _has_scales(scene, times):
        told["world_linear"] = linear
    return told


def _horizontal(vertical_degrees: float) -> float:
    return round(math.degrees(2 * math.atan(ASPECT * math.tan(math.radians(vertical_degrees) / 2))), 6)


def expectation(case: Case) -> Json:
    """The fields of FILE.expect.json."""
    told: Json = {
        "file": case.name,
        "format": case.format,
        "about": case.about,
        "traps": list(case.traps),
        "outcome": case.outcome,
    }
    if case.wrong:
        told["wrong"] = case.wrong
    if case.side_files:
        files = case.side_files.items()
        told["side_files"] = [{"name": name, "present": data is not None} for name, data in files]
    scene = case.scene
    if scene is None:
        return told
    told |= {"axes": [_plain(row) for row in scene.axes], "metres_per_unit": scene.metres_per_unit}
    told["root_turn"] = _plain(scene.root_turn())
    told["nodes"] = _nodes(scene)
    off = rest_is_not_bind_degrees(scene)
    if off is not None:
        told["rest_is_not_bind_degrees"] = round(off, 6)
    told["cameras"] = [
        {"node": i, "vertical_fov_degrees": n.camera, "horizontal_fov_degrees": _horizontal(n.camera)}
        for i, n in enumerate(scene.nodes)
        if n.camera is not None
    ]
    told["animations"] = [_animation(case, scene, animation) for animation in scene.animations]
    if scene.humanoid is not None:
        told["humanoid"] = {"kind": scene.humanoid[0], "bones": scene.humanoid[1]}
    return told


def text(told: Json) -> bytes:
    """Compact JSON with a field of the top level, or of an animation, in a line."""

    def line(value: object) -> str:
        return json.dumps(value, ensure_ascii=False, separators=(",", ":"))

    def lines(fields: Json, indent: str) -> str:
        return ",\n".join(f"{indent}{json.dumps(key)}: {line(value)}" for key, value in fields.items())

    parts: list[str] = []
    for key, value in told.items():
        if key == "animations" and value:
            inner = ",\n".join("  {\n" + lines(animation, "   ") + "\n  }" for animation in value)
            parts.append(f' "animations": [\n{inner}\n ]')
        elif key == "nodes":
            inner = ",\n".join("  " + line(node) for node in value)
            parts.append(f' "nodes": [\n{inner}\n ]')
        else:
            parts.append(f" {json.dumps(key)}: {line(value)}")
    return ("{\n" + ",\n".join(parts) + "\n}\n").encode()
