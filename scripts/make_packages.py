# SPDX-License-Identifier: MIT
"""Makes what people install, from a checkout and the installed builds of one platform or more.

scripts/make_packages.py --platform linux-x64=build/package/linux-x64 --out dist

Each platform has a folder that `cmake --install` filled. The same files give the same bytes.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import subprocess
import sys
from pathlib import Path

from packing import archives, blender, checkout, repository, spdx, tarball, wheel
from packing.checkout import PackageError
from packing.installed import Installed


def main() -> int:
    """Makes the packages and prints where they are; the exit code."""
    parser = argparse.ArgumentParser(description="Makes what people install.")
    parser.add_argument(
        "--platform",
        metavar="NAME=FOLDER",
        action="append",
        required=True,
        help="the installed build of a platform, such as linux-x64=build/package/linux-x64; may be repeated",
    )
    parser.add_argument(
        "--for-other-machines",
        action="store_true",
        help="the builds ask for the oldest systems that the wheels' names give",
    )
    parser.add_argument("--out", type=Path, required=True, help="the folder of the files; made if need be")
    parser.add_argument("--repository", type=Path, help="a folder that gets the extensions too")
    given = parser.parse_args()
    try:
        folders = {name: Path(folder) for name, _, folder in (each.partition("=") for each in given.platform)}
        packages = make_packages(folders, given.out, for_other_machines=given.for_other_machines)
        if given.repository:
            repository.put(given.repository, packages)
        for package in packages:
            print(f"{package}  {package.stat().st_size / 1000:.0f} kB")
    except (PackageError, OSError) as fault:
        print(f"error: {fault}", file=sys.stderr)
        return 1
    return 0


def make_packages(folders: dict[str, Path], out: Path, *, for_other_machines: bool = False) -> list[Path]:
    """Writes what people install, with a list of its parts and one of checksums.

    For each platform: an extension (Blender 4.2 and later), a wheel and an archive of command and library.
    One add-on is for all of them (Blender 3.4 to 4.1). `folders` has the installed builds by platform.
    """
    version = checkout.agreed_version()
    builds = [Installed(name, folder) for name, folder in folders.items()]
    for build in builds:
        _check(build)
    out.mkdir(parents=True, exist_ok=True)
    made: dict[Path, list[Installed]] = {}
    for build in builds:
        tag = wheel.TAGS[build.platform] if for_other_machines else wheel.OWN_MACHINE
        packed = wheel.write_wheel(out, version, build, tag)
        made[blender.write_extension(out, version, build, packed)] = [build]
        made[packed] = [build]
        made[tarball.write_tarball(out, version, build)] = [build]
    made[blender.write_legacy(out, version, builds)] = builds
    parts = out / f"animbridge-{version}.spdx.json"
    archives.write_text(parts, spdx.spdx_document(version, made, _commit_seconds()))
    listed = [*made, parts]
    sums = "".join(f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in listed)
    archives.write_text(out / "SHA256SUMS", sums)
    return listed


def _check(build: Installed) -> None:
    """Raises PackageError before anything is written."""
    _ = build.library, build.command, build.components()
    if not build.scene_files:
        print(
            f"warning: the packages for {build.platform} hold no reader of scenes, so they can't "
            "open FBX and COLLADA files, or write scenes",
            file=sys.stderr,
        )


def _commit_seconds() -> int:
    """The sources' date: SOURCE_DATE_EPOCH, else the commit's, else the first that archives hold."""
    given = os.environ.get("SOURCE_DATE_EPOCH")
    if given:
        return int(given)
    told = subprocess.run(
        ["git", "log", "-1", "--format=%ct"], cwd=checkout.ROOT, capture_output=True, text=True, check=False
    )
    return int(told.stdout) if told.returncode == 0 and told.stdout.strip() else 315532800


if __name__ == "__main__":
    sys.exit(main())
