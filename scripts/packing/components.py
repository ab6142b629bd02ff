# SPDX-License-Identifier: MIT
"""What is inside the packages besides AnimBridge, with versions, licences and their texts."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from .checkout import ROOT, PackageError
from .installed import Installed

#: AnimBridge's own licence texts by their places in a package.
_OWN: Final = {
    "LICENSE": ROOT / "addon" / "LICENSE",
    "licenses/animbridge-library.txt": ROOT / "native" / "LICENSE",
}
#: What is compiled in; their licences want their notices to come along.
_LICENSES: Final = {
    "licenses/nlohmann-json.txt": Path("/usr/share/doc/nlohmann-json3-dev/copyright"),
    "licenses/glm.txt": Path("/usr/share/doc/libglm-dev/copyright"),
    "licenses/pugixml.txt": Path("/usr/share/doc/libpugixml-dev/copyright"),
    "licenses/tl-expected.txt": Path("/usr/share/doc/libexpected-dev/copyright"),
    "licenses/cli11.txt": Path("/usr/share/doc/libcli11-dev/copyright"),
}


@dataclass(frozen=True)
class Component:
    """A work of others, as SPDX describes it."""

    name: str
    version: str
    license: str
    home: str
    copyright: str


#: By the names in components.json: SPDX name, licence, home page, years and holder of the copyright.
_KNOWN: Final = {
    "nlohmann_json": ("nlohmann-json", "MIT", "https://json.nlohmann.me", "2013-2022 Niels Lohmann"),
    "glm": ("glm", "MIT", "https://glm.g-truc.net", "2005-2015 G-Truc Creation"),
    "tl_expected": ("tl-expected", "CC0-1.0", "https://tl.tartanllama.xyz", "2017 Simon Brand"),
    "cli11": (
        "CLI11",
        "BSD-3-Clause",
        "https://cliutils.github.io/CLI11",
        "2017-2020 University of Cincinnati",
    ),
    "pugixml": ("pugixml", "MIT", "https://pugixml.org", "2006-2022 Arseny Kapoulkine"),
    "assimp": ("assimp", "BSD-3-Clause", "https://www.assimp.org", "2006-2026 assimp team"),
    "ufbx": ("ufbx", "MIT OR Unlicense", "https://ufbx.github.io", "2020-2023 Samuli Raivio"),
    "meshoptimizer": ("meshoptimizer", "MIT", "https://meshoptimizer.org", "2016-2026 Arseny Kapoulkine"),
    "libstdcxx": (
        "libstdc++",
        "GPL-3.0-or-later WITH GCC-exception-3.1",
        "https://gcc.gnu.org",
        "1987-2022 Free Software Foundation, Inc.",
    ),
    "llvm_runtimes": (
        "llvm-runtimes",
        "Apache-2.0 WITH LLVM-exception",
        "https://llvm.org",
        "2009-2019 The contributors listed in LLVM's CREDITS.TXT",
    ),
    "mingw_w64": (
        "mingw-w64-runtime",
        "ZPL-2.1",
        "https://www.mingw-w64.org",
        "2009-2013 The mingw-w64 project",
    ),
}


def components_of(installed: Installed) -> list[Component]:
    """The works of others in a platform's build, in the order of their names."""
    found = installed.components()
    unknown = sorted(set(found) - set(_KNOWN))
    if unknown:
        raise PackageError(f"components.json names {', '.join(unknown)}, whose licence is not known here")
    return sorted(
        (Component(_KNOWN[key][0], version, *_KNOWN[key][1:]) for key, version in found.items() if version),
        key=lambda component: component.name,
    )


def license_files(builds: Iterable[Installed]) -> dict[str, bytes]:
    """The licences of AnimBridge, of what is compiled in, and of what came along with the builds."""
    texts = {**_OWN, **_LICENSES}
    missing = [str(path) for path in texts.values() if not path.is_file()]
    if missing:
        raise PackageError(f"no licence text at {', '.join(missing)}")
    files = {name: path.read_bytes() for name, path in texts.items()}
    for build in builds:
        files |= {f"licenses/{name}": data for name, data in build.licenses().items()}
    return files
