# SPDX-License-Identifier: MIT
"""Hands and eyes of somebody at the window: xdotool sends real events, ImageMagick looks."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

#: Seconds between two looks, and how many of them in a row must show the same.
LOOK_SECONDS: Final = 0.4
_STILL_LOOKS: Final = 3
#: After so many looks something moves for ever.
_MOST_LOOKS: Final = 150

Pixels = NDArray[np.uint8]


class NothingHappensError(AssertionError):
    """What a scene waited for did not come."""


def picture(path: Path) -> None:
    """What the screen shows. Not Blender's own screenshot: 5.2's is black under Xvfb."""
    _run("import", "-window", "root", "+dither", "-colors", "128", f"PNG8:{path}")


def raw_picture(path: Path) -> None:
    """The same with every colour, as a PPM."""
    _run("import", "-window", "root", "-depth", "8", f"ppm:{path}")


def look() -> Pixels:
    """The screen as rows x columns x red, green and blue."""
    command = ("import", "-window", "root", "-depth", "8", "ppm:-")
    ppm = subprocess.run(command, check=True, capture_output=True)
    head = ppm.stdout.split(None, 4)[:4]
    width, height = int(head[1]), int(head[2])
    return np.frombuffer(ppm.stdout[-3 * width * height :], np.uint8).reshape(height, width, 3)


def until_still() -> Iterator[float]:
    """Looks until the screen changes no more; gives the seconds to wait before each."""
    before, same = look(), 1
    for _ in range(_MOST_LOOKS):
        yield LOOK_SECONDS
        now = look()
        same = same + 1 if np.array_equal(before, now) else 1
        if same == _STILL_LOOKS:
            return
        before = now
    raise NothingHappensError("the window never came to rest")


def until(condition: Any, what: str) -> Iterator[float]:
    """Waits for a condition; `what` names it."""
    for _ in range(_MOST_LOOKS):
        if condition():
            return
        yield LOOK_SECONDS
    raise NothingHappensError(f"waited in vain: {what}")


def where_they_differ(one: Pixels, other: Pixels) -> tuple[int, int]:
    """The middle of what is not the same on two looks, from the screen's left and top."""
    rows, columns = np.nonzero((one != other).any(axis=2))
    if not len(rows):
        raise NothingHappensError("two looks at the window show the same")
    return int(columns.min() + columns.max()) // 2, int(rows.min() + rows.max()) // 2


def move(x: int, y: int) -> None:
    """The mouse to a place from the screen's left and top."""
    _run("xdotool", "mousemove", str(x), str(y))


def click(button: int = 1) -> None:
    """A button, where the mouse is: 1 is the left one, 4 and 5 turn the wheel up and down."""
    _run("xdotool", "click", str(button))


def click_at(x: int, y: int) -> Iterator[float]:
    """Moves there, and clicks when Blender has seen the mouse come; waits for what comes of it."""
    move(x, y)
    yield from until_still()
    click()
    yield from until_still()


def press(key: str) -> None:
    """A key by its X name: "Return", "Down"."""
    _run("xdotool", "key", key)


def type_text(text: str) -> None:
    """Letter by letter."""
    _run("xdotool", "type", "--delay", "50", text)


def _run(*command: str) -> None:
    subprocess.run(command, check=True)
