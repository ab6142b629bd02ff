# SPDX-License-Identifier: MIT
"""A part of the tests, as a plugin of pytest.

--share I/N      of the tests every N-th, from the I-th on: several processes side by side each take a share
--rotating H/N   the tests marked `compat`, and of the others one N-th: which one hangs on the hexadecimal H
"""

from __future__ import annotations

import zlib

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--share", metavar="I/N", help="run a part of the tests: 1/2 or 2/2")
    parser.addoption("--rotating", metavar="H/N", help="run those marked compat, and of the others one N-th")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line(
        "markers", "compat: runs in every Blender, each time; these reach all of the add-on's compat"
    )


def turn_of(rotating: str) -> tuple[int, int]:
    """Which of how many parts."""
    number, count = rotating.split("/")
    return int(number[:8], 16) % int(count), int(count)


def is_chosen(item: pytest.Item, turn: int, count: int) -> bool:
    """The part of a test hangs on its name alone, so that in `count` turns each has been run."""
    return item.get_closest_marker("compat") is not None or zlib.crc32(item.nodeid.encode()) % count == turn


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    rotating, share = config.getoption("--rotating"), config.getoption("--share")
    if rotating:
        turn, count = turn_of(rotating)
        items[:] = [item for item in items if is_chosen(item, turn, count)]
    if share:
        index, count = (int(part) for part in share.split("/"))
        items[:] = items[index - 1 :: count]


def pytest_report_collectionfinish(config: pytest.Config, items: list[pytest.Item]) -> list[str]:
    rotating = config.getoption("--rotating")
    if not rotating:
        return []
    turn, count = turn_of(rotating)
    marked = sum(item.get_closest_marker("compat") is not None for item in items)
    return [
        f"rotating: {marked} tests marked compat, and {len(items) - marked} of part {turn + 1} of {count}"
    ]
