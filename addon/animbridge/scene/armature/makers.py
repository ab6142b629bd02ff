# SPDX-License-Identifier: GPL-3.0-or-later
"""The armatures that an import makes if no armature is chosen."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Set
from typing import Any, Generic, TypeVar

import bpy

from ...package import Document

Options = TypeVar("Options")


class ArmatureMaker(ABC, Generic[Options]):
    """Makes new armatures for one import. `is_own`: the file's own rig, which gets the file exactly."""

    is_own: bool = True

    @abstractmethod
    def plan(self, document: Document) -> Any:
        """What a document needs; documents with equal plans share a new armature."""

    @abstractmethod
    def make(self, context: bpy.types.Context, plan: Any, file_stem: str) -> bpy.types.Object:
        """A new armature, active and selected."""

    def options(self, options: Options) -> Options:
        """The options for an import onto it."""
        return options

    def tidy(self, armature: bpy.types.Object, moved: Set[str]) -> list[str]:
        """Hides the groups in which no bone is moved, and returns their names."""
        return []
