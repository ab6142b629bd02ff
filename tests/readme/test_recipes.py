# SPDX-License-Identifier: MIT
"""The recipes of docs/recipes do what they say: their commands are typed in a bare shell, their programs run.

Those for Blender's Python are tests/blender/test_recipes.py's.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from readme.shell import DEMO, ROOT, SYSTEM_PATH, Shell

FOLDER = ROOT / "docs" / "recipes"
RECIPES = sorted(path for path in FOLDER.glob("*.md") if path.name != "index.md")
MOST_WORDS = 400
FIXTURES = ROOT / "fixtures"
COMMAND = ROOT / "build" / "bin" / "animbridge"

#: What a recipe's reader has: the files that its commands name and none of them makes.
GIVEN = {
    "take.bvh": FIXTURES / "walk" / "slides.bvh",
    "dance.anim": DEMO / "dance.anim",
    "my.bvh": FIXTURES / "bvh" / "loader" / "rule01_channels_lower_case.bvh",
    "stand.xml": FIXTURES / "sl_pose" / "stand.xml",
    "hands.bin": FIXTURES / "mrtk" / "lost_w.bin",
    "flight.glb": FIXTURES / "scene" / "cameras.glb",
    "door.oni": FIXTURES / "oban" / "oni_created.oni",
    "level7_Final.dat": FIXTURES / "oban" / "package_pc" / "level7_Final.dat",
}
#: The same of other formats, made of the walk: its joints have names of no avatar.
CONVERTED = ("dance.fbx", "character.fbx")
#: Files of folders.
FOLDERS = {
    "stands": [DEMO / "wave.anim", *sorted((DEMO / "poses").glob("*.anim"))],
    "mocap": [FIXTURES / "walk" / "slides.bvh", FIXTURES / "scene" / "walk.fbx"],
}
RENAMED = {"wave.anim": "standing.anim"}


def blocks(page: Path, language: str) -> list[str]:
    """The code blocks of a page in a language; "": what is typed."""
    found = re.findall(r"^```(\w*)\n(.*?)^```$", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    return [text for name, text in found if name == language]


def given(name: str, folder: Path) -> None:
    """Puts a file that a recipe begins with into the folder."""
    if name in CONVERTED:
        walk = FIXTURES / "walk" / "still.bvh"
        subprocess.run([COMMAND, "convert", walk, folder / name], check=True, capture_output=True)
    elif name in FOLDERS:
        (folder / name).mkdir()
        for path in FOLDERS[name]:
            shutil.copy(path, folder / name / RENAMED.get(path.name, path.name))
    elif name in GIVEN:
        shutil.copy(GIVEN[name], folder / name)


def is_made(line: str, folder: Path) -> bool:
    """Whether what a line writes is there: the last name, or the one after --out."""
    named = re.search(r"--out (\S+)", line)
    words = re.sub(r" --\S+( [^\s-]\S*)?", "", line).split()
    return (folder / (named[1] if named else words[-1])).exists()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Where the reader types."""
    (tmp_path / "home").mkdir()
    made = tmp_path / "files"
    made.mkdir()
    return made


@pytest.mark.parametrize("page", RECIPES, ids=lambda page: page.stem)
def test_commands_do_what_the_recipe_says(page: Path, folder: Path) -> None:
    shell = Shell(folder, folder.parent / "home")
    for name in dict.fromkeys(re.findall(r"[\w.]+", "".join(blocks(page, "")))):
        if f"--out {name}" not in page.read_text(encoding="utf-8"):
            given(name, folder)
    for line in "".join(blocks(page, "")).splitlines():
        # A check and a comparison say by their exit code what they found.
        asks = line.startswith(("animbridge check ", "animbridge compare "))
        shell.type(f"{line} || test $? = 1" if asks else line, path=f"{COMMAND.parent}:{SYSTEM_PATH}")
        if line.startswith(("animbridge convert ", "animbridge edit ", "animbridge batch ")):
            assert is_made(line, folder), line


def test_every_recipe_is_short_and_listed() -> None:
    index = (FOLDER / "index.md").read_text(encoding="utf-8")
    for page in RECIPES:
        assert f"]({page.name})" in index, page.name
        assert len(page.read_text(encoding="utf-8").split()) < MOST_WORDS, page.name


def test_the_mended_bvh_is_what_the_recipe_promises(folder: Path) -> None:
    """Refused before, and no finding after."""
    given("my.bvh", folder)
    before = subprocess.run([COMMAND, "check", folder / "my.bvh", "--level", "upload"], check=False)
    assert before.returncode == 1
    subprocess.run([COMMAND, "convert", folder / "my.bvh", folder / "my.anim"], check=True)
    subprocess.run([COMMAND, "check", folder / "my.anim"], check=True)


def test_stands_that_need_nothing_stay_as_they_are(folder: Path) -> None:
    given("stands", folder)
    lines = "".join(blocks(FOLDER / "ao-stands.md", "")).splitlines()
    line = next(line for line in lines if " fix " in line)
    subprocess.run([COMMAND, *line.split()[1:]], cwd=folder, check=True)
    for path in (folder / "stands").iterdir():
        assert (folder / "mended" / path.name).read_bytes() == path.read_bytes(), path.name


def test_no_stand_is_too_strong_after_the_recipe(folder: Path) -> None:
    """Also one whose joints have priorities of their own, which the base priority doesn't change."""
    given("stands", folder)
    own = ["edit", "stands/standing.anim", "stands/own.anim", "--joint-priority", "mChest=5"]
    subprocess.run([COMMAND, *own], cwd=folder, check=True)
    assert (
        subprocess.run([COMMAND, "check", "stands", "--purpose", "stand"], cwd=folder, check=False).returncode
        == 1
    )
    shell = Shell(folder, folder.parent / "home")
    for line in "".join(blocks(FOLDER / "ao-stands.md", "")).splitlines():
        if " check stands " not in line:
            shell.type(line, path=f"{COMMAND.parent}:{SYSTEM_PATH}")
    assert (folder / "ready" / "own.anim").exists()


def test_the_repaired_hands_are_what_the_recipe_promises(folder: Path) -> None:
    given("hands.bin", folder)
    assert subprocess.run([COMMAND, "check", folder / "hands.bin"], check=False).returncode == 1
    lines = "".join(blocks(FOLDER / "recorded-hands.md", "")).splitlines()
    line = next(line for line in lines if " edit " in line)
    subprocess.run([COMMAND, *line.split()[1:]], cwd=folder, check=True)
    subprocess.run([COMMAND, "check", folder / "repaired.bin"], check=True)


def test_the_python_of_the_recipe_runs(folder: Path) -> None:
    given("dance.anim", folder)
    page = FOLDER / "library-python.md"
    program = "\n".join([*blocks(page, "python"), "assert poses.clip_seconds.size == 61"])
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=folder,
        env={"PYTHONPATH": str(ROOT / "native" / "python"), "PATH": SYSTEM_PATH},
        check=False,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert (folder / "louder.anim").stat().st_size == (folder / "dance.anim").stat().st_size
    assert (folder / "dance.glb").exists()


def test_the_cpp_of_the_recipe_builds_and_runs(folder: Path) -> None:
    given("dance.anim", folder)
    (folder / "recipe.cpp").write_text("".join(blocks(FOLDER / "library-cpp.md", "cpp")), encoding="utf-8")
    library = ROOT / "build" / "lib"
    compiler = ["g++", "-std=c++17", "-Wall", "-Werror", f"-I{ROOT / 'native' / 'include'}"]
    linked = [f"-L{library}", "-lanimbridge", f"-Wl,-rpath,{library}"]
    subprocess.run([*compiler, "recipe.cpp", "-o", "recipe", *linked], cwd=folder, check=True)
    said = subprocess.run([folder / "recipe"], cwd=folder, check=True, capture_output=True, text=True).stdout
    assert said.startswith("sl_anim, ") and '"counts"' in said
    assert (folder / "dance.bvh").exists()
