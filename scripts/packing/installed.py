# SPDX-License-Identifier: MIT
"""The installed build of one platform: `cmake --install`'s folder, and what of it each package takes."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from .checkout import PackageError

#: The library by the system of a platform, as the Python package looks for it (platforms.py).
LIBRARIES: Final = {
    "linux": "libanimbridge.so",
    "macos": "libanimbridge.dylib",
    "windows": "animbridge.dll",
}
_DOC: Final = "share/doc/animbridge"


@dataclass(frozen=True)
class Installed:
    """A platform's name, such as linux-x64, and the folder that its build was installed into."""

    platform: str
    prefix: Path

    @property
    def system(self) -> str:
        """linux, macos or windows."""
        return self.platform.partition("-")[0]

    @property
    def folder_name(self) -> str:
        """The platform as the names of files give it."""
        return self.platform.replace("-", "_")

    @property
    def library(self) -> Path:
        """The library. PackageError if the platform is unknown or the folder has none."""
        name = LIBRARIES.get(self.system)
        if name is None:
            raise PackageError(f"there is no platform {self.platform}")
        return self._file(name, "the library")

    @property
    def command(self) -> Path:
        """The command. PackageError if the folder has none."""
        return self._file("animbridge.exe" if self.system == "windows" else "animbridge", "the command")

    def _file(self, name: str, what: str) -> Path:
        for folder in ("lib", "lib64", "bin"):
            if (self.prefix / folder / name).is_file():
                return self.prefix / folder / name
        raise PackageError(f"{self.prefix} does not hold {what}, {name}: scripts/package builds it")

    @property
    def scene_files(self) -> list[Path]:
        """The library that reads scenes, with Assimp where that is another; empty where it is not built."""
        found = [path for path in self.prefix.glob("lib*/animbridge/*") if path.is_file()]
        return sorted(path for path in found if path.stem != "animbridge-scene" or path.suffix == ".dll")

    def libraries(self) -> dict[str, bytes]:
        """What the Python package needs of this build, by its name in the folder of libraries."""
        return {path.name: path.read_bytes() for path in (self.library, *self.scene_files)}

    def licenses(self) -> dict[str, bytes]:
        """The licences of what came along with this build, by their names."""
        return {path.name: path.read_bytes() for path in self.prefix.glob(f"{_DOC}/licenses/*.txt")}

    def components(self) -> dict[str, str]:
        """The versions of what is inside, as the build wrote them down; empty strings for what is not."""
        path = self.prefix / _DOC / "components.json"
        if not path.is_file():
            raise PackageError(f"{path} is not there: cmake --install writes it")
        return json.loads(path.read_text(encoding="utf-8"))

    def tree(self) -> list[Path]:
        """Every file and link that was installed."""
        return sorted(path for path in self.prefix.rglob("*") if path.is_symlink() or path.is_file())
