# SPDX-License-Identifier: GPL-3.0-or-later
"""The library's options, for properties that must be there without the library.

scripts/make_option_pages.py writes this file.
"""

from __future__ import annotations

from typing import Final

from .option_row import OptionRow

#: {format's id: {call: {option: row}}}; "header.loop" is the member of an object.
TABLES: Final[dict[str, dict[str, dict[str, OptionRow]]]] = {
    "sl_anim": {
        "from_curves": {
            "frame_end": OptionRow(
                kind="number",
                help="The last frame of the animation",
                unit="frames of the scene",
            ),
            "keep_duration": OptionRow(
                kind="flag",
                help="Keep the template's duration exactly, instead of taking it from frame_end",
                default=False,
            ),
            "header": OptionRow(
                kind="object",
                help="Values of a new file. With a template, the template's header stays",
            ),
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
            "joint_priorities": OptionRow(
                kind="integers_by_name",
                help="Priorities of single joints, by any of their names. Joints without keys get none",
                low=-2147483648,
                high=2147483647,
            ),
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
            "fit_bytes": OptionRow(
                kind="integer",
                help="Drop keys, with the smallest error, until the file is no larger than this",
                default=0,
                low=0,
                high=9007199254740992,
                unit="bytes",
                zero="no limit but the target's",
            ),
            "stop_above_mm": OptionRow(
                kind="number",
                help=(
                    "Make no file if a joint or the object is farther than this from where the scene shows "
                    "it, unless the position tolerance is larger"
                ),
                default=20.0,
                low=0.0,
                high=1e30,
                unit="mm",
                zero="never stop",
            ),
            "max_position_mm": OptionRow(
                kind="number",
                help=(
                    "How far dropped keys may move any joint, at every key and between. Untouched imported "
                    "keys stay"
                ),
                default=0.0,
                unit="mm",
                zero="every key stays",
            ),
            "max_rotation_degrees": OptionRow(
                kind="number",
                help="How far dropped keys may rotate any joint, at every key and between",
                default=0.0,
                unit="degrees",
                zero="every key stays",
            ),
        },
        "from_samples": {
            "frame_end": OptionRow(
                kind="number",
                help="The last frame of the animation",
                unit="frames of the scene",
            ),
            "keep_duration": OptionRow(
                kind="flag",
                help="Keep the template's duration exactly, instead of taking it from frame_end",
                default=False,
            ),
            "header": OptionRow(
                kind="object",
                help="Values of a new file. With a template, the template's header stays",
            ),
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
            "joint_priorities": OptionRow(
                kind="integers_by_name",
                help="Priorities of single joints, by any of their names. Joints without keys get none",
                low=-2147483648,
                high=2147483647,
            ),
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
            "fit_bytes": OptionRow(
                kind="integer",
                help="Drop keys, with the smallest error, until the file is no larger than this",
                default=0,
                low=0,
                high=9007199254740992,
                unit="bytes",
                zero="no limit but the target's",
            ),
            "stop_above_mm": OptionRow(
                kind="number",
                help=(
                    "Make no file if a joint or the object is farther than this from where the scene shows "
                    "it, unless the position tolerance is larger"
                ),
                default=20.0,
                low=0.0,
                high=1e30,
                unit="mm",
                zero="never stop",
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
        "reduce": {
            "max_position_mm": OptionRow(
                kind="number",
                help="How far a joint may move from its position",
                default=0.5,
                low=0.0,
                unit="mm",
            ),
            "max_rotation_degrees": OptionRow(
                kind="number",
                help="How far a joint's own rotation may be off",
                default=0.05,
                low=0.0,
                unit="degrees",
            ),
            "fit_bytes": OptionRow(
                kind="integer",
                help="Drop keys, with the smallest error, until the file is no larger than this",
                low=1,
                high=9007199254740992,
                unit="bytes",
            ),
        },
        "from_clip": {
            "max_position_mm": OptionRow(
                kind="number",
                help="How far a joint may move from its position",
                default=0.5,
                low=0.0,
                unit="mm",
            ),
            "max_rotation_degrees": OptionRow(
                kind="number",
                help="How far a joint's own rotation may be off",
                default=0.05,
                low=0.0,
                unit="degrees",
            ),
            "fit_bytes": OptionRow(
                kind="integer",
                help="Drop keys, with the smallest error, until the file is no larger than this",
                low=1,
                high=9007199254740992,
                unit="bytes",
            ),
            "grid": OptionRow(
                kind="choice",
                help=(
                    "The grid that the file is for. Second Life refuses more than 60 s or 250,000 bytes; "
                    "OpenSim's grids have limits of their own"
                ),
                default="second-life",
                choices=("second-life", "opensim"),
            ),
            "priority": OptionRow(
                kind="integer",
                help=(
                    "Which animation wins if several move the same joint: 4 beats the viewer's own walks and "
                    "stands"
                ),
                default=2,
                low=0,
                high=6,
            ),
            "joint_priorities": OptionRow(
                kind="integers_by_name",
                help=(
                    "Priorities of single joints, by a name of the avatar. On the command line, repeat the "
                    "option for each joint"
                ),
                low=-1,
                high=6,
            ),
            "loop": OptionRow(
                kind="flag",
                help="Repeat the animation until it is stopped",
            ),
            "loop_in": OptionRow(
                kind="seconds_or_share",
                help='Where the repeated part begins: seconds, or a share such as "20%"',
                low=0.0,
                high=60.0,
                unit="s",
            ),
            "loop_out": OptionRow(
                kind="seconds_or_share",
                help='Where the repeated part ends: seconds, or a share such as "80%"',
                low=0.0,
                high=60.0,
                unit="s",
            ),
            "ease_in": OptionRow(
                kind="number",
                help="Seconds in which the animation blends in",
                default=0.3,
                low=0.0,
                high=10.0,
                unit="s",
            ),
            "ease_out": OptionRow(
                kind="number",
                help="Seconds in which the animation blends out",
                default=0.3,
                low=0.0,
                high=10.0,
                unit="s",
            ),
            "hand_pose": OptionRow(
                kind="integer",
                help="Hands of the system avatar",
                default=1,
                low=0,
                high=13,
            ),
            "emote": OptionRow(
                kind="text_without_nul",
                help="A facial expression that starts with the animation, or the id of another animation",
            ),
        },
        "edited": {
            "base_priority": OptionRow(
                kind="integer",
                help=(
                    "Which animation wins if several move the same joint: 0 is the weakest, 6 is the "
                    "strongest"
                ),
                low=-2147483648,
                high=2147483647,
            ),
            "emote_name": OptionRow(
                kind="text_without_nul",
                help=(
                    "A facial expression that starts with the animation, or the id of another animation. "
                    "Empty: none"
                ),
            ),
            "loop": OptionRow(
                kind="flag",
                help="Repeat the animation until it is stopped",
            ),
            "loop_in_point": OptionRow(
                kind="any_seconds",
                help="Seconds from the animation's start to where the repeated part begins",
                unit="s",
            ),
            "loop_out_point": OptionRow(
                kind="any_seconds",
                help="Seconds from the animation's start to where the repeated part ends",
                unit="s",
            ),
            "ease_in_duration": OptionRow(
                kind="any_seconds",
                help="Seconds in which the animation blends in",
                unit="s",
            ),
            "ease_out_duration": OptionRow(
                kind="any_seconds",
                help="Seconds in which the animation blends out",
                unit="s",
            ),
            "hand_pose": OptionRow(
                kind="integer",
                help="Hands of the system avatar",
                low=0,
                high=4294967295,
            ),
            "joint_priorities": OptionRow(
                kind="integers_by_name",
                help=(
                    "Priorities of single joints, by any of their names. On the command line, repeat the "
                    "option for each joint"
                ),
                low=-2147483648,
                high=2147483647,
            ),
        },
    },
    "bvh": {
        "skeleton": {
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
            "match": OptionRow(
                kind="choice",
                help=(
                    "How joints find their bones. names: by equal names; rig_map: then by similar names and "
                    "by the rig map"
                ),
                default="rig_map",
                choices=("names", "rig_map"),
            ),
            "fit_height": OptionRow(
                kind="flag",
                help=(
                    "Scale positions by the ratio of the hips' heights instead of by scale, so that feet stay"
                    " on the ground"
                ),
                default=False,
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
            "frame_count": OptionRow(
                kind="integer",
                help="How many frames the file gets",
                low=1,
                high=1048574,
                unit="frames of the file",
            ),
            "frame_step": OptionRow(
                kind="number",
                help="Frames of the scene for each frame of the file",
                default=1.0,
                low=0.0,
                high=1e30,
                unit="frames of the scene",
            ),
            "frame_time_seconds": OptionRow(
                kind="number",
                help="Seconds from one frame of the file to the next",
                low=0.0,
                high=1e30,
                unit="s",
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
            "bones": OptionRow(
                kind="texts",
                help="Names of the bones to export",
            ),
            "tails": OptionRow(
                kind="points",
                help="For each bone, where its tail is in armature space: a leaf gets its end site there",
                unit="m",
            ),
            "names": OptionRow(
                kind="texts_by_name",
                help="What joints are called in the file, by bone",
            ),
            "stop_above_mm": OptionRow(
                kind="number",
                help=(
                    "Make no file if a joint or the object is farther than this from where the scene shows "
                    "it, unless the position tolerance is larger"
                ),
                default=20.0,
                low=0.0,
                high=1e30,
                unit="mm",
                zero="never stop",
            ),
        },
        "from_samples": {
            "forward": OptionRow(
                kind="choice",
                help=(
                    "The file's axis that becomes Blender's +Y. With auto, the character looks along the "
                    "file's +Z, or its -Y where Z is up"
                ),
                default="-Z",
                choices=("X", "Y", "Z", "-X", "-Y", "-Z", "auto"),
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
            "frame_count": OptionRow(
                kind="integer",
                help="How many frames the file gets",
                low=1,
                high=1048574,
                unit="frames of the file",
            ),
            "frame_step": OptionRow(
                kind="number",
                help="Frames of the scene for each frame of the file",
                default=1.0,
                low=0.0,
                high=1e30,
                unit="frames of the scene",
            ),
            "frame_time_seconds": OptionRow(
                kind="number",
                help="Seconds from one frame of the file to the next",
                low=0.0,
                high=1e30,
                unit="s",
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
            "bones": OptionRow(
                kind="texts",
                help="Names of the bones to export",
            ),
            "tails": OptionRow(
                kind="points",
                help="For each bone, where its tail is in armature space: a leaf gets its end site there",
                unit="m",
            ),
            "names": OptionRow(
                kind="texts_by_name",
                help="What joints are called in the file, by bone",
            ),
            "stop_above_mm": OptionRow(
                kind="number",
                help=(
                    "Make no file if a joint or the object is farther than this from where the scene shows "
                    "it, unless the position tolerance is larger"
                ),
                default=20.0,
                low=0.0,
                high=1e30,
                unit="mm",
                zero="never stop",
            ),
        },
        "to_clip": {
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
                help=(
                    "Metres for one unit of the file: 0.01 for centimetres, 0.0254 for inches. auto: 1, 0.01 "
                    "or 0.0254, whichever makes a body as tall as a person; if none does, the scale that "
                    "makes it 1.75 m tall. Without a body, 1"
                ),
                low=0.0,
                high=1e30,
                unit="m",
            ),
        },
        "from_clip": {
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
            "frames_per_second": OptionRow(
                kind="number",
                help="Frames per second",
                low=0.01,
                high=100000.0,
                unit="frames per second",
            ),
            "stop_above_mm": OptionRow(
                kind="number",
                help=(
                    "Make no file if a joint of it is farther than this from where it is meant to be, or "
                    "turned farther than stop_above_degrees says"
                ),
                default=20.0,
                low=0.0,
                high=1e30,
                unit="mm",
                zero="never stop",
            ),
            "stop_above_degrees": OptionRow(
                kind="number",
                help=(
                    "Make no file if a joint of it is turned farther than this from how it is meant to be; in"
                    " the command, the number after the comma of --stop-above"
                ),
                default=5.0,
                low=0.0,
                high=1e30,
                unit="degrees",
                zero="never stop",
            ),
        },
        "edited": {
            "decimals": OptionRow(
                kind="integer",
                help="Decimals of offsets and motion; the frame time always has as many as it takes",
                low=0,
                high=17,
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
            "origin": OptionRow(
                kind="matrix",
                help="Where the object of a local animation (flag ZAxisUp) is",
                unit="m",
            ),
        },
        "from_curves": {
            "axes": OptionRow(
                kind="choice",
                help=(
                    "Which axes the object's own vertices have. file: the game's, Y up, as cameras always "
                    "have; blender: the mesh was turned to Z up"
                ),
                default="file",
                choices=("file", "blender"),
            ),
            "origin": OptionRow(
                kind="matrix",
                help="Where the object of a local animation (flag ZAxisUp) is",
                unit="m",
            ),
            "flags": OptionRow(
                kind="integer",
                help="The file's flags as a number",
                low=0,
                high=4294967295,
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
            "name": OptionRow(
                kind="text",
                help="The animation's name in a .oni, without the tag OBAN",
            ),
            "container": OptionRow(
                kind="choice",
                help="What kind of file is made: a raw record, a .oni or OniSplit's XML",
                choices=("raw", "oni", "xml"),
            ),
            "base_matrix": OptionRow(
                kind="matrix",
                help=(
                    "From curves only: the object's matrix apart from location and rotation, such as its "
                    "scale"
                ),
                unit="m",
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
            "camera": OptionRow(
                kind="flag",
                help=(
                    "Whether the animation moves the game's camera: the report gives the script lines for a "
                    "camera"
                ),
                default=False,
            ),
            "door": OptionRow(
                kind="object",
                help=(
                    "For a door: the animation is the opening half, and half_stop_frame is where closing "
                    "begins"
                ),
            ),
            "door.mirror": OptionRow(
                kind="flag",
                help="Add the closing half, which is the opening half backwards",
            ),
            "stop_above_mm": OptionRow(
                kind="number",
                help=(
                    "Make no file if a joint or the object is farther than this from where the scene shows "
                    "it, unless the position tolerance is larger"
                ),
                default=20.0,
                low=0.0,
                high=1e30,
                unit="mm",
                zero="never stop",
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
            "origin": OptionRow(
                kind="matrix",
                help="Where the object of a local animation (flag ZAxisUp) is",
                unit="m",
            ),
            "flags": OptionRow(
                kind="integer",
                help="The file's flags as a number",
                low=0,
                high=4294967295,
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
            "name": OptionRow(
                kind="text",
                help="The animation's name in a .oni, without the tag OBAN",
            ),
            "container": OptionRow(
                kind="choice",
                help="What kind of file is made: a raw record, a .oni or OniSplit's XML",
                choices=("raw", "oni", "xml"),
            ),
            "base_matrix": OptionRow(
                kind="matrix",
                help=(
                    "From curves only: the object's matrix apart from location and rotation, such as its "
                    "scale"
                ),
                unit="m",
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
            "camera": OptionRow(
                kind="flag",
                help=(
                    "Whether the animation moves the game's camera: the report gives the script lines for a "
                    "camera"
                ),
                default=False,
            ),
            "door": OptionRow(
                kind="object",
                help=(
                    "For a door: the animation is the opening half, and half_stop_frame is where closing "
                    "begins"
                ),
            ),
            "door.mirror": OptionRow(
                kind="flag",
                help="Add the closing half, which is the opening half backwards",
            ),
            "stop_above_mm": OptionRow(
                kind="number",
                help=(
                    "Make no file if a joint or the object is farther than this from where the scene shows "
                    "it, unless the position tolerance is larger"
                ),
                default=20.0,
                low=0.0,
                high=1e30,
                unit="mm",
                zero="never stop",
            ),
        },
        "to_clip": {
            "camera": OptionRow(
                kind="flag",
                help="The animation moves the game's camera: a scene gets a camera instead of a node",
                default=False,
            ),
        },
        "from_clip": {
            "joint": OptionRow(
                kind="text",
                help="The joint whose motion the object gets",
            ),
        },
        "edited": {
            "flags": OptionRow(
                kind="bits",
                help="The file's flags: a number sets all bits; names leave bits without a name as they are",
                low=0,
                high=4294967295,
                choices=("NormalLoop", "BackToBackLoop", "RandomStartFrame", "Autostart", "ZAxisUp"),
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
            "name": OptionRow(
                kind="text",
                help="The animation's name in a .oni, without the tag OBAN",
            ),
            "container": OptionRow(
                kind="choice",
                help=(
                    "What kind of file is made: a raw record, a .oni or OniSplit's XML. Where a file is "
                    "written, its extension decides"
                ),
                choices=("raw", "oni", "xml"),
            ),
        },
    },
    "mrtk": {
        "skeleton": {
            "rig": OptionRow(
                kind="choice",
                help=(
                    "What the recording becomes. exact: a bone for each recorded pose, without parents, and "
                    "each key as it is. hands: joints hang on each other, and keys are resampled"
                ),
                default="exact",
                choices=("exact", "hands"),
            ),
            "signs": OptionRow(
                kind="choice",
                help=(
                    "What happens where a recorded quaternion changes its sign, in exact rigs. continuous: "
                    "the joint rotates as it did. recorded: it tumbles, as in MRTK"
                ),
                default="continuous",
                choices=("continuous", "recorded"),
            ),
            "rest": OptionRow(
                kind="choice",
                help="How the hands rest: as they were tracked, or flat",
                default="tracked",
                choices=("tracked", "flat"),
            ),
            "rest_seconds": OptionRow(
                kind="number",
                help="The time of the recording at which the hands rest",
                low=-1000000000.0,
                high=1000000000.0,
                unit="s",
            ),
            "bone_names": OptionRow(
                kind="texts",
                help=(
                    "The names of an armature's bones: the answer's \"is_character\" says whether hands are "
                    "found in it"
                ),
            ),
        },
        "edited": {
            "repair_rotation_w": OptionRow(
                kind="flag",
                help="Restore the W of rotations that MRTK 2.6.0 to 2.7.2 lost",
                default=False,
            ),
            "repair_zero_rotations": OptionRow(
                kind="flag",
                help="Make each zero quaternion no rotation",
                default=False,
            ),
            "continue_signs": OptionRow(
                kind="flag",
                help="Give each quaternion the sign that is nearest to the one before it",
                default=False,
            ),
            "start_at_zero": OptionRow(
                kind="flag",
                help="Move a recording that begins before 0 seconds to 0",
                default=False,
            ),
            "speed": OptionRow(
                kind="number",
                help="Play faster, or slower below 1",
                low=0.001,
                high=1000.0,
            ),
            "version": OptionRow(
                kind="choice",
                help=(
                    "Version of the format: 1.0 loads in every MRTK 2 and has no gaze; 1.1 loads from 2.6 on "
                    "and has straight lines between keys only"
                ),
                choices=("1.0", "1.1"),
            ),
        },
        "joined": {
            "gap_seconds": OptionRow(
                kind="number",
                help="Hold the last pose this long before the next recording begins",
                default=0.0,
                low=0.0,
                high=1000000.0,
                unit="s",
            ),
        },
        "to_curves": {
            "rig": OptionRow(
                kind="choice",
                help=(
                    "What the recording becomes. exact: a bone for each recorded pose, without parents, and "
                    "each key as it is. hands: joints hang on each other, and keys are resampled"
                ),
                default="exact",
                choices=("exact", "hands"),
            ),
            "signs": OptionRow(
                kind="choice",
                help=(
                    "What happens where a recorded quaternion changes its sign, in exact rigs. continuous: "
                    "the joint rotates as it did. recorded: it tumbles, as in MRTK"
                ),
                default="continuous",
                choices=("continuous", "recorded"),
            ),
            "rest": OptionRow(
                kind="choice",
                help="How the hands rest: as they were tracked, or flat",
                default="tracked",
                choices=("tracked", "flat"),
            ),
            "rest_seconds": OptionRow(
                kind="number",
                help="The time of the recording at which the hands rest",
                low=-1000000000.0,
                high=1000000000.0,
                unit="s",
            ),
        },
        "to_clip": {
            "rig": OptionRow(
                kind="choice",
                help=(
                    "What the recording becomes. exact: a bone for each recorded pose, without parents, and "
                    "each key as it is. hands: joints hang on each other, and keys are resampled"
                ),
                default="hands",
                choices=("exact", "hands"),
            ),
            "signs": OptionRow(
                kind="choice",
                help=(
                    "What happens where a recorded quaternion changes its sign, in exact rigs. continuous: "
                    "the joint rotates as it did. recorded: it tumbles, as in MRTK"
                ),
                default="continuous",
                choices=("continuous", "recorded"),
            ),
            "rest": OptionRow(
                kind="choice",
                help="How the hands rest: as they were tracked, or flat",
                default="tracked",
                choices=("tracked", "flat"),
            ),
            "rest_seconds": OptionRow(
                kind="number",
                help="The time of the recording at which the hands rest",
                low=-1000000000.0,
                high=1000000000.0,
                unit="s",
            ),
        },
        "from_clip": {
            "version": OptionRow(
                kind="choice",
                help=(
                    "Version of the file. auto: 1.0 if curves bend between keys and there is no gaze, "
                    "otherwise 1.1. 1.0: for MRTK 2.0 to 2.8, without gaze. 1.1: for MRTK 2.6 to 2.8, with "
                    "straight lines between keys"
                ),
                default="auto",
                choices=("auto", "1.0", "1.1"),
            ),
            "source_rig": OptionRow(
                kind="file_text",
                help=(
                    "A rig file that says which joints are the hands, if the joints do not have a recording's"
                    " names"
                ),
            ),
        },
        "from_curves": {
            "version": OptionRow(
                kind="choice",
                help=(
                    "Version of the file. auto: 1.0 if curves bend between keys and there is no gaze, "
                    "otherwise 1.1. 1.0: for MRTK 2.0 to 2.8, without gaze. 1.1: for MRTK 2.6 to 2.8, with "
                    "straight lines between keys"
                ),
                default="auto",
                choices=("auto", "1.0", "1.1"),
            ),
            "keep_others": OptionRow(
                kind="flag",
                help="Keep the template's poses that no exported bone shows",
                default=True,
            ),
            "marker_names": OptionRow(
                kind="texts",
                help="The names of the file's markers",
            ),
            "marker_seconds": OptionRow(
                kind="numbers",
                help="When the markers are, one number for each name",
            ),
            "stop_above_mm": OptionRow(
                kind="number",
                help=(
                    "Make no file if a joint or the object is farther than this from where the scene shows "
                    "it, unless the position tolerance is larger"
                ),
                default=20.0,
                low=0.0,
                high=1e30,
                unit="mm",
                zero="never stop",
            ),
            "cycle_curves": OptionRow(
                kind="texts",
                help=(
                    'The curves that repeat before or after their keys, such as "L_Wrist.location.0", '
                    '"Camera.rotation_quaternion.3" or "pinch_left"'
                ),
            ),
            "cycles_before": OptionRow(
                kind="texts",
                help='For each of cycle_curves, what it does before its keys: "none", "repeat" or "mirror"',
            ),
            "cycles_after": OptionRow(
                kind="texts",
                help='For each of cycle_curves, what it does after its keys: "none", "repeat" or "mirror"',
            ),
        },
        "from_samples": {
            "version": OptionRow(
                kind="choice",
                help=(
                    "Version of the file. auto: 1.0 if curves bend between keys and there is no gaze, "
                    "otherwise 1.1. 1.0: for MRTK 2.0 to 2.8, without gaze. 1.1: for MRTK 2.6 to 2.8, with "
                    "straight lines between keys"
                ),
                default="auto",
                choices=("auto", "1.0", "1.1"),
            ),
            "keep_others": OptionRow(
                kind="flag",
                help="Keep the template's poses that no exported bone shows",
                default=True,
            ),
            "marker_names": OptionRow(
                kind="texts",
                help="The names of the file's markers",
            ),
            "marker_seconds": OptionRow(
                kind="numbers",
                help="When the markers are, one number for each name",
            ),
            "stop_above_mm": OptionRow(
                kind="number",
                help=(
                    "Make no file if a joint or the object is farther than this from where the scene shows "
                    "it, unless the position tolerance is larger"
                ),
                default=20.0,
                low=0.0,
                high=1e30,
                unit="mm",
                zero="never stop",
            ),
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
            "rig": OptionRow(
                kind="file_text",
                help=(
                    "A rig file that says which bones are the hands, if the bones do not have a recording's "
                    "names"
                ),
            ),
            "tails": OptionRow(
                kind="points",
                help=(
                    "For each bone, where its tail is in armature space: a fingertip without a bone is there"
                ),
                unit="m",
            ),
            "tracked_left": OptionRow(
                kind="numbers",
                help="When the left hand begins and ceases to be tracked, in turn",
                unit="s",
            ),
            "tracked_right": OptionRow(
                kind="numbers",
                help="When the right hand begins and ceases to be tracked, in turn",
                unit="s",
            ),
            "pinch_left": OptionRow(
                kind="numbers",
                help="When the left hand begins and ceases to pinch, in turn",
                unit="s",
            ),
            "pinch_right": OptionRow(
                kind="numbers",
                help="When the right hand begins and ceases to pinch, in turn",
                unit="s",
            ),
        },
    },
    "scene": {
        "skeleton": {
            "animation": OptionRow(
                kind="text",
                help="The animation of the file to take: its name, or its number from 1",
            ),
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
        },
        "to_curves": {
            "animation": OptionRow(
                kind="text",
                help="The animation of the file to take: its name, or its number from 1",
            ),
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
                    "multiple of it; exact: as many as the file's curves need"
                ),
                choices=("frames", "exact"),
            ),
            "match": OptionRow(
                kind="choice",
                help=(
                    "How joints find their bones. names: by equal names; rig_map: then by similar names and "
                    "by the rig map"
                ),
                default="rig_map",
                choices=("names", "rig_map"),
            ),
        },
        "from_curves": {
            "container": OptionRow(
                kind="choice",
                help="The kind of file",
                default="glb",
                choices=("glb", "gltf", "fbx", "dae"),
            ),
            "duration_seconds": OptionRow(
                kind="number",
                help="How long the animation is",
                low=0.0,
                high=1e30,
                unit="s",
            ),
            "frames_per_second": OptionRow(
                kind="number",
                help="The frame rate that the file names",
                low=1.0,
                high=1000.0,
                unit="frames per second",
            ),
            "bones": OptionRow(
                kind="texts",
                help="Names of the bones to export",
            ),
            "animation_name": OptionRow(
                kind="text_without_nul",
                help="The name of the animation in the new file",
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
            "stop_above_mm": OptionRow(
                kind="number",
                help=(
                    "Make no file if a joint or the object is farther than this from where the scene shows "
                    "it, unless the position tolerance is larger"
                ),
                default=20.0,
                low=0.0,
                high=1e30,
                unit="mm",
                zero="never stop",
            ),
        },
        "from_samples": {
            "container": OptionRow(
                kind="choice",
                help="The kind of file",
                default="glb",
                choices=("glb", "gltf", "fbx", "dae"),
            ),
            "duration_seconds": OptionRow(
                kind="number",
                help="How long the animation is",
                low=0.0,
                high=1e30,
                unit="s",
            ),
            "frames_per_second": OptionRow(
                kind="number",
                help="The frame rate that the file names",
                low=1.0,
                high=1000.0,
                unit="frames per second",
            ),
            "bones": OptionRow(
                kind="texts",
                help="Names of the bones to export",
            ),
            "animation_name": OptionRow(
                kind="text_without_nul",
                help="The name of the animation in the new file",
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
            "stop_above_mm": OptionRow(
                kind="number",
                help=(
                    "Make no file if a joint or the object is farther than this from where the scene shows "
                    "it, unless the position tolerance is larger"
                ),
                default=20.0,
                low=0.0,
                high=1e30,
                unit="mm",
                zero="never stop",
            ),
        },
        "to_clip": {
            "animation": OptionRow(
                kind="text",
                help="The animation of the file to take: its name, or its number from 1",
            ),
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
                    "multiple of it; exact: as many as the file's curves need"
                ),
                choices=("frames", "exact"),
            ),
        },
        "from_clip": {
            "frames_per_second": OptionRow(
                kind="number",
                help="Frames per second",
                low=0.01,
                high=100000.0,
            ),
            "stop_above_mm": OptionRow(
                kind="number",
                help=(
                    "Make no file if a joint of it is farther than this from where it is meant to be, or "
                    "turned farther than stop_above_degrees says"
                ),
                default=20.0,
                low=0.0,
                high=1e30,
                unit="mm",
                zero="never stop",
            ),
            "stop_above_degrees": OptionRow(
                kind="number",
                help=(
                    "Make no file if a joint of it is turned farther than this from how it is meant to be; in"
                    " the command, the number after the comma of --stop-above"
                ),
                default=5.0,
                low=0.0,
                high=1e30,
                unit="degrees",
                zero="never stop",
            ),
            "animation_name": OptionRow(
                kind="text_without_nul",
                help="The name of the animation in the new file",
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
}
