# SPDX-License-Identifier: MIT
"""Skeletons of known truth in any naming convention: which joint is which part of the body.

A convention is a dict of slot -> names; `load_tables` reads them from the project's rig files or from one
table in a file. `rig_structures` says what else a convention's skeletons have. Every rig is built upon the
ideal body of `humanoid_body`, so the truth is known by construction: `Rig.truth` says slot -> joint name,
and `Rig.also` other joints that are as right, where two tools name two joints as one part.

Run as a program, it writes all rigs under all mutations:

    python -m tests.witness.rigs TABLE FOLDER    FOLDER/<rig>/<mutation>.bvh and FOLDER/truth.json
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from .bvh_file import Bvh, Joint, write
from .humanoid_body import PARENTS, SIDES, SLOTS, Vector3, body, side_of
from .rig_structures import FACES_X, HANDS, Between, Leaf, Move, Zero, facts_of

Table = Mapping[str, list[str]]
RIG_FOLDER = Path(__file__).resolve().parents[2] / "native" / "rig" / "data" / "rigs"
CENTIMETRES = 100.0


@dataclass(frozen=True)
class RigJoint:
    """A joint at rest: its place in the world, Z up; its axes are the world's."""

    name: str
    parent: str | None  # the parent's name; names are unique in a rig
    head: Vector3


@dataclass(frozen=True)
class Rig:
    """A skeleton whose truth is known; parents before children."""

    name: str
    convention: str
    joints: tuple[RigJoint, ...]
    truth: dict[str, str]  # slot -> joint
    also: dict[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    facing: Vector3 = (0.0, -1.0, 0.0)
    metres_per_unit: float = 1.0
    sides_agree: bool = True  # False: the names' sides contradict the geometry, or no name tells the side

    def right_answers(self, slot: str) -> tuple[str, ...]:
        """Joints that a finder may name for a slot; empty: the rig has no such part."""
        return ((self.truth[slot],) if slot in self.truth else ()) + self.also.get(slot, ())

    def slot_of(self, joint: str) -> str | None:
        """The slot of a joint by the truth."""
        return next((slot for slot, name in self.truth.items() if name == joint), None)

    def renamed(self, names: Mapping[str, str]) -> Rig:
        """The same rig with other names; every joint's new name by its old one."""
        if len(set(names.values())) != len(names):
            raise ValueError(f"{self.name}: two joints would have one name")
        return replace(
            self,
            joints=tuple(
                RigJoint(names[j.name], names[j.parent] if j.parent is not None else None, j.head)
                for j in self.joints
            ),
            truth={slot: names[name] for slot, name in self.truth.items()},
            also={slot: tuple(names[n] for n in others) for slot, others in self.also.items()},
        )


def load_tables(path: Path = RIG_FOLDER) -> dict[str, dict[str, list[str]]]:
    """Convention -> slot -> names: a folder of rig files ("slots"), or one file with "conventions". Without
    rigs that are no person's."""
    if path.is_dir():
        files = {p.stem: json.loads(p.read_text(encoding="utf-8")) for p in sorted(path.glob("*.json"))}
        return {name: data["slots"] for name, data in files.items() if set(data["slots"]) <= set(SLOTS)}
    conventions = json.loads(path.read_text(encoding="utf-8"))["conventions"]
    return {name: convention["names"] for name, convention in conventions.items()}


def pick_names(table: Table, alternative: int = 0) -> dict[str, str]:
    """One name for each slot: the n-th of its alternatives or the last; a name that is taken is left out."""
    names: dict[str, str] = {}
    for slot in SLOTS:
        options = table.get(slot, [])
        free = [name for name in options if name not in names.values()]
        if free:
            wanted = options[min(alternative, len(options) - 1)]
            names[slot] = wanted if wanted in free else free[0]
    return names


class _Builder:
    """Joints by key: a slot for what has one, else the joint's name with a colon before it."""

    def __init__(self, names: Mapping[str, str], points: Mapping[str, Vector3]) -> None:
        self.points = points
        self.names = dict(names)
        self.heads = {slot: points[slot] for slot in names}
        self.parents = {slot: self._present_above(slot) for slot in names}
        self.also: dict[str, tuple[str, ...]] = {}

    def _present_above(self, slot: str) -> str | None:
        above = PARENTS.get(slot)
        while above is not None and above not in self.names:
            above = PARENTS.get(above)
        return above

    def key(self, reference: str) -> str | None:
        """The key of a slot or of a joint's name; None where the rig has neither."""
        return next((key for key in (reference, ":" + reference) if key in self.names), None)

    def add(self, name: str, slot: str, parent: str | None, head: Vector3) -> str:
        """A joint; returns its key. A slot or a name that is there already stays as it is."""
        if name in self.names.values():
            return next(key for key, other in self.names.items() if other == name)
        key = slot if slot and slot not in self.names else ":" + name
        if slot and slot in self.names:
            return slot
        self.names[key], self.parents[key], self.heads[key] = name, parent, head
        return key

    def place(self, at: str | Vector3, parent: str | None) -> Vector3:
        """A slot's place, half-way of "mid:a>b", or a displacement from the parent."""
        if isinstance(at, str):
            if at.startswith("mid:"):
                a, b = at.removeprefix("mid:").split(">")
                return _lerp(self.points[a], self.points[b], 0.5)
            return self.points[at]
        x, y, z = self.heads[parent] if parent is not None else (0.0, 0.0, 0.0)
        return x + at[0], y + at[1], z + at[2]

    def between(self, fact: Between) -> None:
        lowers = [key for lower in fact.lowers if (key := self.key(lower)) is not None]
        upper = self.key(fact.upper) if fact.upper else None
        if not lowers or (fact.upper and upper is None):
            return
        if upper is None:  # a root that is not in the table stands on the ground
            head: Vector3 = (0.0, 0.0, 0.0)
        elif fact.at:
            head = self.points[fact.at]
        else:
            head = _lerp(self.heads[upper], self.heads[lowers[0]], fact.fraction)
        key = self.add(fact.name, fact.slot, upper, head)
        for lower in lowers:
            if lower != key:
                self.parents[lower] = key
        if fact.also:
            self.also[fact.also] = (*self.also.get(fact.also, ()), self.names[key])

    def apply(self, fact: Between | Leaf | Move | Zero) -> None:
        if isinstance(fact, Between):
            self.between(fact)
        elif isinstance(fact, Leaf):
            parent = self.key(fact.parent)
            if parent is not None or not fact.parent:
                self.add(fact.name, fact.slot, parent, self.place(fact.at, parent))
        elif isinstance(fact, Move):
            slot, parent = self.key(fact.slot), self.key(fact.parent)
            if slot is not None and parent is not None:
                self.parents[slot] = parent
        elif (above := self.parents.get(fact.slot)) is not None:
            self.heads[fact.slot] = self.heads[above]

    def ordered(self) -> list[str]:
        """Keys, depth first; the order of siblings is that in which they came."""
        children: dict[str | None, list[str]] = {}
        for key in self.names:
            children.setdefault(self.parents[key], []).append(key)
        result: list[str] = []
        waiting = children.get(None, [])[::-1]
        while waiting:
            key = waiting.pop()
            result.append(key)
            waiting += children.get(key, [])[::-1]
        return result


def _lerp(a: Vector3, b: Vector3, u: float) -> Vector3:
    return a[0] + u * (b[0] - a[0]), a[1] + u * (b[1] - a[1]), a[2] + u * (b[2] - a[2])


def build(convention: str, table: Table, pose: str = "T", alternative: int = 0) -> Rig:
    """The rig of a whole body in a convention. pose: "T" or "A"."""
    builder = _Builder(pick_names(table, alternative), body(pose))
    for fact in facts_of(convention):
        builder.apply(fact)
    facing_x = convention in FACES_X
    joints = tuple(
        RigJoint(
            builder.names[key],
            builder.names[parent] if (parent := builder.parents[key]) is not None else None,
            _quarter_turn(builder.heads[key]) if facing_x else builder.heads[key],
        )
        for key in builder.ordered()
    )
    truth = {key: name for key, name in builder.names.items() if not key.startswith(":")}
    # The root of a table may carry nothing of the ideal body: it is the joint above the hips all the same.
    facing = (1.0, 0.0, 0.0) if facing_x else (0.0, -1.0, 0.0)
    return Rig(convention, convention, joints, truth, builder.also, facing)


def _quarter_turn(point: Vector3) -> Vector3:
    return -point[1], point[0], point[2]


_HAND_ADDITIONS = {
    "openxr_hand": {
        "Palm": "XR_HAND_JOINT_PALM_EXT",
        "ThumbTip": "XR_HAND_JOINT_THUMB_TIP_EXT",
        **{
            f"{f}{part}": f"XR_HAND_JOINT_{f.upper()}_{part.upper()}_EXT"
            for f in ("Index", "Middle", "Ring", "Little")
            for part in ("Metacarpal", "Tip")
        },
    },
    "mrtk_hand": {
        "Palm": "Palm",
        "ThumbTip": "ThumbTip",
        **{
            f"{f}{part}": f"{f.replace('Little', 'Pinky')}{part}"
            for f in ("Index", "Middle", "Ring", "Little")
            for part in ("Metacarpal", "Tip")
        },
    },
}


def build_hands(convention: str, table: Table, side: str = "") -> Rig:
    """The 26 joints of a hand by their bare names; side "": of both, with "Left" or "Right" before them."""
    points, both = body(), not side
    slots = pick_names(
        {slot: names for slot, names in table.items() if slot.startswith("left")}, 0
    )  # the names of both sides are the same
    parts = {slot.removeprefix("left"): name for slot, name in slots.items()}
    parts = {**_HAND_ADDITIONS.get(convention, {}), **parts}
    joints: list[RigJoint] = []
    truth: dict[str, str] = {}
    for one in SIDES if both else (side,):
        for slot in (s for s in SLOTS if s.startswith(one) and s.removeprefix(one) in parts):
            name = (one.capitalize() if both else "") + parts[slot.removeprefix(one)]
            joints.append(RigJoint(name, truth.get(PARENTS[slot]), points[slot]))
            truth[slot] = name
    name = f"{convention}_{side or 'both'}"
    return Rig(name, convention, tuple(joints), truth, sides_agree=both)


def all_rigs(tables: Mapping[str, Table]) -> list[Rig]:
    """Every convention in T-pose; one-hand conventions as the left hand, the right hand and both."""
    result: list[Rig] = []
    for convention, table in tables.items():
        if convention in HANDS:
            result += [build_hands(convention, table, side) for side in ("left", "right", "")]
        else:
            result.append(build(convention, table))
    return result


def generated_rigify(tables: Mapping[str, Table]) -> tuple[Rig, Rig]:
    """A generated Rigify rig: deform bones, their ORG- originals and the controls, all below one root.

    It is one skeleton with two truths: as a source by its deform bones, as a target by its controls.
    """
    controls = build("rigify_controls", tables["rigify_controls"])
    deform = build("rigify_deform", tables["rigify_deform"])
    originals = prefixed_joints(build("rigify_metarig", tables["rigify_metarig"]), "ORG-")
    root = controls.joints[0].name
    joints = list(controls.joints)
    for joint in (*originals, *deform.joints):
        parent = root if joint.parent is None else joint.parent
        if all(joint.name != other.name for other in joints):
            joints.append(RigJoint(joint.name, parent, joint.head))
    as_source = replace(deform, name="rigify_generated_source", joints=tuple(joints))
    as_target = replace(controls, name="rigify_generated_target", joints=tuple(joints))
    return as_source, as_target


def prefixed_joints(rig: Rig, prefix: str) -> tuple[RigJoint, ...]:
    """The joints of a rig with a prefix before every name."""
    return tuple(
        RigJoint(prefix + j.name, None if j.parent is None else prefix + j.parent, j.head) for j in rig.joints
    )


def as_json(rig: Rig) -> dict[str, Any]:
    """{"name", "convention", "facing", "metres_per_unit", "joints": [{"name", "parent" (index or null),
    "translation", "rotation" (w, x, y, z)}], "truth", "also", "sides_agree"}; rest local, Z up."""
    index = {joint.name: i for i, joint in enumerate(rig.joints)}
    heads = {joint.name: joint.head for joint in rig.joints}
    rows: list[dict[str, Any]] = []
    for joint in rig.joints:
        above = heads[joint.parent] if joint.parent is not None else (0.0, 0.0, 0.0)
        rows.append(
            {
                "name": joint.name,
                "parent": None if joint.parent is None else index[joint.parent],
                "translation": [a - b for a, b in zip(joint.head, above, strict=True)],
                "rotation": [1.0, 0.0, 0.0, 0.0],
            }
        )
    return {
        "name": rig.name,
        "convention": rig.convention,
        "facing": rig.facing,
        "metres_per_unit": rig.metres_per_unit,
        "sides_agree": rig.sides_agree,
        "joints": rows,
        "truth": rig.truth,
        "also": {slot: list(names) for slot, names in rig.also.items()},
    }


def as_bvh(rig: Rig, y_up: bool = True, frames: int = 2) -> Bvh:
    """The rig at rest as a BVH; its second root and later ones hang on the first (a file has one body)."""
    index = {joint.name: i for i, joint in enumerate(rig.joints)}
    heads = {joint.name: joint.head for joint in rig.joints}
    joints: list[Joint] = []
    for i, joint in enumerate(rig.joints):
        parent = None if i == 0 else (rig.joints[0].name if joint.parent is None else joint.parent)
        above = heads[parent] if parent is not None else (0.0, 0.0, 0.0)
        x, y, z = (a - b for a, b in zip(joint.head, above, strict=True))
        channels = ["Zrotation", "Xrotation", "Yrotation"]
        if i == 0:
            channels = ["Xposition", "Yposition", "Zposition", *channels]
        offset = (x, z, -y) if y_up else (x, y, z)
        joints.append(Joint(joint.name, index[parent] if parent is not None else None, offset, channels))
    for i, joint in enumerate(joints):
        if not any(other.parent == i for other in joints):
            scale = 1 / rig.metres_per_unit
            joint.end_sites.append(("", (0.0, 0.02 * scale, 0.0) if y_up else (0.0, 0.0, 0.02 * scale)))
    bvh = Bvh(joints, 1 / 30)
    # Position channels replace the OFFSET, so they repeat it: the body stays where it rests.
    row = [*joints[0].offset, *([0.0] * (bvh.width - 3))]
    bvh.motion = [list(row) for _ in range(frames)]
    return bvh


def bvh_bytes(rig: Rig, y_up: bool = True) -> bytes:
    """The text of `as_bvh`; roots may not be repeated, see there."""
    return write(as_bvh(rig, y_up))


def sides(rig: Rig) -> dict[str, str]:
    """Joint -> "left" or "right" for the joints of slots that have a side."""
    return {name: side for slot, name in rig.truth.items() if (side := side_of(slot)) is not None}


def main(arguments: list[str]) -> int:
    """Writes every rig under every mutation; returns 0."""
    from .rig_foreign import foreign_rigs
    from .rig_mutations import mutations

    tables, folder = load_tables(Path(arguments[0])), Path(arguments[1])
    truths: dict[str, Any] = {}
    for rig in all_rigs(tables):
        for name, changed in mutations(rig).items():
            path = folder / rig.name / f"{name}.bvh"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(bvh_bytes(changed))
            truths[f"{rig.name}/{name}.bvh"] = as_json(changed)
    for rig in foreign_rigs():
        path = folder / "foreign" / f"{rig.name}.bvh"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(bvh_bytes(rig))
        truths[f"foreign/{rig.name}.bvh"] = as_json(rig)
    (folder / "truth.json").write_text(json.dumps(truths, ensure_ascii=False), encoding="utf-8")
    print(f"wrote {len(truths)} rigs to {folder}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
