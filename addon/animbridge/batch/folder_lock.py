# SPDX-License-Identifier: GPL-3.0-or-later
"""Marks a folder as in use by this process, until the process ends, however it ends."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None

#: On Windows, an open file cannot be removed. Its suffix is one of those of unfinished files.
_OPEN_FILE: Final = "in-use.partial"


def take(folder: Path) -> int:
    """Marks a folder; FileNotFoundError if it is gone. The result is for release()."""
    if fcntl is None:
        return os.open(folder / _OPEN_FILE, os.O_RDWR | os.O_CREAT)
    descriptor = _opened(folder)
    _lock(descriptor, fcntl.LOCK_EX)
    return descriptor


def release(lock: int) -> None:
    """Takes the mark away."""
    os.close(lock)


def is_free(folder: Path) -> bool:
    """Whether no process uses the folder. If that cannot be known, somebody does."""
    if fcntl is None:
        try:
            (folder / _OPEN_FILE).unlink(missing_ok=True)
        except OSError:
            return False
        return True
    try:
        descriptor = _opened(folder)
    except OSError:
        return False
    try:
        return _lock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    finally:
        os.close(descriptor)


def _opened(folder: Path) -> int:
    return os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)


def _lock(descriptor: int, how: int) -> bool:
    """Whether the lock was taken; False too if the file system has no locks."""
    assert fcntl is not None
    try:
        fcntl.flock(descriptor, how)
    except OSError:
        return False
    return True
