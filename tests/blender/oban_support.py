# SPDX-License-Identifier: MIT
"""Short words for the tests of OBANs in Blender; expectations are the witness's."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import bpy
import numpy as np
from helpers import operators, set_frame
from tests.python.material import ROOT
from tests.witness import oban_any, oban_check, oban_file, oban_level, oban_player
from tests.witness.oban_file import Record

OBAN = ROOT / "fixtures" / "oban"
METRES = 0.1
#: Y up to Z up: x, y, z become x, -z, y.
K = np.array(((1.0, 0.0, 0.0), (0.0, 0.0, -1.0), (0.0, 1.0, 0.0)))
#: Vertices of the test mesh, in metres.
VERTICES = np.array(
    ((0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0), (-0.7, 0.3, 0.9), (0.5, -0.8, -0.4))
)
#: Behind the keys of a record of odd_level.
TAIL = bytes(range(32))


@dataclass(frozen=True)
class Case:
    """A readable fixture and one of its animations. `name`: what a level calls it."""

    path: Path
    kind: str
    name: str
    record: Record

    def __str__(self) -> str:
        return f"{self.path.name}:{self.name}" if self.kind == "dat" else self.path.name

    @property
    def is_playable(self) -> bool:
        """Whether every frame has a place."""
        return oban_check.is_playable(self.record)

    @property
    def options(self) -> dict[str, Any]:
        """What the import operator must be told besides the path."""
        return {"oban": self.name} if self.kind == "dat" else {}


@lru_cache
def cases() -> tuple[Case, ...]:
    """Every animation of every readable fixture, but for those of levels that have no name of their own."""
    rows = json.loads((OBAN / "manifest.json").read_text(encoding="utf-8"))["files"]
    found: list[Case] = []
    for path in [OBAN / row["file"] for row in rows if row["read"] == "ok"]:
        file, names = oban_any.read(path.read_bytes()), set[bytes | None]()
        for one in file.found:
            if file.kind != "dat" or (one.name is not None and one.name not in names):
                name = (one.name or b"").decode("latin-1").removeprefix("OBAN")
                found.append(Case(path, file.kind, name, one.record))
            names.add(one.name)
    return tuple(found)


def playable() -> list[Case]:
    """Those that can be imported."""
    return [case for case in cases() if case.is_playable]


def odd_level(folder: Path) -> Path:
    """A level with names that no list, file system or .oni holds as they are, and bytes behind keys.

    By instance: untagged "XXANdelta", one with two bytes that are no text, "slash/name", "tail" whose record
    has 32 bytes more. All are swing.oban's.
    """
    record = record_of((OBAN / "swing.oban").read_bytes())
    tail = replace(record, tail=TAIL)
    data = oban_level.create(
        {"delta": record, "gamma": record, "slash/name": record, "tail": tail}, "level1_Final"
    )
    path = folder / "level1_Final.dat"
    path.write_bytes(data.replace(b"OBANdelta", b"XXANdelta").replace(b"OBANgamma", b"OBANg\xff\xfema"))
    return path


def crowded_level(folder: Path, count: int = 24) -> Path:
    """A level with so many animations, all swing.oban's: "animation_of_a_door_00" and so on."""
    record = record_of((OBAN / "swing.oban").read_bytes())
    path = folder / "level2_Final.dat"
    path.write_bytes(
        oban_level.create({f"animation_of_a_door_{n:02}": record for n in range(count)}, "level2_Final")
    )
    return path


def import_oban(path: Path, **options: Any) -> Any:
    """Imports one file at the scene's rate, or as the options say; the object that is active then."""
    wanted = {"frame_rate": "SCENE", **options}
    assert operators.import_anim.oni(filepath=str(path), **wanted) == {"FINISHED"}
    return bpy.context.view_layer.objects.active


def export_oban(path: Path, **options: Any) -> bytes:
    """Exports the active object; the bytes written."""
    assert operators.export_anim.oni(filepath=str(path), **options) == {"FINISHED"}
    return path.read_bytes()


def record_of(data: bytes) -> Record:
    """The only animation of a file."""
    (found,) = oban_any.read(data).found
    return found.record


def raw_of(record: Record) -> bytes:
    """The record's own bytes."""
    return oban_file.write(record)


def set_rate(frames_per_second: float) -> None:
    """Sets the scene's rate; 29.97 is 30 / 1.001."""
    render = bpy.context.scene.render
    if frames_per_second == 29.97:
        render.fps, render.fps_base = 30, 1.001
    else:
        render.fps, render.fps_base = int(frames_per_second), 1.0


def scene_rate() -> float:
    """Frames per second of the scene."""
    render = bpy.context.scene.render
    return float(render.fps / render.fps_base)


def new_mesh(name: str = "Thing") -> Any:
    """A mesh object with VERTICES, active."""
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata(VERTICES.tolist(), [], [])
    return linked(bpy.data.objects.new(name, mesh))


def new_empty(name: str = "Empty") -> Any:
    """An empty, active."""
    return linked(bpy.data.objects.new(name, None))


def new_camera(name: str = "Camera") -> Any:
    """A camera, active."""
    return linked(bpy.data.objects.new(name, bpy.data.cameras.new(name)))


def linked(thing: Any) -> Any:
    """In the scene, active and selected."""
    bpy.context.collection.objects.link(thing)
    activate(thing)
    return thing


def activate(*things: Any) -> None:
    """Selects these and no others; the first is active."""
    for thing in bpy.context.view_layer.objects:
        thing.select_set(thing in things)
    bpy.context.view_layer.objects.active = things[0]


def played(record: Record, frame: float, axes: str = "FILE") -> np.ndarray:
    """Where the witness's player has VERTICES in Blender's world (metres), of a mesh in these axes."""
    m = np.array(oban_player.transform(record, frame), np.float64)
    vertices = VERTICES / METRES
    if axes == "BLENDER":
        vertices = vertices @ K  # K^-1 v, for K is a rotation
    world = vertices @ m[:9].reshape(3, 3) + m[9:]
    return METRES * (world @ K.T)


def shown(thing: Any, frame: float | None = None) -> np.ndarray:
    """Where Blender has VERTICES in the object's world."""
    if frame is not None:
        set_frame(frame)
    m = np.array(evaluated(thing).matrix_world, np.float64)
    return VERTICES @ m[:3, :3].T + m[:3, 3]


def evaluated(thing: Any) -> Any:
    """The object as the depsgraph has it."""
    return thing.evaluated_get(bpy.context.evaluated_depsgraph_get())


def assert_near(found: np.ndarray, wanted: np.ndarray, what: object = "") -> None:
    """Within 1e-5 m within 10 m of the origin, and 1e-6 relative beyond.

    Blender's matrices are in single precision, and several are multiplied: some steps of its last bit.
    """
    size = max(float(np.abs(wanted).max()), 10.0)
    apart = float(np.abs(found - wanted).max())
    assert apart <= 1e-6 * size, f"{what}: {apart:g} m of {size:g} m"


def frames_of(record: Record, most: int = 400) -> list[int]:
    """The file's frames: all, or of very long ones some, with both ends and the neighbours of keys."""
    last = oban_player.last_frame(record)
    if last < most:
        return list(range(last + 1))
    steps = {round(step) for step in np.linspace(0, last, most)}
    near = {key.time + by for key in record.keys[:50] for by in (-1, 0, 1)}
    return sorted(frame for frame in steps | near if 0 <= frame <= last)


def assert_plays(thing: Any, record: Record, axes: str = "FILE", first: float = 1.0) -> None:
    """Blender and the player agree at the file's frames, and half-way between some."""
    rate = scene_rate()
    for frame in frames_of(record):
        found = shown(thing, first + frame * rate / 60)
        assert_near(found, played(record, frame, axes), f"frame {frame}")
