# SPDX-License-Identifier: GPL-3.0-or-later
"""Folders beside the outputs for unfinished files, and the removal of those that killed runs left.

A run locks each of its folders. If a lock is free, the process that made the folder is gone.
"""

from __future__ import annotations

import re
import secrets
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from . import folder_lock

_PREFIX: Final = ".animbridge-"
#: The last is Blender's, while it saves.
_CONTENTS: Final = frozenset({".blend", ".json", ".partial", ".blend@"})
_REMOVALS: Final = 100
_REMOVAL_PAUSE_SECONDS: Final = 0.01
_NAME: Final = re.compile(r"\.animbridge-[a-z0-9_]{8}")


class TemporaryFolders:
    """The folders of one run."""

    def __init__(self) -> None:
        self._alive: set[Path] = set()
        self._swept: set[Path] = set()

    @contextmanager
    def beside(self, target: Path) -> Iterator[Path]:
        """A new folder beside the target, while the block runs."""
        folder, lock = self._make(target.parent)
        try:
            yield folder
        finally:
            _remove(folder, lock)
            self._alive.discard(folder)

    def sweep(self, folder: Path) -> None:
        """Removes what killed runs left in a folder; once in a run."""
        if folder in self._swept:
            return
        self._swept.add(folder)
        for place in _entries(folder):
            if _NAME.fullmatch(place.name) and not place.is_symlink() and place.is_dir():
                _remove_if_dead(place)

    def remove_all(self) -> None:
        """Removes the folders in use, for a process that ends now.

        The main thread may still write into one while it is removed; then the removal begins again.
        """
        for _ in range(_REMOVALS):
            left = [folder for folder in list(self._alive) if folder.exists()]
            if not left:
                return
            for folder in left:
                shutil.rmtree(folder, ignore_errors=True)
            time.sleep(_REMOVAL_PAUSE_SECONDS)

    def _make(self, parent: Path) -> tuple[Path, int]:
        """A new folder and its lock. Another run's sweep may be quicker, and remove the folder."""
        while True:
            folder = parent / f"{_PREFIX}{secrets.token_hex(4)}"
            # Known before it exists, so that a process that ends now leaves none behind.
            self._alive.add(folder)
            try:
                folder.mkdir(mode=0o700)
                lock = folder_lock.take(folder)
            except (FileExistsError, FileNotFoundError):
                self._alive.discard(folder)
                if not parent.is_dir():
                    raise
                continue
            if folder.exists():
                return folder, lock
            folder_lock.release(lock)
            self._alive.discard(folder)


def _remove(folder: Path, lock: int) -> None:
    # In this order: Windows does not remove a file that is open. A sweep in between would do the same.
    folder_lock.release(lock)
    shutil.rmtree(folder, ignore_errors=True)


def _remove_if_dead(folder: Path) -> None:
    # Other folders may have such a name; ours hold only unfinished files.
    if any(place.suffix not in _CONTENTS or place.is_dir() for place in _entries(folder)):
        return
    if folder_lock.is_free(folder):
        shutil.rmtree(folder, ignore_errors=True)


def _entries(folder: Path) -> list[Path]:
    try:
        return sorted(folder.iterdir())
    except OSError:
        return []
