# SPDX-License-Identifier: MIT
"""How far a .anim is off at each size: new keys beside the choice of existing ones, and beside ozz's rule.

    python tests/bench/error_by_size.py [--svg FILE] TAKE.bvh...

Each take is retargeted onto the avatar. The truth is a GLB with every sample. Three ways drop keys:
new keys (`convert --max-error`), the best choice among the keys of all samples (`reduce --max-error`), and
the rule of ozz-animation's optimizer: each track by itself, by Ramer, Douglas and Peucker, where a rotation
counts with the length of the chain below the joint. Prints the bytes, the worst error and the one that
99.9 % of all nodes at all samples stay within, as the viewer plays the upload. All of that is measured here
with numpy and the witness's readers. Without takes, it makes a walk, and the walk with noise and with kinks.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT)]

from tests.witness import anim_file, bvh_file, quantise, rigs, upload  # noqa: E402
from tests.witness.certificate import SELDOM_SHOWN  # noqa: E402
from tests.witness.scene_model import Scene  # noqa: E402
from tests.witness.scene_read_gltf import read_gltf  # noqa: E402
from tests.witness.skeleton import load_emotes, load_skeleton  # noqa: E402
from tests.witness.walk import Gait, walk  # noqa: E402

Array = NDArray[np.float64]
#: {joint: (times, quaternions x y z w or metres)}.
Tracks = dict[str, tuple[Array, Array]]


@dataclass
class Point:
    """A file, and how far it is off in millimetres."""

    size: int
    keys: int
    worst: float
    most: float  # what 99.9 % of all nodes at all samples stay within


COMMAND = ROOT / "build" / "bin" / "animbridge"
SKELETON = load_skeleton()
MILLIMETRES = (0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0)
#: ozz's default: errors are also counted this far from a joint, in metres.
OZZ_DISTANCE = 0.1
COLOURS = {"new keys": "#1b6ac9", "chosen keys": "#c9581b", "ozz's rule": "#6b6b6b"}


def run(*words: object) -> None:
    subprocess.run([str(COMMAND), *map(str, words)], check=True, capture_output=True)


def multiplied(a: Array, b: Array) -> Array:
    ax, ay, az, aw = np.moveaxis(a, -1, 0)
    bx, by, bz, bw = np.moveaxis(b, -1, 0)
    return np.stack(
        [
            aw * bx + ax * bw + ay * bz - az * by,
            aw * by - ax * bz + ay * bw + az * bx,
            aw * bz + ax * by - ay * bx + az * bw,
            aw * bw - ax * bx - ay * by - az * bz,
        ],
        -1,
    )


def turned(q: Array, v: Array) -> Array:
    t = 2 * np.cross(q[..., :3], v)
    return v + q[..., 3:] * t + np.cross(q[..., :3], t)


def between(times: Array, values: Array, at: Array, *, slerps: bool) -> Array:
    """Linear; rotations normalised, and by slerp where the stored signs differ, as the viewer does."""
    if len(times) == 1:
        return np.repeat(values, len(at), 0)
    left = np.clip(np.searchsorted(times, at, side="right") - 1, 0, len(times) - 2)
    u = np.clip((at - times[left]) / (times[left + 1] - times[left]), 0, 1)[:, None]
    a, b = values[left], values[left + 1]
    mixed = (1 - u) * a + u * b
    if values.shape[1] == 3:
        return mixed
    dot = (a * b).sum(-1, keepdims=True)
    if slerps:
        half = np.arccos(np.clip(np.abs(dot), 0, 1))
        sine = np.maximum(np.sin(half), 1e-12)
        curved = (np.sin((1 - u) * half) * np.where(dot < 0, -a, a) + np.sin(u * half) * b) / sine
        mixed = np.where((dot < 0) & (half > 1e-6), curved, mixed)
    else:
        mixed = (1 - u) * a + u * np.where(dot < 0, -b, b)
    return mixed / np.linalg.norm(mixed, axis=-1, keepdims=True)


def places(rotations: Tracks, translations: Tracks, at: Array) -> dict[str, Array]:
    """Where every node of the avatar is at each time, in metres."""
    turns: dict[str, Array] = {}
    found: dict[str, Array] = {}
    for name, node in SKELETON.nodes.items():
        q = np.repeat(np.array(node.rotation, float)[None], len(at), 0)
        v = np.repeat(np.array(node.position, float)[None], len(at), 0)
        if name in rotations:
            q = between(*rotations[name], at, slerps=True)
        if name in translations:
            v = between(*translations[name], at, slerps=True)
        above = node.parent
        if above is not None and above in turns:
            q, v = multiplied(turns[above], q), found[above] + turned(turns[above], v)
        turns[name], found[name] = q, v
    return found


def tracks_of(anim: anim_file.AnimFile) -> tuple[Tracks, Tracks]:
    """What plays."""
    rotations: Tracks = {}
    translations: Tracks = {}
    for joint in anim.joints:
        name = SKELETON.canonical(joint.name) or joint.name
        if len(joint.rotation_keys):
            keys = joint.rotation_keys[np.argsort(joint.rotation_keys[:, 0], kind="stable")]
            values = np.asarray(quantise.quaternion_of_codes(keys[:, 1:]), float)
            values /= np.linalg.norm(values, axis=-1, keepdims=True)
            rotations[name] = np.asarray(quantise.decode_time(keys[:, 0], anim.duration), float), values
        if len(joint.position_keys):
            keys = joint.position_keys[np.argsort(joint.position_keys[:, 0], kind="stable")]
            values = np.asarray(quantise.decode_position(keys[:, 1:]), float)
            translations[name] = np.asarray(quantise.decode_time(keys[:, 0], anim.duration), float), values
    return rotations, translations


def counted(moved: set[str]) -> set[str]:
    """The nodes that avatars show, and those that the file moves; not what hangs on the screen."""
    names: set[str] = set()
    for name, node in SKELETON.nodes.items():
        is_shown = not any(part in name for part in SELDOM_SHOWN) and node.kind != "hud"
        if name in moved or (is_shown and (node.parent in names or node.parent not in SKELETON.nodes)):
            names.add(name)
    return names


class Truth:
    """The retargeted motion at every sample, from the GLB."""

    def __init__(self, glb: Path) -> None:
        scene = read_gltf(glb.read_bytes())
        motion = scene.animations[0]
        channels = [(scene.nodes[one.node].name, one) for one in motion.channels()]
        self.times = max((np.array(one.times) for _, one in channels), key=len)
        self._turn = self._turn_to_avatar(scene)
        rotations: dict[int, tuple[Array, Array]] = {}
        translations: dict[int, tuple[Array, Array]] = {}
        for one in motion.channels():
            values = np.array(one.values, float)
            if one.path == "rotation":
                rotations[one.node] = np.array(one.times), values[:, [1, 2, 3, 0]]
            elif one.path == "translation":
                translations[one.node] = np.array(one.times), values
        self.places = {
            name: turned(self._turn, place)
            for name, place in self._world(scene, rotations, translations, self.times).items()
        }

    @staticmethod
    def _world(
        scene: Scene,
        rotations: dict[int, tuple[Array, Array]],
        translations: dict[int, tuple[Array, Array]],
        at: Array,
    ) -> dict[str, Array]:
        turns: dict[int, Array] = {}
        found: dict[int, Array] = {}
        left = list(range(len(scene.nodes)))
        while left:
            for index in list(left):
                node = scene.nodes[index]
                if node.parent is not None and node.parent not in turns:
                    continue
                left.remove(index)
                q = np.repeat(np.array(node.rest.rotation, float)[[1, 2, 3, 0]][None], len(at), 0)
                v = np.repeat(np.array(node.rest.translation, float)[None], len(at), 0)
                if index in rotations:
                    q = between(*rotations[index], at, slerps=False)
                if index in translations:
                    v = between(*translations[index], at, slerps=False)
                if node.parent is not None:
                    above = node.parent
                    q, v = multiplied(turns[above], q), found[above] + turned(turns[above], v)
                turns[index], found[index] = q, v
        return {scene.nodes[index].name: place for index, place in found.items()}

    def _turn_to_avatar(self, scene: Scene) -> Array:
        """The quarter turns between the file's axes and the avatar's, by the places at rest."""
        zero = np.zeros(1)
        own = self._world(scene, {}, {}, zero)
        avatar = places({}, {}, zero)
        names = [name for name in own if name in avatar]
        a = np.array([own[name][0] for name in names])
        b = np.array([avatar[name][0] for name in names])
        half = np.sqrt(0.5)
        quarters = [
            np.array(q) for q in ([0, 0, 0, 1], [half, 0, 0, half], [0, half, 0, half], [0, 0, half, half])
        ]
        turns = [multiplied(p, multiplied(q, r)) for p in quarters for q in quarters for r in quarters]

        def apart(turn: Array) -> float:
            rows = turned(turn, a)
            return float(np.abs((rows - rows.mean(0)) - (b - b.mean(0))).max())

        best = min(turns, key=apart)
        assert apart(best) < 1e-3
        return best

    def errors(self, anim: anim_file.AnimFile) -> tuple[float, float]:
        """The worst one and the one that 99.9 % stay within, in mm, after an upload."""
        stored = upload.predict(anim, SKELETON, load_emotes())
        shown = places(*tracks_of(stored), self.times)
        shift = np.median(self.places["mPelvis"] - shown["mPelvis"], axis=0)
        names = counted({SKELETON.canonical(joint.name) or "" for joint in anim.joints})
        off = [
            np.linalg.norm(self.places[name] - shift - shown[name], axis=-1)
            for name in names
            if name in self.places
        ]
        every = 1000 * np.concatenate(off)
        return float(every.max()), float(np.percentile(every, 99.9))


def chain_lengths() -> dict[str, float]:
    """Of each joint, in metres, to the farthest point below it."""
    lengths = dict.fromkeys(SKELETON.nodes, OZZ_DISTANCE)
    for name, node in reversed(SKELETON.nodes.items()):
        if node.parent in lengths and not any(part in name for part in SELDOM_SHOWN):
            length = lengths[name] + float(np.linalg.norm(node.position))
            lengths[node.parent] = max(lengths[node.parent], length)
    return lengths


def decimated(times: Array, values: Array, tolerance: float) -> Array:
    """The keys that stay, by Ramer, Douglas and Peucker; `tolerance`: metres, or the chord of quaternions."""
    stays = np.zeros(len(times), bool)
    stays[[0, -1]] = True
    spans = [(0, len(times) - 1)]
    while spans:
        first, last = spans.pop()
        if last - first < 2:
            continue
        inner = np.arange(first + 1, last)
        ends = np.array([first, last])
        off = np.linalg.norm(
            between(times[ends], values[ends], times[inner], slerps=False) - values[inner], axis=-1
        )
        if values.shape[1] == 4:
            other = between(times[ends], values[ends], times[inner], slerps=False) + values[inner]
            off = np.minimum(off, np.linalg.norm(other, axis=-1))
        if off.max() > tolerance:
            middle = int(inner[off.argmax()])
            stays[middle] = True
            spans += [(first, middle), (middle, last)]
    return np.flatnonzero(stays)


def by_ozz(every: anim_file.AnimFile, millimetres: float) -> anim_file.AnimFile:
    """The file with the keys that the rule keeps."""
    rotations, translations = tracks_of(every)
    lengths = chain_lengths()
    joints = []
    for joint in every.joints:
        name = SKELETON.canonical(joint.name) or joint.name
        kept = joint
        if name in rotations and len(joint.rotation_keys) > 1:
            # A turn by an angle moves a point by twice the sine of its half: twice the quaternions' chord.
            chord = millimetres / 1000 / lengths[name] / 2
            kept = replace(kept, rotation_keys=joint.rotation_keys[decimated(*rotations[name], chord)])
        if name in translations and len(joint.position_keys) > 1:
            stay = decimated(*translations[name], millimetres / 1000)
            kept = replace(kept, position_keys=joint.position_keys[stay])
        joints.append(kept)
    return replace(every, joints=joints)


def curves(take: Path, folder: Path) -> dict[str, list[Point]]:
    """The points of each way."""
    every, glb = folder / "every.anim", folder / "truth.glb"
    unlimited = ("--for", "opensim", "--force")
    run("convert", take, every, "--retarget", *unlimited, "--max-error", "0.000001")
    run("convert", take, glb, "--onto", every, "--force")
    truth = Truth(glb)
    all_keys = anim_file.parse(every.read_bytes())

    def made(way: str, millimetres: float) -> bytes:
        out = folder / "out.anim"
        if way == "ozz's rule":
            return anim_file.write(by_ozz(all_keys, millimetres))
        if way == "new keys":
            run("convert", take, out, "--retarget", *unlimited, "--max-error", millimetres)
        else:
            run("reduce", every, out, "--max-error", millimetres)
        return out.read_bytes()

    found: dict[str, list[Point]] = {way: [] for way in COLOURS}
    for way, points in found.items():
        for millimetres in MILLIMETRES:
            data = made(way, millimetres)
            anim = anim_file.parse(data)
            keys = sum(len(joint.rotation_keys) + len(joint.position_keys) for joint in anim.joints)
            points.append(Point(len(data), keys, *truth.errors(anim)))
    return found


def generated(folder: Path) -> Iterator[Path]:
    """A walk of 20 seconds, with noise, and with a joint that jumps each second."""
    table = rigs.load_tables()["mixamo"]
    random = np.random.default_rng(34)
    for name in ("walk", "noise", "kinks"):
        bvh = walk(rigs.build("mixamo", table), Gait(seconds=20.0, frames_per_second=60.0)).bvh
        for frame, row in enumerate(bvh.motion):
            row[0] = row[2] = 0.0  # in place: a file holds 5 m
            if name == "noise":
                row[6:] = (np.array(row[6:]) + random.normal(0.0, 0.3, len(row) - 6)).tolist()
            if name == "kinks" and frame // 60 % 2:
                row[6 + 3 * (frame // 60 % 10)] += 10.0
        path = folder / f"{name}.bvh"
        path.write_bytes(bvh_file.write(bvh))
        yield path


def keys_for(points: list[Point], millimetres: float) -> float:
    """How many keys it takes that 99.9 % of the errors are within this, between two points; else NaN."""
    ordered = sorted(points, key=lambda point: point.most)
    errors = np.log([point.most for point in ordered])
    keys = np.log([point.keys for point in ordered])
    return float(np.exp(np.interp(np.log(millimetres), errors, keys, np.nan, np.nan)))


def drawn(takes: dict[str, dict[str, list[Point]]]) -> str:
    """The curves side by side, both axes logarithmic."""
    side, gap = 220, 56
    shapes = []
    for column, (name, ways) in enumerate(takes.items()):
        points = [point for way in ways.values() for point in way]
        low_x, high_x = min(p.size for p in points) / 1.1, max(p.size for p in points) * 1.1
        low_y, high_y = min(p.most for p in points) / 1.2, max(p.most for p in points) * 1.2
        left, top = gap + column * (side + gap), 40

        def scaled(low: float, high: float, length: int) -> Callable[[float], float]:
            return lambda value: length * float(np.log(value / low) / np.log(high / low))

        x, y = scaled(low_x, high_x, side), scaled(low_y, high_y, side)
        shapes.append(
            f'<g transform="translate({left},{top})"><text y="-12" font-weight="bold">{name}</text>'
        )
        shapes.append(f'<rect width="{side}" height="{side}" fill="none" stroke="#999"/>')
        for size in (5, 10, 20, 50, 100, 200, 500, 1000):
            if low_x < 1000 * size < high_x:
                at = x(1000 * size)
                shapes.append(f'<path d="M{at:.1f} 0v{side}" stroke="#ddd"/>')
                shapes.append(f'<text x="{at:.1f}" y="{side + 14}" text-anchor="middle">{size}</text>')
        for error in (0.5, 1, 2, 5, 10, 20, 50, 100):
            if low_y < error < high_y:
                at = side - y(error)
                shapes.append(f'<path d="M0 {at:.1f}h{side}" stroke="#ddd"/>')
                shapes.append(f'<text x="-4" y="{at + 4:.1f}" text-anchor="end">{error:g}</text>')
        for way, line in ways.items():
            ordered = sorted(line, key=lambda point: point.size)
            path = " ".join(f"{x(point.size):.1f},{side - y(point.most):.1f}" for point in ordered)
            shapes.append(f'<polyline points="{path}" fill="none" stroke="{COLOURS[way]}" stroke-width="2"/>')
        shapes.append("</g>")
    legend = "".join(
        f'<tspan dx="12" fill="{colour}" font-weight="bold">{way}</tspan>' for way, colour in COLOURS.items()
    )
    width, height = gap + len(takes) * (side + gap), side + 90
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" font-family="sans-serif" '
        f'font-size="11"><rect width="100%" height="100%" fill="white"/>{"".join(shapes)}'
        f'<text x="{gap}" y="{height - 14}">99.9 % of the errors stay within so many mm, by kilobytes:'
        f"{legend}</text></svg>\n"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("takes", nargs="*", type=Path)
    parser.add_argument("--svg", type=Path)
    given = parser.parse_args()
    takes: dict[str, dict[str, list[Point]]] = {}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for take in given.takes or generated(folder):
            takes[take.stem] = ways = curves(take, folder)
            for way, points in ways.items():
                cells = (f"{one.size / 1000:.0f} kB {one.worst:.1f} ({one.most:.1f})" for one in points)
                print(f"{take.stem:16} {way:12} {'  '.join(cells)}")
            for millimetres in (1.0, 2.0, 4.0, 8.0, 16.0):
                new, *others = (keys_for(points, millimetres) for points in ways.values())
                ratios = " and ".join(f"{new / other:.2f}" for other in others)
                print(
                    f"{take.stem:16} at {millimetres:g} mm, new keys to those of the others: ratio {ratios}"
                )
    if given.svg:
        given.svg.write_text(drawn(takes), encoding="utf-8")


if __name__ == "__main__":
    main()
