# SPDX-License-Identifier: MIT
"""The packages of the extras, which are imported only where they are needed."""

from __future__ import annotations

import importlib
from typing import Any

from .errors import FarmError


def distributed() -> Any:
    """Dask's scheduler and its clients."""
    return _imported("distributed", "dask")


def fsspec() -> Any:
    """Storage by URLs."""
    return _imported("fsspec", "s3")


def _imported(name: str, extra: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError as fault:
        raise FarmError(
            f"Python's package {name} cannot be imported ({fault}). "
            f"Install AnimBridge with its extra, as in: pip install 'animbridge[{extra}]'"
        ) from fault
