# SPDX-License-Identifier: MIT
"""Files that pair bones: ours, and those of other add-ons for Blender.

The layouts of the others are facts of their sources: Rokoko's core/custom_schemes_manager.py, KeeMap's
bones[].SourceBoneName and DestinationBoneName, the VRM add-on's {VRM bone: bone}, Onigiri's Python text
`rename = {...}`, which is read but never run.
"""

from __future__ import annotations

import ast
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeGuard

from .bone_pairs import Pair
from .errors import AnimBridgeError, Status
from .rig_files import is_object, members_of

PAIRS_MEMBER: Final = "animbridge_rig_pair"
RIG_MEMBER: Final = "animbridge_rig"
ROKOKO_MEMBER: Final = "rokoko_custom_names"
ONIGIRI_NAME: Final = "rename"
#: Rig files of thousands of bones are shorter.
_LONGEST_TEXT: Final = 4_000_000
_AXES: Final = "xyz"
#: The members of a pair file that hold the rig files of both sides, and of BonePairs.
_RIGS: Final = ("source_rig", "target_rig")
#: Rokoko's names of parts that are not VRM's.
_ROKOKO_SLOTS: Final = {
    "hip": "hips",
    "leftUpLeg": "leftUpperLeg",
    "leftLeg": "leftLowerLeg",
    "leftToe": "leftToes",
    "rightUpLeg": "rightUpperLeg",
    "rightLeg": "rightLowerLeg",
    "rightToe": "rightToes",
}
_ALLOWED: Final = (
    "a pair file or rig file of AnimBridge, a bone map of Rokoko, KeeMap or the VRM add-on (JSON), or one of "
    "Onigiri (.onim)"
)


@dataclass(frozen=True)
class BonePairs:
    """A file that says which bone moves like which. Slots may be "".

    The rigs: rig files of source and target, "" if there is none, None if the file can't say.
    """

    pairs: tuple[Pair, ...]
    source_rig: str | None = None
    target_rig: str | None = None


@dataclass(frozen=True)
class RigNames:
    """A rig file, which the library reads: names by slot, chains, and a reference pose."""

    rig: str


@dataclass(frozen=True)
class BoneNames:
    """A file that says what the bones of a rig may be called, by slot. `any_case`: capitals do not count."""

    names: Mapping[str, tuple[str, ...]]
    any_case: bool = False

    def bones(self, armature: Sequence[str]) -> dict[str, str]:
        """The armature's bone of each slot, where it has one of the names."""
        by_key = {self._key(bone): bone for bone in reversed(armature)}
        found = {
            slot: [by_key[self._key(name)] for name in names if self._key(name) in by_key]
            for slot, names in self.names.items()
        }
        return {slot: bones[0] for slot, bones in found.items() if bones}

    def _key(self, name: str) -> str:
        return name.lower() if self.any_case else name


def write_pairs(file: BonePairs) -> str:
    """The pair file of AnimBridge."""
    root: dict[str, Any] = {PAIRS_MEMBER: 1, "pairs": [_row_of(pair) for pair in file.pairs]}
    for member in _RIGS:
        if rig := members_of(getattr(file, member) or ""):
            root[member] = rig
    return json.dumps(root, indent=2, ensure_ascii=False) + "\n"


def _row_of(pair: Pair) -> dict[str, Any]:
    row = {"slot": pair.slot, "source": pair.source, "target": pair.target, "on": pair.is_on}
    return {**row, "offset": list(pair.offset)} if any(pair.offset) else row


def read_map(text: str, name: str) -> BonePairs | BoneNames | RigNames:
    """Reads a file of any of the kinds; `name` is for messages."""
    if len(text) > _LONGEST_TEXT:
        raise _fault(name, "", f"is {len(text):,} characters long", f"at most {_LONGEST_TEXT:,}")
    if text.lstrip("\ufeff \t\r\n").startswith("{"):
        return _of_json(_json(text, name), name)
    return _of_onigiri(text, name)


def _of_json(root: dict[str, Any], name: str) -> BonePairs | BoneNames | RigNames:
    if PAIRS_MEMBER in root:
        return _of_pair_file(root, name)
    if RIG_MEMBER in root:
        for slot, names in _member(root, "slots", dict, name).items():
            _names(names, f"slots.{slot}", name)
        return RigNames(json.dumps(root))
    if ROKOKO_MEMBER in root:
        return _of_rokoko(root, name)
    if _is_list(root.get("bones")):
        return _of_keemap(root["bones"], name)
    if root and all(isinstance(bone, str) for bone in root.values()):
        return BoneNames({slot: (bone,) for slot, bone in root.items() if bone})
    raise _fault(name, "", "has none of the layouts that can be read", _ALLOWED)


def _of_pair_file(root: dict[str, Any], name: str) -> BonePairs:
    if root[PAIRS_MEMBER] != 1:
        raise _fault(name, PAIRS_MEMBER, f"is {root[PAIRS_MEMBER]!r:.40}", "1")
    pairs: list[Pair] = []
    for number, row in enumerate(_member(root, "pairs", list, name)):
        place = f"pairs[{number}]"
        if not is_object(row):
            raise _fault(name, place, f"is {row!r:.40}", "an object")
        slot, source, target = (_member(row, key, str, name, place) for key in ("slot", "source", "target"))
        is_on, offset = _member(row, "on", bool, name, place), _offset(row, name, place)
        pairs.append(Pair(slot, source, target, is_on=is_on, offset=offset))
    rigs = (json.dumps(_member(root, member, dict, name)) if member in root else "" for member in _RIGS)
    return BonePairs(tuple(pairs), *rigs)


def _offset(row: dict[str, Any], name: str, place: str) -> tuple[float, float, float]:
    """The row's offset; none if it has none."""
    values = row.get("offset", [0, 0, 0])
    if not (_is_list(values) and len(values) == len(_AXES) and all(map(_is_angle, values))):
        raise _fault(name, f"{place}.offset", f"is {values!r:.40}", "three numbers from -360 to 360")
    x, y, z = map(float, values)
    return x, y, z


def _is_list(value: Any) -> TypeGuard[list[Any]]:
    return isinstance(value, list)


def _is_angle(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= 360.0


def _of_rokoko(root: dict[str, Any], name: str) -> BoneNames:
    lists: dict[str, Any] = _member(root, "bones", dict, name)
    names: dict[str, tuple[str, ...]] = {
        _ROKOKO_SLOTS.get(key, key.removeprefix("custom_bone_")): _names(values, f"bones.{key}", name)
        for key, values in lists.items()
    }
    return BoneNames({slot: found for slot, found in names.items() if found}, any_case=True)


def _of_keemap(rows: list[Any], name: str) -> BonePairs:
    pairs: list[Pair] = []
    for number, row in enumerate(rows):
        place = f"bones[{number}]"
        if not is_object(row):
            raise _fault(name, place, f"is {row!r:.40}", "an object")
        source, target = (
            _member(row, key, str, name, place) for key in ("SourceBoneName", "DestinationBoneName")
        )
        if source and target:
            pairs.append(Pair("", source, target))
    return BonePairs(tuple(pairs))


def _of_onigiri(text: str, name: str) -> BonePairs:
    """The dictionary is a literal, so nothing in the file runs."""
    try:
        statements = ast.parse(text.lstrip("\ufeff")).body
        values = [_renaming(statement) for statement in statements]
        found = next((ast.literal_eval(value) for value in values if value is not None), None)
    except (SyntaxError, ValueError, TypeError, RecursionError, MemoryError) as fault:
        raise _fault(name, "", f"cannot be read ({type(fault).__name__})", _ALLOWED) from fault
    if found is None:
        raise _fault(name, "", f"has no dictionary named {ONIGIRI_NAME}", _ALLOWED)
    if not is_object(found):
        raise _fault(name, ONIGIRI_NAME, f"is {found!r:.40}", "a dictionary of names")
    for source, target in found.items():
        if not all(isinstance(bone, str) for bone in (source, target)):
            raise _fault(name, ONIGIRI_NAME, f"has the entry {source!r:.40}: {target!r:.40}", "names")
    return BonePairs(tuple(Pair("", source, target) for source, target in found.items()))


def _renaming(statement: ast.stmt) -> ast.expr | None:
    """The value that the statement gives to the name `rename`."""
    if not isinstance(statement, ast.Assign):
        return None
    names = {target.id for target in statement.targets if isinstance(target, ast.Name)}
    return statement.value if ONIGIRI_NAME in names else None


def _json(text: str, name: str) -> dict[str, Any]:
    try:
        return dict(json.loads(text.lstrip("\ufeff")))
    except json.JSONDecodeError as fault:
        raise AnimBridgeError(
            f"The map {name} isn't valid JSON. Line {fault.lineno}: {fault.msg}.", Status.BAD_VALUE
        ) from fault
    except (ValueError, RecursionError) as fault:
        raise _fault(name, "", f"cannot be read ({type(fault).__name__})", _ALLOWED) from fault


def _member(row: dict[str, Any], key: str, kind: type, name: str, place: str = "") -> Any:
    """The row's member, which must be of this type."""
    value = row.get(key)
    if not isinstance(value, kind):
        words = {str: "text", bool: "true or false", list: "a list", dict: "an object"}
        found = f"is {value!r:.40}" if key in row else "is missing"
        raise _fault(name, f"{place}.{key}".lstrip("."), found, words[kind])
    return value


def _names(values: Any, place: str, name: str) -> tuple[str, ...]:
    if not _is_list(values) or not all(isinstance(value, str) for value in values):
        raise _fault(name, place, f"is {values!r:.40}", "a list of names")
    return tuple(values)


def _fault(name: str, place: str, found: str, allowed: str) -> AnimBridgeError:
    where = f"{place} of the map {name}" if place else f"The map {name}"
    return AnimBridgeError(f"{where} {found}; allowed: {allowed}.", Status.BAD_VALUE, field=place)
