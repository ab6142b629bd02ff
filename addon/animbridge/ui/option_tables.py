# SPDX-License-Identifier: GPL-3.0-or-later
"""The library's options that properties show, which must be there without the library.

scripts/make_option_pages.py writes this file.
"""

from __future__ import annotations

from typing import Final

from .option_row import OptionRow

#: {format's id, or "clip": {call: {option: row}}}; "header.loop" is the member of an object.
TABLES: Final[dict[str, dict[str, dict[str, OptionRow]]]] = {
    "sl_anim": {
        "from_curves": {
            "header.base_priority": OptionRow(
                kind="integer",
                help=(
                    "Which animation wins if several move the same joint: 0 is the weakest, 4 beats the "
                    "viewer's own walks and stands, 6 is the strongest"
                ),
                default=2,
                low=-1,
                high=6,
            ),
            "header.joint_priority": OptionRow(
                kind="integer",
                help="Priority of the file's joints. -1: the animation's own",
                default=-1,
                low=-1,
                high=6,
            ),
            "header.loop": OptionRow(
                kind="flag",
                help="Repeat until the animation is stopped",
                default=False,
            ),
            "header.loop_in_seconds": OptionRow(
                kind="seconds",
                help="Seconds from the animation's start to where the repeated part begins",
                default=0.0,
                unit="s",
            ),
            "header.loop_out_seconds": OptionRow(
                kind="seconds",
                help="Seconds from the animation's start to where the repeated part ends",
                unit="s",
            ),
            "header.ease_in_seconds": OptionRow(
                kind="seconds",
                help="Seconds in which the animation blends in",
                default=0.3,
                unit="s",
            ),
            "header.ease_out_seconds": OptionRow(
                kind="seconds",
                help="Seconds in which the animation blends out",
                default=0.3,
                unit="s",
            ),
            "header.hand_pose": OptionRow(
                kind="integer",
                help="Hands of the system avatar; finger joints move mesh hands instead",
                default=1,
                low=0,
                high=13,
            ),
            "header.emote": OptionRow(
                kind="text",
                help=(
                    "A facial expression that starts with the animation, such as express_smile, or the id of "
                    "another animation"
                ),
            ),
        },
        "from_samples": {
            "encoder": OptionRow(
                kind="choice",
                help=(
                    "How changed keys are rounded to the file's numbers. What is untouched since an import "
                    "stays"
                ),
                default="upload",
                choices=("upload", "nearest", "viewer"),
            ),
            "target": OptionRow(
                kind="choice",
                help=(
                    "The grid whose limits apply. second_life refuses more than 60 s or 250,000 bytes; for "
                    "opensim, both are only reported"
                ),
                default="second_life",
                choices=("second_life", "opensim"),
            ),
            "max_position_mm": OptionRow(
                kind="number",
                help="How far any joint may be from where the scene shows it, at every sample",
                default=0.5,
                unit="mm",
                zero="every key stays",
            ),
            "max_rotation_degrees": OptionRow(
                kind="number",
                help="How far any joint's own rotation may be off, at every sample",
                default=0.05,
                unit="degrees",
                zero="every key stays",
            ),
        },
    },
    "bvh": {
        "to_curves": {
            "forward": OptionRow(
                kind="choice",
                help=(
                    "The file's axis that becomes Blender's +Y; with -Z, characters that look along the "
                    "file's +Z look along -Y, into Blender's front view"
                ),
                default="-Z",
                choices=("X", "Y", "Z", "-X", "-Y", "-Z"),
            ),
            "up": OptionRow(
                kind="choice",
                help="The file's axis that becomes Blender's +Z",
                default="Y",
                choices=("X", "Y", "Z", "-X", "-Y", "-Z"),
            ),
            "scale": OptionRow(
                kind="number",
                help="Metres for one unit of the file: 0.01 for centimetres, 0.0254 for inches",
                default=1.0,
                low=0.0,
                high=1e30,
                unit="m",
            ),
        },
        "from_curves": {
            "forward": OptionRow(
                kind="choice",
                help=(
                    "The file's axis that becomes Blender's +Y. With auto, the character looks along the "
                    "file's +Z, or its -Y where Z is up"
                ),
                default="-Z",
                choices=("X", "Y", "Z", "-X", "-Y", "-Z", "auto"),
            ),
            "rotation_order": OptionRow(
                kind="choice",
                help=(
                    "The order of a joint's three rotation channels. native: each bone's own rotation order, "
                    "ZXY for quaternions"
                ),
                default="ZXY",
                choices=("XYZ", "XZY", "YXZ", "YZX", "ZXY", "ZYX", "native"),
            ),
            "positions": OptionRow(
                kind="choice",
                help=(
                    "Which joints get position channels besides rotation channels. moving: roots, and bones "
                    "that leave their rest position by more than 0.1 mm"
                ),
                default="moving",
                choices=("root", "moving", "all"),
            ),
        },
    },
    "oban": {
        "to_curves": {
            "axes": OptionRow(
                kind="choice",
                help=(
                    "Which axes the object's own vertices have. file: the game's, Y up, as cameras always "
                    "have; blender: the mesh was turned to Z up"
                ),
                default="file",
                choices=("file", "blender"),
            ),
        },
        "from_samples": {
            "axes": OptionRow(
                kind="choice",
                help=(
                    "Which axes the object's own vertices have. file: the game's, Y up, as cameras always "
                    "have; blender: the mesh was turned to Z up"
                ),
                default="file",
                choices=("file", "blender"),
            ),
            "half_stop_frame": OptionRow(
                kind="integer",
                help=(
                    "Doors: the frame of the file (60 a second, from 0) where opening ends and closing begins"
                ),
                low=0,
                high=65535,
                unit="frames of the file",
                zero="none",
            ),
            "frame_length": OptionRow(
                kind="integer",
                help=(
                    "The authoring tool's ticks for each frame: 80 in files of the game. They do not change "
                    "the speed"
                ),
                low=0,
                high=65535,
            ),
            "max_position_mm": OptionRow(
                kind="number",
                help="How far the object may be from where the scene shows it, at every frame of the game",
                default=1.0,
                low=0.0,
                high=1e30,
                unit="mm",
                zero="every key stays",
            ),
            "max_rotation_degrees": OptionRow(
                kind="number",
                help=(
                    "How far the object's rotation may be off from what the scene shows, at every frame of "
                    "the game"
                ),
                default=0.05,
                low=0.0,
                high=1e30,
                unit="degrees",
                zero="every key stays",
            ),
        },
    },
    "mrtk": {
        "from_samples": {
            "max_position_mm": OptionRow(
                kind="number",
                help="Drop keys as long as every joint stays within this of its position",
                default=0.1,
                low=0.0,
                high=1e30,
                unit="mm",
                zero="keep every key",
            ),
            "max_rotation_degrees": OptionRow(
                kind="number",
                help="Drop keys as long as every joint stays within this of its rotation",
                default=0.02,
                low=0.0,
                high=180.0,
                unit="degrees",
                zero="keep every key",
            ),
        },
    },
    "sl_pose": {
        "to_curves": {
            "load": OptionRow(
                kind="choice",
                help=(
                    "What is loaded of a pose: everything, what the viewer's button loads (Black Dragon "
                    "leaves out scales), or rotations only"
                ),
                default="all",
                choices=("all", "plain", "rotations"),
            ),
            "on_tpose": OptionRow(
                kind="flag",
                help=(
                    "Convert a difference pose on the T-pose, without the animations that it is a difference "
                    "to"
                ),
                default=False,
            ),
            "hand": OptionRow(
                kind="choice",
                help=(
                    "Take one hand of a pose or of a hand preset: the rotations of its fingers, and nothing "
                    "else"
                ),
                choices=("left", "right"),
            ),
        },
        "from_samples": {
            "pose_format": OptionRow(
                kind="choice",
                help="The viewer that the pose is for: each takes the other's files for another pose",
                choices=("firestorm", "blackdragon"),
            ),
        },
    },
    "scene": {
        "to_curves": {
            "up": OptionRow(
                kind="choice",
                help="The file's axis that becomes Blender's +Z",
                choices=("X", "Y", "Z", "-X", "-Y", "-Z"),
            ),
            "forward": OptionRow(
                kind="choice",
                help="The file's axis that becomes Blender's +Y",
                choices=("X", "Y", "Z", "-X", "-Y", "-Z"),
            ),
            "keys": OptionRow(
                kind="choice",
                help=(
                    "Where keys are made. frames: at most one for each frame, at the file's rate or a "
                    "multiple of it; exact: as many as the file's curves need, and FBX and COLLADA keep all "
                    "of them"
                ),
                choices=("frames", "exact"),
            ),
        },
        "from_curves": {
            "container": OptionRow(
                kind="choice",
                help="The kind of file",
                default="glb",
                choices=("glb", "gltf", "fbx", "dae"),
            ),
            "drop_keys": OptionRow(
                kind="flag",
                help=(
                    "Drop keys of recordings in FBX and COLLADA files, within 0.1 mm and 0.01 degrees. GLB "
                    "and glTF keep every key"
                ),
                default=True,
            ),
            "carrier_mesh": OptionRow(
                kind="flag",
                help=(
                    "Add a mesh with one tiny triangle for each joint, so that programs see an armature and "
                    "not loose nodes"
                ),
                default=True,
            ),
            "turn_to_front": OptionRow(
                kind="flag",
                help="Turn a body by quarter turns so that it looks to the file's front",
                default=True,
            ),
        },
    },
    "clip": {
        "tools": {
            "keep_parts": OptionRow(
                kind="texts",
                help=(
                    "Keep only the keys of these parts: body, arms, hands, fingers, legs, head, face, tail, "
                    "wings, hind limbs, left, right, rotations, positions, or names of joints, in which * "
                    "stands for any text. Repeat the option for each part"
                ),
            ),
            "leave_out": OptionRow(
                kind="texts",
                help="Leave out the keys of these parts, named as for --keep-parts",
            ),
            "mirror": OptionRow(
                kind="flag",
                help="Exchange the left and the right side of the motion",
                default=False,
            ),
            "reverse": OptionRow(
                kind="flag",
                help="Play the motion backwards",
                default=False,
            ),
            "speed": OptionRow(
                kind="number",
                help="Play faster, or slower below 1",
                low=0.001,
                high=1000.0,
            ),
            "duration": OptionRow(
                kind="number",
                help="Play at the speed at which it lasts this long",
                low=0.0,
                high=86400.0,
            ),
            "bpm": OptionRow(
                kind="number",
                help=(
                    "Play at the nearest speed at which the loop, or the whole, lasts a whole number of "
                    "beats. Beats a minute"
                ),
                low=1.0,
                high=1000.0,
            ),
            "hold_first": OptionRow(
                kind="number",
                help="Hold the first pose for this long before the motion begins",
                low=0.0,
                high=3600.0,
            ),
            "hold_last": OptionRow(
                kind="number",
                help="Hold the last pose for this long after the motion",
                low=0.0,
                high=3600.0,
            ),
            "loop_points": OptionRow(
                kind="text",
                help="Repeat the part from A to B, in seconds. best: the part whose ends match best",
            ),
            "no_travel": OptionRow(
                kind="flag",
                help="Take out the way that the body goes in a loop, and keep its sway",
                default=False,
            ),
            "travel": OptionRow(
                kind="number",
                help="Move the body forward at this speed, in metres a second, in place of its own way",
                low=0.0,
                high=100.0,
            ),
            "root_scale": OptionRow(
                kind="text",
                help="How much longer the body's path becomes, horizontally and vertically",
            ),
            "smooth": OptionRow(
                kind="number",
                help=(
                    "Take out shaking, and turn no joint by more than this. The millimetres are for "
                    "positions; without them, twice the degrees"
                ),
                low=0.0,
                high=180.0,
                unit="degrees",
            ),
            "close_loop": OptionRow(
                kind="flag",
                help="End the loop in the pose in which it begins",
                default=False,
            ),
            "start_at": OptionRow(
                kind="number",
                help="Begin a closed loop at this time; what comes before it follows at the end",
                low=0.0,
                high=86400.0,
                unit="s",
            ),
        },
    },
}
