# SPDX-License-Identifier: MIT
"""The add-on as Blender handles it: on, off, on; as an add-on and as an extension."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from pathlib import Path

import addon_utils
import bpy
import pytest
from helpers import operators
from tests.python.material import demos

import animbridge
from animbridge import requirements

pytestmark = pytest.mark.compat

ADDON = Path(animbridge.__file__).parent
HANDLER = "IO_FH_animbridge_secondlife"
BVH_HANDLER = "IO_FH_animbridge_bvh"
ONI_HANDLER = "IO_FH_animbridge_oni"
needs_drops = pytest.mark.skipif(
    not hasattr(bpy.types, "FileHandler"), reason="files can be dropped since Blender 4.1"
)


@pytest.fixture
def switched_off() -> Iterator[None]:
    """Without the add-on that the other tests use."""
    animbridge.unregister()
    yield
    animbridge.register()


#: Every operator of the add-on.
OPERATORS = (
    ("import_anim", "secondlife"),
    ("export_anim", "secondlife"),
    ("import_anim", "animbridge_bvh"),
    ("export_anim", "animbridge_bvh"),
    ("import_anim", "oni"),
    ("export_anim", "oni"),
    ("import_anim", "mrtk"),
    ("export_anim", "mrtk"),
    ("armature", "mrtk_hands_add"),
    ("armature", "secondlife_skeleton_add"),
)
MENUS = ("TOPBAR_MT_file_import", "TOPBAR_MT_file_export", "VIEW3D_MT_armature_add")


def operators_there() -> list[bool]:
    return [name in dir(getattr(operators, group)) for group, name in OPERATORS]


def entries(menu: str) -> int:
    draw = getattr(bpy.types, menu).draw
    return len([f for f in getattr(draw, "_draw_funcs", []) if "animbridge" in f.__module__])


def test_one_line_asks_for_a_restart(
    switched_off: None, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """However often the add-on is switched on beside an older library, and then off."""
    monkeypatch.setattr(requirements, "VERSION", "99.0")
    for _ in range(2):
        animbridge.register()
        assert [entries(menu) for menu in MENUS] == [1, 1, 0]
    animbridge.unregister()
    assert [entries(menu) for menu in MENUS] == [0, 0, 0]
    assert "Restart Blender to complete the update" in capsys.readouterr().out


def test_enable_disable_enable(switched_off: None) -> None:
    assert not any(operators_there())
    for _ in range(3):
        assert addon_utils.enable("animbridge", default_set=False) is not None
        assert all(operators_there())
        assert [entries(menu) for menu in MENUS] == [1, 1, 1]
        for handler in (HANDLER, BVH_HANDLER, ONI_HANDLER):
            assert hasattr(bpy.types, handler) == hasattr(bpy.types, "FileHandler")
        addon_utils.disable("animbridge", default_set=False)
        assert not any(operators_there())
        assert [entries(menu) for menu in MENUS] == [0, 0, 0]
        assert not any(hasattr(bpy.types, name) for name in (HANDLER, BVH_HANDLER, ONI_HANDLER))


@needs_drops
def test_where_files_can_be_dropped() -> None:
    handler = getattr(bpy.types, HANDLER)
    assert handler.bl_import_operator == "import_anim.secondlife"
    assert handler.bl_file_extensions.split(";") == [".anim", ".animatn"]
    window = bpy.context.window_manager.windows[0]
    takes = {}
    for area in window.screen.areas:
        with bpy.context.temp_override(window=window, area=area):
            takes[area.type] = handler.poll_drop(bpy.context)
    assert {kind for kind, taken in takes.items() if taken} == {"VIEW_3D", "DOPESHEET_EDITOR"}
    assert len(takes) > 2


@needs_drops
def test_dropped_files_are_imported() -> None:
    """The call that Blender makes for a drop; files of other kinds among them are left to other handlers."""
    walk = next(path for path in demos() if path.name == "walk.anim")
    window = bpy.context.window_manager.windows[0]
    view = next(area for area in window.screen.areas if area.type == "VIEW_3D")
    names = [{"name": name} for name in ("walk.anim", "wave.anim", "readme.txt")]
    with bpy.context.temp_override(window=window, area=view):
        operators.wm.drop_import_file(directory=f"{walk.parent}/", files=names)
    assert sorted(action.name for action in bpy.data.actions) == ["walk", "wave"]


def test_as_an_extension(switched_off: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Under another package name, as extensions are loaded: nothing refers to the name of the add-on."""
    repository = tmp_path / "pretended_ext" / "user_default"
    repository.mkdir(parents=True)
    (repository / "__init__.py").write_text(f"__path__ = [{str(ADDON.parent)!r}]\n", encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    hidden = {name: sys.modules.pop(name) for name in list(sys.modules) if name.split(".")[0] == "animbridge"}
    try:
        extension = importlib.import_module("pretended_ext.user_default.animbridge")
        extension.register()
        path = next(path for path in demos() if path.name == "walk.anim")
        out = tmp_path / "out.anim"
        operators.import_anim.secondlife(filepath=str(path))
        operators.export_anim.secondlife(filepath=str(out))
        assert out.read_bytes() == path.read_bytes()
        extension.unregister()
        assert not any(name.split(".")[0] == "animbridge" for name in sys.modules)
    finally:
        sys.modules.update(hidden)


def test_command_is_registered_where_blender_has_commands() -> None:
    from animbridge import registration

    assert len(registration._command_handles) == 1
    assert (registration._command_handles[0] is not None) == hasattr(bpy.utils, "register_cli_command")


def test_every_property_has_a_tooltip() -> None:
    for group, name in OPERATORS:
        properties = getattr(getattr(operators, group), name).get_rna_type().properties
        for prop in properties:
            if not prop.is_hidden and prop.identifier not in {"rna_type", "filepath", "check_existing"}:
                assert prop.description, prop.identifier
