# SPDX-License-Identifier: MIT
"""Runs one scene in Blender's window, has it photographed and ends Blender. scripts/screens starts it:

blender --python tests/screens/driver.py -- SCENE.py OUT.png

A scene is a module with `show(stage)`, which may be a generator: between two steps Blender draws its window.
A step may give the seconds until the next. Scenes named check_* use mouse and keyboard, and assert.
Those named film_* take the frames of a picture that moves.
"""

from __future__ import annotations

import importlib.util
import os
import sys
import traceback
from collections.abc import Iterator
from functools import cached_property
from operator import attrgetter
from pathlib import Path
from typing import Any, Final

import bpy

ROOT: Final = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(Path(__file__).parent))

import hands  # noqa: E402
from film import Film  # noqa: E402

FIRST_SECONDS: Final = 0.5  # until the first look at whether the window stands
STEP_SECONDS: Final = 1.5
LAST_SECONDS: Final = 3.0
#: Exit codes that scripts/screens knows.
FAILED: Final = 1
NOT_IN_THIS_BLENDER: Final = 3


class NotInThisBlenderError(Exception):
    """Raised by a scene that shows what this Blender, or this build of the add-on, does not have."""


class Stage:
    """What scenes do with the window."""

    demo: Final = ROOT / "fixtures" / "demo"
    NotHere: Final = NotInThisBlenderError

    def __init__(self, frames: Path) -> None:
        self._frames = frames

    @cached_property
    def film(self) -> Film:
        """What the scene's frames become."""
        bpy.context.preferences.view.show_tooltips = False
        return Film(self._frames)

    @property
    def window(self) -> Any:
        """Blender's window."""
        return bpy.context.window_manager.windows[0]

    @property
    def area(self) -> Any:
        """The largest area of the window that shows a 3D view."""
        areas = [area for area in self.window.screen.areas if area.type == "VIEW_3D"]
        return max(areas, key=lambda area: area.width * area.height)

    @property
    def frames_per_second(self) -> float:
        """The scene's rate."""
        render = bpy.context.scene.render
        return float(render.fps / render.fps_base)

    def in_view(self) -> Any:
        """The context of somebody who works in the 3D view."""
        region = next(region for region in self.area.regions if region.type == "WINDOW")
        return bpy.context.temp_override(window=self.window, area=self.area, region=region)

    def clear(self) -> None:
        """A scene without objects."""
        for thing in list(bpy.data.objects):
            bpy.data.objects.remove(thing)

    def only_view(self) -> Iterator[float]:
        """The 3D view and the timeline alone, without objects."""
        self.clear()
        for kind in ("OUTLINER", "PROPERTIES"):
            area = self.area_of(kind)
            with bpy.context.temp_override(window=self.window, area=area, region=area.regions[-1]):
                bpy.ops.screen.area_close()
        yield from hands.until_still()

    def forget(self) -> None:
        """A scene without objects, in a file without Actions."""
        self.clear()
        for action in list(bpy.data.actions):
            bpy.data.actions.remove(action)

    def side_bar(self, area: Any = None) -> Iterator[float]:
        """Opens the side bar at the add-on's tab."""
        area = area or self.area
        area.spaces.active.show_region_ui = True
        yield from hands.until_still()
        self.show_tab("AnimBridge", area)
        yield from hands.until_still()

    def only_panels(self, *names: str) -> None:
        """Of the add-on's panels only these: all of them don't fit into a small window."""
        for panel in bpy.types.Panel.__subclasses__():
            if panel.__name__.startswith("ANIMBRIDGE_PT_") and panel.__name__ not in names:
                bpy.utils.unregister_class(panel)

    def import_demo(self, *names: str, **options: Any) -> Any:
        """Imports demos onto a new skeleton, as the menu entry would; the armature."""
        files = [{"name": name} for name in names]
        with self.in_view():
            operators: Any = bpy.ops
            operators.import_anim.secondlife(directory=str(self.demo), files=files, **options)
            return bpy.context.view_layer.objects.active

    def invoke(self, operator: str, **options: Any) -> None:
        """Shows the dialog of an operator ("import_anim.bvh"), as its menu entry would."""
        with self.in_view():
            attrgetter(operator)(bpy.ops)("INVOKE_DEFAULT", **options)

    def look(self, at_selected: bool = False) -> None:
        """Looks the character (who looks along +X) in the face, a little from the side and from above."""
        with self.in_view():
            bpy.ops.view3d.view_axis(type="RIGHT")
            bpy.ops.view3d.view_orbit(angle=0.6, type="ORBITLEFT")
            bpy.ops.view3d.view_orbit(angle=0.25, type="ORBITUP")
            if at_selected:
                bpy.ops.view3d.view_selected()
            else:
                bpy.ops.view3d.view_all()

    def pose_mode(self) -> None:
        """Into Pose mode with the active armature."""
        with self.in_view():
            bpy.ops.object.mode_set(mode="POSE")

    def show_tab(self, category: str, area: Any = None) -> None:
        """Opens the side bar (the 3D view's) at one of its tabs; a step before it must have drawn it."""
        area = area or self.area
        panels = bpy.types.Panel.__subclasses__()
        tabs = [panel for panel in panels if _is_in_side_bar(panel, area.type)]
        if not any(panel.bl_category == category for panel in tabs):
            raise NotInThisBlenderError(f"the add-on has no tab {category}")
        region = next(region for region in area.regions if region.type == "UI")
        if hasattr(region, "active_panel_category"):
            region.active_panel_category = category
            return
        # Blender 3.4 must be clicked. Without the others the tab is the second, under Blender's own "Item".
        for panel in tabs:
            if panel.bl_category != category:
                bpy.utils.unregister_class(panel)
        hands.move(region.x + region.width - 10, self.window.height - (region.y + region.height - 90))
        hands.click()

    @property
    def middle(self) -> tuple[int, int]:
        """Of the 3D view, from the screen's left and top."""
        area = self.area
        return area.x + area.width // 2, self.window.height - area.y - area.height // 2

    def area_of(self, kind: str) -> Any:
        """The window's area of a type such as FILE_BROWSER; None while there is none."""
        return next((area for area in self.window.screen.areas if area.type == kind), None)

    def browse(self, operator: str, **options: Any) -> Iterator[float]:
        """Shows the file browser of an operator and waits until it is drawn; the mouse is out of the way."""
        hands.move(*self.middle)
        self.invoke(operator, **options)
        yield from hands.until(lambda: self.area_of("FILE_BROWSER"), "the file browser")
        yield from hands.until_still()

    def in_browser(self) -> Any:
        """The context of somebody who works in the file browser."""
        area = self.area_of("FILE_BROWSER")
        region = next(region for region in area.regions if region.type == "WINDOW")
        return bpy.context.temp_override(window=self.window, area=area, region=region)

    def button_of_browser(self) -> tuple[int, int]:
        """Where the file browser's own button is, from the screen's left and top."""
        region = next(region for region in self.area_of("FILE_BROWSER").regions if region.type == "EXECUTE")
        return region.x + region.width - 60, self.window.height - region.y - region.height // 2

    def press_in_view(self, key: str) -> Iterator[float]:
        """Presses a key over the 3D view. 5.2 shows what comes of it when the mouse moves next."""
        x, y = self.middle
        hands.move(x, y)
        yield from hands.until_still()
        hands.press(key)
        yield hands.LOOK_SECONDS
        hands.move(x + 3, y)
        yield from hands.until_still()

    def choose_file(self, operator: str, path: Path, **options: Any) -> Iterator[float]:
        """Names a file and options in the file browser of an operator, and clicks the browser's button."""
        yield from self.browse(operator)
        yield from self.confirm_file(path, **options)

    def confirm_file(self, path: Path, **options: Any) -> Iterator[float]:
        """The same in a file browser that is open."""
        self.name_file(path, **options)
        yield from hands.until_still()
        yield from hands.click_at(*self.button_of_browser())
        yield from hands.until(lambda: not self.area_of("FILE_BROWSER"), "the end of the file browser")
        yield from hands.until_still()

    def name_file(self, path: Path, **options: Any) -> None:
        """Names a file and options in a file browser that is open."""
        area = self.area_of("FILE_BROWSER")
        area.spaces.active.params.directory = os.fsencode(path.parent)
        area.spaces.active.params.filename = path.name
        for name, value in options.items():
            setattr(self.browsed, name, value)
        area.tag_redraw()

    def undo(self) -> Iterator[float]:
        """Ctrl Z over the 3D view."""
        yield from self.press_in_view("ctrl+z")

    def top_of_change(self, before: Any, region: Any) -> tuple[int, int]:
        """The middle of the first row of widgets that differs from an earlier look, in a region."""
        after = hands.look()
        left, right = region.x, region.x + region.width - 20  # without the tabs
        first, last = self.window.height - region.y - region.height, self.window.height - region.y
        one, other = (look[first:last, left:right] for look in (before, after))
        rows = (one != other).any(axis=2).any(axis=1).nonzero()[0]
        assert len(rows), "two looks at the region show the same"
        return (left + right) // 2, first + int(rows[0]) + 8

    @property
    def browsed(self) -> Any:
        """The properties that the file browser shows of its operator."""
        return self.area_of("FILE_BROWSER").spaces.active.active_operator.properties


def _is_in_side_bar(panel: Any, space: str) -> bool:
    place = (getattr(panel, name, "") for name in ("bl_space_type", "bl_region_type"))
    return tuple(place) == (space, "UI") and panel.is_registered and hasattr(panel, "bl_category")


def main() -> None:
    """Starts the timers; Blender goes on with its window."""
    scene, picture = (Path(name) for name in sys.argv[sys.argv.index("--") + 1 :])
    preferences = bpy.context.preferences
    preferences.view.show_splash = False
    preferences.view.show_developer_ui = False
    preferences.view.smooth_view = 0  # a view that moves slowly swallows the next change
    # File browsers in the window itself: there is no window manager to place a second one.
    preferences.view.filebrowser_display_type = "SCREEN"
    steps = run_scene(scene, picture)
    bpy.app.timers.register(lambda: advance(steps, picture), first_interval=FIRST_SECONDS)


def run_scene(scene: Path, picture: Path) -> Iterator[float]:
    """The scene's steps, then the picture, which a check needs only if it fails.

    Gives the seconds to wait before the next step.
    """
    yield from hands.until(lambda: hands.look().any(), "Blender's window")
    yield from hands.until_still()
    spec = importlib.util.spec_from_file_location(scene.stem, scene)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    for seconds in module.show(Stage(picture.with_suffix(""))) or ():
        yield STEP_SECONDS if seconds is None else seconds
    if scene.stem.startswith(("check_", "film_")):
        return
    yield LAST_SECONDS
    hands.picture(picture)


def advance(steps: Iterator[float], picture: Path) -> float:
    """One step of the scene; ends Blender when there are no more, or when one fails: the picture shows it."""
    code = 0
    try:
        return next(steps)
    except StopIteration:
        pass
    except NotInThisBlenderError as reason:
        print(f"not shown: {reason}")
        code = NOT_IN_THIS_BLENDER
    except Exception:
        traceback.print_exc()
        hands.picture(picture)
        code = FAILED
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


main()
