# SPDX-License-Identifier: MIT
"""NumPy arrays as the library reads them."""

from __future__ import annotations

from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from .errors import AnimBridgeError

_Scalar = TypeVar("_Scalar", bound=np.generic)


def as_array(values: Any, scalar: type[_Scalar], size: int, what: str) -> NDArray[_Scalar]:
    """The values in one row, packed; a wrong size would be read beyond its end."""
    array = np.ravel(np.ascontiguousarray(values, dtype=scalar))
    if array.size != size:
        raise AnimBridgeError(f"{what} has {array.size} values where {size} are needed.")
    return array


class KeptArrays:
    """The arrays that a struct of the library points to, which live as long as this."""

    def __init__(self) -> None:
        self._arrays: list[NDArray[Any]] = []

    def address(
        self, values: NDArray[Any] | None, scalar: type[np.generic], size: int, what: str
    ) -> int | None:
        """Where the values stand in memory; None for None."""
        if values is None:
            return None
        array = as_array(values, scalar, size, what)
        self._arrays.append(array)
        return int(array.ctypes.data)
