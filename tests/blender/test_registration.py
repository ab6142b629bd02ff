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
from tests.python.material import ROOT, demos

import animbridge

ADDON = ROOT / "addon" / "animbridge"


@pytest.fixture
def switched_off() -> Iterator[None]:
    """Without the add-on that the other tests use."""
    animbridge.unregister()
    yield
    animbridge.register()


def is_there() -> bool:
    return "secondlife" in dir(operators.import_anim) and "secondlife" in dir(operators.export_anim)


def entries(menu: str) -> int:
    draw = getattr(bpy.types, menu).draw
    return len([f for f in getattr(draw, "_draw_funcs", []) if "animbridge" in f.__module__])


def test_enable_disable_enable(switched_off: None) -> None:
    assert not is_there()
    for _ in range(3):
        assert addon_utils.enable("animbridge", default_set=False) is not None
        assert is_there()
        assert entries("TOPBAR_MT_file_import") == entries("TOPBAR_MT_file_export") == 1
        addon_utils.disable("animbridge", default_set=False)
        assert not is_there()
        assert entries("TOPBAR_MT_file_import") == entries("TOPBAR_MT_file_export") == 0


def test_as_an_extension(switched_off: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Under another package name, as extensions are loaded: nothing refers to the name of the add-on."""
    repository = tmp_path / "pretended_ext" / "user_default"
    repository.mkdir(parents=True)
    (repository / "animbridge").symlink_to(ADDON)
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


def test_manifest_and_bl_info_agree() -> None:
    tomllib = pytest.importorskip("tomllib")
    manifest = tomllib.loads((ADDON / "blender_manifest.toml").read_text(encoding="utf-8"))
    assert manifest["id"] == "animbridge" == ADDON.name
    assert manifest["version"] == ".".join(map(str, animbridge.bl_info["version"]))
    assert manifest["name"] == animbridge.bl_info["name"]
    assert len(manifest["tagline"]) <= 64 and manifest["tagline"][-1].isalnum()
    assert len(manifest["permissions"]["files"]) <= 64
    assert manifest["blender_version_min"] >= "4.2.0"


def test_command_is_registered_where_blender_has_commands() -> None:
    from animbridge import registration

    assert len(registration._command_handles) == 1
    assert (registration._command_handles[0] is not None) == hasattr(bpy.utils, "register_cli_command")


def test_every_property_has_a_tooltip() -> None:
    for operator in (operators.import_anim.secondlife, operators.export_anim.secondlife):
        properties = operator.get_rna_type().properties
        for prop in properties:
            if not prop.is_hidden and prop.identifier not in {"rna_type", "filepath", "check_existing"}:
                assert prop.description, prop.identifier
