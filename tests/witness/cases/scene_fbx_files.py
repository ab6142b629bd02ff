# SPDX-License-Identifier: MIT
"""ASCII FBX fixtures: axes and units, kinds of keys, pivots, rotation orders, several stacks."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ..scene_expect import Case
from ..scene_fbx import (
    CONSTANT,
    CONSTANT_NEXT,
    CUBIC,
    STRAIGHT,
    Curves,
    FbxNode,
    FbxScene,
    Key,
    from_scene,
    ticks,
)
from ..scene_fbx_write import write_fbx
from ..scene_math import about, affine, from_euler, matrix3
from ..scene_model import ROTATION, SCALE, TRANSLATION, Animation, Local, Scene, Skin, in_axes, skin_at_rest
from .scene_build import arm, arm_channels, arm_nodes, path_channel, skinned, turn_channel, walking

_Y_UP = FbxScene([])
_Z_UP = FbxScene([], up=(2, 1), front=(1, -1))
_BACK = FbxScene([], right=(0, -1), front=(2, -1))  # looks along -Z
_X_UP = FbxScene([], right=(1, -1), up=(0, 1))


def told(scene: Scene, like: FbxScene = _Y_UP, order: int = 0, in_pre: bool = True) -> FbxScene:
    """The scene as this format tells it."""
    changed = in_axes(scene, like.axes(), 0.01 * like.unit_scale_factor)
    return from_scene(changed, like, order, in_pre)


def _case(name: str, about_it: str, fbx: FbxScene, traps: tuple[str, ...] = (), version: int = 7400) -> Case:
    return Case(name, "fbx", about_it, write_fbx(fbx, version), fbx.scene(), traps)


def keys(*rows: tuple[float, float], kind: str = STRAIGHT) -> list[Key]:
    """Keys of one kind, from (seconds, value)."""
    return [Key(ticks(t), v, kind) for t, v in rows]


def _variants() -> list[Case]:
    """One arm in axes and units that programs write."""
    result: list[Case] = []
    for name, like, factor in (
        ("y_up_cm", _Y_UP, 1.0),
        ("y_up_metre", _Y_UP, 100.0),
        ("z_up_cm", _Z_UP, 1.0),
        ("z_up_metre", _Z_UP, 100.0),
        ("z_up_inch", _Z_UP, 2.54),
        ("y_up_back_cm", _BACK, 1.0),
        ("x_up_cm", _X_UP, 1.0),
    ):
        fbx = told(arm(), replace(like, unit_scale_factor=factor))
        about_it = f"A skinned arm; axes and unit as the name says (UnitScaleFactor {factor:g})."
        result.append(_case(f"{name}.fbx", about_it, fbx, ("axes", "unit")))
    return result


def _kinds() -> FbxScene:
    """One node whose nine numbers have curves of every kind, at times of their own."""
    swing = [
        Key(ticks(0.0), 0.0, CUBIC, 120.0, -40.0),
        Key(ticks(0.5), 45.0, CUBIC, 0.0, 200.0),
        Key(ticks(1.25), -60.0, STRAIGHT),
        Key(ticks(1.5), 0.0),
    ]
    mixed = [
        Key(ticks(0.0), 10.0, CONSTANT),
        Key(ticks(0.25), 80.0, CUBIC, 30.0, 30.0),
        Key(ticks(1.0), 20.0),
    ]
    curves: Curves = {
        (0, TRANSLATION, 0): keys((0.0, 10.0), (1.0, 50.0)),
        (0, TRANSLATION, 1): keys((0.0, 5.0), (0.5, 25.0), (1.5, 0.0), kind=CONSTANT),
        (0, TRANSLATION, 2): keys((0.0, 0.0), (0.75, 30.0), (1.5, 10.0), kind=CONSTANT_NEXT),
        (0, ROTATION, 0): swing,
        (0, ROTATION, 1): mixed,
        (1, ROTATION, 2): keys((0.25, 0.0), (1.25, 90.0)),
    }
    nodes = [
        FbxNode("Upper", translation=(10.0, 5.0, 0.0)),
        FbxNode("Lower", 0, translation=(0.0, 30.0, 0.0)),
    ]
    return FbxScene(nodes, [("Mixed", curves)])


def _weighted() -> FbxScene:
    curve = [
        Key(ticks(0.0), 0.0, CUBIC, 20.0, 10.0, 0.8, 0.1),
        Key(ticks(1.0), 90.0, CUBIC, 0.0, -100.0, 0.05, 0.9),
        Key(ticks(1.5), 30.0),
    ]
    return FbxScene(
        [FbxNode("Turner"), FbxNode("Tip", 0, translation=(0, 20, 0))], [("Eased", {(0, ROTATION, 2): curve})]
    )


def _orders() -> FbxScene:
    """A chain with each rotation order, the last ones with turns before and after."""
    nodes = [
        FbxNode(
            f"Order{i}",
            i - 1 if i else None,
            translation=(3.0, 10.0, -2.0),
            rotation=(20.0, -35.0, 50.0),
            order=i,
        )
        for i in range(6)
    ]
    for node in nodes[3:]:
        node.pre, node.post = (30.0, 10.0, -20.0), (-15.0, 40.0, 5.0)
    curves: Curves = {}
    for i in range(6):
        for axis in range(3):
            start = nodes[i].rotation[axis]
            curves[i, ROTATION, axis] = keys(
                (0.0, start), (0.5, start + 30.0 * (axis + 1)), (1.5, start - 50.0 + 10 * i)
            )
    return FbxScene(nodes, [("Turns", curves)])


def _pivots() -> FbxScene:
    """Pivots and offsets of rotation and scale, as Maya and Mixamo leave them."""
    nodes = [
        FbxNode(
            "mixamorig:Hips",
            translation=(0.0, 95.0, 2.0),
            pre=(0.0, 15.0, 0.0),
            rotation_pivot=(5.0, -3.0, 2.0),
            rotation_offset=(1.0, 2.0, 3.0),
            scaling_pivot=(2.0, 4.0, -1.0),
            scaling_offset=(0.5, -0.5, 0.25),
        ),
        FbxNode(
            "mixamorig:Spine",
            0,
            translation=(0.0, 12.0, -1.0),
            pre=(-8.0, 0.0, 3.0),
            rotation_pivot=(0.0, 4.0, 0.0),
        ),
        FbxNode("mixamorig:Head", 1, translation=(0.0, 40.0, 0.0), post=(0.0, 0.0, 20.0)),
    ]
    curves: Curves = {
        (0, ROTATION, 0): keys((0.0, 0.0), (0.5, 40.0), (1.5, -60.0)),
        (0, ROTATION, 1): keys((0.0, 0.0), (0.5, 100.0), (1.5, 20.0)),
        (1, ROTATION, 2): keys((0.0, 0.0), (0.5, 75.0), (1.5, -30.0)),
        (2, ROTATION, 0): keys((0.0, 10.0), (0.5, -45.0), (1.5, 25.0)),
    }
    return FbxScene(nodes, [("mixamo.com", curves)])


def _scales(animated: bool) -> FbxScene:
    nodes = [
        FbxNode("Root", kind="Root", scaling=(2.0, 2.0, 2.0)),
        FbxNode("Upper", 0, translation=(0.0, 10.0, 0.0), rotation=(0.0, 0.0, 30.0), scaling=(1.0, 1.5, 0.5)),
        FbxNode("Lower", 1, translation=(0.0, 20.0, 0.0), rotation=(40.0, 0.0, 0.0), scaling=(1.0, 1.0, 1.0)),
    ]
    curves: Curves = {(i, ROTATION, 0): keys((0.0, 0.0), (1.0, 60.0)) for i in range(3)}
    if animated:
        for axis, end in enumerate((2.0, 0.5, 1.0)):
            curves[2, SCALE, axis] = keys((0.0, 1.0), (1.0, end))
    return FbxScene(nodes, [("Grow", curves)])


def _spin() -> FbxScene:
    """Two keys 540 degrees apart: only the curve knows the way. The node below turns on in steps of 170."""
    nodes = [FbxNode("Wheel"), FbxNode("Spoke", 0, translation=(0.0, 10.0, 0.0))]
    flips = keys(*((i / 8, 170.0 * i) for i in range(9)))
    return FbxScene(
        nodes, [("Spin", {(0, ROTATION, 1): keys((0.0, 0.0), (1.0, 540.0)), (1, ROTATION, 2): flips})]
    )


def _negative() -> FbxScene:
    fbx = told(arm())
    name, curves = fbx.stacks[0]
    shifted = {at: [replace(key, ticks=key.ticks - ticks(0.75)) for key in of] for at, of in curves.items()}
    return replace(fbx, stacks=[(name, shifted)])


def _said_longer() -> FbxScene:
    """The stack lasts from 0 to 2.5 s, its keys from 0 to 1.5 s."""
    return replace(told(arm()), spans={0: (0, ticks(2.5))})


def _part(of: FbxScene, start: float, stop: float) -> FbxScene:
    """A take that shows a part of what its curves hold, as of a recording that was cut into several."""
    return replace(of, spans={0: (ticks(start), ticks(stop))})


def _several() -> FbxScene:
    nodes = arm_nodes()
    short = Animation.of("Wave", [turn_channel(nodes, 2, 2, [0.0, 0.25, 0.5])])
    late = Animation.of("Late", [turn_channel(nodes, 1, 1, [2.0, 2.5, 3.0])])
    scene = skinned(Scene(nodes, [Animation.of("Walk", arm_channels(nodes)), short, late]), [0, 1, 2])
    return told(scene)


def _partly_keyed() -> FbxScene:
    """Curves for some axes only, two of them of one key; the other numbers stay as the node has them."""
    nodes = [
        FbxNode("Upper", translation=(1.0, 2.0, 3.0), rotation=(10.0, 20.0, 30.0)),
        FbxNode("Lower", 0, translation=(0.0, 25.0, 0.0), rotation=(-5.0, 0.0, 45.0)),
    ]
    curves: Curves = {
        (0, ROTATION, 1): keys((0.0, 20.0), (1.0, 110.0)),
        (0, TRANSLATION, 2): keys((0.5, 12.0)),
        (1, ROTATION, 2): keys((0.0, -45.0)),
    }
    return FbxScene(nodes, [("Partly", curves)])


def _named(*names: str) -> FbxScene:
    fbx = told(arm())
    for node, name in zip(fbx.nodes, names, strict=False):
        node.name = name
    return fbx


def _between() -> FbxScene:
    """A Null and a mesh node between joints that a skin names."""
    nodes = [
        FbxNode("Hips", translation=(0.0, 90.0, 0.0), rotation=(0.0, 10.0, 0.0)),
        FbxNode("Group", 0, "Null", rotation=(0.0, 0.0, 15.0)),
        FbxNode("Belt", 1, "Mesh", translation=(0.0, 5.0, 0.0)),
        FbxNode("Spine", 2, translation=(0.0, 15.0, 0.0)),
        FbxNode("Body", None, "Mesh", skin=0),
    ]
    curves: Curves = {
        (0, ROTATION, 1): keys((0.0, 10.0), (1.0, 70.0)),
        (3, ROTATION, 0): keys((0.0, 0.0), (1.0, 55.0)),
    }
    fbx = FbxScene(nodes, [("Wave", curves)])
    return replace(fbx, skins=[skin_at_rest(fbx.scene(), [0, 3])])


def _rest_not_bind() -> FbxScene:
    """Bound in another pose than the file's: TransformLink has a turn of 35 degrees that the node lacks."""
    fbx = told(arm())
    turn = affine(matrix3(about((0, 0, 1), 35)), np.zeros(3))
    skin = fbx.skins[0]
    binds = [
        skin.inverse_binds[0],
        np.asarray(turn @ skin.inverse_binds[1], dtype=np.float64),
        skin.inverse_binds[2],
    ]
    return replace(fbx, skins=[Skin(skin.joints, binds)])


def _camera() -> FbxScene:
    nodes = [
        FbxNode("Dolly", kind="Null", translation=(0.0, 150.0, 300.0)),
        FbxNode("Shot", 0, "Camera", rotation=(0.0, 90.0, 0.0), fov_degrees=40.0),
    ]
    curves: Curves = {
        (0, TRANSLATION, 0): keys((0.0, 0.0), (1.0, 100.0)),
        (1, ROTATION, 1): keys((0.0, 90.0), (0.5, 120.0), (1.0, 60.0)),
    }
    return FbxScene(nodes, [("Shot 1", curves)])


def _gimbal() -> FbxScene:
    """Rest rotations in Lcl Rotation, order zyx, so that keys pass near gimbal lock."""
    nodes = arm_nodes()
    nodes[1].rest = Local.of(nodes[1].rest.translation, from_euler((10.0, 89.5, 5.0), "zyx"))
    scene = skinned(
        Scene(nodes, [Animation.of("Wave", [path_channel(nodes), turn_channel(nodes, 1, 0)])]), [0, 1, 2]
    )
    return told(scene, order=5, in_pre=False)


def walk() -> FbxScene:
    """The walk as Mixamo tells a motion: centimetres, Y up, PreRotations, a key on each frame."""
    return told(walking()[0])


def cases() -> list[Case]:
    """Every FBX fixture that reads."""
    made = [
        *_variants(),
        _case("version_7500.fbx", "Version 7.5 as text.", told(arm()), (), 7500),
        _case(
            "kinds_of_keys.fbx",
            "Constant, constant-next, linear and cubic keys; each number at its own times.",
            _kinds(),
            ("step", "cubic", "lone-node"),
        ),
        _case(
            "weighted.fbx",
            "Cubic keys with weighted tangents.",
            _weighted(),
            ("cubic", "weighted-tangents", "lone-node"),
        ),
        _case(
            "rotation_orders.fbx",
            "All six rotation orders, with turns before and after.",
            _orders(),
            ("rotation-order",),
        ),
        _case("pivots.fbx", "Pivots and offsets of rotation and scale.", _pivots(), ("pivots",)),
        _case(
            "scale.fbx", "Scales on joints, uniform and not.", _scales(False), ("scale", "scale-non-uniform")
        ),
        _case(
            "scale_animated.fbx",
            "Keys of scale.",
            _scales(True),
            ("scale", "scale-non-uniform", "scale-animated"),
        ),
        _case(
            "long_turns.fbx",
            "540 degrees between two keys; quaternions of the other node change sign.",
            _spin(),
            ("long-turns", "sign-flips"),
        ),
        _case("said_longer.fbx", "A stack of 2.5 s whose keys end at 1.5 s.", _said_longer()),
        _case(
            "part.fbx",
            "A stack from 0.4 to 1.1 s whose keys go from 0 to 1.5 s.",
            _part(told(arm()), 0.4, 1.1),
        ),
        _case("part_kinds.fbx", "The same with keys of every kind.", _part(_kinds(), 0.3, 1.3)),
        _case("negative_times.fbx", "The motion begins at -0.75 s.", _negative(), ("negative-times",)),
        _case(
            "several_animations.fbx", "Three stacks, one from 2 to 3 s.", _several(), ("several-animations",)
        ),
        _case(
            "partly_keyed.fbx", "Curves for some axes only, two with one key.", _partly_keyed(), ("one-key",)
        ),
        _case(
            "names_repeat.fbx", "Three joints of one name.", _named("Bone", "Bone", "Bone"), ("names-repeat",)
        ),
        _case("names_empty.fbx", "Joints without names.", _named("", "", ""), ("names-empty",)),
        _case(
            "root_node.fbx",
            "A moving joint that is called RootNode.",
            _named("RootNode"),
            ("root-named-RootNode",),
        ),
        _case("mesh_between.fbx", "A Null and a mesh node between joints.", _between(), ("mesh-between",)),
        _case(
            "rest_not_bind.fbx",
            "A joint rests 35 degrees from its bind pose.",
            _rest_not_bind(),
            ("rest-is-not-bind",),
        ),
        _case(
            "camera.fbx",
            "A camera below a moving Null; it looks along its +X.",
            _camera(),
            ("camera", "lone-node", "no-skeleton"),
        ),
        _case(
            "gimbal.fbx",
            "Order zyx, near gimbal lock, rest rotations in Lcl Rotation.",
            _gimbal(),
            ("rotation-order",),
        ),
        _case(
            "no_animation.fbx",
            "A skinned arm without a motion.",
            replace(told(arm()), stacks=[]),
            ("no-motion",),
        ),
    ]
    walks = _case("walk.fbx", "A body of 20 joints walks.", walk())
    walks.samples = 61
    return [*made, walks]
