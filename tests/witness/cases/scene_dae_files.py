# SPDX-License-Identifier: MIT
"""COLLADA fixtures: axes and units, matrices and stacks, kinds of keys, clips, names."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ..scene_dae import UP_AXES, Curve, DaeScene, Transform, from_scene
from ..scene_dae_write import write_dae
from ..scene_expect import Case
from ..scene_math import about, product
from ..scene_model import Animation, Local, Node, Scene, in_axes
from .scene_build import BEATS, arm, arm_channels, arm_nodes, path_channel, skinned, turn_channel, walking


def told(scene: Scene, up: str = "Y_UP", metre: float = 1.0, as_matrix: bool = True) -> DaeScene:
    """The scene as this format tells it."""
    return from_scene(in_axes(scene, UP_AXES[up], metre), as_matrix)


def _case(name: str, about_it: str, dae: DaeScene, traps: tuple[str, ...] = (), samples: int = 13) -> Case:
    return Case(name, "collada", about_it, write_dae(dae), dae.scene(), traps, samples=samples)


def _variants() -> list[Case]:
    """One arm in three axes and three units, by matrices and by stacks."""
    result: list[Case] = []
    units = {"metre": 1.0, "cm": 0.01, "inch": 0.0254}
    for up, unit, as_matrix in (
        ("Y_UP", "metre", True),
        ("Y_UP", "cm", False),
        ("Z_UP", "inch", True),
        ("Z_UP", "metre", False),
        ("X_UP", "cm", True),
        ("X_UP", "metre", False),
    ):
        form = "matrix" if as_matrix else "stack"
        name = f"{up.lower()}_{unit}_{form}.dae"
        about_it = f"A skinned arm, {up}, in units of {units[unit]} m, each node's motion as a {form}."
        result.append(_case(name, about_it, told(arm(), up, units[unit], as_matrix), ("axes", "unit")))
    return result


def _kinds_of_keys() -> DaeScene:
    """Curves for single numbers, of unlike length, with steps and Bezier curves."""
    stack = [
        Transform("translate", "location", [0.5, 0.25, 1.0]),
        Transform("rotate", "turnZ", [0, 0, 1, 30]),
        Transform("rotate", "turnX", [1, 0, 0, -10]),
        Transform("scale", "scale", [1, 1, 1]),
    ]
    still = [Transform("translate", "location", [0, 0.5, 0]), Transform("rotate", "tilt", [0.6, 0, 0.8, 20])]
    into = np.array([[-0.25, 30], [0.25, 60], [1.25, -40]])
    out = np.array([[0.125, 30], [0.75, 120], [1.75, -40]])
    beats = [0.0, 0.5, 1.5]
    swings = np.array([[30.0], [80.0], [-40.0]])
    curves = [
        Curve(0, "turnZ", "ANGLE", beats, swings, ["BEZIER"] * 3, into, out),
        Curve(0, "turnX", "ANGLE", [0.0, 0.25, 1.0], np.array([[-10.0], [45.0], [10.0]]), ["STEP"] * 3),
        Curve(0, "location", "Y", [0.0, 1.5], np.array([[0.25], [1.0]]), ["LINEAR"] * 2),
        Curve(1, "tilt", "ANGLE", BEATS, np.array([[20.0], [200.0], [380.0], [560.0]]), ["LINEAR"] * 4),
    ]
    nodes = [Node("Upper"), Node("Lower", 0)]
    return DaeScene(nodes, [stack, still], [("Mixed", curves)], [], "Z_UP", 1.0)


def _pivot_stack() -> DaeScene:
    """Maya's stack: pivots before and after the turns, a joint orientation, transforms without a sid."""
    stack = [
        Transform("translate", "translate", [0.1, 1.0, 0.2]),
        Transform("translate", "rotatePivot", [0.0, 0.3, 0.1]),
        Transform("rotate", "jointOrientX", [1, 0, 0, 25]),
        Transform("rotate", "rotateY", [0, 1, 0, 0]),
        Transform("translate", "", [0.0, -0.3, -0.1]),
    ]
    keys = np.array([[0.0], [90.0], [170.0], [30.0]])
    curves = [Curve(0, "rotateY", "ANGLE", BEATS, keys, ["LINEAR"] * 4)]
    return DaeScene(
        [Node("Pivoted"), Node("Tip", 0)],
        [stack, [Transform("translate", "t", [0, 0.5, 0])]],
        [("Turn", curves)],
        [],
        "Y_UP",
        1.0,
    )


def _flat(as_matrix: bool) -> DaeScene:
    made = told(arm(), "Z_UP", as_matrix=as_matrix)
    return replace(made, flat=True, clips=[("", made.clips[0][1])])


def _clips() -> Scene:
    nodes = arm_nodes()
    wave = Animation.of("Wave", [turn_channel(nodes, 2, 2, [2.0, 2.5, 3.0])])
    return skinned(Scene(nodes, [Animation.of("Walk", arm_channels(nodes)), wave]), [0, 1, 2])


def _named() -> Scene:
    scene = arm()
    for node, name in zip(scene.nodes, ("mixamorig:Hips", 'Sp"in&e <1>', "頭 .L", "Body's"), strict=True):
        node.name = name
    return scene


def _repeated() -> Scene:
    scene = arm()
    for node in scene.nodes[:3]:
        node.name = "Bone"
    return scene


def _rest_not_bind() -> Scene:
    scene = arm()
    scene.nodes[1].rest = Local.of(
        scene.nodes[1].rest.translation, product(about((0, 0, 1), 40), scene.nodes[1].rest.rotation)
    )
    scene.animations = [Animation.of("Wave", arm_channels(scene.nodes))]
    return scene


def _camera() -> Scene:
    nodes = [
        Node("Rig", None, Local.of((0, -3, 1.5))),
        Node("Shot", 0, Local.of(rotation=about((1, 0, 0), 80))),
    ]
    nodes[1].camera = 37.5
    return Scene(nodes, [Animation.of("Shot 1", [path_channel(nodes), turn_channel(nodes, 1)])])


def _scaled() -> Scene:
    nodes = arm_nodes()
    for node, scale in zip(nodes, ((2.0, 2.0, 2.0), (1.0, 1.5, 0.5), (1.0, 1.0, -1.0)), strict=True):
        node.rest = Local.of(node.rest.translation, node.rest.rotation, scale)
    channels = [c for c in arm_channels(nodes) if c.node != 2]
    return skinned(Scene(nodes, [Animation.of("Wave", channels)]), [0, 1, 2])


def cases() -> list[Case]:
    """Every COLLADA fixture that reads."""
    bare = replace(told(arm()), up_axis=None, metre=None)
    return [
        *_variants(),
        _case("no_unit.dae", "Neither unit nor up_axis: metres and Y_UP.", bare, ("unit", "axes")),
        _case(
            "kinds_of_keys.dae",
            "Curves for single numbers: BEZIER, STEP, LINEAR and long turns.",
            _kinds_of_keys(),
            ("step", "cubic", "long-turns", "lone-node", "no-skeleton"),
        ),
        _case(
            "pivot_stack.dae",
            "Pivots and a joint orientation in the stack.",
            _pivot_stack(),
            ("pivots", "lone-node", "no-skeleton"),
        ),
        _case("flat_matrix.dae", "Each node has an <animation> of its own, of a matrix.", _flat(True)),
        _case("flat_stack.dae", "Each node has an <animation> of its own, of a stack.", _flat(False)),
        _case(
            "clips.dae",
            "Two animation clips, the second from 2 to 3 seconds.",
            told(_clips()),
            ("several-animations",),
        ),
        _case(
            "names.dae",
            "Names with a colon, quotes, angle brackets and spaces.",
            told(_named()),
            ("names-xml",),
        ),
        _case("names_repeat.dae", "Three joints of one name.", told(_repeated()), ("names-repeat",)),
        _case(
            "rest_not_bind.dae",
            "A joint rests 40 degrees from its bind pose.",
            told(_bound_elsewhere()),
            ("rest-is-not-bind",),
        ),
        _case(
            "camera.dae",
            "A camera below a moving node.",
            told(_camera(), as_matrix=False),
            ("camera", "lone-node", "no-skeleton"),
        ),
        _case(
            "scale.dae",
            "Scales on joints: uniform, by axis, and a mirror.",
            told(_scaled()),
            ("scale", "scale-non-uniform", "mirrored"),
        ),
        _case(
            "no_animation.dae",
            "A skinned arm without a motion.",
            told(replace(arm(), animations=[])),
            ("no-motion",),
        ),
        _case("walk.dae", "A body of 20 joints walks.", told(walking()[0], "Z_UP"), (), 61),
    ]


def _bound_elsewhere() -> Scene:
    """Bound as the arm rests; then a joint's rest is turned."""
    scene, turned = arm(), _rest_not_bind()
    return replace(turned, skins=scene.skins)
