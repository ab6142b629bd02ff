# SPDX-License-Identifier: MIT
"""Small files of other formats: X, Valve's SMD, and MD5 (a mesh and its animation).

X is left-handed, Y up, and has row vectors; its quaternions are the inverses of ours. SMD and MD5 are Z up.
The unit is whatever the game's is, told as a metre here. SMD and X files need not say how long a tick is.
"""

from __future__ import annotations

import numpy as np

from ..scene_expect import Case
from ..scene_math import Array, about, array, inverse, product, to_euler
from ..scene_model import (
    LINEAR,
    ROTATION,
    TRANSLATION,
    Animation,
    Channel,
    Local,
    Scene,
    in_axes,
    skin_at_rest,
)
from .scene_build import arm_nodes, path_channel, turn_channel

X_FILE: Array = array([[1, 0, 0], [0, 0, 1], [0, 1, 0]])
"""X's axes in clip space: right is +X, up is +Y, and +Z goes into the screen, where -Y comes out of it."""


def _numbers(values: Array, join: str = " ") -> str:
    return join.join(f"{float(v) + 0.0:.9f}" for v in np.ravel(values))


def _scene(ticks: float) -> Scene:
    """The arm with whole ticks as times, `ticks` of them in a second."""
    nodes = arm_nodes()
    times = [i / ticks for i in (0, 5, 10, 20)]
    moved = path_channel(nodes)
    channels = [Channel(0, TRANSLATION, times, moved.values, LINEAR)]
    channels += [turn_channel(nodes, i, i, times) for i in range(3)]
    return Scene(nodes, [Animation.of("Wave", channels)])


def _x_matrix(pose: Local) -> str:
    return _numbers(pose.matrix().T, ",") + ";;"


def _x_frame(scene: Scene, index: int) -> str:
    node = scene.nodes[index]
    inner = "".join(_x_frame(scene, i) for i, n in enumerate(scene.nodes) if n.parent == index)
    return f"Frame {node.name} {{\nFrameTransformMatrix {{ {_x_matrix(node.rest)} }}\n{inner}}}\n"


def _x_animation(scene: Scene, ticks: float) -> str:
    told = ""
    for node, motion in scene.animations[0].motions.items():
        times = sorted({t for of in motion.key_times() for t in of})
        poses = [(round(t * ticks), motion.local(t, scene.nodes[node].rest)) for t in times]
        # The quaternion of a row vector's matrix is the inverse of ours.
        turns = ",".join(f"{t};4;{_numbers(inverse(pose.rotation), ',')};;" for t, pose in poses)
        places = ",".join(f"{t};3;{_numbers(pose.translation, ',')};;" for t, pose in poses)
        told += f"Animation {{\n{{ {scene.nodes[node].name} }}\n"
        told += "".join(
            f"AnimationKey {{ {kind}; {len(poses)}; {keys}; }}\n" for kind, keys in ((0, turns), (2, places))
        )
        told += "}\n"
    return f"AnimationSet {scene.animations[0].name} {{\n{told}}}\n"


def _x(ticks: int | None) -> Case:
    """`ticks` a second; None: the file does not say, which here means 25."""
    scene = in_axes(_scene(ticks or 25), X_FILE, 1.0)
    rate = "" if ticks is None else f"AnimTicksPerSecond {{ {ticks}; }}\n"
    text = "xof 0303txt 0032\n" + rate + _x_frame(scene, 0) + _x_animation(scene, ticks or 25)
    name = "no_ticks.x" if ticks is None else "ticks.x"
    said = (
        "does not say its ticks per second; 25 are assumed"
        if ticks is None
        else f"has {ticks} ticks per second"
    )
    traps = ("ticks-zero", "axes") if ticks is None else ("axes",)
    return Case(name, "x", f"Left-handed; the file {said}.", text.encode(), scene, traps)


def _smd() -> Case:
    """SMD: frames of places and Euler angles (x first, radians) for every node."""
    scene = _scene(25)
    lines = ["version 1", "nodes"]
    lines += [f'{i} "{n.name}" {-1 if n.parent is None else n.parent}' for i, n in enumerate(scene.nodes)]
    lines += ["end", "skeleton"]
    for t in scene.animations[0].motions[0].key_times()[0]:
        lines.append(f"time {round(t * 25)}")
        for i, pose in enumerate(scene.locals(scene.animations[0], t)):
            turn = np.radians(to_euler(pose.rotation))
            lines.append(f"{i} {_numbers(pose.translation)} {_numbers(turn)}")
    text = "\n".join([*lines, "end", ""])
    # The first frame is all that the file has of a rest pose.
    for node, pose in zip(scene.nodes, scene.locals(scene.animations[0], 0.0), strict=True):
        node.rest = pose
    about_it = "Frames without a rate (25 are assumed) and no mesh; the first frame is the rest pose."
    return Case("frames.smd", "smd", about_it, text.encode(), scene, ("ticks-zero",))


def _md5_turn(turn: Array) -> str:
    """x, y and z of a unit quaternion whose w is minus the root of the rest."""
    q = -turn if turn[0] > 0 else turn
    return _numbers(q[1:])


def _md5() -> list[Case]:
    """A mesh with its bind pose, in object space, and frames of all six numbers of each joint."""
    nodes = arm_nodes()
    rate = 20
    times = [i / rate for i in range(5)]
    keys = [
        [product(n.rest.rotation, about((1, i + 1, 0), 12.0 * k)) for k in range(5)]
        for i, n in enumerate(nodes)
    ]
    channels = [Channel(i, ROTATION, times, np.array(keys[i])) for i in range(3)]
    places = np.array([nodes[0].rest.translation + array([0.1 * k, 0.0, 0.02 * k]) for k in range(5)])
    channels.append(Channel(0, TRANSLATION, times, places))
    scene = Scene(nodes, [Animation.of("", channels)])
    scene.skins = [skin_at_rest(scene, [0, 1, 2])]
    worlds, turns = scene.world()
    parents = [-1 if n.parent is None else n.parent for n in nodes]
    joints = "".join(
        f'\t"{n.name}" {p} ( {_numbers(m[:3, 3])} ) ( {_md5_turn(q)} )\n'
        for n, p, m, q in zip(nodes, parents, worlds, turns, strict=True)
    )
    verts = "".join(f"\tvert {i} ( 0 0 ) {i} 1\n" for i in range(3))
    weights = "".join(f"\tweight {i} {i} 1.0 ( 0.01 {0.02 * i:g} 0.03 )\n" for i in range(3))
    mesh = (
        'MD5Version 10\ncommandline ""\n\nnumJoints 3\nnumMeshes 1\n\njoints {\n' + joints + "}\n\nmesh {\n"
        '\tshader "none"\n\tnumverts 3\n'
        + verts
        + "\tnumtris 1\n\ttri 0 0 1 2\n\tnumweights 3\n"
        + weights
        + "}\n"
    )
    frames = ""
    for k, t in enumerate(times):
        rows = "".join(
            f"\t{_numbers(pose.translation)} {_md5_turn(pose.rotation)}\n"
            for pose in scene.locals(scene.animations[0], t)
        )
        frames += f"frame {k} {{\n{rows}}}\n\n"
    hierarchy = "".join(
        f'\t"{n.name}" {p} 63 {6 * i}\n' for i, (n, p) in enumerate(zip(nodes, parents, strict=True))
    )
    base = "".join(f"\t( {_numbers(n.rest.translation)} ) ( {_md5_turn(n.rest.rotation)} )\n" for n in nodes)
    bounds = "".join("\t( -1 -1 -1 ) ( 1 1 1 )\n" for _ in times)
    anim = (
        f'MD5Version 10\ncommandline ""\n\nnumFrames {len(times)}\nnumJoints 3\nframeRate {rate}\n'
        f"numAnimatedComponents 18\n\nhierarchy {{\n{hierarchy}}}\n\nbounds {{\n{bounds}}}\n\n"
        f"baseframe {{\n{base}}}\n\n{frames}"
    )
    told = Case(
        "arm.md5mesh",
        "md5",
        "A mesh; its animation is in arm.md5anim, at 20 frames a second.",
        mesh.encode(),
        scene,
    )
    told.side_files = {"arm.md5anim": anim.encode()}
    return [told]


def cases() -> list[Case]:
    """Every fixture of these formats."""
    return [_x(None), _x(40), _smd(), *_md5()]
