# SPDX-License-Identifier: MIT
"""fixtures/retarget/<case>.json: motion from one skeleton to another, with what the formula gives.

All of it is in clip space (Z up, metres); quaternions are w, x, y, z, to be normalised, and a quaternion and
its negative are one. A file has

- "name", "explanation", "assumes": what the expectation rests upon beyond the formula (see `retargeting`),
  and "bound": the largest allowed difference of a quaternion's or a position's component;
- "source", "target": {"joints": [{"name", "parent" (index or null; parents first), "rotation", "translation"
  (at rest, in the parent's space)}], "slots": slot -> joint name, "chains": name -> joint names, top first,
  "reference": joint name -> local rotation of the reference pose; what isn't there is as at rest};
- "motion": {"times" (seconds), "rotations": source joint -> local rotation per time, "translations": source
  joint -> local translation per time}; what isn't there stays at rest;
- "options": {"align", "root_scale": null or [horizontal, vertical], "in_place", "from_origin"};
- "expected": {"facing_turn_degrees" (about Z, from source to target), "root_scale": [horizontal, vertical],
  "alignment": slot (or chain) -> {"swing_degrees", "roll_degrees" (null: no second axis)}, "rotations":
  target joint -> world rotation per time, of every joint that follows the source, "assumed": those of them
  that the formula leaves open (see "assumes"), "hips": world position per time, or null}.
"""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

from ..humanoid_body import SLOTS
from ..retarget_body import Body, Bone, Pose, world
from ..retarget_draft import Motion
from ..retargeting import Options, Result, Retargeting
from ..turns import Turn, Vector, normal
from .retarget_cases import CASES, Case

FOLDER = "retarget"
COMMITTED = Path(__file__).resolve().parents[3] / "fixtures" / FOLDER
BOUND = 1e-9
#: A chain of its own name comes first, as there is nothing else then.
_SLOT_ORDER = {slot: place for place, slot in enumerate(SLOTS)}


def _numbers(values: Turn | Vector) -> list[float]:
    """Rounded to 12 places, so that a file is the same on every machine; -0 becomes 0."""
    return [round(v, 12) + 0.0 for v in values]


def _body_json(body: Body) -> dict[str, Any]:
    names = [bone.name for bone in body.bones]
    return {
        "joints": [
            {
                "name": bone.name,
                "parent": bone.parent,
                "rotation": _numbers(bone.rotation),
                "translation": _numbers(bone.translation),
            }
            for bone in body.bones
        ],
        "slots": {slot: names[j] for slot, j in body.slots.items()},
        "chains": {name: [names[j] for j in joints] for name, joints in body.chains.items()},
        "reference": {names[j]: _numbers(turn) for j, turn in body.reference.items()},
    }


def _motion_json(motion: Motion, body: Body) -> dict[str, Any]:
    names = [bone.name for bone in body.bones]
    return {
        "times": motion.times,
        "rotations": {names[j]: [_numbers(q) for q in turns] for j, turns in motion.rotations.items()},
        "translations": {names[j]: [_numbers(p) for p in path] for j, path in motion.translations.items()},
    }


def read_body(data: dict[str, Any]) -> Body:
    """A skeleton of a file."""
    index = {joint["name"]: i for i, joint in enumerate(data["joints"])}
    return Body(
        tuple(
            Bone(j["name"], j["parent"], normal(tuple(j["rotation"])), tuple(j["translation"]))
            for j in data["joints"]
        ),
        {slot: index[name] for slot, name in data["slots"].items()},
        {name: [index[j] for j in joints] for name, joints in data["chains"].items()},
        {index[name]: normal(tuple(turn)) for name, turn in data["reference"].items()},
    )


def read_poses(data: dict[str, Any], body: Body) -> list[Pose]:
    """The source's poses of a file."""
    index = {bone.name: i for i, bone in enumerate(body.bones)}
    return [
        world(
            body,
            {index[name]: normal(tuple(turns[i])) for name, turns in data["rotations"].items()},
            {index[name]: tuple(path[i]) for name, path in data["translations"].items()},
        )
        for i in range(len(data["times"]))
    ]


def solve(data: dict[str, Any]) -> Result:
    """What the formula makes of a file."""
    source, target, options = read_body(data["source"]), read_body(data["target"]), data["options"]
    scale = options["root_scale"]
    chosen = Options(
        options["align"],
        None if scale is None else (scale[0], scale[1]),
        options["in_place"],
        options["from_origin"],
    )
    return Retargeting(source, target, chosen).play(read_poses(data["motion"], source))


def _expected(data: dict[str, Any], assumed: tuple[str, ...]) -> dict[str, Any]:
    result, target = solve(data), read_body(data["target"])
    w, _, _, z = result.facing_turn
    hips = target.slots.get("hips")
    return {
        "facing_turn_degrees": round(math.degrees(2 * math.atan2(z, w)), 9) + 0.0,
        "root_scale": [round(k, 12) for k in result.scale],
        "alignment": {
            slot: {
                "swing_degrees": round(degrees, 6),
                "roll_degrees": round(result.rolls[slot], 6) + 0.0 if slot in result.rolls else None,
            }
            for slot, degrees in sorted(result.swings.items(), key=lambda row: _SLOT_ORDER.get(row[0], 0))
        },
        "rotations": {
            target.bones[j].name: [_numbers(pose.turns[j]) for pose in result.poses] for j in result.mapped
        },
        "assumed": list(assumed),
        "hips": None if hips is None else [_numbers(pose.heads[hips]) for pose in result.poses],
    }


def case_json(case: Case) -> dict[str, Any]:
    """A case as its file has it; the expectation is computed from the rounded numbers of the file."""
    data: dict[str, Any] = {
        "name": case.name,
        "explanation": case.explanation,
        "assumes": list(case.assumes),
        "bound": BOUND,
        "source": _body_json(case.source),
        "target": _body_json(case.target),
        "motion": _motion_json(case.motion, case.source),
        "options": {
            "align": case.options.align,
            "root_scale": case.options.scale,
            "in_place": case.options.in_place,
            "from_origin": case.options.from_origin,
        },
    }
    data["expected"] = _expected(data, case.assumed)
    return data


def _text(data: Any, level: int = 0) -> str:
    """JSON with a line for each member of the outer objects, and one for each joint."""
    if level < 3 and isinstance(data, dict) and data:
        rows = [f"{json.dumps(key)}: {_text(value, level + 1)}" for key, value in data.items()]  # pyright: ignore
        return "{\n" + ",\n".join(rows) + "\n}"
    if level < 3 and isinstance(data, list) and data and isinstance(data[0], dict):
        return "[\n" + ",\n".join(json.dumps(row) for row in data) + "\n]"  # pyright: ignore
    return json.dumps(data)


def all_files() -> dict[str, bytes]:
    """Every file by its path under fixtures/retarget/."""
    made = [case() for case in CASES]
    if len({case.name for case in made}) != len(made):
        raise SystemExit("two retargeting cases have one name")
    return {f"{case.name}.json": (_text(case_json(case)) + "\n").encode() for case in made}
