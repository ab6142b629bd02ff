# SPDX-License-Identifier: MIT
"""Viewer poses, and a manifest that says what each is and what its viewer shows.

"files": the program and version, or null where no viewer reads a pose; each joint's "known", rotation
(w, x, y, z), position and scale. Joints that are merely zeroed are counted ("unlisted").
"""

from __future__ import annotations

import json
import math
from typing import Any

from ..pose_file import Real, Value, firestorm_file, in_lines, parse, pose_of, pretty, shown

FOLDER = "sl_pose"
ANGLES = [Real(0.3), Real(-0.4), Real(0.5)]
MOVED = [Real(0.01), Real(0), Real(-0.02)]
GROWN = [Real(0.1), Real(0), Real(-0.05)]
NONE = [Real(0)] * 3
T_POSE = {"startFromTeePose": {"value": True}}


def joint(
    rotation: list[Real] = NONE,
    position: list[Real] = NONE,
    scale: list[Real] = NONE,
    /,
    **flags: Value,
) -> Value:
    """An entry as Firestorm 8 writes it."""
    entry = {"enabled": True, "jointBaseRotationIsZero": True, "mirrored": False, "worldLocked": False}
    return {
        **entry,
        "userSetBaseRotationToZero": True,
        "rotation": rotation,
        "position": position,
        "scale": scale,
        **flags,
    }


def _degrees(*angles: float) -> list[Real]:
    return [Real(math.radians(angle)) for angle in angles]


def _firestorms() -> dict[str, bytes]:
    example = {"mShoulderLeft": joint(ANGLES, MOVED, GROWN), "PELVIS": joint(ANGLES, MOVED, GROWN)}
    three = {
        key: {k: v for k, v in one.items() if k in {"enabled", "rotation", "position", "scale"}}
        for key, one in example.items()
    }
    plain: dict[str, Value] = {"mHead": {"rotation": ANGLES}, "mNeck": {"enabled": True}}
    files = {f"fs{version}.xml": pretty(firestorm_file(version, **example)) for version in (4, 5, 6, 7, 8)}
    files["fs9.xml"] = pretty(firestorm_file(9, **plain))
    files["fs3.xml"] = pretty({**three, "version": {"value": 3}})
    files["fs3_scale_0.xml"] = pretty(
        {"L_HAND": {"enabled": True, "rotation": ANGLES, "scale": NONE}, "version": {"value": 3}}
    )
    files["fs0_no_version.xml"] = pretty({"mHead": {"rotation": ANGLES, "enabled": True}})
    files["fs0_plain_version.xml"] = pretty({"mHead": {"rotation": ANGLES}, "version": 8})
    files["fs8_version_text.xml"] = pretty({**plain, **T_POSE, "version": {"value": "8"}})
    files["fs8_plain_start.xml"] = pretty({**plain, "startFromTeePose": True, "version": {"value": 8}})
    files["fs8_no_start.xml"] = pretty({**plain, "version": {"value": 8}})
    files["fs3_free.xml"] = pretty({"BELLY": {"enabled": False, "rotation": ANGLES}, "version": {"value": 3}})
    files["fs8_free.xml"] = pretty(firestorm_file(8, mHead={"enabled": False}, CHEST=joint()))
    files["fs8_case.xml"] = pretty(firestorm_file(8, mHead=joint(ANGLES), mhead=joint(MOVED), Nobody=joint()))
    files["fs8_negative_scale.xml"] = pretty(
        firestorm_file(
            8, mHead=joint(NONE, NONE, [Real(-1.0)] * 3), mNeck=joint(NONE, NONE, [Real(-1.5)] * 3)
        )
    )
    locks = {
        "mHead": joint(_degrees(30, 90, 0)),
        "mNeck": joint(_degrees(-20, -90, 70)),
        "mChest": joint(_degrees(10, 89.99, 20)),
        "mTorso": joint(_degrees(180, -180, 180)),
        "mPelvis": joint([Real(20), Real(-0.0), Real(1e-42)], [Real(0.5), Real(0), Real(1.067)]),
        "mSkull": joint(_degrees(0, 0, 250)),
    }
    files["fs8_locks.xml"] = pretty(firestorm_file(8, **locks))
    files["stand.xml"] = pretty(firestorm_file(8, **_stand()))
    return files


def _stand() -> dict[str, Value]:
    """Somebody who waits, with one hand up: what pictures and pages show."""
    turns = {
        "mPelvis": (0, 0, 10),
        "mTorso": (3, 0, -6),
        "mChest": (-2, 4, -8),
        "mNeck": (0, 4, 4),
        "mHead": (4, -4, 14),
        "mCollarLeft": (-4, 0, 0),
        "mShoulderLeft": (-72, 0, -8),
        "mElbowLeft": (0, 0, -28),
        "mWristLeft": (-4, 10, 0),
        "mShoulderRight": (58, 20, 12),
        "mElbowRight": (-10, -20, 118),
        "mWristRight": (0, -20, 6),
        "mHipLeft": (3, -4, 6),
        "mKneeLeft": (0, 6, 0),
        "mHipRight": (-6, -18, -12),
        "mKneeRight": (0, 26, 0),
        "mAnkleRight": (4, -8, 0),
    }
    return {name: joint(_degrees(*turn)) for name, turn in turns.items()}


def _differences() -> dict[str, bytes]:
    def state(capture: int, layer: int, joints: str) -> Value:
        return {
            "animationId": f"2408fe9e-df1d-1d7d-f4ff-1384fa7b350{capture}",
            "captureOrder": capture,
            "inLayerOrder": layer,
            "jointNumbersAnimated": joints,
            "lastUpdateTime": Real(1.25),
        }

    body = {
        "mHead": joint(ANGLES, jointBaseRotationIsZero=False, userSetBaseRotationToZero=False),
        "mNeck": joint(ANGLES, userSetBaseRotationToZero=False),
        "mKneeLeft": joint(ANGLES),
        "CHEST": joint(MOVED),
        "mTail1": {"enabled": True},
    }
    return {
        "fs8_diff.xml": pretty(firestorm_file(8, False, **body)),
        "fs8_diff_all.xml": pretty(firestorm_file(8, False, **body, poseState0=state(0, 0, ""))),
        "fs8_diff_some.xml": pretty(
            firestorm_file(8, False, **body, poseState2=state(1, 0, "{GF}Y"), poseState10=state(1, 1, "|D"))
        ),
        "fs6_diff.xml": pretty(firestorm_file(6, False, **body)),
    }


def _black_dragons() -> dict[str, bytes]:
    bones = {
        "mShoulderLeft": {"enabled": True, "rotation": ANGLES, "position": MOVED, "scale": GROWN},
        "mPelvis": {"rotation": ANGLES, "position": [Real(0), Real(0.1), Real(0.2)]},
        "mHead": {"enabled": False, "rotation": ANGLES},
        "PELVIS": {"rotation": NONE, "position": MOVED, "scale": GROWN},
        "CHEST": {"rotation": ANGLES, "scale": GROWN},
        "Chest": {"rotation": ANGLES},
        "Left Hand": {"position": MOVED},
        "hip": {"rotation": MOVED},
    }
    lines = [{"bone": name, **one} for name, one in bones.items() if name != "hip"]
    header = {"time": Real(0.5), "type": 2}
    return {
        "bd3.xml": pretty({**bones, "version": {"value": 3}}),
        "bd2.xml": pretty({"mHead": bones["mShoulderLeft"], "version": {**header, "value": 2}}),
        "bd3_short.xml": pretty({"mHead": bones["mShoulderLeft"], "version": {"value": 3}}),
        "bd1.xml": in_lines([header, *lines]),
        "bd1_twice.xml": in_lines([{"type": 2}, lines[0], {**lines[0], "rotation": MOVED}]),
        "bd1_blank_lines.xml": in_lines([header, *lines]).replace(b"\n", b"\n\n"),
        "bd1_headless.xml": in_lines(lines),
    }


def _numbers() -> dict[str, bytes]:
    """Text that the viewers read in their own way; a value of its own for each joint."""
    texts = [
        " 0.5",
        "0.5 ",
        "nan",
        "inf",
        "1,5",
        "0x10",
        "1.5f",
        "",
        "1e999",
        "-1e999",
        "+0.5",
        ".5",
        "5.",
        "1e-999",
    ]
    names = [
        "mHead",
        "mNeck",
        "mChest",
        "mTorso",
        "mSkull",
        "mEyeLeft",
        "mEyeRight",
        "mKneeLeft",
        "mKneeRight",
    ]
    names += ["mToeLeft", "mToeRight", "mHipLeft", "mHipRight", "mTail1"]
    entries = "".join(
        f"<key>{name}</key><map><key>rotation</key><array><real>{text}</real><integer>0</integer>"
        f"<real>0.25</real></array><key>position</key><array><real>{text}</real></array></map>"
        for name, text in zip(names, texts, strict=True)
    )
    head = "<key>startFromTeePose</key><map><key>value</key><boolean>true</boolean></map>"
    version = "<key>version</key><map><key>value</key><integer>8abc</integer></map>"
    whole = f"<llsd><map>{entries}{head}{version}</map></llsd>"
    odd = (
        "<key>mHead</key><map><key>rotation</key><array><real>0.1</real><real>0.2</real></array></map>"
        "<key>mHead</key><map><key>rotation</key><array><string>0.3</string><boolean>1</boolean>"
        "<undef/><real>9</real></array></map><key/><map/><real>1</real><key>lost</key>"
        "<key>mNeck</key><map><key>rotation</key><real>1</real><key>enabled</key><string>false</string></map>"
        "<key>mChest</key><map><key>rotation</key><array><real>0.<!-- c -->5</real><color>1</color></array>"
        "<key>enabled</key><boolean> 1</boolean></map>"
    )
    in_cdata = odd.replace("0.3", "<![CDATA[0.3]]>")
    return {
        "numbers.xml": whole.encode(),
        "odd.xml": f"<?xml version='1.0'?><llsd><map>{odd}{head}{version}</map></llsd>\r\n".encode(),
        "cdata.xml": (f"\ufeff<llsd><string>x</string><map>{in_cdata}{head}</map></llsd>").encode(),
    }


def _layouts() -> dict[str, bytes]:
    text = pretty(firestorm_file(8, mHead=joint(ANGLES)))
    return {
        "crlf.xml": text.replace(b"\n", b"\r\n"),
        "comment.xml": text.replace(b"    <map>\n", b"<!-- mine -->\n    <map>\n", 1),
        "tail.xml": text + b"x\n",
        "two.xml": text + text.replace(b"mHead", b"mNeck"),
        "one_line.xml": text.rstrip() + text.replace(b"mHead", b"mNeck"),
        "empty_pose.xml": pretty(firestorm_file(8)),
    }


def _refused() -> dict[str, bytes]:
    text = pretty(firestorm_file(8, mHead=joint(ANGLES)))
    entity = b'<!DOCTYPE llsd [<!ENTITY a "aaaa">]>\n'
    return {
        "bad_doctype.xml": entity + text,
        "bad_entity.xml": text.replace(b"0.3", b"&a;0.3"),
        "bad_cut.xml": text[: len(text) // 2],
        "bad_root.xml": text.replace(b"llsd>", b"html>"),
        "bad_array.xml": pretty([firestorm_file(8)]),
        "bad_stand.xml": pretty({"3481ccd5-0000-0000-0000-000000000000": {"name": "stand"}}),
        "bad_nul.xml": text.replace(b"mHead", b"mH\0ead"),
        "bad_utf16.xml": text.decode().encode("utf-16"),
        "bad_latin1.xml": text.replace(b"mHead", b"mH\xe9ad"),
        "bad_long_number.xml": text.replace(b"<real>0.3", b"<real>" + b"0" * 401 + b"0.3", 1),
        "bad_deep.xml": b"<llsd>" + b"<array>" * 65 + b"</array>" * 65 + b"</llsd>",
        "bad_empty.xml": b"<llsd />\n",
    }


def _row(name: str, data: bytes) -> dict[str, Any]:
    if name.startswith("bad_"):
        return {"file": name, "program": None}
    pose = pose_of(parse(data))
    joints = shown(pose)
    rows = [
        {
            "joint": joint_name,
            "known": one["known"],
            "rotation_wxyz": [one["rotation"][i] for i in (3, 0, 1, 2)],
            "position": list(one["position"]),
            "scale": list(one["scale"]),
        }
        for joint_name, one in sorted(joints.items())
        if one["known"] != "unlisted"
    ]
    return {
        "file": name,
        "program": pose.program,
        "version": pose.version,
        "from_t_pose": pose.from_t_pose,
        "unlisted": sum(one["known"] == "unlisted" for one in joints.values()),
        "joints": rows,
    }


def pose_files() -> dict[str, bytes]:
    """Every pose, by its name."""
    return {
        **_firestorms(),
        **_differences(),
        **_black_dragons(),
        **_numbers(),
        **_layouts(),
        **_refused(),
    }


def all_files() -> dict[str, bytes]:
    """Every file by its path under fixtures/sl_pose/."""
    files = pose_files()
    rows = ",\n".join(json.dumps(_row(name, data)) for name, data in sorted(files.items()))
    return {**files, "manifest.json": f'{{"files": [\n{rows}\n]}}\n'.encode()}
