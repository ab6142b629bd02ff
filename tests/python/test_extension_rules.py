# SPDX-License-Identifier: MIT
"""What reviewers of extensions.blender.org refuse in the Python of an extension (docs/extension_rules.md)."""

from __future__ import annotations

import ast
from collections.abc import Iterator

import pytest

from packing import checkout

_CALLS = {"exec", "eval", "__import__", "chmod"}
_ATTRIBUTES = {"sys.modules", "sys.path"}
_MODULES = {"threading", "multiprocessing", "socket", "urllib", "http", "pip"}


def refused_in(code: str) -> Iterator[str]:
    """Each refused thing that the code has."""
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.Call):
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            yield from _CALLS & {name}
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            yield from _ATTRIBUTES & {f"{node.value.id}.{node.attr}"}
        elif isinstance(node, ast.Import):
            yield from _MODULES & {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            module = node.module or ""
            yield from _MODULES & ({module.partition(".")[0]} if not node.level else set())
            yield from _ATTRIBUTES & {f"{module}.{alias.name}" for alias in node.names}


@pytest.mark.parametrize(
    ("code", "found"),
    [
        ("exec('1')", {"exec"}),
        ("path.chmod(0o755)", {"chmod"}),
        ("import sys\ndel sys.modules['a']", {"sys.modules"}),
        ("from sys import path, argv", {"sys.path"}),
        ("import threading as t", {"threading"}),
        ("from urllib.request import urlopen", {"urllib"}),
        ("import re\nre.compile('eval')\nfrom .http import a", set()),
    ],
)
def test_the_scan_sees_what_it_looks_for(code: str, found: set[str]) -> None:
    assert set(refused_in(code)) == found


def test_the_extension_has_nothing_that_reviewers_refuse() -> None:
    scripts = {name: data for name, data in checkout.addon_files().items() if name.endswith(".py")}
    assert len(scripts) > 100
    found = {name: set(refused_in(data.decode())) for name, data in scripts.items()}
    assert not {name: things for name, things in found.items() if things}
