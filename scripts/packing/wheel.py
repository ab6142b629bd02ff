# SPDX-License-Identifier: MIT
"""The Python package for one platform: the binding, the command and the libraries."""

from __future__ import annotations

import base64
import csv
import hashlib
import io
import re
from pathlib import Path
from typing import Final

from .archives import Entry, write_zip
from .checkout import ROOT, package_files
from .components import components_of, license_files
from .installed import Installed

#: The oldest systems of the cross-built files, as pip names them.
TAGS: Final = {
    "linux-x64": "manylinux_2_28_x86_64",
    "linux-arm64": "manylinux_2_28_aarch64",
    "windows-x64": "win_amd64",
    "windows-arm64": "win_arm64",
    "macos-arm64": "macosx_11_0_arm64",
    "macos-x64": "macosx_11_0_x86_64",
}
OWN_MACHINE: Final = "linux_x86_64"
_METADATA: Final = """\
Metadata-Version: 2.1
Name: animbridge
Version: {version}
Summary: Animation files of games and virtual worlds, without loss: library and command
License: {license}
Platform: {platform}
Requires-Python: >=3.10
Provides-Extra: arrays
Requires-Dist: numpy; extra == "arrays"
Provides-Extra: dask
Requires-Dist: distributed >=2024.1; extra == "dask"
Provides-Extra: s3
Requires-Dist: s3fs >=2024.1; extra == "s3"
Description-Content-Type: text/markdown

{description}"""
_WHEEL: Final = """\
Wheel-Version: 1.0
Generator: animbridge
Root-Is-Purelib: false
Tag: py3-none-{tag}
"""
_ENTRY_POINTS: Final = """\
[console_scripts]
animbridge = animbridge.__main__:main
"""


def write_wheel(out: Path, version: str, build: Installed, tag: str) -> Path:
    """The wheel for one platform; `tag` is pip's name of the platform."""
    files = {name: Entry(data) for name, data in package_files().items()}
    for name, data in build.libraries().items():
        files[f"{libraries_folder(version)}/{name}"] = Entry(data)
    info = f"animbridge-{version}.dist-info"
    for name, data in license_files([build]).items():
        files[f"{info}/licenses/{name.removeprefix('licenses/')}"] = Entry(data)
    texts = {
        "METADATA": _metadata(version, build),
        "WHEEL": _WHEEL.format(tag=tag),
        "entry_points.txt": _ENTRY_POINTS,
    }
    files |= {f"{info}/{name}": Entry(text.encode()) for name, text in texts.items()}
    files[f"{info}/RECORD"] = Entry(_record(files, f"{info}/RECORD"))
    path = out / f"animbridge-{version}-py3-none-{tag}.whl"
    write_zip(path, files)
    return path


def libraries_folder(version: str) -> str:
    """Beside the package. An update writes into another folder: Windows locks libraries in use."""
    return f"animbridge-{version}.libs"


def _metadata(version: str, build: Installed) -> str:
    terms = dict.fromkeys(["MIT", *(part.license for part in components_of(build))])
    return _METADATA.format(
        version=version,
        license=" AND ".join(f"({term})" if " OR " in term else term for term in terms),
        platform=build.platform,
        description=_description(),
    )


def _description() -> str:
    """The page for programmers, whose links lead nowhere outside the checkout."""
    text = (ROOT / "docs" / "python.md").read_text(encoding="utf-8")
    return re.sub(r"\[([^]]+)\]\((?!https?:)[^)]*\)", r"\1", text)


def _record(files: dict[str, Entry], own_name: str) -> bytes:
    text = io.StringIO()
    rows = csv.writer(text, lineterminator="\n")
    for name in sorted(files):
        data = files[name].data
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        rows.writerow([name, f"sha256={digest}", len(data)])
    rows.writerow([own_name, "", ""])
    return text.getvalue().encode()
