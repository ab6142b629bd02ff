# SPDX-License-Identifier: MIT
"""Names of somebody else's choice, through every way that writes files from Blender."""

from __future__ import annotations

import json
import os
from pathlib import Path

import bpy
import pytest
from batches import convert_here
from helpers import import_file, operators, the_action, the_armature
from oban_support import OBAN, activate, import_oban, new_mesh, record_of
from tests.python.bad_names import BAD_NAMES, assert_good, files_anywhere, level_with
from tests.python.material import demos

pytestmark = pytest.mark.compat

WALK = next(path for path in demos() if path.name == "walk.anim")
SWING = OBAN / "swing.oban"
NAMES = list(BAD_NAMES)


def actions_with_bad_names() -> None:
    """An armature that plays an Action per name, which says that it came from a file of this name."""
    import_file(WALK)
    first = the_action()
    kept = first["animbridge"].to_dict()
    meta = json.loads(kept["meta"])
    animation = the_armature().animation_data
    for number, name in enumerate(NAMES):
        action = first.copy()
        action.name = f"copy {number:02}"
        action.pop("animbridge")
        action["animbridge"] = {
            **kept,
            "meta": json.dumps({**meta, "name": (name + b".anim").decode("utf-8", "surrogateescape")}),
        }
        strip = animation.nla_tracks.new().strips.new("strip", 1, action)
        if hasattr(strip, "action_slot"):
            strip.action_slot = action.slots[0]
    animation.action = None
    bpy.data.actions.remove(first)


def assert_all_in(folder: Path, where: Path, count: int) -> None:
    """Every file lies in the folder and has a good name; no two differ in case alone."""
    made = files_anywhere(where)
    assert len(made) == count == len({path.casefold() for path in made})
    for path in made:
        assert (where / path).parent == folder, path
        assert_good(Path(path).name)


def test_actions_of_a_blend_file(tmp_path: Path) -> None:
    actions_with_bad_names()
    blend = tmp_path / "in.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(blend))
    out = tmp_path / "deep" / "out"
    code, rows = convert_here(blend, "--to", "anim", "--out", out)
    assert code == 0 and len(rows) == len(NAMES)
    assert_all_in(out, tmp_path / "deep", len(NAMES))
    for row, (name, wanted) in zip(rows, BAD_NAMES.items(), strict=True):
        stem = Path(row["output"]).stem
        # Of a path the last name counts. A stem that is taken already leaves the Action's own name.
        if wanted is not None and b"/" not in name and not stem.startswith("copy "):
            assert stem == wanted, (name, stem)


def test_export_of_all(tmp_path: Path) -> None:
    actions_with_bad_names()
    out = tmp_path / "deep" / "out"
    out.mkdir(parents=True)
    done = operators.export_anim.secondlife(filepath=str(out / "x.anim"), actions="ALL")
    assert done == {"FINISHED"}
    assert_all_in(out, tmp_path / "deep", len(NAMES))


def test_export_of_nla_tracks_and_objects(tmp_path: Path) -> None:
    """Tracks and objects have names that Blender keeps as they are."""
    import_file(WALK)
    animation = the_armature().animation_data
    names = ["..", "../up", "CON", "walk", "WALK", "a:b", "line\nfeed"]
    for name in names:
        track = animation.nla_tracks.new()
        track.name = name
        strip = track.strips.new("strip", 1, the_action())
        if hasattr(strip, "action_slot"):
            strip.action_slot = the_action().slots[0]
    out = tmp_path / "nla" / "out"
    out.mkdir(parents=True)
    assert operators.export_anim.secondlife(filepath=str(out / "x.anim"), actions="NLA") == {"FINISHED"}
    assert_all_in(out, tmp_path / "nla", len(names))
    things = []
    for name in names:
        thing = new_mesh(name)
        import_oban(SWING)
        things.append(thing)
    activate(*things)
    out = tmp_path / "objects" / "out"
    out.mkdir(parents=True)
    operators.export_anim.oni(filepath=str(out / "x.oni"), objects="SELECTED", container="ONI")
    assert_all_in(out, tmp_path / "objects", len(names))


def test_levels_to_blend_files(tmp_path: Path) -> None:
    level = tmp_path / "in" / "...dat"
    level.parent.mkdir()
    names = [b"..", b"../up", b"CON", b"x" * 251]
    level.write_bytes(level_with(names, record_of(SWING.read_bytes())))
    out = tmp_path / "deep" / "out"
    code, rows = convert_here(level, "--to", "blend", "--out", out)
    assert code == 0 and len(rows) == len(names)
    assert_all_in(out / "animation", tmp_path / "deep", len(names))


@pytest.mark.parametrize("name", ["{file}", "{object} {name}", "{armature}", r"\1 {file}"])
def test_marks_in_names_stay(name: str, tmp_path: Path) -> None:
    """A name that goes into a pattern is no pattern itself."""
    level = tmp_path / "level.dat"
    level.write_bytes(level_with([name.encode()], record_of(SWING.read_bytes())))
    new_mesh("Box")
    assert import_oban(level, oban=name).animation_data.action.name == name
    new_mesh("Box")
    thing = import_oban(level, oban=name, action_name="{name}, {file}, {object}")
    assert thing.animation_data.action.name == f"{name}, level, {thing.name}"
    if os.name == "nt" and "\\" in name:
        return  # which no file there has in its name
    walk = tmp_path / f"{name}.anim"
    walk.write_bytes(WALK.read_bytes())
    import_file(walk)
    assert the_action().name == f"{name}.001"  # the first is the object's
    assert operators.animbridge.predict_upload() == {"FINISHED"}
    assert the_action().name == f"{name}.001 (uploaded)"
