# SPDX-License-Identifier: MIT
"""What moves bones in another way than by curves makes Retarget sample the frames; nothing else does."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import bpy
import pytest
from helpers import fcurves
from layered_actions import needs_two_layers, two_layers
from mathutils import Vector
from retarget_sampling import Recorder, assert_same, table_of
from retarget_support import animate, bento_rig, mixamo_rig, retarget, settings

from animbridge.compat import actions
from animbridge.package import AnimBridgeError


@dataclass(frozen=True)
class Scene:
    """A source that plays an Action, and what stands around."""

    source: Any
    other: Any

    @property
    def hips(self) -> Any:
        return self.source.pose.bones["mixamorig:Hips"]

    @property
    def curve(self) -> Any:
        """One that turns the hips."""
        return next(
            curve for curve in fcurves(self.source) if curve.data_path == self.path("rotation_quaternion")
        )

    def path(self, prop: str) -> str:
        return f'pose.bones["mixamorig:Hips"].{prop}'

    def add(self, path: str, index: int, *values: float) -> Any:
        """A linear curve in the source's Action."""
        animation = self.source.animation_data
        curve = actions.assigned_channels(animation).holder.fcurves.new(path, index=index)  # pyright: ignore[reportOptionalMemberAccess]
        curve.keyframe_points.add(len(values))
        for number, value in enumerate(values):
            curve.keyframe_points[number].co = (1.0 + 11.0 * number, value)
            curve.keyframe_points[number].interpolation = "LINEAR"
        curve.update()
        return curve


@pytest.fixture
def scene(empty_scene: None) -> Scene:
    """A source with keys on each frame."""
    source = mixamo_rig()
    animate(source)
    other = bpy.data.objects.new("other", None)
    bpy.context.collection.objects.link(other)
    return Scene(source, other)


def constrain_a_bone(scene: Scene) -> Any:
    constraint = scene.source.pose.bones["mixamorig:LeftHand"].constraints.new("COPY_ROTATION")
    constraint.target = scene.other
    return constraint


def add_ik(scene: Scene) -> None:
    constraint = scene.source.pose.bones["mixamorig:LeftHand"].constraints.new("IK")
    constraint.target, constraint.chain_count = scene.other, 2


def constrain_the_object(scene: Scene) -> None:
    scene.source.constraints.new("COPY_LOCATION").target = scene.other


def constrain_the_parent(scene: Scene) -> None:
    hang(scene)
    scene.other.constraints.new("LIMIT_LOCATION")


def hang(scene: Scene) -> None:
    scene.source.parent = scene.other


def animate_the_parent(scene: Scene) -> None:
    hang(scene)
    scene.other.keyframe_insert("location", frame=1)


def drive_the_parent(scene: Scene) -> None:
    hang(scene)
    scene.other.driver_add("location", 0).driver.expression = "frame * 0.1"


def hang_on_a_bone(scene: Scene) -> None:
    carrier = bento_rig()
    scene.source.parent, scene.source.parent_type, scene.source.parent_bone = carrier, "BONE", "mPelvis"


def hang_on_a_path(scene: Scene) -> None:
    path = bpy.data.objects.new("path", bpy.data.curves.new("path", "CURVE"))
    bpy.context.collection.objects.link(path)
    scene.source.parent = path


def animate_the_object(scene: Scene) -> None:
    scene.source.keyframe_insert("location", frame=1)


def drive_a_bone(scene: Scene) -> None:
    scene.hips.driver_add("location", 0).driver.expression = "frame * 0.1"


def drive_the_data(scene: Scene) -> None:
    scene.source.data.driver_add("show_names").driver.expression = "0"


def animate_the_data(scene: Scene) -> None:
    scene.source.data.keyframe_insert("show_names", frame=1)


def add_handler(_scene: Scene) -> None:
    bpy.app.handlers.frame_change_post.append(lambda *_: None)


def remap_time(_scene: Scene) -> None:
    bpy.context.scene.render.frame_map_new = 200


def play_a_strip(scene: Scene) -> None:
    track = scene.source.animation_data.nla_tracks.new()
    track.strips.new("other", 1, bpy.data.actions.new("strip"))


def weaken_the_action(scene: Scene) -> None:
    scene.source.animation_data.action_influence = 0.5


def add_the_action(scene: Scene) -> None:
    scene.source.animation_data.action_blend_type = "ADD"


def take_the_action(scene: Scene) -> None:
    scene.source.animation_data.action = None


def mute_a_curve(scene: Scene) -> None:
    scene.curve.mute = True


def mute_a_group(scene: Scene) -> None:
    holder = actions.assigned_channels(scene.source.animation_data).holder  # pyright: ignore[reportOptionalMemberAccess]
    group = holder.groups.get("mixamorig:Hips") or holder.groups.new("quiet")
    scene.curve.group = group
    group.mute = True


def add_a_modifier(scene: Scene) -> None:
    scene.curve.modifiers.new("NOISE")


def bounce(scene: Scene) -> None:
    scene.curve.keyframe_points[2].interpolation = "BOUNCE"


def extrapolate(scene: Scene) -> None:
    scene.curve.extrapolation = "LINEAR"
    settings().frame_range, settings().last_frame = "CUSTOM", 30


def extrapolate_one_key(scene: Scene) -> None:
    curve = scene.add(scene.path("rotation_euler"), 0, 0.0)
    scene.hips.rotation_mode = "XYZ"
    key = curve.keyframe_points[0]
    key.interpolation, key.handle_left_type, key.handle_right_type = "BEZIER", "FREE", "FREE"
    key.handle_left, key.handle_right = (0.0, -0.1), (2.0, 0.1)
    curve.extrapolation = "LINEAR"


def sample_a_curve(scene: Scene) -> None:
    if hasattr(scene.curve, "convert_to_samples"):
        scene.curve.convert_to_samples(1, 12)
    else:
        scene.curve.mute = True


def double_a_key(scene: Scene) -> None:
    """An instant jump, made as a script would."""
    points = scene.curve.keyframe_points
    points[3].co = points[4].co - Vector((0.0, 0.2))


def step_beside_a_frame(scene: Scene) -> None:
    settings().key_times = "FRAMES"
    scene.curve.keyframe_points[3].co.x += 5e-5
    scene.curve.keyframe_points[3].interpolation = "CONSTANT"


def animate_a_constraint(scene: Scene) -> None:
    constrain_a_bone(scene).mute = True
    scene.source.keyframe_insert('pose.bones["mixamorig:LeftHand"].constraints[0].influence', frame=3)


def animate_the_mode(scene: Scene) -> None:
    scene.hips.keyframe_insert("rotation_mode", frame=1)


def scale_a_bone(scene: Scene) -> None:
    scene.hips.scale = (1.0, 1.1, 1.0)


def animate_the_scale(scene: Scene) -> None:
    scene.add(scene.path("scale"), 1, 1.0, 1.2)


def swing_the_scale(scene: Scene) -> None:
    """Its keys are 1, and its handles are not."""
    curve = scene.add(scene.path("scale"), 1, 1.0, 1.0)
    for key in curve.keyframe_points:
        key.interpolation, key.handle_left_type, key.handle_right_type = "BEZIER", "FREE", "FREE"
        key.handle_right = key.co + Vector((2.0, 0.5))


def modify_the_scale(scene: Scene) -> None:
    scene.add(scene.path("scale"), 1, 1.0, 1.0).modifiers.new("NOISE")


def disable_a_curve(scene: Scene) -> None:
    scene.curve.is_valid = False


def stop_inheriting(scene: Scene) -> None:
    scene.source.data.bones["mixamorig:LeftHand"].use_inherit_rotation = False


def locate_along_a_turned_armature(scene: Scene) -> None:
    scene.source.data.bones["mixamorig:Hips"].use_local_location = False
    scene.source.rotation_mode = "XYZ"
    scene.source.rotation_euler = (0.3, 0.0, 0.5)
    bpy.context.view_layer.update()


def simulate(scene: Scene) -> None:
    """Only meshes can be rigid bodies."""
    mesh = bpy.data.objects.new("body", bpy.data.meshes.new("body"))
    bpy.context.collection.objects.link(mesh)
    bpy.context.view_layer.objects.active = mesh
    bpy.ops.rigidbody.object_add()
    scene.source.parent = mesh


OBSTACLES: tuple[Callable[[Scene], Any], ...] = (
    *(constrain_a_bone, add_ik, constrain_the_object, constrain_the_parent, animate_the_parent),
    *(drive_the_parent, hang_on_a_bone, hang_on_a_path, animate_the_object, drive_a_bone, drive_the_data),
    *(animate_the_data, add_handler, remap_time, play_a_strip, weaken_the_action, add_the_action),
    *(take_the_action, mute_a_curve, mute_a_group, add_a_modifier, bounce, extrapolate, extrapolate_one_key),
    *(sample_a_curve, double_a_key, step_beside_a_frame, animate_a_constraint, animate_the_mode),
    *(scale_a_bone, animate_the_scale, swing_the_scale, modify_the_scale, stop_inheriting),
    *(locate_along_a_turned_armature, disable_a_curve, simulate),
)


@pytest.fixture
def handlers_restored() -> Iterator[None]:
    """Without the handlers of a test."""
    handlers: Any = bpy.app.handlers.frame_change_post
    before = list(handlers)
    yield
    handlers[:] = before


@pytest.mark.parametrize("obstacle", OBSTACLES, ids=lambda obstacle: obstacle.__name__)
def test_what_curves_do_not_say_is_sampled(
    obstacle: Callable[[Scene], Any], scene: Scene, recorder: Recorder, handlers_restored: None
) -> None:
    obstacle(scene)
    retarget(scene.source, bento_rig())
    assert recorder.samplings == 1


def mute_a_constraint(scene: Scene) -> None:
    constrain_a_bone(scene).mute = True


def switch_the_nla_off(scene: Scene) -> None:
    play_a_strip(scene)
    scene.source.animation_data.use_nla = False


def scale_by_one(scene: Scene) -> None:
    """As Blender's import of FBX files does."""
    for index in range(3):
        scene.add(scene.path("scale"), index, 1.0, 1.0000001)


def key_another_mode(scene: Scene) -> None:
    scene.add(scene.path("rotation_euler"), 0, 0.0, 3.0)


def key_a_property(scene: Scene) -> None:
    scene.source["blink"] = 0.5
    scene.source.keyframe_insert('["blink"]', frame=2)
    scene.hips["glow"] = 0.5
    scene.hips.keyframe_insert('["glow"]', frame=2)


def key_a_bone_that_is_gone(scene: Scene) -> None:
    scene.add('pose.bones["nobody"].scale', 0, 2.0)


def straighten_one_key(scene: Scene) -> None:
    """A single linear key says the same everywhere."""
    curve = scene.add(scene.path("rotation_euler"), 0, 0.3)
    scene.hips.rotation_mode = "XYZ"
    curve.extrapolation = "LINEAR"


@pytest.mark.parametrize(
    "harmless",
    (
        *(mute_a_constraint, switch_the_nla_off, scale_by_one, key_another_mode, key_a_property),
        *(key_a_bone_that_is_gone, straighten_one_key, hang),
    ),
    ids=lambda harmless: harmless.__name__,
)
def test_what_moves_no_bone_is_no_obstacle(
    harmless: Callable[[Scene], Any], scene: Scene, recorder: Recorder
) -> None:
    harmless(scene)
    target = bento_rig()
    retarget(scene.source, target)
    assert recorder.samplings == 0
    found = table_of(target)
    with recorder.sampling():
        retarget(scene.source, target)
    assert_same(found, table_of(target))


def test_an_armature_in_its_rest_position_is_refused_by_both(scene: Scene, recorder: Recorder) -> None:
    target = bento_rig()
    retarget(scene.source, target)
    scene.source.data.pose_position = "REST"
    for always in (False, True):
        recorder.always = always
        with pytest.raises((RuntimeError, AnimBridgeError), match="shows its rest position"):
            retarget(scene.source, target)


@pytest.mark.compat
@needs_two_layers
def test_an_action_of_two_layers_is_mixed() -> None:
    """Its curves alone don't say what it shows."""
    one, other = (bpy.data.actions.new(name) for name in ("one", "other"))
    for action in (one, other):
        actions.create_channels(action, "thing")
    assert actions.is_single(one)
    with two_layers(one, other):
        assert len(one.layers) == 2
        assert not actions.is_single(one)
    assert actions.is_single(one)
