# SPDX-License-Identifier: MIT
"""Scene files with something wrong: cut off, disagreeing, endless, or too much for their bytes."""

from __future__ import annotations

import struct
from collections.abc import Callable
from typing import Any

from ..scene_dae_write import write_dae
from ..scene_expect import Case
from ..scene_fbx import FbxScene, Key, ticks
from ..scene_fbx_write import write_fbx
from ..scene_gltf import document, pack_glb, write_beside, write_embedded, write_glb
from ..scene_model import ROTATION, Animation, Channel, Local, Node, Scene
from .scene_build import arm, arm_nodes, turn_channel
from .scene_dae_files import told as dae_told
from .scene_fbx_files import told as fbx_told
from .scene_gltf_files import y_up

Json = dict[str, Any]


def _bad(name: str, format_: str, wrong: str, data: bytes, outcome: str = "refused", *traps: str) -> Case:
    return Case(name, format_, wrong, data, None, traps, outcome, wrong)


def _edited(edit: Callable[[Json], None], scene: Scene | None = None) -> bytes:
    """The arm as GLB, its JSON edited."""
    told, data = document(y_up(scene or arm()))
    edit(told)
    return pack_glb(told, data)


def _patched(values: dict[int, float]) -> bytes:
    """A GLB whose first animation's numbers are replaced: index of the float in the output -> value."""
    nodes = arm_nodes()
    scene = y_up(Scene(nodes, [Animation.of("Wave", [turn_channel(nodes, 1)])]))
    told, data = document(scene)
    sampler: Json = told["animations"][0]["samplers"][0]
    at: int = told["bufferViews"][told["accessors"][sampler["output"]]["bufferView"]]["byteOffset"]
    changed = bytearray(data)
    for index, value in values.items():
        struct.pack_into("<f", changed, at + 4 * index, value)
    return pack_glb(told, bytes(changed))


def _unordered(times: list[float]) -> bytes:
    nodes = arm_nodes()
    return write_glb(y_up(Scene(nodes, [Animation.of("Wave", [turn_channel(nodes, 1, 0, times)])])))


def _deep(count: int) -> Scene:
    nodes = [Node("n", i - 1 if i else None, Local.of((0.0, 0.0, 0.01))) for i in range(count)]
    turn = Channel(0, ROTATION, [0.0, 1.0], arm().animations[0].channels()[1].values[:2])
    return Scene(nodes, [Animation.of("Wave", [turn])])


def _cycle(told: Json) -> None:
    told["nodes"][2]["children"] = [0]
    told["scenes"][0]["nodes"] = [0]


def _two_parents(told: Json) -> None:
    told["nodes"][0]["children"] = [1, 2]


def _beyond(told: Json) -> None:
    told["accessors"][told["animations"][0]["samplers"][0]["output"]]["count"] = 5000


def _zeros(told: Json) -> None:
    """Four thousand million keys in no bytes: an accessor without a bufferView is all zeros."""
    for sampler in told["animations"][0]["samplers"]:
        for key in ("input", "output"):
            accessor: Json = told["accessors"][sampler[key]]
            del accessor["bufferView"]
            accessor["count"] = 4000000000


def _no_node(told: Json) -> None:
    told["animations"][0]["channels"][0]["target"]["node"] = 99


def _counts_differ(told: Json) -> None:
    told["accessors"][told["animations"][0]["samplers"][0]["output"]]["count"] = 2


def _gltf() -> list[Case]:
    whole = write_glb(y_up(arm()))
    text, _ = write_beside(y_up(arm()), "nowhere.bin")
    missing = _bad(
        "side_missing.gltf",
        "gltf",
        "Its buffer is in a file that isn't there.",
        text,
        "refused",
        "side-file-missing",
    )
    missing.side_files = {"nowhere.bin": None}
    above, _ = write_beside(y_up(arm()), "../linear.glb")
    return [
        missing,
        _bad("side_above.gltf", "gltf", "Its buffer's URI leads out of its folder.", above),
        _bad(
            "truncated.glb",
            "gltf",
            "Cut off in the binary chunk.",
            whole[: len(whole) * 6 // 10],
            "refused",
            "truncated",
        ),
        _bad("truncated_json.glb", "gltf", "Cut off in the JSON chunk.", whole[:300], "refused", "truncated"),
        _bad(
            "truncated.gltf",
            "gltf",
            "JSON that is cut off.",
            write_embedded(y_up(arm()))[:900],
            "refused",
            "truncated",
        ),
        _bad("node_cycle.glb", "gltf", "A node is below itself.", _edited(_cycle)),
        _bad("two_parents.glb", "gltf", "A node has two parents.", _edited(_two_parents), "either"),
        _bad("accessor_beyond.glb", "gltf", "An accessor reaches beyond its bufferView.", _edited(_beyond)),
        _bad("huge_count.glb", "gltf", "4,000,000,000 keys without any bytes.", _edited(_zeros)),
        _bad("no_such_node.glb", "gltf", "A channel for node 99 of 4.", _edited(_no_node), "either"),
        _bad("counts_differ.glb", "gltf", "Four times, two values.", _edited(_counts_differ), "either"),
        _bad("nan.glb", "gltf", "A rotation key has NaN in it.", _patched({5: float("nan")}), "either"),
        _bad("infinite.glb", "gltf", "A rotation key is infinite.", _patched({5: float("inf")}), "either"),
        _bad(
            "zero_turn.glb",
            "gltf",
            "A rotation key is 0, 0, 0, 0.",
            _patched(dict.fromkeys(range(4, 8), 0.0)),
            "either",
        ),
        _bad(
            "times_not_increasing.glb",
            "gltf",
            "Keys at 0, 1, 0.5 and 2 s.",
            _unordered([0.0, 1.0, 0.5, 2.0]),
            "either",
            "times-not-increasing",
        ),
        _bad(
            "times_equal.glb",
            "gltf",
            "Two keys at 0.5 s.",
            _unordered([0.0, 0.5, 0.5, 1.0]),
            "either",
            "times-not-increasing",
        ),
        _bad(
            "deep.glb",
            "gltf",
            "1,100 nodes, each below the one before.",
            write_glb(y_up(_deep(1100))),
            "either",
        ),
    ]


_LAUGHS = b"".join(
    b'<!ENTITY l%d "%s">' % (i, b"&l%d;" % (i - 1) * 10 if i else b"ha" * 10) for i in range(10)
)


def _dae() -> list[Case]:
    whole = write_dae(dae_told(arm()))
    head = b'<?xml version="1.0" encoding="utf-8"?>\n'
    laughing = whole.replace(head, head + b"<!DOCTYPE COLLADA [" + _LAUGHS + b"]>\n").replace(
        b">AnimBridge witness<", b">&l9;<"
    )
    endless = whole.replace(
        b'<instance_controller url="#skin_0">',
        b'<instance_node url="#node_0"/><instance_controller url="#skin_0">',
    )
    endless = endless.replace(
        b'name="Head" type="JOINT">', b'name="Head" type="JOINT"><instance_node url="#node_0"/>'
    )
    return [
        _bad(
            "truncated.dae",
            "collada",
            "Cut off in the animations.",
            whole[: len(whole) // 2],
            "refused",
            "truncated",
        ),
        _bad("entities.dae", "collada", "Entities that would grow to 20 GB.", laughing, "either"),
        _bad(
            "node_cycle.dae",
            "collada",
            "A node has an instance of the node above it inside.",
            endless,
            "either",
        ),
        _bad(
            "no_such_node.dae",
            "collada",
            "A channel for a node that isn't there.",
            whole.replace(b'target="node_1/', b'target="node_9/'),
            "either",
        ),
        _bad(
            "counts_differ.dae",
            "collada",
            "A count of 40 for the times' 4 numbers.",
            whole.replace(b'-t-array" count="4"', b'-t-array" count="40"'),
            "either",
        ),
        _bad(
            "not_a_number.dae",
            "collada",
            "A time that is no number.",
            whole.replace(b">0 0.5 1 1.5<", b">0 x.5 1 1.5<"),
            "either",
        ),
        _bad(
            "no_scene.dae",
            "collada",
            "No <scene>.",
            whole.replace(b'<scene><instance_visual_scene url="#scene"/></scene>', b""),
            "either",
        ),
    ]


def _unordered_fbx() -> bytes:
    fbx = fbx_told(arm())
    name, curves = fbx.stacks[0]
    first = next(iter(curves))
    curves[first] = [Key(ticks(t), v) for t, v in ((0.0, 1.0), (1.0, 2.0), (0.5, 3.0))]
    return write_fbx(FbxScene(fbx.nodes, [(name, curves)], fbx.skins))


def _fbx() -> list[Case]:
    whole = write_fbx(fbx_told(arm()))
    ids = sorted(
        {int(line.split(b",")[0].split()[1]) for line in whole.splitlines() if line.startswith(b"Model: ")}
    )
    same = whole.replace(b"Model: %d," % ids[1], b"Model: %d," % ids[0])
    cycle = whole.replace(b'C: "OO",%d,0\n' % ids[0], b'C: "OO",%d,%d\n' % (ids[0], ids[2]))
    return [
        _bad(
            "truncated.fbx",
            "fbx",
            "Cut off in the objects.",
            whole[: len(whole) // 2],
            "refused",
            "truncated",
        ),
        _bad(
            "times_not_increasing.fbx",
            "fbx",
            "A curve with keys at 0, 1 and 0.5 s.",
            _unordered_fbx(),
            "either",
            "times-not-increasing",
        ),
        _bad("same_ids.fbx", "fbx", "Two Models of one id.", same, "either"),
        _bad("parent_cycle.fbx", "fbx", "The first joint is below the last one.", cycle, "either"),
        _bad(
            "counts_differ.fbx",
            "fbx",
            "Five times, four values.",
            whole.replace(b"KeyTime: *4 {\na: 0,", b"KeyTime: *5 {\na: -1,0,"),
            "either",
        ),
        _bad(
            "array_short.fbx",
            "fbx",
            "An array of four says that it has 400,000,000.",
            whole.replace(b"KeyTime: *4 {", b"KeyTime: *400000000 {"),
            "either",
        ),
        _bad(
            "old_version.fbx",
            "fbx",
            "Version 6.1, whose objects have names, not ids.",
            whole.replace(b"FBXVersion: 7400", b"FBXVersion: 6100"),
            "either",
        ),
        _bad("not_a_scene.fbx", "fbx", "Bytes that are no scene at all.", bytes(range(256)) * 4),
        _bad("empty.fbx", "fbx", "No bytes.", b""),
    ]


def cases() -> list[Case]:
    """Every damaged fixture."""
    return [*_gltf(), *_dae(), *_fbx()]
