# SPDX-License-Identifier: MIT
"""One human body on six rigs: fixtures/rigs/mpfb_<rig>.json, facts of makehumancommunity/mpfb2 (CC0).

    scripts/make_fixtures.py --mpfb FILE    takes bones and T-poses from a table of these rigs first

Without the table, the fixtures are made again from the bones that they hold, so what the witness adds
(rest rotations, truth, chains) is always that of the code. A fixture has

- "bones": parents first, {"name", "parent" (name or null), "head", "tail" (metres, armature space, Z up,
  the body looks along -Y), "roll" (radians, as Blender's edit bones), "rest_rotation" (w, x, y, z: armature
  space, Y along the bone)};
- "t_pose": bone -> Euler XYZ in radians in the bone's rest space, as a pose bone's `rotation_euler`; null for
  rigs that came without one;
- "truth": slot -> bone; "also": slot -> other bones that are as right; "chains": name -> bones, top first.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable
from itertools import chain
from pathlib import Path
from typing import Any

from .mpfb_truth import RIGS

FOLDER = "rigs"
COMMITTED = Path(__file__).resolve().parents[3] / "fixtures" / FOLDER
_SOURCE = "https://github.com/makehumancommunity/mpfb2"
_LICENCE = "CC0-1.0"


def rest_rotation(head: Iterable[float], tail: Iterable[float], roll: float) -> list[float]:
    """The axes of a bone in armature space (w, x, y, z).

    Blender's rule: the least turn that takes +Y to the bone's direction, after a turn by the roll about Y. A
    bone that points along -Y has no least turn; it turns about Z, as Blender's does (x to -x).
    """
    direction = [b - a for a, b in zip(head, tail, strict=True)]
    length = math.hypot(*direction)
    x, y, z = (v / length for v in direction)
    # The swing from +Y is (1 + y, +Y x direction) made a unit: +Y x (x, y, z) = (z, 0, -x).
    norm = math.sqrt((1 + y) ** 2 + x * x + z * z)
    swing = ((1 + y) / norm, z / norm, -x / norm) if norm > 1e-4 else (0.0, 0.0, 1.0)
    c, s = math.cos(roll / 2), math.sin(roll / 2)
    w, i, k = swing  # times (c, 0, s, 0)
    return [w * c, i * c - k * s, w * s, k * c + i * s]


def _parents_first(bones: dict[str, Any]) -> list[str]:
    order: list[str] = []
    waiting = [name for name in sorted(bones, reverse=True) if bones[name][0] is None]
    children: dict[str, list[str]] = {}
    for name in sorted(bones, reverse=True):
        children.setdefault(bones[name][0], []).append(name)
    while waiting:
        name = waiting.pop()
        order.append(name)
        waiting += children.get(name, [])
    return order


def from_table(path: Path) -> dict[str, dict[str, Any]]:
    """Rig -> {"bones", "t_pose"} of the table: "rigs": bone -> [parent, head, tail, roll], and "t_poses".

    A bone without length is left out: Blender removes it when edit mode ends (LeftButtock of one rig).
    """
    table = json.loads(path.read_text(encoding="utf-8"))
    result: dict[str, dict[str, Any]] = {}
    for rig, bones in table["rigs"].items():
        rows = [
            {"name": name, "parent": bones[name][0], "head": bones[name][1], "tail": bones[name][2]}
            | {"roll": bones[name][3]}
            for name in _parents_first(bones)
            if bones[name][1] != bones[name][2]
        ]
        result[rig] = {"bones": rows, "t_pose": table["t_poses"].get(rig)}
    return result


def committed() -> dict[str, dict[str, Any]]:
    """What the fixtures that are there hold."""
    files = {rig: COMMITTED / f"mpfb_{rig}.json" for rig in RIGS}
    return {rig: json.loads(path.read_text(encoding="utf-8")) for rig, path in files.items() if path.exists()}


def _row(bone: dict[str, Any]) -> dict[str, Any]:
    facts = {key: bone[key] for key in ("name", "parent", "head", "tail", "roll")}
    return facts | {"rest_rotation": rest_rotation(bone["head"], bone["tail"], bone["roll"])}


def fixture(rig: str, facts: dict[str, Any]) -> bytes:
    """The text of one rig's fixture: a line for each bone."""
    known = RIGS[rig]
    names = {bone["name"] for bone in facts["bones"]}
    told = [*known.truth.values(), *chain(*known.also.values(), *known.chains.values())]
    if not set(told) <= names:
        raise SystemExit(f"mpfb_{rig}: no such bones: {sorted(set(told) - names)}")
    head = {"name": f"mpfb_{rig}", "source": _SOURCE, "licence": _LICENCE, "facing": [0.0, -1.0, 0.0]}
    lines = [f"{json.dumps(key)}: {json.dumps(value)}," for key, value in head.items()]
    rows = ",\n".join(json.dumps(_row(bone)) for bone in facts["bones"])
    lines += ['"bones": [', rows, "],", f'"t_pose": {json.dumps(facts["t_pose"])},']
    lines += [f'"truth": {json.dumps(known.truth)},', f'"also": {json.dumps(known.also)},']
    lines.append(f'"chains": {json.dumps(known.chains)}')
    return ("{\n" + "\n".join(lines) + "\n}\n").encode()


def write_from(table: Path) -> None:
    """Puts the facts of a table into fixtures/rigs/."""
    COMMITTED.mkdir(parents=True, exist_ok=True)
    for rig, facts in from_table(table).items():
        (COMMITTED / f"mpfb_{rig}.json").write_bytes(fixture(rig, facts))


def all_files() -> dict[str, bytes]:
    """Every file by its path under fixtures/rigs/."""
    return {f"mpfb_{rig}.json": fixture(rig, facts) for rig, facts in committed().items()}
