#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks sources on all cores; what was found to be good before, exactly as it is now, is not checked again.

check_sources.py BUILD alone      each source and header of the code compiles by itself
check_sources.py BUILD tidy       clang-tidy, on the units of the unity build BUILD
check_sources.py BUILD analyzer   clang's static analyzer, on the same units

BUILD is configured for clang, its generated sources are there. A source is known by the hash of all that the
compiler sees of it: the preprocessed text with its comments, the command, the tool and its settings.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import re
import shlex
import subprocess
import sys
import time
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
NATIVE = ROOT / "native"
PUBLIC_HEADERS = NATIVE / "include/animbridge"
CACHE = Path(
    os.environ.get("ANIMBRIDGE_CACHE")
    or Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "animbridge"
)
#: Known results that nobody asked for this long go.
KEPT_SECONDS = 60 * 24 * 3600
#: Units of the unity build include sources, which is no mistake there.
TIDY_CHECKS = "-bugprone-suspicious-include"
ANALYZER_CHECKS = "-*,clang-analyzer-*"
#: What clang-tidy says besides what it finds.
NOISE = re.compile(r"^(\d+ warnings? (generated|treated)|Suppressed \d+|Use -header-filter)")
#: Headers that many sources include, however far down: one set for each precompiled header. A source gets
#: the first set of which it includes all, so that it sees no more than it would without.
_MOST = ("array", "string", "vector")
_MANY = (*_MOST, "algorithm", "optional", "span", "tl/expected.hpp")
_SOME = (*_MANY, "bit", "cmath", "ranges", "glm/gtc/quaternion.hpp")
SHARED = (_SOME, _MANY, _MOST)
#: The folder under native/ of each target whose options its sources are checked with; "": all others.
FOLDERS = {"core": "", "cli": "cli", "api": "api", "scene_reader": "scene_child"}
INCLUDE = re.compile(r'^\s*#\s*include\s+[<"](.+)[">]', re.MULTILINE)
COLOUR = re.compile(r"\x1b\[[0-9;]*m")


@dataclass(frozen=True)
class Job:
    """One source: `compiler` with all options and the source, and what checks it."""

    name: str
    compiler: tuple[str, ...]
    check: tuple[str, ...]
    text: str | None = None


def compile_commands(build: Path) -> dict[str, tuple[str, ...]]:
    """For each source of the build, the compiler and its options without those for the output."""
    commands: dict[str, tuple[str, ...]] = {}
    for entry in json.loads((build / "compile_commands.json").read_text()):
        words = shlex.split(entry["command"])
        at = words.index("-o")
        commands[entry["file"]] = tuple(word for word in words[:at] + words[at + 2 :] if word != "-c")[:-1]
    return commands


def units(build: Path) -> dict[str, tuple[str, ...]]:
    """The compile commands of the code itself."""
    of_code = re.compile(rf"^({re.escape(str(NATIVE))}|{re.escape(str(build / 'native'))})/.*\.(cpp|cxx)$")
    return {name: words for name, words in compile_commands(build).items() if of_code.match(name)}


def tidy_jobs(build: Path, checks: str) -> list[Job]:
    tool = ("clang-tidy", "--quiet", "-p", str(build), f"--checks={checks}")
    return [Job(name, (*words, name), (*tool, name)) for name, words in units(build).items()]


def options_for(build: Path) -> dict[str, tuple[str, ...]]:
    """The options of each part of the code, by its folder under native/ ("" for what has none of its own)."""
    found: dict[str, tuple[str, ...]] = {}
    for name, words in units(build).items():
        target = re.search(r"/animbridge_(\w+)\.dir/", name)
        if target and target[1] in FOLDERS:
            found[FOLDERS[target[1]]] = words
    return found


class Shared:
    """The precompiled headers of SHARED, for the sources of the library's core."""

    def __init__(self, build: Path, options: tuple[str, ...]) -> None:
        self.options = options
        self._folder = build / "shared_headers"
        self._folder.mkdir(exist_ok=True)
        self._seen: dict[Path, frozenset[str]] = {}
        with ThreadPoolExecutor(len(SHARED)) as pool:
            self._files = list(pool.map(self._precompile, range(len(SHARED))))

    def options_for(self, path: Path) -> tuple[str, ...]:
        """`options`, with what a source may be given beside."""
        seen = self._seen_by(path)
        fitting = (file for names, file in zip(SHARED, self._files, strict=True) if seen.issuperset(names))
        file = next(fitting, None)
        return self.options if file is None else (*self.options, "-include-pch", str(file))

    def _precompile(self, number: int) -> Path:
        made = self._folder / f"{number}.pch"
        text = "".join(f"#include <{name}>\n" for name in SHARED[number])
        words = [*self.options, "-x", "c++-header", "-", "-o", str(made)]
        subprocess.run(words, input=text, text=True, check=True)
        return made

    def _seen_by(self, path: Path) -> frozenset[str]:
        """The headers from outside that a file includes, however far down."""
        if path not in self._seen:
            self._seen[path] = frozenset()  # while it is looked at: includes in a circle end here
            seen: set[str] = set()
            for name in INCLUDE.findall(path.read_text()):
                own = next((f for f in (NATIVE / name, NATIVE / "include" / name) if f.exists()), None)
                seen |= {name} if own is None else self._seen_by(own)
            self._seen[path] = frozenset(seen)
        return self._seen[path]


def first_includes(sources: Iterable[Path]) -> set[str]:
    """What some source includes before anything else: such a header compiles alone if the source does."""
    lines = (INCLUDE.search(path.read_text()) for path in sources)
    return {line[1] for line in lines if line}


def alone_jobs(build: Path) -> list[Job]:
    """Each source; each header that no source includes first; the public header twice, in C and in C++."""
    options = options_for(build)
    left_out = {"tools", "windows"}  # Windows has other headers
    elsewhere = re.compile(r"_(windows|macos)\.cpp$")
    if "scene_child" not in options:
        print("animbridge-scene is not built here, so its sources are not checked")
        left_out.add("scene_child")
    sources = sorted(
        path
        for path in NATIVE.rglob("*.cpp")
        if not left_out & set(path.parts) and not elsewhere.search(path.name)
    )
    headers = sorted(path for path in NATIVE.rglob("*.h") if not left_out & set(path.parts))
    shared = Shared(build, options[""])
    jobs: list[Job] = []

    def add(path: Path, text: str | None, language: str = "c++") -> None:
        part = path.relative_to(NATIVE).parts[0]
        words = options.get(part, options[""])
        quick = options[part] if part in options else shared.options_for(path)
        if language == "c":
            words = ("clang", "-std=c11", *(word for word in words if word.startswith(("-I", "-W"))))
            quick = words
        source = (f"-x{language}", "-") if text else (str(path),)
        jobs.append(Job(f"{path} ({language})", (*words, *source), (*quick, "-fsyntax-only", *source), text))

    for path in sources:
        add(path, None)
    proven = first_includes(sources)
    for path in headers:
        name = str(path.relative_to(NATIVE))
        if path.parent == PUBLIC_HEADERS:
            twice = f"#include <animbridge/{path.name}>\n" * 2 + "int size(ab_error* error);\n"
            add(path, twice, "c")
            add(path, twice)
            continue
        if "#pragma once" not in path.read_text():
            raise SystemExit(f"{name}: no #pragma once")
        if name not in proven:
            add(path, f'#include "{name}"\n')
    return jobs


class Known:
    """What was found to be good: an empty file each, named by the hash."""

    def __init__(self, mode: str, settings: Iterable[str]) -> None:
        self.folder = CACHE / "checked" / mode
        self.folder.mkdir(parents=True, exist_ok=True)
        self.settings = "\0".join(settings)

    def place(self, job: Job) -> Path | None:
        """Where the result of this job lies; None when it cannot even be preprocessed."""
        seen = subprocess.run(
            [*job.compiler, "-E", "-CC", "-dD"], input=job.text, capture_output=True, text=True, check=False
        )
        if seen.returncode:
            return None
        all_of_it = "\0".join([self.settings, *job.check, seen.stdout]).replace(str(ROOT), "/")
        return self.folder / hashlib.sha256(all_of_it.encode()).hexdigest()

    def has(self, place: Path | None) -> bool:
        if place is None or not place.exists():
            return False
        place.touch()
        return True

    def forget_old(self) -> None:
        for path in self.folder.iterdir():
            if time.time() - path.stat().st_mtime > KEPT_SECONDS:
                path.unlink(missing_ok=True)


def run(job: Job, known: Known) -> tuple[str, str]:
    """("known" | "good" | "bad", what the tool said)."""
    place = known.place(job)
    if known.has(place):
        return "known", ""
    done = subprocess.run(
        job.check, input=job.text, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
    )
    if done.returncode == 0:
        if place is not None:
            place.touch()
        return "good", ""
    said = [line for line in COLOUR.sub("", done.stdout).splitlines() if not NOISE.match(line)]
    return "bad", "\n".join([f"-- {job.name}", *said])


def version(tool: str) -> str:
    return subprocess.run([tool, "--version"], capture_output=True, text=True, check=True).stdout


def main() -> int:
    """Returns 0, or 1 when something was found."""
    parser = argparse.ArgumentParser()
    parser.add_argument("build", type=Path)
    parser.add_argument("mode", choices=("alone", "tidy", "analyzer"))
    arguments = parser.parse_args()
    build = arguments.build.resolve()
    settings = [version("clang++")]
    if arguments.mode == "alone":
        jobs = alone_jobs(build)
    else:
        jobs = tidy_jobs(build, TIDY_CHECKS if arguments.mode == "tidy" else ANALYZER_CHECKS)
        settings += [version("clang-tidy"), (ROOT / ".clang-tidy").read_text()]
    known = Known(arguments.mode, settings)
    with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        results = list(pool.map(lambda job: run(job, known), jobs))
    known.forget_old()
    for _, said in results:
        if said:
            print(said)
    outcomes = [outcome for outcome, _ in results]
    count = {outcome: outcomes.count(outcome) for outcome in ("good", "known", "bad")}
    print(f"{arguments.mode}: {count['good']} good, {count['known']} known to be good, {count['bad']} not")
    return 1 if count["bad"] or not jobs else 0


if __name__ == "__main__":
    sys.exit(main())
