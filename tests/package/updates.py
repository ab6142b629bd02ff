# SPDX-License-Identifier: MIT
"""Updates of the extension in Blender 4.3, from a repository, in profiles of their own.

python3 tests/package/updates.py DIST     DIST: a folder that scripts/package made

It runs in the folder of Debian 13 (scripts/debian13 run).
"""

from __future__ import annotations

import io
import shutil
import subprocess
import sys
import tempfile
import time
import zipfile
from pathlib import Path
from typing import Final

import old_layout

HERE: Final = Path(__file__).resolve().parent
NEWER: Final = "99.0.0"


class Profile:
    """A user's home folder, which knows one repository."""

    def __init__(self, home: Path) -> None:
        self.home = home

    def blender(self, *words: str | Path, preload: Path | None = None) -> str:
        """Runs Blender in this profile; all that it printed."""
        # Without a network: Blender's own repository is enabled too.
        environment = {"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "HOME": str(self.home)}
        environment |= {"http_proxy": "http://127.0.0.1:9", "https_proxy": "http://127.0.0.1:9"}
        if preload:
            environment["LD_PRELOAD"] = str(preload)
        self.home.mkdir(exist_ok=True)
        done = subprocess.run(
            ["blender", *words],
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=120,
            check=False,
        )
        lines = [line for line in done.stdout.splitlines() if not line.startswith("PROGRESS")]
        assert done.returncode == 0, "\n".join(lines)
        return "\n".join(lines)

    def extension(self, *words: str | Path) -> str:
        """`blender --command extension`."""
        return self.blender("--online-mode", "--command", "extension", *words)

    def run(self, *steps: str, preload: Path | None = None) -> str:
        """One run of Blender with these steps (in_blender.py)."""
        options = ("--online-mode", "--background", "-noaudio", "--python-exit-code", "1")
        said = self.blender(*options, "--python", HERE / "in_blender.py", "--", *steps, preload=preload)
        assert said.splitlines().count("all steps done") == 1, said
        return said

    def left(self) -> list[Path]:
        """What of ours lies in the profile, without what Blender deletes at its next start."""
        found = (path for path in self.home.rglob("*animbridge*") if ".~stale~" not in str(path))
        return [path.relative_to(self.home) for path in found]


def expect(text: str, said: str) -> None:
    """Blender's exit code alone is no proof."""
    assert text in said, f"no {text!r} in:\n{said}"


class Repository:
    """A folder of extensions."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def offer(self, package: Path) -> None:
        """The package is the only one from now on."""
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir()
        shutil.copy(package, self.folder)
        server = Profile(self.folder.with_name("server"))
        expect("found 1 packages", server.extension("server-generate", "--repo-dir", self.folder))

    def install_into(self, profile: Profile) -> str:
        """As a user who adds the repository does it; what Blender printed."""
        url = f"file://{self.folder}/index.json"
        profile.extension("repo-add", "--name", "Tested", "--url", url, "tested")
        said = profile.extension("install", "--sync", "--enable", "animbridge")
        expect('STATUS Installed "animbridge"', said)
        return said


def with_version(package: Path, before: str, after: str, out: Path) -> Path:
    """The extension as of another version: in its manifest, its Python, its wheel and the folder there."""
    _write(out, _with_version(_entries(package.read_bytes()), before, after))
    return out


def _with_version(files: dict[str, bytes], before: str, after: str) -> dict[str, bytes]:
    changed: dict[str, bytes] = {}
    for name, data in files.items():
        if name.endswith(".whl"):
            _write(wheel := io.BytesIO(), _with_version(_entries(data), before, after))
            text = wheel.getvalue()
        elif ".so" in name:
            text = data
        else:
            text = data
            for written in ("animbridge-{}", '"{}"', "Version: {}"):
                text = text.replace(written.format(before).encode(), written.format(after).encode())
        changed[name.replace(f"animbridge-{before}", f"animbridge-{after}")] = text
    return changed


def _entries(package: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(package)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def _write(place: Path | io.BytesIO, files: dict[str, bytes]) -> None:
    with zipfile.ZipFile(place, "w") as archive:
        for name, data in files.items():
            archive.writestr(name, data)


class Updates:
    """The scenarios, which continue each other: one profile goes through all versions."""

    def __init__(self, dist: Path, scratch: Path) -> None:
        (self.package,) = dist.glob("animbridge-*-linux_x64.zip")
        self.version = self.package.name.split("-")[1]
        self.scratch = scratch
        self.old, self.old_addon = old_layout.write(dist, scratch / "old")
        self.newer = with_version(self.package, self.version, NEWER, scratch / "newer.zip")
        self.repository = Repository(scratch / "repository")
        self.updated = Profile(scratch / "updated")

    def run(self) -> None:
        """All of them; each says how long it took."""
        for scenario in (
            self.from_the_old_layout,
            self.with_the_library_loaded,
            self.with_locked_files,
            self.without_the_package,
            self.beside_the_old_add_on,
        ):
            before = time.monotonic()
            scenario()
            print(f"ok: {scenario.__name__}  {time.monotonic() - before:.0f} s", flush=True)

    def from_the_old_layout(self) -> None:
        """Today's users: the library of the old version is loaded while the new one comes."""
        self.repository.offer(self.old)
        self.repository.install_into(self.updated)
        self.updated.run("sets", "saves", "uses_old")
        self.repository.offer(self.package)
        self.updated.run("uses_old", "updates", f"uses={self.version}", "saves")
        self.updated.run(f"uses={self.version}", "keeps")

    def with_the_library_loaded(self) -> None:
        """The running Blender asks for a restart, after which all is well."""
        profile = self._copy("loaded")
        self._update(profile, None)
        self._remove(profile)

    def with_locked_files(self) -> None:
        """The same where files in use can be neither removed nor overwritten, as on Windows."""
        library = self.scratch / "locked.so"
        subprocess.run(["cc", "-shared", "-fPIC", "-o", library, HERE / "locked.c"], check=True)
        profile = self._copy("locked")
        said = self._update(profile, library)
        expect(f"animbridge-{self.version}.libs/libanimbridge.so", said.partition("locked: ")[2])
        self._remove(profile)

    def without_the_package(self) -> None:
        """Something deleted what Blender unpacked from the wheel: the message says what helps."""
        profile = self._copy("without")
        (packages,) = profile.home.rglob("site-packages")
        for path in packages.glob("animbridge*"):
            shutil.rmtree(path)
        said = profile.run("fails", "enables_again", f"uses={self.version}")
        expect("Disable AnimBridge in Preferences > Add-ons and enable it again.", said)

    def beside_the_old_add_on(self) -> None:
        """While the old add-on runs, the extension waits; from the next start on, the extension works."""
        profile = Profile(self.scratch / "beside")
        options = ("--background", "-noaudio", "--python-exit-code", "1", "--python")
        said = profile.blender(*options, HERE / "install_legacy.py", "--", self.old_addon)
        expect("installed ", said)
        self.repository.offer(self.package)
        said = self.repository.install_into(profile)
        expect("Remove the old add-on AnimBridge in Preferences > Add-ons, then restart Blender.", said)
        failure = "module 'animbridge' has no attribute 'register'"  # of the old add-on
        expect(failure, profile.run(f"uses={self.version}", "removes_old", "saves"))
        assert failure not in profile.run(f"uses={self.version}")

    def _copy(self, name: str) -> Profile:
        return Profile(shutil.copytree(self.updated.home, self.scratch / name, symlinks=True))

    def _update(self, profile: Profile, preload: Path | None) -> str:
        self.repository.offer(self.newer)
        steps = (f"uses={self.version}", "updates", "waits", "saves")
        said = profile.run(*steps, preload=preload)
        expect(f"Restart Blender to complete the update of AnimBridge from {self.version} to {NEWER}.", said)
        profile.run(f"uses={NEWER}")
        return said

    @staticmethod
    def _remove(profile: Profile) -> None:
        profile.run("disables", "saves")
        expect('STATUS Removed "animbridge"', profile.extension("remove", "tested.animbridge"))
        assert not profile.left(), profile.left()
        profile.run()
        assert not [*profile.left(), *profile.home.rglob("*.~stale~*")]


def main() -> None:
    """Runs in a folder of its own, whose name is none of ours."""
    with tempfile.TemporaryDirectory(prefix="updates.") as folder:
        Updates(Path(sys.argv[1]).resolve(), Path(folder)).run()


if __name__ == "__main__":
    main()
