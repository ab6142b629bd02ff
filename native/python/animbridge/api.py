# SPDX-License-Identifier: MIT
"""All that the add-on for Blender uses of this package, in one import. Needs NumPy; the command does not."""

from __future__ import annotations

from . import abi, bone_maps, bone_pairs, command, library, oban, rig_files
from .abi import BONE_NO_INHERIT_ROTATION, FACING_NAMES, Channel, Encoder, Facing, Target
from .bone_pairs import Pair
from .curves import Armature, Curve, NativeCurves, Timing
from .document import Document, as_json, formats, read_bytes, write_whole
from .editing import edit_curves
from .errors import AnimBridgeError, LibraryError, Status
from .file_name import LONGEST_EXTENSION, file_stem, free_stem
from .job import Progress, advance, part_of
from .loaded_pairs import Loaded, Rig, loaded_pairs
from .motion import DocumentCurves, document_skeleton, from_curves, from_samples
from .mrtk import MRTK_FORMAT, is_character, recording_skeleton
from .oban import (
    LEVEL_FORMAT,
    OBAN_FORMAT,
    TAG,
    LevelOban,
    ObanCurves,
    has_tail,
    is_level_file,
    level_names,
    level_obans,
    name_of,
    oban_from_level,
)
from .retarget import (
    CurveMotion,
    RigFit,
    RigFound,
    RigUse,
    SampledMotion,
    built_in_rigs,
    find_rig,
    retarget,
    rig_fit,
)
from .rig_map import check_rig_map, is_rig_file, match_rig
from .samples import Samples
from .scene import animation_names, animation_option
from .skeleton import Joint, avatar_armature, emote_names, skeleton_joints
from .sl_anim import SL_FORMAT
from .stance import Stance, own_curves, stance_of_axes, standing, standing_curves, standing_matrices
from .text import (
    counted,
    finding_remedy,
    finding_text,
    json_text,
    listed,
    printable,
    readable,
    text_of_json,
)

__all__ = [
    "BONE_NO_INHERIT_ROTATION",
    "FACING_NAMES",
    "LEVEL_FORMAT",
    "LONGEST_EXTENSION",
    "MRTK_FORMAT",
    "OBAN_FORMAT",
    "SL_FORMAT",
    "TAG",
    "AnimBridgeError",
    "Armature",
    "Channel",
    "Curve",
    "CurveMotion",
    "Document",
    "DocumentCurves",
    "Encoder",
    "Facing",
    "Joint",
    "LevelOban",
    "LibraryError",
    "Loaded",
    "NativeCurves",
    "ObanCurves",
    "Pair",
    "Progress",
    "Rig",
    "RigFit",
    "RigFound",
    "RigUse",
    "SampledMotion",
    "Samples",
    "Stance",
    "Status",
    "Target",
    "Timing",
    "abi",
    "advance",
    "animation_names",
    "animation_option",
    "as_json",
    "avatar_armature",
    "bone_maps",
    "bone_pairs",
    "built_in_rigs",
    "check_rig_map",
    "command",
    "counted",
    "document_skeleton",
    "edit_curves",
    "emote_names",
    "file_stem",
    "find_rig",
    "finding_remedy",
    "finding_text",
    "formats",
    "free_stem",
    "from_curves",
    "from_samples",
    "has_tail",
    "is_character",
    "is_level_file",
    "is_rig_file",
    "json_text",
    "level_names",
    "level_obans",
    "library",
    "listed",
    "loaded_pairs",
    "match_rig",
    "name_of",
    "oban",
    "oban_from_level",
    "own_curves",
    "part_of",
    "printable",
    "read_bytes",
    "readable",
    "recording_skeleton",
    "retarget",
    "rig_files",
    "rig_fit",
    "skeleton_joints",
    "stance_of_axes",
    "standing",
    "standing_curves",
    "standing_matrices",
    "text_of_json",
    "write_whole",
]
