# SPDX-License-Identifier: MIT
"""Scenes as COLLADA 1.4.1. A skinned mesh is one small triangle for each joint, all vertices distinct."""

from __future__ import annotations

from collections.abc import Sequence
from xml.sax.saxutils import escape, quoteattr

import numpy as np

from .scene_dae import MEMBERS, Curve, DaeScene, Transform
from .scene_model import ASPECT, Skin

_CORNERS = ((0.0, 0.0, 0.0), (0.01, 0.0, 0.0), (0.0, 0.01, 0.0))


def _number(value: float) -> str:
    return repr(round(float(value), 8) + 0.0).removesuffix(".0")


def _numbers(values: Sequence[float] | np.ndarray) -> str:
    return " ".join(_number(v) for v in np.ravel(np.asarray(values, dtype=np.float64)))


def _source(
    id_: str, values: Sequence[float] | np.ndarray, params: list[tuple[str, str]], stride: int
) -> str:
    flat = np.ravel(np.asarray(values, dtype=np.float64))
    told = "".join(f"<param{f' name={quoteattr(n)}' if n else ''} type={quoteattr(t)}/>" for n, t in params)
    return (
        f'<source id="{id_}"><float_array id="{id_}-array" count="{len(flat)}">{_numbers(flat)}</float_array>'
        f'<technique_common><accessor source="#{id_}-array" count="{len(flat) // stride}" stride="{stride}">'
        f"{told}</accessor></technique_common></source>"
    )


def _names(id_: str, names: list[str], param: str) -> str:
    return (
        f'<source id="{id_}"><Name_array id="{id_}-array" count="{len(names)}">{" ".join(names)}</Name_array>'
        f'<technique_common><accessor source="#{id_}-array" count="{len(names)}" stride="1">'
        f'<param name="{param}" type="name"/></accessor></technique_common></source>'
    )


_XYZ = [("X", "float"), ("Y", "float"), ("Z", "float")]


def _geometry(index: int, places: np.ndarray) -> str:
    id_ = f"mesh_{index}"
    points = [p + np.array(c) for p in places for c in _CORNERS]
    order = " ".join(str(i) for i in range(len(points)))
    return (
        f'<geometry id="{id_}" name="{id_}"><mesh>{_source(f"{id_}-p", np.array(points), _XYZ, 3)}'
        f'<vertices id="{id_}-v"><input semantic="POSITION" source="#{id_}-p"/></vertices>'
        f'<triangles count="{len(places)}"><input semantic="VERTEX" source="#{id_}-v" offset="0"/>'
        f"<p>{order}</p></triangles></mesh></geometry>"
    )


def _controller(index: int, skin: Skin) -> str:
    id_ = f"skin_{index}"
    count = len(skin.joints)
    binds = np.array([m.ravel() for m in skin.inverse_binds])
    joints = _names(f"{id_}-j", [f"joint_{j}" for j in skin.joints], "JOINT")
    pairs = " ".join(f"{j} 0" for j in range(count) for _ in _CORNERS)
    return (
        f'<controller id="{id_}"><skin source="#mesh_{index}">'
        f"<bind_shape_matrix>{_numbers(np.eye(4))}</bind_shape_matrix>{joints}"
        f"{_source(f'{id_}-b', binds, [('TRANSFORM', 'float4x4')], 16)}"
        f"{_source(f'{id_}-w', [1.0], [('WEIGHT', 'float')], 1)}"
        f'<joints><input semantic="JOINT" source="#{id_}-j"/>'
        f'<input semantic="INV_BIND_MATRIX" source="#{id_}-b"/></joints>'
        f'<vertex_weights count="{3 * count}"><input semantic="JOINT" source="#{id_}-j" offset="0"/>'
        f'<input semantic="WEIGHT" source="#{id_}-w" offset="1"/>'
        f"<vcount>{' '.join('1' for _ in range(3 * count))}</vcount><v>{pairs}</v></vertex_weights>"
        f"</skin></controller>"
    )


def _output_params(transform: Transform, curve: Curve) -> list[tuple[str, str]]:
    if curve.member:
        return [(curve.member, "float")]
    if transform.kind == "matrix":
        return [("TRANSFORM", "float4x4")]
    return _XYZ if transform.kind != "rotate" else [*_XYZ, ("ANGLE", "float")]


def _animation(dae: DaeScene, id_: str, curve: Curve) -> str:
    transform = next(t for t in dae.stacks[curve.node] if t.sid == curve.sid)
    width = curve.rows.shape[1]
    sources = [
        _source(f"{id_}-t", curve.times, [("TIME", "float")], 1),
        _source(f"{id_}-o", curve.rows, _output_params(transform, curve), width),
        _names(f"{id_}-k", curve.kinds, "INTERPOLATION"),
    ]
    inputs = [("INPUT", "t"), ("OUTPUT", "o"), ("INTERPOLATION", "k")]
    for semantic, part, points in (("IN_TANGENT", "i", curve.into), ("OUT_TANGENT", "u", curve.out)):
        if points is not None:
            sources.append(_source(f"{id_}-{part}", points, [("X", "float"), ("Y", "float")], 2))
            inputs.append((semantic, part))
    told = "".join(f'<input semantic="{s}" source="#{id_}-{p}"/>' for s, p in inputs)
    member = f".{curve.member}" if curve.member in MEMBERS else ""
    return (
        f'<animation id="{id_}">{"".join(sources)}<sampler id="{id_}-s">{told}</sampler>'
        f'<channel source="#{id_}-s" target="node_{curve.node}/{curve.sid}{member}"/></animation>'
    )


def _node(dae: DaeScene, index: int, joints: set[int]) -> str:
    node = dae.nodes[index]
    kind = "JOINT" if index in joints else "NODE"
    parts = [
        f'<node id="node_{index}" sid="joint_{index}" name={quoteattr(node.name)} type="{kind}">',
        *(
            f"<{t.kind}{f' sid={quoteattr(t.sid)}' if t.sid else ''}>{_numbers(t.values)}</{t.kind}>"
            for t in dae.stacks[index]
        ),
    ]
    if node.camera is not None:
        parts.append(f'<instance_camera url="#camera_{index}"/>')
    if node.mesh and node.skin is not None:
        root = min(dae.skins[node.skin].joints)
        parts.append(f'<instance_controller url="#skin_{node.skin}"><skeleton>#node_{root}</skeleton>')
        parts.append("</instance_controller>")
    elif node.mesh:
        parts.append(f'<instance_geometry url="#lone_{index}"/>')
    parts += [_node(dae, i, joints) for i, child in enumerate(dae.nodes) if child.parent == index]
    return "\n".join([*parts, "</node>"])


def _asset(dae: DaeScene) -> str:
    unit = "" if dae.metre is None else f'<unit name="unit" meter="{_number(dae.metre)}"/>'
    up = "" if dae.up_axis is None else f"<up_axis>{dae.up_axis}</up_axis>"
    made = "<created>2026-01-01T00:00:00Z</created><modified>2026-01-01T00:00:00Z</modified>"
    tool = "<contributor><authoring_tool>AnimBridge witness</authoring_tool></contributor>"
    return f"<asset>{tool}{made}{unit}{up}</asset>"


def _library(name: str, parts: list[str]) -> str:
    return f"<library_{name}>\n{chr(10).join(parts)}\n</library_{name}>" if parts else ""


def _flat(dae: DaeScene) -> list[str]:
    """An animation for each node."""
    curves = [curve for _, of in dae.clips for curve in of]
    told: list[str] = []
    for node in dict.fromkeys(curve.node for curve in curves):
        own = [_animation(dae, f"node_{node}_{c.sid}", c) for c in curves if c.node == node]
        joined = "\n".join(own)
        told.append(f'<animation id="node_{node}-anim" name="node_{node}">\n{joined}\n</animation>')
    return told


def _animations(dae: DaeScene) -> tuple[list[str], list[str]]:
    """The animations, and the clips that name them where there are several."""
    if dae.flat:
        return _flat(dae), []
    told: list[str] = []
    clips: list[str] = []
    for k, (name, curves) in enumerate(dae.clips):
        inner = "\n".join(_animation(dae, f"anim_{k}_{i}", curve) for i, curve in enumerate(curves))
        told.append(f'<animation id="anim_{k}" name={quoteattr(name)}>\n{inner}\n</animation>')
        times = [t for curve in curves for t in curve.times]
        clips.append(
            f'<animation_clip id="clip_{k}" name={quoteattr(name)} start="{_number(min(times))}" '
            f'end="{_number(max(times))}"><instance_animation url="#anim_{k}"/></animation_clip>'
        )
    return told, clips if len(clips) > 1 else []


def write_dae(dae: DaeScene) -> bytes:
    """The document."""
    cameras = [
        f'<camera id="camera_{i}"><optics><technique_common><perspective><yfov>{_number(n.camera)}</yfov>'
        f"<aspect_ratio>{ASPECT}</aspect_ratio><znear>0.1</znear><zfar>100</zfar></perspective></technique_common>"
        "</optics></camera>"
        for i, n in enumerate(dae.nodes)
        if n.camera is not None
    ]
    geometries = [
        _geometry(
            i, np.array([np.linalg.inv(m)[:3, 3] + [0, 0, 0.001 * k] for k, m in enumerate(s.inverse_binds)])
        )
        for i, s in enumerate(dae.skins)
    ]
    geometries += [
        _geometry(i, np.zeros((1, 3))).replace(f"mesh_{i}", f"lone_{i}")
        for i, n in enumerate(dae.nodes)
        if n.mesh and n.skin is None
    ]
    animations, clips = _animations(dae)
    joints = {j for skin in dae.skins for j in skin.joints}
    roots = "\n".join(_node(dae, i, joints) for i, n in enumerate(dae.nodes) if n.parent is None)
    parts = [
        '<?xml version="1.0" encoding="utf-8"?>',
        '<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">',
        _asset(dae),
        _library("cameras", cameras),
        _library("geometries", geometries),
        _library("controllers", [_controller(i, skin) for i, skin in enumerate(dae.skins)]),
        _library("animations", animations),
        _library("animation_clips", clips),
        f'<library_visual_scenes><visual_scene id="scene" name={quoteattr(escape("Scene"))}>\n{roots}\n'
        "</visual_scene></library_visual_scenes>",
        '<scene><instance_visual_scene url="#scene"/></scene>',
        "</COLLADA>",
    ]
    return ("\n".join(part for part in parts if part) + "\n").encode()
