# SPDX-License-Identifier: MIT
"""A selection of the tests, as a plugin of pytest.

--part I/N takes the tests marked compat, and every N-th of the others. --share I/N takes every N-th of those:
several processes side by side each take a share.
"""

from __future__ import annotations

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--part", metavar="I/N", help="run the tests marked compat, and every N-th of the others"
    )
    parser.addoption("--share", metavar="I/N", help="of these, run every N-th: 1/2 or 2/2")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "compat: the tests that together reach all of the add-on's compat")


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if part := config.getoption("--part"):
        taken = set(_every(part, items))
        items[:] = [item for item in items if item in taken or item.get_closest_marker("compat")]
    if share := config.getoption("--share"):
        items[:] = _every(share, items)


def _every(fraction: str, items: list[pytest.Item]) -> list[pytest.Item]:
    index, count = (int(number) for number in fraction.split("/"))
    return items[index - 1 :: count]
