# SPDX-License-Identifier: MIT
"""No include and no import goes up a floor or round a circle, and rooms are as docs/architecture.md says."""

from __future__ import annotations

import ast
import re
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest
from material import ROOT

ADDON = ROOT / "addon" / "animbridge"
PACKAGE = ROOT / "native" / "python" / "animbridge"
NATIVE = ROOT / "native"

#: From the ground up; what stands on one line may not know each other but for the named exceptions.
PYTHON_FLOORS = (
    ("package",),
    ("compat",),
    ("scene",),
    ("ui",),
    ("kinds", "retarget", "clip"),
    ("batch",),
    ("registration", "requirements", "restart", "__init__"),
)
NATIVE_FLOORS = (
    ("base",),
    ("model",),
    ("rig", "reduce"),
    ("editing",),
    ("formats",),
    ("playback", "bridges"),
    ("convert",),
    ("batch",),
    ("api", "cli"),
)
#: A folder each, with the format's id.
KINDS = sorted(path.parent.name for path in (ADDON / "kinds").glob("*/__init__.py"))
#: Floors with a folder for each thing, none of which knows another; the registries stand beside the folders.
BY_FOLDER = {"formats", "bridges"}
#: The command builds on everything below the C interface, and may use the interface's header too.
PUBLIC = "animbridge"


def height(floors: tuple[tuple[str, ...], ...], room: str) -> int:
    """The number of a room's floor."""
    return next(number for number, rooms in enumerate(floors) if room in rooms)


def python_files() -> list[Path]:
    """Without the Python package, which a link leads to, and the one module that imports it."""
    own = (path for path in ADDON.rglob("*.py") if ADDON / "animbridge" not in path.parents)
    return sorted(path for path in own if path != ADDON / "package.py")


def room_of(path: Path) -> str:
    first = path.relative_to(ADDON).parts[0]
    return first.removesuffix(".py")


def imported_modules(path: Path) -> set[tuple[str, ...]]:
    """The modules of the add-on that one imports; every import of its own package must be relative."""
    package = path.relative_to(ADDON).parts[:-1]
    modules: set[tuple[str, ...]] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            assert not any(alias.name.split(".")[0] == "animbridge" for alias in node.names), (
                "absolute import"
            )
        if not isinstance(node, ast.ImportFrom):
            continue
        assert node.level or (node.module or "").split(".")[0] != "animbridge", "absolute import"
        if not node.level:
            continue
        base = package[: len(package) - (node.level - 1)]
        names = [node.module] if node.module else [alias.name for alias in node.names]
        modules |= {(*base, *name.split(".")) for name in names}
    return modules


@pytest.mark.parametrize("path", python_files(), ids=lambda path: str(path.relative_to(ADDON)))
def test_python_imports_go_down(path: Path) -> None:
    own = height(PYTHON_FLOORS, room_of(path))
    for module in imported_modules(path):
        assert height(PYTHON_FLOORS, module[0]) <= own, f"{path} imports {'.'.join(module)}"


@pytest.mark.parametrize("kind", KINDS)
def test_a_kind_imports_no_other_kind(kind: str) -> None:
    """Nor the table of kinds: of what stands beside it, a kind knows what kinds share."""
    for path in sorted((ADDON / "kinds" / kind).rglob("*.py")):
        for module in imported_modules(path):
            if module[0] == "kinds":
                assert module[1:2] in {("kind",), ("armature_files",), (kind,)}, (
                    f"{path} imports {'.'.join(module)}"
                )


def test_what_a_kind_is_knows_no_kind() -> None:
    for module in imported_modules(ADDON / "kinds" / "kind.py"):
        assert module[0] != "kinds", module


@pytest.mark.parametrize(
    "path",
    [
        path
        for path in python_files()
        if room_of(path) in {"scene", "ui", "batch", "registration"} and path.name != "option_tables.py"
    ],
    ids=lambda path: str(path.relative_to(ADDON)),
)
def test_what_kinds_share_names_none(path: Path) -> None:
    """No module of theirs is imported, and nothing is asked for a format's id."""
    for module in imported_modules(path):
        assert module[0] != "kinds" or module[1:2] in {(), ("kind",)}, f"{path} imports {'.'.join(module)}"
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        assert not isinstance(node, ast.Constant) or node.value not in KINDS, f"{path} names {node.value}"


def test_the_package_knows_no_blender() -> None:
    for path in sorted(PACKAGE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            assert not any(name.split(".")[0] in {"bpy", "mathutils", "bpy_extras"} for name in names), path


def test_only_compat_asks_for_a_version() -> None:
    for path in python_files():
        if room_of(path) != "compat":
            text = path.read_text(encoding="utf-8")
            assert "bpy.app.version" not in text and "hasattr(bpy" not in text, path


def native_files() -> list[Path]:
    return sorted(path for path in NATIVE.rglob("*") if path.suffix in {".h", ".cpp", ".c"})


def included_rooms(path: Path) -> set[tuple[str, ...]]:
    found = re.findall(r'^\s*#\s*include\s+"([^"]+)"', path.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return {tuple(name.split("/")[:-1]) for name in found if "/" in name}


@pytest.mark.parametrize("path", native_files(), ids=lambda path: str(path.relative_to(NATIVE)))
def test_native_includes_go_down(path: Path) -> None:
    parts = path.relative_to(NATIVE).parts
    rooms = {room for floor in NATIVE_FLOORS for room in floor}
    if parts[0] not in rooms:  # tools that run while building, and the public header
        return
    own, folder = height(NATIVE_FLOORS, parts[0]), parts[1:-1][:1]
    for room in included_rooms(path):
        if room[0] not in rooms:
            assert room[0] == PUBLIC or parts[0] not in {"base", "model"}, f"{path} includes {room}"
            continue
        assert height(NATIVE_FLOORS, room[0]) <= own, f"{path} includes {'/'.join(room)}"
        if parts[0] in BY_FOLDER and room[0] == parts[0] and folder:
            assert room[1:2] in {(), folder}, f"{path} includes {'/'.join(room)}"


#: The commands of one format alone; everything else above the formats goes through their rows.
NAMES_A_FORMAT = {"cli/commands/oban.cpp"}


def test_nothing_above_the_formats_names_one() -> None:
    named = {
        str(path.relative_to(NATIVE))
        for path in native_files()
        if path.relative_to(NATIVE).parts[0] in {"playback", "convert", "api", "cli"}
        and any(len(room) > 1 and room[0] in {"formats", "bridges"} for room in included_rooms(path))
    }
    assert named == NAMES_A_FORMAT


#: The public headers, and the programs that the build runs.
NO_ROOMS = {"include", "tools"}
MOST_FILES = 24
#: Headers of folders that are floors too: the table of formats, and the command's entry.
OTHER_HEADERS = {"formats/registry.h", "cli/run.h"}


def native_room(path: Path) -> str:
    return path.parent.relative_to(NATIVE).as_posix()


def native_rooms() -> dict[str, list[Path]]:
    rooms: dict[str, list[Path]] = {}
    for path in native_files():
        if path.relative_to(NATIVE).parts[0] not in NO_ROOMS:
            rooms.setdefault(native_room(path), []).append(path)
    return rooms


def includes(path: Path) -> set[str]:
    """The headers of native that a source includes."""
    found = re.findall(r'^#include "([^"]+)"', path.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return {name for name in found if (NATIVE / name).is_file()}


def test_no_circle_of_includes_joins_rooms() -> None:
    graph = {
        room: {str(Path(name).parent) for path in paths for name in includes(path)} - {room}
        for room, paths in native_rooms().items()
    }
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        pytest.fail(" -> ".join(error.args[1]))


def test_a_room_is_known_by_one_header() -> None:
    """Internal headers are included from their own room alone."""
    for room, paths in native_rooms().items():
        for path in paths:
            for name in includes(path):
                folder = Path(name).parent
                if str(folder) != room and name not in OTHER_HEADERS:
                    own = {f"{folder.name}.h", "bridge.h"}
                    assert Path(name).name in own, f"{path} includes {name}"


#: The floors with a namespace for each room, and how deep their rooms are.
NAMESPACES = {"formats": 3, "rig": 2, "batch": 2, "cli": 2, "scene_child": 2}


def test_a_room_is_a_namespace() -> None:
    """Of its folder's name; only the declaration of a format's row is in the format's own."""
    for room, paths in native_rooms().items():
        parts = room.split("/")
        if NAMESPACES.get(parts[0]) != len(parts):
            continue
        outer, own = f"animbridge::{parts[-2]}", f"animbridge::{parts[-2]}::{parts[-1]}"
        for path in paths:
            text = path.read_text(encoding="utf-8")
            text = re.sub(
                rf"^namespace {outer} {{\n\n(///.*\n)*extern const Format \w+;\n\n}}",
                "",
                text,
                flags=re.MULTILINE,
            )
            for name in re.findall(r"^namespace (animbridge::[\w:]+)", text, flags=re.MULTILINE):
                assert f"{name}::".startswith(f"{own}::"), f"{path} opens {name}"


def test_rooms_are_small() -> None:
    for room, paths in native_rooms().items():
        assert len(paths) <= MOST_FILES, f"{room} has {len(paths)} files"


def test_the_architecture_lists_the_rooms() -> None:
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    formats = re.findall(r"`(\w+)`", text.split("\nThe formats are ")[1].split(". Their rooms:\n")[0])
    rooms = text.split(". Their rooms:\n\n")[1].split("\n\n")[0].splitlines()
    listed: set[str] = set()
    for line in rooms:
        found = re.match(r"- `(\w+)` \((.+?)\): ", line)
        assert found, line
        having = formats if found[2] == "every format" else re.findall(r"`(\w+)`", found[2])
        listed |= {f"formats/{id_}/{found[1]}" for id_ in having}
    floors = text.split("\nThe rooms of each floor:\n\n")[1].split("\n\n")[0].splitlines()
    listed |= {name for line in floors for name in re.findall(r"`(.+?)`", line.split(": ", 1)[1])}
    rows = {f"formats/{id_}" for id_ in formats}
    assert listed == set(native_rooms()) - rows


def test_tests_stand_where_the_rooms_stand() -> None:
    """But for those of the whole: the C interface, a batch, memory, work, files of every format."""
    whole = {"allocations", "batch", "files", "library", "memory", "scene_child", "work"}
    folder = ROOT / "tests" / "native"
    for path in sorted(folder.rglob("test_*.cpp")):
        place = path.parent.relative_to(folder).as_posix()
        assert place.split("/")[0] in whole or place in native_rooms(), path


def test_only_the_interface_knows_its_header() -> None:
    for path in native_files():
        if path.relative_to(NATIVE).parts[0] not in {"api", "cli", "include"}:
            assert "animbridge/animbridge.h" not in path.read_text(encoding="utf-8"), path
