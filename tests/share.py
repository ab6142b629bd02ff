# SPDX-License-Identifier: MIT
"""A share of the tests, as a plugin of pytest: --share I/N runs every N-th test, from the I-th on.

Several processes side by side each take a share.
"""

from __future__ import annotations

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--share", metavar="I/N", help="run a part of the tests: 1/2 or 2/2")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "compat: the tests that together reach all of the add-on's compat")


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    share = config.getoption("--share")
    if share:
        index, count = (int(part) for part in share.split("/"))
        items[:] = items[index - 1 :: count]
