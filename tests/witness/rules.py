# SPDX-License-Identifier: MIT
"""Findings that the specification implies for a file: on playback, on upload, and for a strict author.

Each rule looks at its own field only; a file that one rule rejects is still held against the others.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from . import quantise as q
from .anim_file import AnimFile, Constraint, KeyTable, float_of
from .content import STRICT_RULES, UPLOAD_RULES, content_findings
from .skeleton import FORBIDDEN, Skeleton, emote_fate
from .upload import key_times, legacy_positions, moves_visibly

LEVELS = ("playback", "upload", "strict")
PLAYBACK_IDS = frozenset(
    [
        "base_priority_too_low",
        "duration_not_finite",
        "duration_too_long",
        "loop_point_not_finite",
        "ease_not_finite",
        "hand_pose_unknown",
        "joint_count_out_of_range",
        "joint_forbidden",
        "joint_priority_too_low",
        "rotation_key_outside_duration",
        "key_not_finite",
        "constraint_type_unknown",
        "constraint_volume_unknown",
        "constraint_not_finite",
        "constraint_chain_beyond_joints",
        "constraint_joint_missing",
        "constraint_unresolved_joint_before_chain",
        "base_priority_clamped",
        "position_clamped",
        "emote_unknown",
        "emote_closed_mouth",
        "joint_unknown",
        "constraints_ignored",
        "duplicate_joint",
        "duplicate_key_time",
        "constraint_chain_too_long",
        "joint_priority_too_high",
        "loop_points_out_of_order",
        "loop_stops_itself",
        "pelvis_at_skeleton_height",
        "keys_all_at_one_time",
        "duration_negative",
        "motion_without_priority",
    ]
)
UPLOAD_IDS = frozenset(
    [
        "file_too_large",
        "joint_unknown_on_upload",
        "codes_drift_on_upload",
    ]
)
STRICT_IDS = frozenset(
    [
        "joint_alias_renamed",
        "constraint_order_reversed",
        "trailing_bytes_dropped",
        "keys_reordered",
        "volume_name_tail_cleared",
        "legacy_version_converted",
        "rotation_longer_than_one",
        "base_priority_hidden",
        "hand_pose_ignored",
        "joint_without_keys",
        "constraint_never_active",
    ]
)
#: What the viewer refuses to load (spec 1.8): nobody sees such a file.
REFUSED_IDS = frozenset(
    [
        *("base_priority_too_low", "duration_not_finite", "duration_too_long", "loop_point_not_finite"),
        *("ease_not_finite", "hand_pose_unknown", "joint_count_out_of_range", "joint_forbidden"),
        *("joint_priority_too_low", "rotation_key_outside_duration", "key_not_finite"),
        *("constraint_type_unknown", "constraint_volume_unknown", "constraint_not_finite"),
        *("constraint_chain_beyond_joints", "constraint_joint_missing"),
        "constraint_unresolved_joint_before_chain",
    ]
)
MAX_SECONDS, MAX_BYTES, MAX_JOINTS = 60, 250_000, 216
#: What a person can see: a key this long stretches a bone of a metre by a millimetre.
VISIBLE_LENGTH = 1.001
SKELETON_PELVIS_HEIGHT, HEIGHT_TOLERANCE = 1.067, 0.001  # metres
Marks = Iterator[tuple[str, bool]]


def _header(anim: AnimFile, emotes: frozenset[bytes]) -> Marks:
    finite = [math.isfinite(v) for v in (anim.loop_in, anim.loop_out, anim.ease_in, anim.ease_out)]
    fate = emote_fate(anim.emote_name, emotes)
    yield "base_priority_too_low", anim.base_priority < -1
    yield "base_priority_clamped", anim.base_priority > 6
    yield "duration_not_finite", not math.isfinite(anim.duration)
    yield "duration_too_long", math.isfinite(anim.duration) and bool(anim.duration > MAX_SECONDS)
    yield "duration_negative", bool(anim.duration < 0)
    yield "loop_point_not_finite", not all(finite[:2])
    yield "ease_not_finite", not all(finite[2:])
    yield "hand_pose_unknown", anim.hand_pose > 14
    yield "hand_pose_ignored", anim.hand_pose == 14
    yield "emote_unknown", fate == "unknown"
    yield "emote_closed_mouth", fate == "closed_mouth"
    yield "legacy_version_converted", anim.is_legacy
    if all(finite) and math.isfinite(anim.duration):
        yield from _timing(anim)


def _timing(anim: AnimFile) -> Marks:
    duration, start, end = float(anim.duration), float(anim.loop_in), float(anim.loop_out)
    overrun = end > duration or (start > end and 2 * start - end > duration)
    yield "loop_points_out_of_order", anim.loop != 0 and start > end
    yield "loop_stops_itself", anim.loop != 0 and overrun


def _joints(anim: AnimFile, skeleton: Skeleton) -> Marks:
    names = [skeleton.canonical(j.name) for j in anim.joints]
    known = [name for name in names if name is not None]
    priorities = [j.priority for j in anim.joints]
    yield "joint_count_out_of_range", not 1 <= len(names) <= MAX_JOINTS
    yield "duplicate_joint", len(set(known)) < len(known)
    yield "joint_forbidden", any(j.name in FORBIDDEN for j in anim.joints)
    yield "joint_priority_too_low", any(p < -1 for p in priorities)
    yield "joint_priority_too_high", any(p > 6 for p in priorities)
    # Per-joint priorities decide (spec 1.10): a base that no joint uses, nor has by itself, is never seen.
    yield "base_priority_hidden", bool(names) and not {-1, anim.base_priority} & set(priorities)
    yield "motion_without_priority", bool(names) and anim.base_priority == -1 and set(priorities) == {-1}
    for joint, name in zip(anim.joints, names, strict=True):
        unknown = name is None and joint.name not in FORBIDDEN
        hud = name is not None and skeleton.nodes[name].kind == "hud"  # resolves on one's own avatar only
        yield "joint_unknown", unknown
        yield "joint_unknown_on_upload", unknown or hud
        yield "joint_alias_renamed", name is not None and name.encode() != joint.name
        yield "joint_without_keys", not len(joint.rotation_keys) and not len(joint.position_keys)
        if name == "mPelvis":
            yield "pelvis_at_skeleton_height", _at_skeleton_height(joint.position_keys)


def _at_skeleton_height(keys: KeyTable) -> bool:
    metres = legacy_positions(keys) if keys.dtype == np.uint32 else q.decode_position(keys[:, 1:])
    return bool(np.any(np.abs(metres[:, 2] - SKELETON_PELVIS_HEIGHT) <= HEIGHT_TOLERANCE))


def _keys(anim: AnimFile) -> Marks:
    for joint in anim.joints:
        if anim.is_legacy:
            yield from _legacy_values(joint.rotation_keys, joint.position_keys)
        elif math.isfinite(anim.duration):
            times = key_times(joint.rotation_keys, anim.duration)
            yield "rotation_key_outside_duration", bool(np.any((times < 0) | (times > anim.duration)))
        if not anim.is_legacy:
            xyz = q.decode_rotation(joint.rotation_keys[:, 1:]).astype(np.float64)
            yield "rotation_longer_than_one", bool(np.any(np.linalg.norm(xyz, axis=1) > VISIBLE_LENGTH))
        for keys in (joint.rotation_keys, joint.position_keys):
            yield from _times(key_times(keys, anim.duration))


def _legacy_values(rotations: KeyTable, positions: KeyTable) -> Marks:
    metres = np.ascontiguousarray(positions[:, 1:]).view(np.float32)
    for keys in (rotations, positions):
        yield "key_not_finite", not np.all(np.isfinite(np.ascontiguousarray(keys).view(np.float32)))
    yield "position_clamped", bool(np.any(np.isfinite(metres) & (np.abs(metres) > 5)))


def _times(times: q.Floats) -> Marks:
    if not np.all(np.isfinite(times)):
        return
    distinct = len(np.unique(times))
    yield "duplicate_key_time", distinct < len(times)
    yield "keys_all_at_one_time", len(times) > 1 and distinct == 1
    yield "keys_reordered", bool(np.any(times[1:] < times[:-1]))


def _constraints(anim: AnimFile, skeleton: Skeleton) -> Marks:
    yield "constraints_ignored", anim.has_ignored_constraints
    yield "constraint_order_reversed", len(anim.constraints) > 1
    # Behind an ignored block nothing can be told from the block itself: only a block that is read has a rest.
    yield "trailing_bytes_dropped", bool(anim.tail) and not anim.has_ignored_constraints
    names = [skeleton.canonical(j.name) for j in anim.joints]
    for c in anim.constraints:
        target = c.target_name()
        target_known = target == b"GROUND" or skeleton.is_volume(target)
        yield "constraint_type_unknown", c.kind > 1
        yield "constraint_volume_unknown", not (skeleton.is_volume(c.source_name()) and target_known)
        yield "constraint_not_finite", not all(math.isfinite(float_of(b)) for b in c.all_bits())
        yield "constraint_chain_beyond_joints", c.chain_length > len(names)
        yield "constraint_chain_too_long", c.chain_length > 3
        yield "constraint_never_active", float_of(c.ease_times[3]) == 0
        yield "volume_name_tail_cleared", _has_tail(c.source_volume) or _has_tail(c.target_volume)
        yield from _chain(c, skeleton, names)


def _has_tail(field: bytes) -> bool:
    return b"\0" not in field or any(field[field.index(b"\0") :])


def _chain(c: Constraint, skeleton: Skeleton, names: list[str | None]) -> Marks:
    if not skeleton.is_volume(c.source_name()):
        return
    chain = skeleton.chain(c.source_name(), c.chain_length)
    places = [names.index(name) for name in chain if name in names]
    yield "constraint_joint_missing", len(places) <= c.chain_length
    unresolved = names.index(None) if None in names else len(names)
    yield "constraint_unresolved_joint_before_chain", any(place > unresolved for place in places)


def findings(data_size: int, anim: AnimFile, skeleton: Skeleton, emotes: frozenset[bytes]) -> set[str]:
    """The ids of all findings; data_size is the file's length in bytes."""
    found = {name for name, hit in _header(anim, emotes) if hit}
    found |= {name for name, hit in _joints(anim, skeleton) if hit}
    found |= {name for name, hit in _keys(anim) if hit}
    found |= {name for name, hit in _constraints(anim, skeleton) if hit}
    if data_size > MAX_BYTES:
        found.add("file_too_large")
    if moves_visibly(anim):
        found.add("codes_drift_on_upload")
    if not found & REFUSED_IDS:
        found |= content_findings(anim, skeleton).keys()
    return found


def by_level(found: set[str]) -> dict[str, list[str]]:
    """Sorted ids per level; a level holds those of the levels before it."""
    playback = found & PLAYBACK_IDS
    upload = playback | (found & (UPLOAD_IDS | UPLOAD_RULES))
    return {
        "playback": sorted(playback),
        "upload": sorted(upload),
        "strict": sorted(upload | found & (STRICT_IDS | STRICT_RULES)),
    }
