# SPDX-License-Identifier: MIT
"""Which rig file says what the bones of source and target are.

A rig file is text, as the library takes it; "" stands for what the library finds by itself.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Mapping
from typing import Any, Final, TypeGuard

from .errors import AnimBridgeError
from .retarget import built_in_rigs

AUTOMATIC: Final = "Automatic"
_UNTITLED: Final = "Rig File"


def is_object(value: Any) -> TypeGuard[dict[str, Any]]:
    """Whether a value of JSON is an object."""
    return isinstance(value, dict)


@functools.lru_cache(maxsize=16)
def members_of(rig: str) -> Mapping[str, Any]:
    """The members of a rig file; none if there is no file, or if a damaged .blend file holds other text."""
    try:
        members: Any = json.loads(rig) if rig else {}
    except (ValueError, RecursionError):
        return {}
    return members if is_object(members) else {}


def title_of(rig: str) -> str:
    """What a rig file calls itself."""
    if not rig:
        return AUTOMATIC
    members = members_of(rig)
    return str(members.get("title") or members.get("id") or _UNTITLED)


def reference_of(rig: str) -> Mapping[str, Any]:
    """The pose that a rig file stores, by bone; empty if it stores none."""
    reference = members_of(rig).get("reference")
    return reference if is_object(reference) else {}


def built_in_rig(identifier: str) -> str:
    """The rig file of a convention that the library knows; "" for ""."""
    if not identifier:
        return ""
    rigs = built_in_rigs()
    if identifier not in rigs:
        raise AnimBridgeError(f"There is no rig '{identifier}'. Choose one of: {', '.join(sorted(rigs))}.")
    return rigs[identifier].text
