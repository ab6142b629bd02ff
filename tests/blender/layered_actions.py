# SPDX-License-Identifier: MIT
"""An Action of two layers, which Blender's data may hold, but which no Blender's Python makes yet."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

import bpy
import pytest

#: For tests of two_layers.
needs_two_layers = pytest.mark.skipif(
    not hasattr(bpy.types, "ActionLayer") or not hasattr(os, "pread"),
    reason="Actions have layers since Blender 4.4, and their memory is read as on Linux",
)

#: bAction begins with an ID, which is smaller than this. Then come its layers: `ActionLayer **`, and an int.
_ID_BYTES: Final = 1024
_WORD: Final = 8


@contextmanager
def two_layers(action: Any, other: Any) -> Iterator[None]:
    """The Action, which has a layer, also has the other's layer until the block ends."""
    place = _layers_of(action)
    both = (ctypes.c_void_p * 2)(*(one.layers[0].as_pointer() for one in (action, other)))
    own, count = ctypes.c_void_p.from_address(place), ctypes.c_int.from_address(place + _WORD)
    kept = own.value
    own.value, count.value = ctypes.addressof(both), 2
    try:
        yield
    finally:
        own.value, count.value = kept, 1


def _layers_of(action: Any) -> int:
    """The address of the Action's array of layers: the word that points to a pointer to its only layer."""
    start, layer = action.as_pointer(), action.layers[0].as_pointer()
    memory = os.open("/proc/self/mem", os.O_RDONLY)  # an address that is none is an error there, and no crash
    try:
        for place in range(start, start + _ID_BYTES, _WORD):
            if _word(memory, _word(memory, place)) == layer:
                assert ctypes.c_int.from_address(place + _WORD).value == 1
                return place
    finally:
        os.close(memory)
    raise AssertionError("the Action's layers were not found")


def _word(memory: int, address: int) -> int:
    """Eight bytes at an address; 0 where none can be read."""
    try:
        return int.from_bytes(os.pread(memory, _WORD, address), "little")
    except (OSError, OverflowError):
        return 0
