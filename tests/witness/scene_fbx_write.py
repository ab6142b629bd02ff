# SPDX-License-Identifier: MIT
"""Scenes as ASCII FBX 7.4 or 7.5. A skinned mesh is a small triangle for each joint, vertices distinct."""

from __future__ import annotations

import struct
from collections.abc import Iterable, Sequence

import numpy as np

from .scene_fbx import CONSTANT, CONSTANT_NEXT, CUBIC, FbxNode, FbxScene, Key
from .scene_math import Array
from .scene_model import ASPECT, ROTATION, SCALE, TRANSLATION

_PROPERTY = {TRANSLATION: "Lcl Translation", ROTATION: "Lcl Rotation", SCALE: "Lcl Scaling"}
_LETTER = {TRANSLATION: "T", ROTATION: "R", SCALE: "S"}
_CORNERS = ((0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0))


def _number(value: float) -> str:
    return repr(round(float(value), 8) + 0.0).removesuffix(".0")


def _quoted(text: str) -> str:
    return '"' + text.replace('"', "&quot;") + '"'


def _list(name: str, values: Iterable[str]) -> str:
    told = list(values)
    return f"{name}: *{len(told)} {{\na: {','.join(told)}\n}}\n"


def _floats(name: str, values: Sequence[float] | Array) -> str:
    return _list(name, (_number(v) for v in np.ravel(np.asarray(values, dtype=np.float64))))


def _p(name: str, kind: str, label: str, flags: str, *values: float) -> str:
    return f'P: "{name}", "{kind}", "{label}", "{flags}",{",".join(_number(v) for v in values)}\n'


def _vector(name: str, values: Sequence[float]) -> str:
    return _p(name, "Vector3D", "Vector", "", *values)


def _flags(key: Key) -> int:
    if key.kind in (CONSTANT, CONSTANT_NEXT):
        return 0x2 | (0x100 if key.kind == CONSTANT_NEXT else 0)
    if key.kind != CUBIC:
        return 0x4
    weights = (key.right_weight, key.next_left_weight)
    weighted = [0x1000000, 0x2000000]
    # cubic, the user's own tangents, broken, whatever else happens to the keys' times
    return 0x8 | 0x400 | 0x800 | 0x2000 | sum(f for f, w in zip(weighted, weights, strict=True) if w != 1 / 3)


def _bits(value: float) -> int:
    """A float's bits as the integer that ASCII files have."""
    return int(struct.unpack("<i", struct.pack("<f", value))[0])


def _attributes(key: Key) -> tuple[int, int, int, int]:
    """Right slope, next left slope, two weights in ten-thousandths, and velocities, all as integers."""
    weights = round(key.next_left_weight * 10000) << 16 | round(key.right_weight * 10000)
    return _bits(key.right_slope), _bits(key.next_left_slope), weights, 0


class _Writer:
    def __init__(self, fbx: FbxScene, version: int, frame_rate: float) -> None:
        self.fbx, self.version, self.frame_rate = fbx, version, frame_rate
        self.objects: list[str] = []
        self.connections: list[str] = []
        self.counts: dict[str, int] = {}
        self.next_id = 1000

    def add(self, kind: str, name: str, class_: str, body: str) -> int:
        """An object; its id."""
        self.next_id += 1
        self.counts[kind] = self.counts.get(kind, 0) + 1
        self.objects.append(f"{kind}: {self.next_id}, {_quoted(name)}, {_quoted(class_)} {{\n{body}}}\n")
        return self.next_id

    def connect(self, child: int, parent: int, place: str | None = None) -> None:
        """A connection; `place` is the parent's property."""
        kind = "OO" if place is None else "OP"
        self.connections.append(f'C: "{kind}",{child},{parent}' + (f', "{place}"' if place else "") + "\n")

    def model(self, node: FbxNode) -> int:
        """A Model and its NodeAttribute."""
        names = {
            "RotationOffset": node.rotation_offset,
            "RotationPivot": node.rotation_pivot,
            "ScalingOffset": node.scaling_offset,
            "ScalingPivot": node.scaling_pivot,
            "PreRotation": node.pre,
            "PostRotation": node.post,
        }
        told = "".join(_vector(name, value) for name, value in names.items() if value != (0.0, 0.0, 0.0))
        if node.order:
            told += _p("RotationOrder", "enum", "", "", node.order)
        told += _p("RotationActive", "bool", "", "", 1) + _p("InheritType", "enum", "", "", 1)
        for name, value in (
            ("Lcl Translation", node.translation),
            ("Lcl Rotation", node.rotation),
            ("Lcl Scaling", node.scaling),
        ):
            told += _p(name, name, "", "A", *value)
        body = f'Version: 232\nProperties70:  {{\n{told}}}\nShading: Y\nCulling: "CullingOff"\n'
        id_ = self.add("Model", f"Model::{node.name}", node.kind, body)
        if node.kind == "LimbNode":
            attribute = self.add("NodeAttribute", "NodeAttribute::", "LimbNode", 'TypeFlags: "Skeleton"\n')
            self.connect(attribute, id_)
        if node.kind == "Camera":
            lens = _p("ApertureMode", "enum", "", "", 2) + _p("AspectRatioMode", "enum", "", "", 1)
            lens += _p("AspectWidth", "double", "Number", "", ASPECT)
            lens += _p("AspectHeight", "double", "Number", "", 1)
            lens += _p("FieldOfView", "FieldOfView", "", "A", node.fov_degrees or 0.0)
            body = f'Properties70:  {{\n{lens}}}\nTypeFlags: "Camera"\nGeometryVersion: 124\n'
            self.connect(self.add("NodeAttribute", "NodeAttribute::", "Camera", body), id_)
        return id_

    def mesh(self, node: FbxNode, model: int, models: list[int]) -> None:
        """A mesh node's geometry, and its skin."""
        skin = self.fbx.skins[node.skin] if node.skin is not None else None
        binds = (
            [np.asarray(np.linalg.inv(m), dtype=np.float64) for m in skin.inverse_binds]
            if skin
            else [np.eye(4)]
        )
        places = [m[:3, 3] + np.array([0.0, 0.0, 0.1 * i]) for i, m in enumerate(binds)]
        points = np.array([p + np.array(corner) for p in places for corner in _CORNERS])
        order = [str(-i - 1 if i % 3 == 2 else i) for i in range(len(points))]
        body = _floats("Vertices", points) + _list("PolygonVertexIndex", order) + "GeometryVersion: 124\n"
        geometry = self.add("Geometry", "Geometry::", "Mesh", body)
        self.connect(geometry, model)
        if skin is None:
            return
        deformer = self.add("Deformer", "Deformer::", "Skin", "Version: 101\nLink_DeformAcuracy: 50\n")
        self.connect(deformer, geometry)
        for i, (joint, bind) in enumerate(zip(skin.joints, binds, strict=True)):
            told = "Version: 100\n" + _list("Indexes", (str(3 * i + k) for k in range(3)))
            told += _floats("Weights", [1.0] * 3) + _floats("Transform", skin.inverse_binds[i].T)
            told += _floats("TransformLink", bind.T)
            cluster = self.add("Deformer", "SubDeformer::", "Cluster", told)
            self.connect(cluster, deformer)
            self.connect(models[joint], cluster)

    def curve(self, keys: list[Key]) -> int:
        """An AnimationCurve."""
        first = keys[0].value if keys else 0.0
        body = f"Default: {_number(first)}\nKeyVer: {4009 if self.version >= 7500 else 4008}\n"
        body += _list("KeyTime", (str(key.ticks) for key in keys))
        body += _floats("KeyValueFloat", [key.value for key in keys])
        told = [(_flags(key), *_attributes(key)) for key in keys]
        # Equal neighbours are told once, with a count.
        starts = [i for i in range(len(told)) if i == 0 or told[i] != told[i - 1]]
        counts = [b - a for a, b in zip(starts, [*starts[1:], len(told)], strict=True)]
        body += _list("KeyAttrFlags", (str(told[i][0]) for i in starts))
        body += _list("KeyAttrDataFloat", (str(v) for i in starts for v in told[i][1:]))
        body += _list("KeyAttrRefCount", (str(count) for count in counts))
        return self.add("AnimationCurve", "AnimCurve::", "", body)

    def stack(self, index: int, models: list[int]) -> None:
        """An AnimationStack of one layer."""
        name, curves = self.fbx.stacks[index]
        start, stop = self.fbx.span_of(index)
        span = "".join(
            _p(f"{what}{end}", "KTime", "Time", "", at)
            for what in ("Local", "Reference")
            for end, at in (("Start", start), ("Stop", stop))
        )
        stack = self.add("AnimationStack", f"AnimStack::{name}", "", f"Properties70:  {{\n{span}}}\n")
        layer = self.add("AnimationLayer", "AnimLayer::BaseLayer", "", "")
        self.connect(layer, stack)
        for node, path in dict.fromkeys((node, path) for node, path, _ in curves):
            values = self.fbx.nodes[node]
            rest = {TRANSLATION: values.translation, ROTATION: values.rotation, SCALE: values.scaling}[path]
            told = "".join(_p(f"d|{'XYZ'[i]}", "Number", "", "A", rest[i]) for i in range(3))
            holder = self.add(
                "AnimationCurveNode", f"AnimCurveNode::{_LETTER[path]}", "", f"Properties70:  {{\n{told}}}\n"
            )
            self.connect(holder, layer)
            self.connect(holder, models[node], _PROPERTY[path])
            for axis in range(3):
                if (node, path, axis) in curves:
                    self.connect(self.curve(curves[node, path, axis]), holder, f"d|{'XYZ'[axis]}")

    def settings(self) -> str:
        """GlobalSettings."""
        told = ""
        for name, (axis, sign) in (("Up", self.fbx.up), ("Front", self.fbx.front), ("Coord", self.fbx.right)):
            told += _p(f"{name}Axis", "int", "Integer", "", axis) + _p(
                f"{name}AxisSign", "int", "Integer", "", sign
            )
        told += _p("UnitScaleFactor", "double", "Number", "", self.fbx.unit_scale_factor)
        told += _p("TimeMode", "enum", "", "", 14) + _p(
            "CustomFrameRate", "double", "Number", "", self.frame_rate
        )
        return f"GlobalSettings:  {{\nVersion: 1000\nProperties70:  {{\n{told}}}\n}}\n"

    def text(self) -> str:
        """The whole file."""
        models = [self.model(node) for node in self.fbx.nodes]
        for node, model in zip(self.fbx.nodes, models, strict=True):
            self.connect(model, 0 if node.parent is None else models[node.parent])
            if node.kind == "Mesh":
                self.mesh(node, model, models)
        for index in range(len(self.fbx.stacks)):
            self.stack(index, models)
        major, minor = self.version // 1000, self.version % 1000 // 100
        counts = "".join(f'ObjectType: "{kind}" {{\nCount: {n}\n}}\n' for kind, n in self.counts.items())
        return (
            f"; FBX {major}.{minor}.0 project file\n"
            f"FBXHeaderExtension:  {{\nFBXHeaderVersion: 1003\nFBXVersion: {self.version}\n"
            f'Creator: "AnimBridge witness"\n}}\n{self.settings()}'
            f"Definitions:  {{\nVersion: 100\nCount: {sum(self.counts.values())}\n{counts}}}\n"
            f"Objects:  {{\n{''.join(self.objects)}}}\n"
            f"Connections:  {{\n{''.join(self.connections)}}}\n"
        )


def write_fbx(fbx: FbxScene, version: int = 7400, frame_rate: float = 30.0) -> bytes:
    """The document as text."""
    return _Writer(fbx, version, frame_rate).text().encode()
