# SPDX-License-Identifier: MIT
"""Reads COLLADA 1.4.1 as a scene; shares nothing with the writer but the model."""

from __future__ import annotations

import math
from xml.etree.ElementTree import Element, ParseError, fromstring

import numpy as np

from .scene_dae import MEMBERS, Curve, DaeScene, Transform, degrees_of_view, width_of
from .scene_math import Array, array
from .scene_model import Node, Scene, Skin
from .scene_read_gltf import SceneError

_STACK = ("matrix", "translate", "rotate", "scale")


def _numbers(element: Element) -> list[float]:
    return [float(word) for word in (element.text or "").split()]


class _Reader:
    def __init__(self, root: Element) -> None:
        for element in root.iter():  # any namespace will do
            element.tag = element.tag.rpartition("}")[2]
        self.root = root
        self.by_id = {e.get("id", ""): e for e in root.iter() if e.get("id")}
        self.nodes: list[Node] = []
        self.stacks: list[list[Transform]] = []
        self.ids: list[str] = []
        self.sids: list[str] = []
        self.skins: list[Skin] = []
        self.users: list[tuple[int, Element]] = []  # node, instance_controller

    def named(self, url: str | None) -> Element:
        """What #id names."""
        found = self.by_id.get((url or "").removeprefix("#"))
        if found is None:
            raise SceneError(f"{url} names nothing")
        return found

    def scene(self) -> DaeScene:
        shown = self.root.find("scene/instance_visual_scene")
        if shown is None:
            raise SceneError("no <instance_visual_scene>")
        for child in self.named(shown.get("url")).findall("node"):
            self._node(child, None)
        for node, instance in self.users:
            self._skin(node, instance)
        unit, up = self.root.find("asset/unit"), self.root.findtext("asset/up_axis")
        metre = float(unit.get("meter", "1")) if unit is not None else None
        return DaeScene(self.nodes, self.stacks, self._clips(), self.skins, up.strip() if up else None, metre)

    def _node(self, element: Element, parent: int | None) -> None:
        index = len(self.nodes)
        self.nodes.append(Node(element.get("name", ""), parent))
        self.ids.append(element.get("id", ""))
        self.sids.append(element.get("sid", ""))
        stack: list[Transform] = []
        self.stacks.append(stack)
        for child in element:
            if child.tag in _STACK:
                values = _numbers(child)
                if len(values) != width_of(child.tag):
                    raise SceneError(f"<{child.tag}> has {len(values)} numbers")
                stack.append(Transform(child.tag, child.get("sid", ""), values))
            elif child.tag in ("lookat", "skew"):
                raise SceneError(f"<{child.tag}> is not in this reader")
            elif child.tag == "node":
                self._node(child, index)
            elif child.tag == "instance_node":
                self._node(self.named(child.get("url")), index)
            else:
                self._instance(child, index)

    def _instance(self, child: Element, index: int) -> None:
        node = self.nodes[index]
        if child.tag == "instance_controller":
            node.mesh = True
            self.users.append((index, child))
        node.mesh = node.mesh or child.tag == "instance_geometry"
        node.light = node.light or child.tag == "instance_light"
        if child.tag == "instance_camera":
            lens = self.named(child.get("url")).find("optics/technique_common/perspective")
            told = {e.tag: float(e.text or "0") for e in lens} if lens is not None else {}
            node.camera = degrees_of_view(told.get("yfov"), told.get("xfov"), told.get("aspect_ratio"))

    def _array(self, source: Element) -> list[float]:
        data = source.find("float_array")
        if data is None:
            raise SceneError(f"source {source.get('id')} has no numbers")
        values = _numbers(data)
        if len(values) != int(data.get("count", "-1")):
            raise SceneError(f"{len(values)} numbers, count says {data.get('count')}")
        return values

    def _words(self, source: Element) -> list[str]:
        for tag in ("Name_array", "IDREF_array"):
            data = source.find(tag)
            if data is not None:
                return (data.text or "").split()
        raise SceneError(f"source {source.get('id')} has no names")

    def _inputs(self, element: Element) -> dict[str, Element]:
        return {e.get("semantic", ""): self.named(e.get("source")) for e in element.findall("input")}

    def _joint(self, word: str) -> int:
        for names in (self.sids, self.ids, [node.name for node in self.nodes]):
            if word in names:
                return names.index(word)
        raise SceneError(f"no node for joint {word}")

    def _skin(self, node: int, instance: Element) -> None:
        skin = self.named(instance.get("url")).find("skin")
        joints = skin.find("joints") if skin is not None else None
        if joints is None:
            raise SceneError("a controller that is no skin")
        inputs = self._inputs(joints)
        rows = array(self._array(inputs["INV_BIND_MATRIX"])).reshape(-1, 4, 4)
        self.nodes[node].skin = len(self.skins)
        self.skins.append(Skin([self._joint(w) for w in self._words(inputs["JOINT"])], list(rows)))

    def _clips(self) -> list[tuple[str, list[Curve]]]:
        clips = self.root.findall("library_animation_clips/animation_clip")
        if clips:
            return [
                (
                    clip.get("name", clip.get("id", "")),
                    [
                        c
                        for use in clip.findall("instance_animation")
                        for c in self._under(self.named(use.get("url")))
                    ],
                )
                for clip in clips
            ]
        tops = self.root.findall("library_animations/animation")
        curves = [curve for top in tops for curve in self._under(top)]
        name = tops[0].get("name", "") if len(tops) == 1 else ""
        return [(name, curves)] if curves else []

    def _under(self, animation: Element) -> list[Curve]:
        """The curves of an animation and of the animations in it."""
        return [self._curve(c) for a in animation.iter("animation") for c in a.findall("channel")]

    def _curve(self, channel: Element) -> Curve:
        node_id, _, path = channel.get("target", "").partition("/")
        sid, _, member = path.partition(".")
        if node_id not in self.ids or (member and member not in MEMBERS):
            raise SceneError(f"channel for {channel.get('target')}")
        inputs = self._inputs(self.named(channel.get("source")))
        times = self._array(inputs["INPUT"])
        rows = array(self._array(inputs["OUTPUT"])).reshape(len(times), -1)
        kinds = self._words(inputs["INTERPOLATION"]) if "INTERPOLATION" in inputs else ["LINEAR"] * len(times)
        node = self.ids.index(node_id)
        target = next((t for t in self.stacks[node] if t.sid == sid), None)
        if target is None or rows.shape[1] != (1 if member else width_of(target.kind)):
            raise SceneError(f"{rows.shape[1]} numbers a key for {channel.get('target')}")
        into, out = self._tangents(inputs, "IN_TANGENT"), self._tangents(inputs, "OUT_TANGENT")
        return Curve(node, sid, member, times, rows, kinds, into, out)

    def _tangents(self, inputs: dict[str, Element], semantic: str) -> Array | None:
        return array(self._array(inputs[semantic])).reshape(-1, 2) if semantic in inputs else None


def read_dae(data: bytes) -> Scene:
    """The scene. ValueError, LookupError: the file is broken."""
    try:
        root = fromstring(data)
    except ParseError as error:
        raise SceneError(str(error)) from error
    scene = _Reader(root).scene().scene()
    for animation in scene.animations:
        for times in (t for motion in animation.motions.values() for t in motion.key_times()):
            if not all(math.isfinite(t) for t in times) or bool(np.any(np.diff(times) <= 0)):
                raise SceneError("key times do not increase")
    return scene
