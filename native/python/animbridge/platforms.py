# SPDX-License-Identifier: MIT
"""Which of the packaged libraries is this process's: by system and processor."""

from __future__ import annotations

import platform
import sys
import sysconfig
from typing import Final, NamedTuple


class Platform(NamedTuple):
    """What a system calls the library, and the one that reads scenes."""

    #: Blender's name for it.
    id: str
    library: str
    scene_library: str


_NAMES: Final = {
    "linux": ("libanimbridge.so", "libanimbridge-scene.so"),
    "macos": ("libanimbridge.dylib", "libanimbridge-scene.dylib"),
    "windows": ("animbridge.dll", "animbridge-scene.dll"),
}
_PROCESSORS: Final = {"x86_64": "x64", "amd64": "x64", "aarch64": "arm64", "arm64": "arm64"}


def platform_of(system: str, processor: str) -> Platform:
    """The platform by the names that Python gives; a processor without a package keeps its own name."""
    name = {"darwin": "macos", "win32": "windows"}.get(system, system)
    id_ = f"{name}-{_PROCESSORS.get(processor.lower(), processor.lower())}"
    return Platform(id_, *_NAMES.get(name, _NAMES["linux"]))


def current() -> Platform:
    """The platform of this process, which on Windows need not be that of the processor."""
    if sys.platform == "win32":
        return platform_of(sys.platform, sysconfig.get_platform().removeprefix("win-"))
    return platform_of(sys.platform, platform.machine())
