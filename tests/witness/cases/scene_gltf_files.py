# SPDX-License-Identifier: MIT
"""glTF fixtures whose motion is whole: kinds of keys, of nodes and of skins."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from ..scene_expect import Case
from ..scene_gltf import write_beside, write_embedded, write_glb
from ..scene_math import Array, about, affine, array, product
from ..scene_model import (
    CUBICSPLINE,
    ROTATION,
    SCALE,
    STEP,
    TRANSLATION,
    Y_UP,
    Animation,
    Channel,
    Local,
    Node,
    Scene,
    in_axes,
)
from .scene_build import (
    BEATS,
    arm,
    arm_channels,
    arm_nodes,
    path_channel,
    skinned,
    turn_channel,
    walking,
)


def y_up(scene: Scene) -> Scene:
    """The scene as glTF tells it."""
    return in_axes(scene, Y_UP, 1.0)


def _glb(name: str, about_it: str, scene: Scene, traps: tuple[str, ...] = ()) -> Case:
    told = y_up(scene)
    return Case(name, "gltf", about_it, write_glb(told), told, traps)


def _rest_not_bind() -> Scene:
    """The skin is bound in another pose than the nodes rest in."""
    scene = arm()
    turned = [about((0, 0, 1), 30), about((1, 0, 0), -50), about((0, 1, 0), 45)]
    for node, turn in zip(scene.nodes, turned, strict=False):
        rest = node.rest
        node.rest = Local.of(rest.translation, product(rest.rotation, turn))
    return scene


def _mesh_between() -> Scene:
    nodes = arm_nodes()
    nodes.insert(1, Node("Belt", 0, Local.of((0.0, 0.1, 0.2), about((1, 1, 0), 30)), mesh=True))
    nodes[2].parent, nodes[3].parent = 1, 2
    channels = [path_channel(nodes), turn_channel(nodes, 0), turn_channel(nodes, 2, 1)]
    scene = Scene(nodes, [Animation.of("Wave", channels)])
    scene = skinned(scene, [0, 2, 3])
    scene.nodes.append(Node("Hat", 3, Local.of((0.0, 0.0, 0.2)), mesh=True))
    return scene


def _cameras() -> Scene:
    nodes = [
        Node("Dolly", None, Local.of((0.0, -3.0, 1.5))),
        Node("Shot", 0, Local.of((0.0, 0.0, 0.2), about((1, 0, 0), 80)), camera=45.0),
        Node("Fixed", None, Local.of((2.0, 2.0, 2.0), about((0, 0, 1), 120)), camera=60.0),
    ]
    pan = Channel(
        1,
        ROTATION,
        BEATS,
        np.array([product(about((0, 0, 1), d), nodes[1].rest.rotation) for d in (0.0, 15.0, 40.0, 30.0)]),
    )
    return Scene(nodes, [Animation.of("Shot 1", [path_channel(nodes), pan])])


def _lone_node() -> Scene:
    nodes = [
        Node("World"),
        Node("Door", 0, Local.of((1.0, 0.5, 0.0), about((0, 0, 1), 90)), mesh=True),
        Node("Lamp", 0, Local.of((0.0, 0.0, 3.0)), light=False),
    ]
    return Scene(nodes, [Animation.of("Open", [turn_channel(nodes, 1), path_channel(nodes, 1)])])


def _scaled(scales: list[tuple[float, float, float]]) -> Scene:
    nodes = arm_nodes()
    for node, scale in zip(nodes, scales, strict=True):
        node.rest = Local.of(node.rest.translation, node.rest.rotation, scale)
    return skinned(Scene(nodes, [Animation.of("Wave", arm_channels(nodes))]), [0, 1, 2])


def _scale_animated() -> Scene:
    scene = arm()
    sizes = np.array([[1.0, 1.0, 1.0], [1.0, 1.5, 0.75], [2.0, 2.0, 2.0], [0.5, 0.5, 0.5]])
    grown = Channel(1, SCALE, BEATS, sizes)
    scene.animations = [Animation.of("Grow", [*scene.animations[0].channels(), grown])]
    return scene


def _several() -> Scene:
    nodes = arm_nodes()
    walk = Animation.of("Walk", arm_channels(nodes))
    wave = Animation.of("Wave", [turn_channel(nodes, 2, 2)])
    same = Animation.of("Wave", [turn_channel(nodes, 1, 1, [0.0, 0.25, 0.5, 2.0])])
    no_name = Animation.of("", [turn_channel(nodes, 0, 0, [0.0, 0.125])])
    return skinned(Scene(nodes, [walk, wave, same, no_name]), [0, 1, 2])


def _one_key() -> Scene:
    nodes = arm_nodes()
    still = Channel(1, ROTATION, [0.0], np.array([about((1, 0, 0), 70)]))
    late = Channel(2, ROTATION, [0.75], np.array([about((0, 1, 0), 33)]))
    step = Channel(0, TRANSLATION, [0.5], np.array([[0.5, 0.5, 1.0]]), STEP)
    return skinned(
        Scene(nodes, [Animation.of("Held", [still, late, step, turn_channel(nodes, 0)])]), [0, 1, 2]
    )


def _all_one_key() -> Scene:
    nodes = arm_nodes()
    keys = [Channel(i, ROTATION, [0.0], np.array([about((1, i, 0), 40 + i)])) for i in range(3)]
    return skinned(Scene(nodes, [Animation.of("Pose", keys)]), [0, 1, 2])


def _sign_flips() -> Scene:
    scene = arm()
    for channel in scene.animations[0].channels():
        if channel.path == ROTATION:
            channel.values[1::2] *= -1
    return scene


def _long_turns() -> Scene:
    """Two full turns about Z in steps of 170 degrees."""
    nodes = arm_nodes()
    times = [i / 4 for i in range(6)]
    spun = [product(nodes[0].rest.rotation, about((0, 0, 1), 170.0 * i)) for i in range(6)]
    scene = Scene(nodes, [Animation.of("Spin", [Channel(0, ROTATION, times, np.array(spun))])])
    return skinned(scene, [0, 1, 2])


def _uneven_keys() -> Scene:
    """Channels of one node with keys at different times, and kinds that differ."""
    nodes = arm_nodes()
    turn = turn_channel(nodes, 0, 0, [0.0, 0.375, 0.5, 2.0])
    place = path_channel(nodes, 0, CUBICSPLINE)
    size = Channel(0, SCALE, [0.25, 1.25], np.array([[1.0, 1.0, 1.0], [1.0, 1.0, 1.0]]), STEP)
    return skinned(Scene(nodes, [Animation.of("Mixed", [turn, place, size])]), [0, 1, 2])


def _repeated(names: tuple[str, ...]) -> Scene:
    """Two arms below a root, so that names occur twice at different places of the tree."""
    nodes = [Node(names[0])]
    for side in (-1.0, 1.0):
        first = len(nodes)
        arm_of = arm_nodes()
        for i, node in enumerate(arm_of):
            node.name, node.parent = names[1 + i], first + i - 1 if i else 0
        arm_of[0].rest = Local.of((side, 0.0, 1.0), about((0, 0, 1), 40 * side))
        nodes += arm_of
    channels = [turn_channel(nodes, i, (i - 1) % 3) for i in range(1, 7)]
    return skinned(Scene(nodes, [Animation.of("Wave", channels)]), list(range(1, 7)), names[-1])


def _scaled_root() -> Scene:
    """Centimetres below a root that scales to metres and turns the axes, as some exporters write it."""
    nodes = [
        Node("Armature", None, Local.of((0, 0, 0), about((1, 0, 0), -90), (0.01, 0.01, 0.01))),
        *arm_nodes(),
    ]
    for i, node in enumerate(nodes[1:]):
        node.parent, node.rest = i, Local.of(100 * node.rest.translation, node.rest.rotation)
    channels = arm_channels(nodes, first=1)
    channels[0].values = nodes[1].rest.translation + 100 * (channels[0].values - nodes[1].rest.translation)
    return skinned(Scene(nodes, [Animation.of("Wave", channels)]), [1, 2, 3])


def _mirrored() -> Scene:
    return _scaled([(-1.0, 1.0, 1.0), (1.0, 1.0, 1.0), (1.0, 1.0, 1.0)])


def _as_matrices() -> Scene:
    scene = arm()
    for node in scene.nodes[1:2]:  # the specification forbids matrices on animated nodes
        node.as_matrix = True
    hips_only = [c for c in scene.animations[0].channels() if c.node != 1]
    scene.animations = [Animation.of("Wave", hips_only)]
    return scene


def _no_inverse_binds() -> Scene:
    """A skin whose inverse binds are identities, so that the bind pose lies in the origin."""
    scene = arm()
    identity: Array = affine(np.eye(3), np.zeros(3))
    scene.skins[0].inverse_binds = [array(identity) for _ in range(3)]
    return scene


_SCENES: dict[str, tuple[str, Callable[[], Scene], tuple[str, ...]]] = {
    "linear.glb": ("A skinned arm: LINEAR keys of translation and rotation.", arm, ()),
    "step.glb": ("STEP keys hold until the next one.", lambda: arm(STEP), ("step",)),
    "cubic.glb": ("CUBICSPLINE keys, whose tangents are no rotations.", lambda: arm(CUBICSPLINE), ("cubic",)),
    "uneven_keys.glb": (
        "LINEAR, CUBICSPLINE and STEP on one node, at times of their own.",
        _uneven_keys,
        ("cubic", "step"),
    ),
    "one_key.glb": ("Channels of one key beside a longer one.", _one_key, ("one-key",)),
    "all_one_key.glb": ("A pose: every channel has one key, the duration is 0.", _all_one_key, ("one-key",)),
    "sign_flips.glb": ("Quaternions change sign from key to key.", _sign_flips, ("sign-flips",)),
    "long_turns.glb": ("Each step turns by 170 degrees, all the same way.", _long_turns, ("long-turns",)),
    "rest_not_bind.glb": (
        "The nodes rest in another pose than the skin is bound in.",
        _rest_not_bind,
        ("rest-is-not-bind",),
    ),
    "bind_at_origin.glb": ("All inverse binds are identities.", _no_inverse_binds, ("rest-is-not-bind",)),
    "mesh_between.glb": ("A mesh node between joints, and one at the end.", _mesh_between, ("mesh-between",)),
    "cameras.glb": (
        "A camera below a moving dolly, and one that stands still.",
        _cameras,
        ("camera", "lone-node", "no-skeleton"),
    ),
    "lone_node.glb": ("One animated object, no skin.", _lone_node, ("lone-node", "no-skeleton")),
    "scale_uniform.glb": (
        "Hips of twice the size.",
        lambda: _scaled([(2.0, 2.0, 2.0), (1.0, 1.0, 1.0), (0.5, 0.5, 0.5)]),
        ("scale",),
    ),
    "scale_non_uniform.glb": (
        "Scales that differ by axis, so that turned children are sheared.",
        lambda: _scaled([(1.0, 2.0, 0.5), (1.5, 1.0, 1.0), (1.0, 1.0, 1.0)]),
        ("scale", "scale-non-uniform"),
    ),
    "scale_animated.glb": (
        "Keys of scale, uniform and not.",
        _scale_animated,
        ("scale", "scale-non-uniform", "scale-animated"),
    ),
    "scaled_root.glb": (
        "Centimetres below a root of scale 0.01 that also turns the axes.",
        _scaled_root,
        ("scale",),
    ),
    "mirrored.glb": ("A scale of -1 on one axis.", _mirrored, ("scale", "mirrored")),
    "matrix_nodes.glb": ("A rest pose as a matrix.", _as_matrices, ("matrix-nodes",)),
    "several_animations.glb": (
        "Four animations: two of one name, one without a name, all of different length.",
        _several,
        ("several-animations",),
    ),
    "no_animation.glb": (
        "A skinned arm without a motion.",
        lambda: replace(arm(), animations=[]),
        ("no-motion",),
    ),
    "no_skeleton.glb": (
        "A mesh alone.",
        lambda: Scene([Node("Box", mesh=True)]),
        ("no-skeleton", "no-motion"),
    ),
    "names_repeat.glb": (
        "Two arms with the same names.",
        lambda: _repeated(("Root", "Hips", "Spine", "Hips", "Body")),
        ("names-repeat",),
    ),
    "names_empty.glb": ("Nodes without names.", lambda: _repeated(("", "", "", "", "")), ("names-empty",)),
    "names_long.glb": (
        "Names of 1,201 bytes that differ in the last one only.",
        lambda: _repeated(("Root", *(1200 * "x" + letter for letter in "abc"), "Body")),
        ("names-repeat", "names-long"),
    ),
    "names_odd.glb": (
        "Names with colons, slashes, dots, quotes, spaces and other scripts.",
        lambda: _repeated(("a/b:c", "mixamorig:Hips", 'Sp"in\\e ', "頭.L|x", "<Body> & more")),
        ("names-repeat", "names-xml"),
    ),
    "root_node.glb": (
        "A moving joint that is called RootNode.",
        lambda: _renamed(arm(), "Hips", "RootNode"),
        ("root-named-RootNode",),
    ),
}


def _renamed(scene: Scene, old: str, new: str) -> Scene:
    for node in scene.nodes:
        node.name = new if node.name == old else node.name
    return scene


def _turned_round(scene: Scene) -> Scene:
    """The root turned by half a turn about Z, its skin bound again."""
    nodes = scene.nodes[:-1]
    nodes[0].rest = Local.of(rotation=about((0, 0, 1), 180))
    return skinned(replace(scene, nodes=nodes, skins=[]), scene.skins[0].joints)


def _humanoids() -> list[Case]:
    """The walk as VRM 1.0, VRM 0.x and VRMA, with names that say nothing: the map alone tells the bones."""
    result: list[Case] = []
    for name, kind in (("vrm1.vrm", "vrm1"), ("vrm0.vrm", "vrm0"), ("motion.vrma", "vrma")):
        scene, slots = walking(0.5)
        for i, node in enumerate(scene.nodes):
            node.name = f"J_{i:02}" if not node.mesh else "Body"
        if kind == "vrm0":  # VRM 0.x looks along -Z of its file, which is +Y here
            scene = _turned_round(scene)
        if kind == "vrma":  # no mesh, no skin
            scene.nodes, scene.skins = scene.nodes[:-1], []
        else:
            scene.animations = []
        told = replace(y_up(scene), humanoid=(kind, slots))
        about_it = f"A {kind} file: the humanoid map is in its JSON, names say nothing."
        traps = ("humanoid",) if kind == "vrma" else ("humanoid", "no-motion")
        result.append(Case(name, "gltf", about_it, write_glb(told), told, traps, samples=16))
    return result


def cases() -> list[Case]:
    """Every glTF fixture that reads."""
    result = [_glb(name, parts[0], parts[1](), parts[2]) for name, parts in _SCENES.items()]
    told = y_up(arm())
    result.append(
        Case("embedded.gltf", "gltf", "JSON with its buffer as a data URI.", write_embedded(told), told)
    )
    text, data = write_beside(told, "beside%20it.bin")
    about_it = "JSON with its buffer beside it; the file's name has a space, which the URI escapes."
    side = Case("beside.gltf", "gltf", about_it, text, told)
    side.side_files = {"beside it.bin": data}
    result.append(side)
    scene = y_up(walking()[0])
    result.append(Case("walk.glb", "gltf", "A body of 20 joints walks.", write_glb(scene), scene, samples=61))
    return [*result, *_humanoids()]
