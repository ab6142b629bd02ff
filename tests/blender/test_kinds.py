# SPDX-License-Identifier: MIT
"""A kind is one line in the table of kinds: one that is made up here is registered, drawn and converted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import bpy
import pytest
from helpers import import_file, operators
from tests.python.material import ROOT, demos

import animbridge
from animbridge import kinds
from animbridge.batch.options import parse_options
from animbridge.batch.worker import Worker
from animbridge.kinds.kind import BlendFiles, InBlender, Kind
from animbridge.package import Document, Facing
from animbridge.scene.export.result import ExportResult
from animbridge.scene.import_.options import AnimationResult
from animbridge.scene.playing import Playing
from animbridge.scene.source_files import SourceFile
from animbridge.ui.menus import EXPORT_MENU, IMPORT_MENU, FileDrop, MenuEntry

WALK = next(path for path in demos() if path.name == "walk.anim")
HAND = ROOT / "fixtures" / "bvh" / "dialects" / "newline_lf.bvh"
SWING = ROOT / "fixtures" / "oban" / "swing.oban"
LABEL = "Made Up (.made)"
HANDLER = "IO_FH_animbridge_made_up"


class IMPORT_ANIM_OT_made_up(bpy.types.Operator):
    """Import nothing"""

    bl_idname = "import_anim.made_up"
    bl_label = "Import Made Up"

    def execute(self, context: bpy.types.Context) -> set[Any]:
        context.scene["made up"] = True
        return {"FINISHED"}


class MadeUpFiles(BlendFiles):
    """Writes the name of what plays."""

    def import_file(self, file: SourceFile, scene: bpy.types.Scene, frame_start: float) -> AnimationResult:
        raise NotImplementedError

    def export(
        self, playing: Playing, target: str, flags: Mapping[str, Any], stop_above_mm: float
    ) -> ExportResult:
        report = {"max_rotation_error_degrees": 0.0, "max_position_error_mm": 0.0}
        source = f"{target} of {playing.thing.name}, level {flags['level']}, {stop_above_mm} mm".encode()
        return ExportResult(Document.read_file(WALK), report, (), 1.0, Facing.X, source=source)


IN_BLENDER = InBlender(
    classes=(IMPORT_ANIM_OT_made_up,),
    menu_entries=(
        MenuEntry(IMPORT_MENU, IMPORT_ANIM_OT_made_up.bl_idname, LABEL),
        MenuEntry(EXPORT_MENU, IMPORT_ANIM_OT_made_up.bl_idname, icon="EXPORT"),
    ),
    blend_files=MadeUpFiles(),
    drop=FileDrop(HANDLER, LABEL, IMPORT_ANIM_OT_made_up.bl_idname),
)
MADE_UP = Kind(id="made_up", extensions=(".made",), targets=("made",), in_blender=lambda: IN_BLENDER)


class Layout:
    """Notes the entries that a menu would have."""

    def __init__(self) -> None:
        self.layout = self
        self.entries: list[tuple[str, dict[str, str]]] = []

    def operator(self, operator: str, **shown: str) -> None:
        self.entries.append((operator, shown))


def entries_of(menu: str) -> list[tuple[str, dict[str, str]]]:
    """What the add-on draws into a menu."""
    layout = Layout()
    for draw in getattr(bpy.types, menu).draw._draw_funcs:
        if "animbridge" in draw.__module__:
            draw(layout, bpy.context)
    return layout.entries


@pytest.fixture
def made_up() -> Iterator[None]:
    """The add-on with one more line in its table of kinds."""
    before = kinds.KINDS
    animbridge.unregister()
    kinds.KINDS = (*before, MADE_UP)
    try:
        animbridge.register()
        yield
        animbridge.unregister()
    finally:
        kinds.KINDS = before
        animbridge.register()


def test_entries_of_every_kind_in_their_order() -> None:
    labels = [shown["text"] for _, shown in entries_of(IMPORT_MENU)]
    assert labels == [
        "Second Life Animation (.anim)",
        "Motion Capture (BVH, AnimBridge)",
        "Oni Animation (.oni/.dat/.xml/.oban)",
        "MRTK Recording (.bin)",
        "Second Life Pose (.xml)",
        "FBX, glTF, VRM Motion (AnimBridge)",
    ]
    assert entries_of("VIEW3D_MT_armature_add") == [
        ("armature.secondlife_skeleton_add", {"icon": "OUTLINER_OB_ARMATURE"}),
        ("armature.mrtk_hands_add", {"icon": "OUTLINER_OB_ARMATURE"}),
    ]


def test_one_more_kind_is_in_menus_and_drops(made_up: None) -> None:
    assert operators.import_anim.made_up() == {"FINISHED"} and bpy.context.scene["made up"]
    assert entries_of(IMPORT_MENU)[-1] == ("import_anim.made_up", {"text": LABEL})
    assert entries_of(EXPORT_MENU)[-1] == ("import_anim.made_up", {"icon": "EXPORT"})
    has_drops = hasattr(bpy.types, "FileHandler")
    assert hasattr(bpy.types, HANDLER) == has_drops
    if has_drops:
        assert getattr(bpy.types, HANDLER).bl_file_extensions == ".made"


def test_one_more_kind_is_gone_afterwards() -> None:
    assert "made_up" not in dir(operators.import_anim)
    assert len(entries_of(IMPORT_MENU)) == len(kinds.KINDS)


def test_one_more_kind_is_in_the_batch(made_up: None, tmp_path: Path) -> None:
    name = import_file(WALK).name
    blend, out = tmp_path / "scene.blend", tmp_path / "out"
    bpy.ops.wm.save_as_mainfile(filepath=str(blend))
    worker = Worker(parse_options(["--to", "made", "--out", str(out)]), is_stopped=lambda: False)
    rows = worker.convert(blend, out) or []
    assert [row.status for row in rows] == ["ok"]
    written = [(path.name, path.read_text()) for path in out.iterdir()]
    assert written == [("walk.made", f"made of {name}, level None, 20.0 mm")]


@pytest.mark.parametrize("kind", ["secondlife", "animbridge_bvh", "oni"])
def test_a_document_is_asked_once_for_its_info(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = {"secondlife": WALK, "animbridge_bvh": HAND, "oni": SWING}[kind]
    asked: Counter[tuple[int, str]] = Counter()
    documents: list[Document] = []
    real = Document._bytes

    def counted(document: Document, function: str, *arguments: Any) -> bytes:
        # Kept alive, so that no other document gets its id.
        documents.append(document)
        asked[id(document), function] += function == "ab_document_info"
        return real(document, function, *arguments)

    monkeypatch.setattr(Document, "_bytes", counted)
    assert getattr(operators.import_anim, kind)(filepath=str(path)) == {"FINISHED"}
    assert getattr(operators.export_anim, kind)(filepath=str(tmp_path / "out")) == {"FINISHED"}
    assert set(asked.values()) <= {0, 1} and sum(asked.values()) > 0


def test_registering_leaves_nothing_on_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """A kind that cannot be registered takes the others along, so that enabling can be tried again."""

    def fail() -> None:
        raise RuntimeError("cannot attach")

    broken = InBlender(
        classes=(IMPORT_ANIM_OT_made_up,), menu_entries=(), blend_files=MadeUpFiles(), attach=fail
    )
    animbridge.unregister()
    with monkeypatch.context() as patch:
        patch.setattr(kinds, "KINDS", (*kinds.KINDS, Kind("broken", (), (), in_blender=lambda: broken)))
        with pytest.raises(RuntimeError, match="cannot attach"):
            animbridge.register()
        assert not hasattr(bpy.types.Action, "secondlife") and "made_up" not in dir(operators.import_anim)
    animbridge.register()
    assert len(entries_of(IMPORT_MENU)) == len(kinds.KINDS)
