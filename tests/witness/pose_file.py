# SPDX-License-Identifier: MIT
"""Poses of the viewers: LLSD as XML, and what Firestorm and Black Dragon show of it.

Written from the specification alone; sections are those of its page on viewer poses. XML is expat's work, as
in the viewers.
"""

from __future__ import annotations

import json
import math
import re
import xml.etree.ElementTree as ET
from dataclasses import dataclass, field
from typing import Any, cast
from xml.sax.saxutils import escape

import numpy as np

from .quaternion import IDENTITY, Vector, about_axis, product
from .skeleton import JOINTS, load_skeleton

Value = Any  # bool, int, float, str, None, list, dict
_SKELETON = load_skeleton()
_RADII = {
    volume["name"]: np.array(volume["scale"])
    for volume in json.loads((JOINTS / "skeleton.json").read_text(encoding="utf-8"))["collision_volumes"]
}
_UNPOSED = {"mFaceEyeAltLeft", "mFaceEyeAltRight", "mFaceJawShaper", "LOWER_BACK"}
_ATTACHMENTS = {name for name, node in _SKELETON.nodes.items() if node.kind in {"attachment", "hud"}}
#: The joints of Firestorm's poser (2.2), by their names in lower case.
FIRESTORM = {
    name.lower(): name
    for name, node in _SKELETON.nodes.items()
    if node.kind in {"bone", "volume"} and name not in _UNPOSED
}
VOLUMES = frozenset(_RADII)
KEYS = ("rotation", "position", "scale")


# ---- LLSD (1.3) ----


class Real(float):
    """Written as a real, whatever its value."""


def _scalar(value: Value) -> str:
    if isinstance(value, bool):
        return f"<boolean>{int(value)}</boolean>"
    if isinstance(value, int):
        return f"<integer>{value}</integer>"
    if isinstance(value, float):
        return f"<real>{float(np.float32(value)):.25g}</real>"
    text = escape(str(value), {"'": "&apos;", '"': "&quot;"})
    return f"<string>{text}</string>" if text else "<string />"


def _lines(value: Value, level: int) -> list[str]:
    indent = "    " * level
    if isinstance(value, dict):
        members = cast(dict[str, Value], value)
        tag = "map"
        inner = [
            line
            for key in sorted(members, key=str.encode)
            for line in (f"{indent}<key>{escape(key)}</key>", *_lines(members[key], level + 1))
        ]
    elif isinstance(value, list):
        items = cast(list[Value], value)
        tag, inner = "array", [line for item in items for line in _lines(item, level + 1)]
    else:
        return [indent + _scalar(value)]
    return [f"{indent}<{tag}>", *inner, f"{indent}</{tag}>"] if inner else [f"{indent}<{tag} />"]


def pretty(value: Value) -> bytes:
    """As both viewers write a pose today."""
    return "\n".join(["<llsd>", *_lines(value, 1), "</llsd>", ""]).encode()


def in_lines(documents: list[Value]) -> bytes:
    """As Black Dragon wrote a pose until 2023: a document a line."""
    text = "".join(
        "<llsd>" + "".join(line.strip() for line in _lines(one, 1)) + "</llsd>\n" for one in documents
    )
    return text.encode()


def firestorm_file(version: int = 8, tee: bool = True, /, **joints: Value) -> Value:
    """A file of one of the versions from 4 on."""
    return {**joints, "startFromTeePose": {"value": tee}, "version": {"value": version}}


@dataclass
class Element:
    """A value with the text that it has, converted as it is asked for."""

    kind: str = ""
    text: str = ""
    items: list[Element] = field(default_factory=list["Element"])
    members: dict[str, Element] = field(default_factory=dict[str, "Element"])

    def real(self) -> float:
        if self.kind in {"real", "string"}:
            return _number(self.text)
        if self.kind == "integer":
            return self.integer()
        return float(self.kind == "boolean" and self.boolean())

    def integer(self) -> int:
        digits = re.match(r"\s*([+-]?\d+)", self.text, re.ASCII) if self.kind == "integer" else None
        return (
            int(digits[1]) if digits else int(_number(self.text) if self.kind == "integer" else self.real())
        )

    def boolean(self) -> bool:
        if self.kind == "boolean":
            return self.text in {"1", "true"}
        if self.kind in {"real", "integer"}:
            return self.real() != 0
        return bool(self.text if self.kind == "string" else self.items or self.members)


def _number(text: str) -> float:
    match = re.fullmatch(r"\s*([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)", text, re.ASCII)
    if not match:
        return 0.0
    number = float(match[1])
    return math.copysign(min(abs(number), 1.7976931348623157e308), number)


def _element(xml: ET.Element) -> Element:
    element = Element(xml.tag)
    if xml.tag == "map":
        key = ""
        for child in xml:
            if child.tag == "key":
                key = "".join(child.itertext())
            elif key:
                element.members[key] = _element(child)
                key = ""
    elif xml.tag == "array":
        element.items = [_element(child) for child in xml]
    elif xml.tag in {"boolean", "integer", "real", "string"}:
        element.text = "".join(xml.itertext())
    return element


def parse(data: bytes) -> list[Element]:
    """The documents: each root begins a line. Raises ValueError where no viewer reads anything."""
    documents: list[Element] = []
    text = data.decode("utf-8").removeprefix("\ufeff")
    for part in re.split(r"(?<=</llsd>)", text):
        if not part.strip():
            continue
        begins_line = not documents or "\n" in part[: part.index("<") if "<" in part else None]
        try:
            root = ET.fromstring(part.lstrip("\n") if documents else part)
        except ET.ParseError as error:
            if documents:
                break  # the first document is applied already
            raise ValueError(str(error)) from None
        if root.tag != "llsd":
            raise ValueError(root.tag)
        if begins_line:
            documents.append(_element(list(root)[-1]) if len(root) else Element())
    return documents


# ---- whose pose it is (1.2) ----


@dataclass
class Pose:
    """A pose by the names of its joints."""

    program: str
    version: int
    from_t_pose: bool = True
    joints: dict[str, Element] = field(default_factory=dict[str, Element])
    states: list[Element] = field(default_factory=list[Element])


def pose_of(documents: list[Element]) -> Pose:
    """ValueError: LLSD that is no pose."""
    root = documents[0]
    if root.kind != "map":
        raise ValueError("no map")
    header = root.members.get("version", Element())
    version = header.members.get("value", Element("integer", "0")).integer()
    if "version" not in root.members and any("bone" in one.members for one in documents):
        joints = {one.members["bone"].text: one for one in documents if "bone" in one.members}
        return Pose("black_dragon", 1, joints=_exact(joints))
    if "startFromTeePose" in root.members or version >= 4:
        return _firestorm(documents, version)
    if version == 2 or (_ATTACHMENTS | _UNPOSED) & root.members.keys():
        return Pose("black_dragon", 2 if version == 2 else 3, joints=_exact(root.members))
    if version == 3:
        named = {key for key in root.members if key in _RADII}
        if any("enabled" in root.members[key].members for key in named):
            return _firestorm(documents, version)
        return Pose("black_dragon", 3, joints=_exact(root.members))
    if any({"rotation", "enabled"} & one.members.keys() for one in root.members.values()):
        return _firestorm(documents, version)
    raise ValueError("another kind of LLSD")


def _exact(members: dict[str, Element]) -> dict[str, Element]:
    named = ((_SKELETON.canonical(key.encode()), one) for key, one in members.items())
    return {name: one for name, one in named if name}


def _firestorm(documents: list[Element], version: int) -> Pose:
    pose = Pose("firestorm", version)
    for root in documents:
        start = root.members.get("startFromTeePose")
        if start is not None:
            pose.from_t_pose = start.members.get("value", Element()).boolean()
        for key in sorted(root.members, key=lambda one: one.encode()):
            if key.startswith("poseState"):
                pose.states.append(root.members[key])
            elif key.lower() in FIRESTORM:
                pose.joints[FIRESTORM[key.lower()]] = root.members[key]
    return pose


# ---- what it shows (2.3, 6.2, 6.3) ----


def euler(x: float, y: float, z: float) -> Vector:
    """qx (x) qy (x) qz of radians, with the sign of 2.3.1."""
    if not all(math.isfinite(angle) for angle in (x, y, z)):
        return IDENTITY
    turns = (about_axis(axis, math.degrees(angle)) for axis, angle in enumerate((x, y, z)))
    qx, qy, qz = turns
    q = product(qx, product(qy, qz))
    if 4 * q[3] * q[3] > 1:
        return q if q[3] > 0 else -q
    largest = max(range(3), key=lambda axis: abs(q[axis]))
    return q if q[largest] > 0 else -q


def angles(q: Vector) -> tuple[float, float, float]:
    """What Firestorm saves for a rotation (2.3, Saving)."""
    x, y, z, w = (float(number) for number in q / np.linalg.norm(q))
    roll = (2 * (x * w - y * z), w * w - x * x - y * y + z * z)
    cosine = math.hypot(*roll)
    if cosine <= 0.000436:
        if y * w + x * z > 0:
            return 0.0, math.pi / 2, 2 * math.atan2(z + x, w + y)
        return 0.0, -math.pi / 2, 2 * math.atan2(z - x, w - y)
    yaw = math.atan2(2 * (z * w - x * y), w * w + x * x - y * y - z * z)
    return math.atan2(*roll), math.atan2(2 * (y * w + x * z), cosine), yaw


def numbers(entry: Element, key: str) -> Vector | None:
    """A joint's three numbers as floats; None: the file lacks them."""
    value = entry.members.get(key)
    if value is None:
        return None
    items = [one.real() for one in value.items[:3]] if value.kind == "array" else []
    with np.errstate(over="ignore"):
        return np.array([*items, 0.0, 0.0, 0.0][:3]).astype(np.float32).astype(np.float64)


def state_joints(state: Element) -> set[int]:
    """The joints of a poseState by their numbers; empty: all (3.2)."""
    found: set[int] = set()
    before = 0
    for character in state.members.get("jointNumbersAnimated", Element()).text:
        if not "?" <= character <= "~":
            continue
        if character in "|}~":
            before += 63 * ("|}~".index(character) + 1)
        else:
            found.add(before + ord(character) - 63)
            before = 0
    return found


def _rest(name: str) -> dict[str, Any]:
    node = _SKELETON.nodes[name]
    return {"rotation": node.rotation, "position": node.position, "scale": _RADII.get(name, np.ones(3))}


def _shown_by_firestorm(pose: Pose, name: str, entry: Element) -> dict[str, Any]:
    rest, zero = _rest(name), np.zeros(3)
    flags = entry.members
    is_volume = name in _RADII
    base_is_zero = (
        flags["jointBaseRotationIsZero"].boolean()
        if ("jointBaseRotationIsZero" in flags and pose.version >= 5)
        else pose.from_t_pose
    )
    if not pose.from_t_pose:
        below = [state_joints(state) for state in pose.states]
        number = list(_SKELETON.nodes).index(name)
        user = "userSetBaseRotationToZero" in flags and flags["userSetBaseRotationToZero"].boolean()
        if any(not joints or number in joints for joints in below) and not user:
            base_is_zero = False
    zeroes_all = pose.from_t_pose and pose.version > 5
    known = "exact" if is_volume or base_is_zero or zeroes_all else "delta"
    if "enabled" in flags and not flags["enabled"].boolean():
        known = "free"
    rotation, position, scale = (numbers(entry, key) for key in KEYS)
    position = zero if position is None else position
    scale = zero if scale is None else scale
    turned = product(rest["rotation"], euler(*(zero if rotation is None else rotation)))
    if pose.version >= 4:
        position, scale = rest["position"] + position, rest["scale"] + scale
    elif not scale.any():
        scale = rest["scale"]
    return {
        "known": known,
        "rotation": turned,
        "position": position if np.isfinite(position).all() else zero,
        "scale": scale if np.isfinite(scale).all() else np.ones(3),
    }


def _shown_by_black_dragon(name: str, entry: Element) -> dict[str, Any]:
    shown = _rest(name)
    enabled = entry.members.get("enabled")
    is_played = _SKELETON.nodes[name].kind == "bone" or name == "PELVIS"
    free = enabled is not None and not enabled.boolean()
    shown["known"] = "free" if free else "exact" if is_played else "stored"
    for key in KEYS:
        value = numbers(entry, key)
        if value is not None and key == "rotation":
            shown[key] = euler(value[0], value[2], value[1])
        elif value is not None and np.isfinite(value).all():
            shown[key] = value
    return shown


def shown(pose: Pose) -> dict[str, dict[str, Any]]:
    """Each joint of the file, and each that is zeroed: known, rotation (x, y, z, w), position, scale."""
    if pose.program == "black_dragon":
        return {name: _shown_by_black_dragon(name, entry) for name, entry in pose.joints.items()}
    joints = {name: _shown_by_firestorm(pose, name, entry) for name, entry in pose.joints.items()}
    if pose.from_t_pose and pose.version > 5:
        for name in FIRESTORM.values():
            joints.setdefault(name, {"known": "unlisted", **_rest(name)})
    return joints


# ---- the poser's own BVH (4) ----

#: The depth that the poser counts for a joint, where it is more than 3.
_DEPTHS = {
    **dict.fromkeys(("mHipLeft", "mHipRight", "mTail2"), 4),
    "mTail1": 5,
    **dict.fromkeys(("mFaceRoot", "mWingsRoot", "mHindLimbsRoot"), 7),
    "mHead": 8,
    "mNeck": 9,
    **{
        f"m{part}{side}": depth
        for part, depth in (("Wrist", 11), ("Elbow", 12), ("Shoulder", 13), ("Collar", 14))
        for side in ("Left", "Right")
    },
    "mChest": 45,
    "mSpine4": 46,
    "mSpine3": 47,
    "mTorso": 48,
    "mSpine2": 49,
    "mSpine1": 50,
    "mPelvis": 71,
}


def _poser_numbers(name: str, delta: Vector, is_free: bool) -> list[float]:
    if is_free:
        return [0.0, 0.0, 0.0]
    k = max(0.33 * _DEPTHS.get(name, 0), 1.0)
    turned = [product(product(delta, np.array([*axis, 0.0])), delta * [-1, -1, -1, 1]) for axis in np.eye(3)]
    moved = sum(float(np.abs(turned[i][:3] - np.eye(3)[i]).sum()) for i in (0, 1))
    if moved > 0.01 / k:
        return [math.degrees(angle) for angle in angles(delta)]
    return [0.295 if name == "mPelvis" else 0.65 / k, 0.0, 0.0]


def poser_bvh(
    deltas: dict[str, Vector],
    pelvis: Vector,
    free: set[str],
    end: str = "\n",
    *,
    is_old: bool = False,
    names_volumes: bool = True,
) -> bytes:
    """What the poser saves beside a pose; joints that are not given are at zero.

    `is_old`: as 7.1.13 did. `names_volumes` False: as 7.2.2 did, which left the OFFSET of volumes empty.
    """
    feet = {"mFootLeft", "mFootRight"}
    children: dict[str, list[str]] = {}
    for name in FIRESTORM.values():
        parent = _SKELETON.nodes[name].parent
        if is_old and (name in VOLUMES or name in feet):
            continue
        children.setdefault(
            _SKELETON.nodes[parent].parent if is_old and parent in feet else parent, []
        ).append(name)
    lines = ["HIERARCHY"]
    values: list[str] = []
    zeros: list[str] = []

    def add(name: str, level: int) -> None:
        tabs = "\t" * level
        offset = "0.000000 0.000000 0.000000"
        if level:
            x, y, z = _SKELETON.nodes[name].position
            offset = f"{y:.3f} {z:.3f} {x:.3f}" if names_volumes or name not in VOLUMES else ""
        lines.extend([f"{tabs}{'JOINT' if level else 'ROOT'} {name}", tabs + "{", f"{tabs}\tOFFSET {offset}"])
        channels = "3" if level else "6 Xposition Yposition Zposition"
        lines.append(f"{tabs}\tCHANNELS {channels} Zrotation Xrotation Yrotation")
        if not level:
            x, y, z = pelvis * 39.37008
            numbers = pelvis if is_old else (y, z, x)
            values.append(" ".join(f"{number:.6f}" for number in numbers))
            zeros.append("0.000000 0.000000 0.000000")
        delta = deltas.get(name, IDENTITY)
        numbers_of = (
            [math.degrees(angle) for angle in angles(delta)]
            if is_old
            else _poser_numbers(name, delta, name in free)
        )
        values.append(" ".join(f"{number:.6f}" for number in numbers_of))
        zeros.append("0.0 0.0 0.0")
        for child in children.get(name, []):
            add(child, level + 1)
        if name not in children:
            lines.extend(
                [f"{tabs}\tEnd Site", tabs + "\t{", f"{tabs}\t\tOFFSET 0.000 0.000 0.025", tabs + "\t}"]
            )
        lines.append(tabs + "}")

    add("mPelvis", 0)
    lines += ["MOTION", "Frames:    2", "Frame Time: 1", "  ".join(zeros), "  ".join(values), ""]
    return end.join(lines).encode()
