# SPDX-License-Identifier: MIT
"""Pictures that move: a scene takes frames of Blender's window, this program makes an animated WebP of them.

    python3 tests/screens/film.py FOLDER OUT.webp

Blender's drawing takes as long as it takes: how long a frame stands is said, not measured. A picture of the
screen has no pointer, so it is drawn, and so is a line below the window that says what happens.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final

import hands

FRAME_SECONDS: Final = 0.1
#: The pointer goes from one place to the next in so many frames.
_GLIDE_FRAMES: Final = 5
#: Blender draws between two steps; the screen has it a little later.
_DRAWN_SECONDS: Final = 0.15
_LINE_HEIGHT: Final = 44
_FONT: Final = "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf"
_POINTER: Final = ((0, 0), (0, 19), (4, 15), (8, 23), (11, 22), (7, 14), (13, 14))
_QUALITY: Final = ("-lossy", "-q", "80", "-m", "4")
_LIST: Final = "frames.json"
#: Places in the window: the menu File, its entries Import and Export, and the entries beside them, the last
#: one on the same row.
_FILE: Final = (42, 14)
_FILE_ENTRY: Final = 80
IMPORT: Final = 310
EXPORT: Final = 332
_ENTRY: Final = 360
_ROW_HEIGHT: Final = 21


class Film:
    """Frames, each with its seconds, the pointer, and the line below."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir()
        self._folder = folder
        self._frames: list[dict[str, Any]] = []
        self._pointer: tuple[int, int] | None = None
        self._pressed = False
        self._line = ""

    def file(self, name: str) -> Path:
        """Where a file of the scene may lie: file browsers show a folder of its own."""
        folder = self._folder / "files"
        folder.mkdir(exist_ok=True)
        return folder / name

    def say(self, line: str) -> None:
        """The line below the window, from now on."""
        self._line = line

    def hold(self, seconds: float = FRAME_SECONDS) -> Iterator[float]:
        """The window as it is, for a while."""
        yield _DRAWN_SECONDS
        self._take(seconds)

    def glide(self, x: int, y: int) -> Iterator[float]:
        """The pointer goes to a place from the window's left and top; Blender sees it come."""
        from_x, from_y = self._pointer or (x, y)
        for step in range(1, _GLIDE_FRAMES + 1):
            share = step / _GLIDE_FRAMES
            self._pointer = round(from_x + (x - from_x) * share), round(from_y + (y - from_y) * share)
            hands.move(*self._pointer)
            yield from self.hold()

    def click(self, x: int, y: int, seconds: float = 0.5) -> Iterator[float]:
        """Goes there and presses the left button; what comes of it stands for a while."""
        yield from self.glide(x, y)
        yield from hands.until_still()
        self._pressed = True
        yield from self.hold(0.2)
        self._pressed = False
        hands.click()
        yield from hands.until_still()
        if seconds:
            yield from self.hold(seconds)

    def choose(self, operator: str, row: int = IMPORT) -> Iterator[float]:
        """Clicks File, Import or Export, and the operator's entry in it, until its file browser stands."""
        yield from self.click(*_FILE, 0.3)
        yield from self.click(_FILE_ENTRY, row, 0.3)
        yield from self.glide(_ENTRY, row)
        yield from self.click(_ENTRY, row - _ROW_HEIGHT * _rows_below(operator), 0)
        yield from hands.until_still()

    def confirm(self, stage: Any, path: Path, **options: Any) -> Iterator[float]:
        """Clicks the button of the file browser that stands, with this file and these options in it."""
        stage.name_file(path, **options)
        yield from hands.until_still()
        yield from self.hold(1.0)
        x, y = stage.button_of_browser()
        yield from self.click(x, y, 0)
        yield from hands.until(lambda: not stage.area_of("FILE_BROWSER"), "the end of the file browser")
        yield from hands.until_still()

    def scroll_down(self, x: int, y: int, clicks: int) -> Iterator[float]:
        """The wheel, over a place."""
        yield from self.glide(x, y)
        for _ in range(clicks):
            hands.click(5)
            yield from self.hold()
        yield from hands.until_still()

    def play(self, frames: Iterable[float]) -> Iterator[float]:
        """The scene's frames, one in each frame of the film."""
        import bpy

        for frame in frames:
            bpy.context.scene.frame_set(int(frame), subframe=frame % 1.0)
            yield from self.hold()

    def _take(self, seconds: float) -> None:
        name = f"{len(self._frames):03d}.ppm"
        hands.raw_picture(self._folder / name)
        frame = {"file": name, "milliseconds": round(1000 * seconds), "pointer": self._pointer}
        self._frames.append({**frame, "pressed": self._pressed, "line": self._line})
        (self._folder / _LIST).write_text(json.dumps(self._frames), encoding="utf-8")


def _rows_below(operator: str) -> int:
    """How many entries of the add-on come after the operator's in its menu; they are the menu's last."""
    (kinds,) = [module for name, module in sys.modules.items() if name.endswith("animbridge.kinds")]
    entries = [entry for kind in kinds.KINDS for entry in kind.in_blender().menu_entries]
    (own,) = [entry for entry in entries if entry.operator == operator]
    same = [entry for entry in entries if entry.menu == own.menu]
    return len(same) - 1 - same.index(own)


def compose(folder: Path, frame: dict[str, Any]) -> Path:
    """A frame with its pointer and its line, as a PNG."""
    out = (folder / frame["file"]).with_suffix(".png")
    draw = ["-font", _FONT]
    if frame["pointer"]:
        x, y = frame["pointer"]
        if frame["pressed"]:
            draw += ["-fill", "none", "-stroke", "#ffcc33", "-strokewidth", "3"]
            draw += ["-draw", f"circle {x},{y} {x + 14},{y}", "-strokewidth", "1"]
        corners = " ".join(f"{x + right},{y + down}" for right, down in _POINTER)
        draw += ["-fill", "black", "-stroke", "white", "-draw", f"polygon {corners}", "-stroke", "none"]
    line = ["-background", "#202020", "-gravity", "south", "-splice", f"0x{_LINE_HEIGHT}"]
    line += ["-fill", "white", "-pointsize", "19", "-annotate", "+0+11", frame["line"]]
    _run("convert", str(folder / frame["file"]), *draw, *line, str(out))
    return out


def main() -> None:
    """Frames that look the same become one."""
    folder, out = Path(sys.argv[1]), Path(sys.argv[2])
    shown: list[tuple[Path, int]] = []
    for frame in json.loads((folder / _LIST).read_text(encoding="utf-8")):
        path = compose(folder, frame)
        if shown and shown[-1][0].read_bytes() == path.read_bytes():
            shown[-1] = shown[-1][0], shown[-1][1] + frame["milliseconds"]
        else:
            shown.append((path, frame["milliseconds"]))
    frames = [word for path, ms in shown for word in ("-d", str(ms), *_QUALITY, str(path))]
    _run("img2webp", "-loop", "0", "-min_size", *frames, "-o", str(out))


def _run(*command: str) -> None:
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


if __name__ == "__main__":
    main()
