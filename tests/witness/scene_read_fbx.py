# SPDX-License-Identifier: MIT
"""Reads FBX 7, binary or text, as a scene; shares nothing with the writer but the model.

One animation layer for each stack is read. Tangents are taken as the file has them, so a key whose slopes the
program that reads it should compute (automatic tangents) needs stored slopes.
"""

from __future__ import annotations

import math
import struct
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np

from .scene_fbx import (
    CONSTANT,
    CONSTANT_NEXT,
    CUBIC,
    STRAIGHT,
    ZERO,
    Curves,
    FbxNode,
    FbxScene,
    Key,
    Triple,
    triple,
)
from .scene_fbx_parse import Element, Value, parse
from .scene_math import Array, array
from .scene_model import ROTATION, SCALE, TRANSLATION, Scene, Skin
from .scene_read_gltf import SceneError

_PATHS = {"Lcl Translation": TRANSLATION, "Lcl Rotation": ROTATION, "Lcl Scaling": SCALE}
_AXES = {"d|X": 0, "d|Y": 1, "d|Z": 2}


@dataclass
class _Object:
    element: Element
    name: str
    class_: str
    properties: dict[str, list[Value]]
    children: list[int] = field(default_factory=list[int])
    owned: list[tuple[int, str]] = field(default_factory=list[tuple[int, str]])  # child, property

    def numbers(self, name: str, default: Triple) -> Triple:
        found = self.properties.get(name)
        return triple(array([float(v) for v in found if isinstance(v, (int, float))])) if found else default

    def number(self, name: str, default: float) -> float:
        found = self.properties.get(name)
        return float(found[0]) if found and isinstance(found[0], (int, float)) else default


def _properties(element: Element | None) -> dict[str, list[Value]]:
    table = element.first("Properties70") if element else None
    return {str(p.values[0]): p.values[4:] for p in table.all("P")} if table else {}


class _Reader:
    def __init__(self, data: bytes) -> None:
        self.version, self.text, self.root = parse(data)
        if self.version < 7000:
            raise SceneError(f"version {self.version} is older than 7000")
        self.objects: dict[int, _Object] = {}
        self.models: list[int] = []
        self.top: list[int] = []
        objects, links = self.root.first("Objects"), self.root.first("Connections")
        for element in objects.inside if objects else []:
            id_, name, class_ = element.values[:3]
            if not isinstance(id_, int):
                raise SceneError(f"an object without an id: {id_!r}")
            plain = str(name).partition("::")[2]
            self.objects[id_] = _Object(element, plain, str(class_), _properties(element))
        if links is not None:
            for link in links.all("C"):
                self._connect(link)
        self._gather(self.top)

    def _connect(self, link: Element) -> None:
        child, parent = link.values[1], link.values[2]
        if not isinstance(child, int) or not isinstance(parent, int) or child not in self.objects:
            return
        if parent == 0:
            self.top.append(child)
        elif parent in self.objects and link.values[0] == "OP":
            self.objects[parent].owned.append((child, str(link.values[3])))
        elif parent in self.objects:
            self.objects[parent].children.append(child)

    def _kind(self, id_: int) -> str:
        return self.objects[id_].element.name

    def _of(self, id_: int, kind: str, class_: str | None = None) -> list[int]:
        """The children of a kind."""
        found = [c for c in self.objects[id_].children if self._kind(c) == kind]
        return [c for c in found if class_ is None or self.objects[c].class_ == class_]

    def _gather(self, ids: list[int]) -> None:
        """Models, each before those below it."""
        for id_ in ids:
            if self._kind(id_) == "Model" and id_ not in self.models:
                self.models.append(id_)
                self._gather(self.objects[id_].children)

    def scene(self) -> FbxScene:
        parents = {child: model for model in self.models for child in self._of(model, "Model")}
        nodes = [self._node(id_, parents.get(id_)) for id_ in self.models]
        skins: list[Skin] = []
        for node, id_ in zip(nodes, self.models, strict=True):
            skin = self._skin(id_)
            if skin is not None:
                node.skin = len(skins)
                skins.append(skin)
        told = _properties(self.root.first("GlobalSettings"))
        settings = _Object(self.root, "", "", told)

        def axis(name: str, default: int) -> tuple[int, int]:
            sign = settings.number(f"{name}AxisSign", 1)
            return int(settings.number(f"{name}Axis", default)), 1 if sign >= 0 else -1

        return FbxScene(
            nodes,
            self._stacks(),
            skins,
            self._spans(),
            axis("Coord", 0),
            axis("Up", 1),
            axis("Front", 2),
            settings.number("UnitScaleFactor", 1.0),
        )

    def _node(self, id_: int, parent: int | None) -> FbxNode:
        told = self.objects[id_]
        node = FbxNode(told.name, None if parent is None else self.models.index(parent), told.class_)
        node.translation = told.numbers("Lcl Translation", ZERO)
        node.rotation = told.numbers("Lcl Rotation", ZERO)
        node.scaling = told.numbers("Lcl Scaling", (1.0, 1.0, 1.0))
        node.order = int(told.number("RotationOrder", 0))
        node.pre, node.post = told.numbers("PreRotation", ZERO), told.numbers("PostRotation", ZERO)
        node.rotation_offset = told.numbers("RotationOffset", ZERO)
        node.rotation_pivot = told.numbers("RotationPivot", ZERO)
        node.scaling_offset = told.numbers("ScalingOffset", ZERO)
        node.scaling_pivot = told.numbers("ScalingPivot", ZERO)
        lenses = self._of(id_, "NodeAttribute", "Camera")
        if lenses:
            node.fov_degrees = self._view(self.objects[lenses[0]])
        return node

    def _view(self, lens: _Object) -> float:
        """The vertical field of view in degrees."""
        view = lens.number("FieldOfView", 25.114999771118164)
        if lens.number("ApertureMode", 2) == 1:  # the view is the horizontal one
            aspect = lens.number("AspectWidth", 320.0) / lens.number("AspectHeight", 200.0)
            return math.degrees(2 * math.atan(math.tan(math.radians(view) / 2) / aspect))
        return view

    def _skin(self, model: int) -> Skin | None:
        joints: list[int] = []
        binds: list[Array] = []
        for geometry in self._of(model, "Geometry"):
            for deformer in self._of(geometry, "Deformer", "Skin"):
                for cluster in self._of(deformer, "Deformer", "Cluster"):
                    links = self._of(cluster, "Model")
                    link = self.objects[cluster].element.numbers("TransformLink")
                    if links and len(link) == 16:
                        joints.append(self.models.index(links[0]))
                        binds.append(np.asarray(np.linalg.inv(link.reshape(4, 4).T), dtype=np.float64))
        return Skin(joints, binds) if joints else None

    def _spans(self) -> dict[int, tuple[int, int]]:
        """What the stacks say of their length."""
        result: dict[int, tuple[int, int]] = {}
        stacks = [told for told in self.objects.values() if told.element.name == "AnimationStack"]
        for index, told in enumerate(stacks):
            start, stop = told.properties.get("LocalStart", [0]), told.properties.get("LocalStop")
            if stop and isinstance(start[0], int) and isinstance(stop[0], int):
                result[index] = start[0], stop[0]
        return result

    def _stacks(self) -> list[tuple[str, Curves]]:
        ids = [i for i in self.objects if self._kind(i) == "AnimationStack"]
        result: list[tuple[str, Curves]] = []
        for id_ in ids:
            layers = self._of(id_, "AnimationLayer")
            if len(layers) > 1:
                raise SceneError(f"{len(layers)} layers in one stack")
            curves: Curves = {}
            for layer in layers:
                for holder in self._of(layer, "AnimationCurveNode"):
                    self._holder(holder, curves)
            result.append((self.objects[id_].name, curves))
        return result

    def _holder(self, holder: int, curves: Curves) -> None:
        """The curves of an AnimationCurveNode, which a model's property owns."""
        for index, model in enumerate(self.models):
            for child, place in self.objects[model].owned:
                if child == holder and place in _PATHS:
                    for curve, part in self.objects[holder].owned:
                        keys = self._keys(self.objects[curve].element)
                        if keys and part in _AXES:
                            curves[index, _PATHS[place], _AXES[part]] = keys

    def _keys(self, curve: Element) -> list[Key]:
        times, values = curve.integers("KeyTime"), curve.numbers("KeyValueFloat")
        flags, counts = curve.integers("KeyAttrFlags"), curve.integers("KeyAttrRefCount")
        data = self._attributes(curve)
        if len(times) != len(values) or len(flags) != len(counts) or len(data) != 4 * len(flags):
            raise SceneError(
                f"a curve's lists disagree: {len(times)}, {len(values)}, {len(flags)}, {len(data)}"
            )
        kinds = [i for i, count in enumerate(counts) for _ in range(count)]
        if len(kinds) < len(times) or any(b <= a for a, b in pairwise(times)):
            raise SceneError("a curve's times do not increase, or keys have no attributes")
        return [
            _key(ticks, float(value), flags[i], data[4 * i : 4 * i + 4])
            for ticks, value, i in zip(times, values, kinds, strict=False)
        ]

    def _attributes(self, curve: Element) -> list[float]:
        """Slopes as floats and weights as the integer of their bits, in whatever form the file has them."""
        if self.text:
            found = curve.integers("KeyAttrDataFloat")
        else:
            floats = curve.numbers("KeyAttrDataFloat").astype("<f4")
            found = np.frombuffer(floats.tobytes(), "<i4").tolist()
        return [float(v) if i % 4 >= 2 else _float(v) for i, v in enumerate(found)]


def _float(bits: int) -> float:
    return float(struct.unpack("<f", struct.pack("<i", bits))[0])


def _key(ticks: int, value: float, flags: int, data: list[float]) -> Key:
    if flags & 0x2:
        return Key(ticks, value, CONSTANT_NEXT if flags & 0x100 else CONSTANT)
    if not flags & 0x8:
        return Key(ticks, value, STRAIGHT)
    packed = int(data[2]) & 0xFFFFFFFF
    right = (packed & 0xFFFF) / 10000 if flags & 0x1000000 else 1 / 3
    left = (packed >> 16) / 10000 if flags & 0x2000000 else 1 / 3
    return Key(ticks, value, CUBIC, data[0], data[1], right, left)


def read_fbx(data: bytes) -> Scene:
    """The scene. ValueError, LookupError: the file is broken."""
    return _Reader(data).scene().scene()
