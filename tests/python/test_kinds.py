# SPDX-License-Identifier: MIT
"""The add-on's kinds and the library's table of formats are of one mind."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from addon.animbridge import kinds
from addon.animbridge.kinds.kind import Kind
from material import ROOT

from animbridge.document import formats

ADDON = ROOT / "addon"
#: What one kind imports besides files of its own format.
ALSO_READ = {"oban": {"oban_level"}}
#: Names under which files of a format go about as well: the viewer's cache has .animatn.
ALSO_NAMED = {"sl_anim": {".animatn"}}


@pytest.mark.parametrize("kind", kinds.KINDS, ids=lambda kind: kind.id)
def test_extensions_are_those_of_the_library(kind: Kind) -> None:
    table = {row["id"]: row for row in formats()}
    ids = {kind.id} | ALSO_READ.get(kind.id, set())
    named = {extension for one in ids for extension in table[one]["extensions"]}
    assert set(kind.extensions) == named | ALSO_NAMED.get(kind.id, set())
    assert {f".{target}" for target in kind.targets} <= set(table[kind.id]["extensions"])


def test_every_format_of_the_library_has_a_kind() -> None:
    known = {kind.id for kind in kinds.KINDS}.union(*ALSO_READ.values())
    assert {row["id"] for row in formats()} == known


def test_a_kind_has_a_folder_of_its_name() -> None:
    folders = {path.parent.name for path in (ADDON / "animbridge" / "kinds").glob("*/__init__.py")}
    assert {kind.id for kind in kinds.KINDS} == folders


def test_the_table_is_read_without_blender_and_library() -> None:
    code = (
        "import sys; from addon.animbridge import kinds; from animbridge import library; "
        "assert kinds.KINDS and library._loaded is None and 'bpy' not in sys.modules"
    )
    paths = os.pathsep.join(map(str, (ROOT / "native" / "python", ROOT)))
    environment = {**os.environ, "PYTHONPATH": paths}
    subprocess.run([sys.executable, "-c", code], check=True, env=environment)
