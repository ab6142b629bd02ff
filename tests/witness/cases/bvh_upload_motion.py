# SPDX-License-Identifier: MIT
"""Rules 5 to 12 of Second Life's BVH loader: which keys it makes of the motion (spec 2.1).

In the key counts written here a joint that turns about one axis deviates, in the sum of rule 9, by its angle
in radians: the threshold 0.01 is 0.573 degrees.
"""

from __future__ import annotations

import math
import random

from .bvh_upload_build import Angles, Keys, LoaderCase, Part, hip, listed, still, swing, text

HIP = ("hip",)
ALIASES = """
hip:mPelvis abdomen:mTorso chest:mChest neck:mNeck head:mHead figureHair:mSkull lCollar:mCollarLeft
rCollar:mCollarRight lShldr:mShoulderLeft rShldr:mShoulderRight lForeArm:mElbowLeft
rForeArm:mElbowRight lHand:mWristLeft rHand:mWristRight lThigh:mHipLeft rThigh:mHipRight
lShin:mKneeLeft rShin:mKneeRight lFoot:mAnkleLeft rFoot:mAnkleRight mSpine1:mSpine1
avatar_mWing1Left:mWing1Left
"""
BODY = """
hip abdomen chest neck head lCollar lShldr lForeArm lHand rThigh rShin rFoot
XZY XZY ZXY XZY YZX XZY ZYX YXZ XYZ XZY XZY XZY
"""


def arm(*values: float, name: str = "abdomen") -> list[Part]:
    """A resting pelvis and one joint that turns about X."""
    return [hip(), Part(name, 0, listed(*values))]


def placed(*inches: float, name: str = "abdomen") -> list[Part]:
    """A resting pelvis and one joint that moves along its first axis."""
    return [hip(), Part(name, 0, lambda f: (inches[f], 0.0, 0.0, 0.0, 0.0, 0.0), positions=True)]


def pelvis() -> list[LoaderCase]:
    """Rules 5 and 6."""

    def walk(f: int) -> Angles:
        return (
            1.5 + 3.0 * f,
            40.0 - 0.5 * f * f,
            -2.0 + 8.0 * f,
            30.0 + 5.0 * f,
            20.0 - 7.0 * f * f,
            -15.0 + 12.5 * f,
        )

    def far(f: int) -> Angles:
        return (150.0 * f * f, -100.0 * f, 10.0 - 197.0 * f, 0.0, 0.0, 0.0)

    other = Part(
        "abdomen", 0, lambda f: (10.0 * f, 4.0 - f * f, 0.5, 30.0, 20.0, -15.0 - 9.0 * f), positions=True
    )
    limits = Part(
        "abdomen", 0, lambda f: (-250.0 * f, 196.85 * f, 200.0 * f * f, 0.0, 0.0, 0.0), positions=True
    )
    whole = Part("hip", None, walk, positions=True)
    return [
        LoaderCase(
            "rule05_pelvis_relative",
            "pelvis from a turned and moved frame 0",
            text([whole], 5),
            {"mPelvis": (4, 4)},
        ),
        LoaderCase(
            "rule05_others_absolute",
            "another joint is as it is",
            text([hip(), other], 5),
            {"mTorso": (3, 4)},
            dropped=HIP,
        ),
        LoaderCase("rule06_pelvis_clamped", "beyond 5 m", text([Part("hip", None, far, positions=True)], 4)),
        LoaderCase("rule06_clamped", "beyond 5 m on another joint", text([hip(), limits], 4)),
    ]


def frames() -> list[LoaderCase]:
    """Rule 7: 1 to 6 frames."""
    parts = [hip(swing), Part("abdomen", 0, swing)]
    one: Keys = {"mPelvis": (1, 1), "mTorso": (1, 0)}
    two: Keys = {"mPelvis": (1, 1), "mTorso": (1, 0)}
    three: Keys = {"mPelvis": (2, 2), "mTorso": (2, 0)}
    four: Keys = {"mPelvis": (3, 2), "mTorso": (3, 0)}
    cases = [
        LoaderCase(f"rule07_frames_{n}", f"{n} frames", text(parts, n), keys)
        for n, keys in ((1, one), (2, two), (3, three), (4, four))
    ]
    cases.append(LoaderCase("rule07_frame_time", "30 frames a second", text(parts, 6, 0.033333)))
    cases.append(LoaderCase("rule07_long", "a long frame time", text(parts, 5, 12.5)))
    return cases


def dropped() -> list[LoaderCase]:
    """Rule 8."""
    gone: Keys = {"mTorso": (2, 0)}

    def beside(values: list[float], positions: bool = False) -> bytes:
        second = placed(*values, name="chest")[1] if positions else arm(*values, name="chest")[1]
        return text([*arm(*(40.0 if f else 0.0 for f in range(len(values)))), second], len(values))

    def case(
        name: str, about: str, values: list[float], keys: int | None, positions: bool = False
    ) -> LoaderCase:
        # The witness to the case stays in the file: it turns from frame 0 to 1 and then rests.
        rest = 3 if len(values) > 4 else 2
        expect: Keys = {"mTorso": (rest, 0)}
        if keys is not None:
            expect["mChest"] = (rest, keys) if positions else (keys, 0)
        drops = HIP if keys is not None else (*HIP, "chest")
        return LoaderCase(f"rule08_{name}", about, beside(values, positions), expect, dropped=drops)

    return [
        LoaderCase(
            "rule08_equal",
            "as in frame 0 throughout",
            text(arm(5.0, 5.0, 5.0, 5.0), 4),
            {},
            upload=False,
            dropped=("hip", "abdomen"),
        ),
        LoaderCase(
            "rule08_one_moves",
            "one of two is as in frame 0",
            beside([5.0] * 3),
            gone,
            dropped=(*HIP, "chest"),
        ),
        case("last_frame_3", "turns in the last of three frames alone", [0.0, 0.0, 40.0], None),
        case("last_frame_4", "turns in the last of four frames alone", [0.0, 0.0, 0.0, 40.0], None),
        LoaderCase(
            "rule08_last_frame_2",
            "turns in the last of two frames",
            text(arm(0.0, 40.0), 2),
            {"mTorso": (1, 0)},
            dropped=HIP,
        ),
        case("last_but_one", "turns in the last frame but one alone", [0.0, 0.0, 40.0, 0.0], 3),
        case("small_turn", "turns by less than 0.001", [0.0, 0.05, 0.05, 0.0], None),
        case("turn_enough", "turns by more than 0.001", [0.0, 0.06, 0.06, 0.0], 2),
        case("position_frame_2", "moves in frame 2 alone", [0.0, 0.0, 3.0, 0.0], None, True),
        case("position_frame_2_of_3", "moves in frame 2, the last", [0.0, 0.0, 3.0], None, True),
        case("position_frame_3", "moves in frame 3, the last", [0.0, 0.0, 0.0, 3.0], 3, True),
        case("position_frame_1", "moves in frame 1", [0.0, 3.0, 0.0, 0.0], 3, True),
        case("position_small", "moves by less than 0.001 inch", [0.0, 0.0009, 0.0, 0.0009], None, True),
        case("position_enough", "moves by more than 0.001 inch", [0.0, 0.0011, 0.0, 0.0011], 2, True),
    ]


def reduced() -> list[LoaderCase]:
    """Rule 9. Kept frames by hand: the first number of each comment line is a frame."""

    def one(name: str, about: str, values: list[float], keys: int) -> LoaderCase:
        return LoaderCase(
            f"rule09_{name}", about, text(arm(*values), len(values)), {"mTorso": (keys, 0)}, dropped=HIP
        )

    def move(name: str, about: str, values: list[float], keys: int) -> LoaderCase:
        rotation_keys = 3 if len(values) > 4 else 2  # constant, and kept before the last frame
        expect: Keys = {"mTorso": (rotation_keys, keys)}
        return LoaderCase(f"rule09_{name}", about, text(placed(*values), len(values)), expect, dropped=HIP)

    def chain(names: list[str], values: list[float]) -> bytes:
        parts = [
            hip(),
            *(Part(name, i, listed(*values) if i == 0 else still) for i, name in enumerate(names)),
        ]
        return text(parts, len(values))

    # f=3: 2 is 0.5 degrees (0.0087) off the line, over 0.01/1.32 and under 0.01/0.99.
    deep = [20.0, 0.0, 0.5, 0.0]
    names = ["abdomen", "chest", "neck", "head", "figureHair"]
    return [
        # 1, 4: nothing between; 4 - 1 > 2 is false at n = 4, so 2 goes: 1, 3.
        one("line_4", "on a line, four frames", [20.0, 0.0, 1.0, 2.0], 2),
        # The last test keeps the frame before the last one where more than one went: 1, 3, 4.
        one("line_5", "on a line, five frames", [20.0, 0.0, 1.0, 2.0, 3.0], 3),
        one("line_9", "on a line, nine frames", [20.0, 0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0], 3),
        one("zigzag", "off the line each time", [20.0, 0.0, 9.0, 0.0, 9.0, 0.0, 9.0, 0.0], 7),
        # 2 is 0.3 off and goes, M = 3; 3 is on the line and goes; 4 is 7.2 off and stays, and 3 is put back:
        # 1, 3, 4, 5. "The most deviant skipped frame is put back" would put back 2 instead.
        one(
            "put_back", "the frame after the most deviant one comes back", [20.0, 0.0, 0.4, 0.2, 0.3, 10.0], 4
        ),
        # 2 is 0.5 off and goes, M = 3; 3 is far off and stays, so 3 is not dropped: 1, 3, 4.
        one("put_back_kept", "the frame to put back is the kept one", [20.0, 0.0, 0.5, 0.0, 10.0], 3),
        LoaderCase(
            "rule09_depth_3",
            "three joints below: 0.01",
            chain(names[:4], deep),
            {"mTorso": (2, 0)},
            dropped=(*HIP, *names[1:4]),
        ),
        LoaderCase(
            "rule09_depth_4",
            "four joints below: 0.01/1.32",
            chain(names, deep),
            {"mTorso": (3, 0)},
            dropped=(*HIP, *names[1:]),
        ),
        # Inches: 0.03. 2 is 0.02 off and goes.
        move("position_line", "0.02 inch off the line", [5.0, 0.0, 0.52, 1.0], 2),
        move("position_off", "0.04 inch off the line", [5.0, 0.0, 0.54, 1.0], 3),
        # No frame before the last is kept for positions, nor is one put back: 1, 4.
        move("position_line_5", "on a line, five frames", [5.0, 0.0, 1.0, 2.0, 3.0], 2),
        move("position_put_back", "positions have nothing put back", [5.0, 0.0, 0.02, 0.01, 0.015, 1.0], 3),
    ]


def names() -> list[LoaderCase]:
    """Rule 10 and spec 2.3."""
    turn = [0.0, 30.0, 10.0, 50.0]

    def single(name: str, label: str, about: str, found: str, positions: int, upload: bool) -> LoaderCase:
        data = text(arm(*turn, name=name), 4)
        return LoaderCase(f"rule10_{label}", about, data, {found: (3, positions)}, upload=upload, dropped=HIP)

    moving = Part(
        "BELLY", 0, lambda f: (1.0 * f, 2.0 * f * f, 3.0, 20.0 * f, 5.0, -8.0 * f * f), positions=True
    )
    static = [hip(), Part("neckDummy", 0, still), Part("abdomen", 1, listed(*turn))]
    aliases = {pair.split(":")[0]: pair.split(":")[1] for pair in ALIASES.split()}
    aliases |= {"Left_Hand": "Left Hand", "Avatar_Center": "Avatar Center"}
    every = [Part(name, 0 if i else None, listed(0.0, 30.0, 0.0)) for i, name in enumerate(aliases)]
    one_frame = [hip(), Part("abdomen", 0, still)]
    return [
        single(
            "BELLY",
            "volume",
            "a volume moves: identity frame, priority 0, positions of zeros",
            "BELLY",
            2,
            True,
        ),
        single("Chest", "attachment_one_word", "a one-word attachment point moves", "Chest", 2, True),
        single("chestDummy", "unknown", "an unknown joint moves", "chestDummy", 2, False),
        single("belly", "volume_lower_case", "a volume in lower case is unknown", "belly", 2, False),
        single("Left_Hand", "attachment", "an attachment point with an underscore", "Left Hand", 0, True),
        LoaderCase(
            "rule10_volume_6",
            "a volume with positions is not permuted",
            text([hip(), moving], 4),
            {"BELLY": (3, 3)},
            dropped=HIP,
        ),
        LoaderCase(
            "rule10_unknown_static",
            "an unknown joint at rest",
            text(static, 4),
            {"mTorso": (3, 0)},
            dropped=(*HIP, "neckDummy"),
        ),
        LoaderCase(
            "rule10_one_frame",
            "one frame forces every joint out",
            text(one_frame, 1),
            {"mPelvis": (1, 1), "mTorso": (1, 0)},
        ),
        LoaderCase(
            "rule10_one_frame_unknown",
            "one frame and an unknown joint",
            text([*one_frame, Part("neckDummy", 1, still)], 1),
            {"mPelvis": (1, 1), "mTorso": (1, 0), "neckDummy": (1, 1)},
            upload=False,
        ),
        LoaderCase("rule10_aliases", "aliases", text(every, 3), dict.fromkeys(aliases.values(), (2, 0))),
        LoaderCase(
            "rule10_ease_fits",
            "0.6 s hold both eases",
            text(arm(*turn), 4, 0.3),
            {"mTorso": (3, 0)},
            dropped=HIP,
        ),
        LoaderCase(
            "rule10_ease_rescaled", "0.2 s do not", text(arm(*turn), 4, 0.1), {"mTorso": (3, 0)}, dropped=HIP
        ),
    ]


def noisy(seed: int, frame_count: int) -> bytes:
    """A body that moves by sums of sines and a little noise, with four decimals."""
    chance = random.Random(seed)
    bones, orders = (line.split() for line in BODY.strip().splitlines())
    parents = [None, 0, 1, 2, 3, 2, 5, 6, 7, 0, 9, 10]

    def mover(size: float, count: int) -> list[list[float]]:
        waves = [
            [(chance.uniform(0, size), chance.uniform(0.05, 0.6), chance.uniform(0, 6)) for _ in range(2)]
            for _ in range(count)
        ]
        return [
            [
                round(sum(a * math.sin(w * f + p) for a, w, p in wave) + chance.uniform(-0.3, 0.3), 4)
                for wave in waves
            ]
            for f in range(frame_count)
        ]

    parts: list[Part] = []
    for bone, parent, order in zip(bones, parents, orders, strict=True):
        angles = mover(90.0 if bone == "lShldr" else 20.0, 3)
        places = mover(6.0, 3 if parent is None else 0)
        rows = [[*place, *angle] for place, angle in zip(places, angles, strict=True)]
        parts.append(Part(bone, parent, rows.__getitem__, order, parent is None))
    return text(parts, frame_count, 0.033333)


def all_cases() -> list[LoaderCase]:
    """Every case of rules 5 to 12."""
    motions = [
        LoaderCase(f"rule12_motion_{seed}", "a longer motion with noise", noisy(seed, 30))
        for seed in (1, 2, 3)
    ]
    return [*pelvis(), *frames(), *dropped(), *reduced(), *names(), *motions]
