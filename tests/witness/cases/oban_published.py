# SPDX-License-Identifier: MIT
"""Known answers: bytes and numbers that OniGalore, the modders' wiki, has published.

The page OBD:OBAN documents 160 bytes of a van's animation: the record up to its first of 101 keys. It has one
slip: the first key's position repeats a row of the matrix; the numbers beside it are right (spec 1). The
page on camera animations builds a file of one key and shows its XML and its bytes, in two layouts.
"""

from __future__ import annotations

from .. import oban_oni, oban_xml
from ..oban_file import HEAD, KEY, KEY_COUNT_AT, Record, parse, write
from .oban_build import ObanCase, bad, good, key, record, turn

_VAN_HEAD = bytes.fromhex(
    "01860000 01000006 000000000000000000000000 00000000"
    "C2F5E83F ABD7AAB3 EC891335 EC891335 ED8913B4 C2F5E8BF"
    "B1D7AA33 C2F5E83F EB8913B4 6B9A9444 97FD5BC2 5D06DAC2"
    "C2F5E83F 00000000 00000000 00000000 C2F5E83F 00000000"
    "00000000 00000000 C2F5E83F 00000000 00000000 00000000"
    "5000 F501 0000 6500"
)
_VAN_ROTATION = bytes.fromhex("F40435BF 6A19C4B3 CE3C03B4 F30435BF")
_VAN_POSITION = bytes.fromhex("6B9A9444 97FD5BC2 5D06DAC2")
_SLIP = bytes.fromhex("C2F5E83F ABD7AAB3 EC891335")
VAN = _VAN_HEAD + _VAN_ROTATION + _VAN_POSITION + bytes(4)
VAN_WITH_SLIP = _VAN_HEAD + _VAN_ROTATION + _SLIP + bytes(4)
# What the page prints beside the bytes, with its six decimals or seven digits.
VAN_ROTATION = (-0.7071068, -9.131584e-8, -1.222244e-7, -0.7071067)
VAN_POSITION = (1188.825561, -54.997646, -109.012428)
VAN_INITIAL = (
    *(1.819999, -7.955471e-8, 5.496247e-7),
    *(5.496247e-7, -1.374061e-7, -1.819999),
    *(7.955475e-8, 1.819999, -1.374061e-7),
    *VAN_POSITION,
)

CAMERA_NAME = "shpadoinkle"
_ONE = "0000803F"
_CAMERA_MATRIX = (_ONE + "00000000" * 3) * 2 + _ONE + "00000000" * 3
CAMERA_ONI = (
    bytes.fromhex(
        "1F27DC33DFBC0300 32335256 4000 1400 1000 0800 01000000 00000000 00000000"
        "80000000 A0000000 60000000 10000000"
        + "00" * 16
        + "4E41424F 08000000 00000000 A0000000 00000000"
        + "00" * 12
    )
    + (b"OBANshpadoinkle\0" + bytes(16))
    + bytes.fromhex(
        "01000000 00000000" + "00" * 12 + "00000000" + _CAMERA_MATRIX * 2 + "0100 0100 0000 0100"
        "00000000 00000000 00000000" + _ONE + "00" * 16
    )
)
_FLOATS = "1 0 0 0 1 0 0 0 1 0 0 0"
CAMERA_XML = f"""<?xml version="1.0" encoding="utf-8"?>
<Oni Version="0.9.96.0">
    <Instance id="0" type="OBAN" name="{CAMERA_NAME}">
        <Flags></Flags>
        <InitialTransform>{_FLOATS}</InitialTransform>
        <BaseTransform>{_FLOATS}</BaseTransform>
        <FrameLength>1</FrameLength>
        <FrameCount>1</FrameCount>
        <HalfStopFrame>0</HalfStopFrame>
        <KeyFrames>
            <OBANKeyFrame>
                <Rotation>0 0 0 1</Rotation>
                <Translation>0 0 0</Translation>
                <Time>0</Time>
            </OBANKeyFrame>
        </KeyFrames>
    </Instance>
</Oni>
""".encode()


def with_count(data: bytes, count: int) -> bytes:
    """A record with another number of keys."""
    return data[:KEY_COUNT_AT] + count.to_bytes(2, "little") + data[HEAD.size :]


def whole_van() -> bytes:
    """The documented bytes and 100 invented keys, five frames apart, as the counts of 101 and 501 suggest."""
    keys = [
        key(5 * i, turn((1, 0, 0), 90), (1188.8256 - 4.5 * i, -54.99765, -109.01243)) for i in range(1, 101)
    ]
    return VAN + write(record(*keys))[HEAD.size :]


def camera() -> Record:
    """The one-key camera as plain data."""
    return record(key(0))


def all_cases() -> list[ObanCase]:
    """Every case of this module."""
    early, differs = "last_key_not_at_end", "initial_transform_differs"
    if write(parse(CAMERA_ONI, 0x80)) != write(camera()) or KEY.size * 101 + HEAD.size != len(whole_van()):
        raise SystemExit("the published bytes are not what they were")
    older = oban_oni.created_by_older_writer(camera(), CAMERA_NAME)
    return [
        bad(
            "published_van_160.oban", "160 documented bytes promise 101 keys", VAN, "key_count", KEY_COUNT_AT
        ),
        good("published_van_one_key.oban", "The same with one key", with_count(VAN, 1), early),
        good("published_van_slip.oban", "With the page's slip", with_count(VAN_WITH_SLIP, 1), early, differs),
        good("published_van_101_keys.oban", "With 100 invented keys", whole_van()),
        good("published_camera.oni", "The one-key camera", CAMERA_ONI),
        good("published_camera_older.oni", "Its older layout: data before names", older),
        good("published_camera.xml", "Its XML, in the older form", CAMERA_XML),
        good("published_camera_new.xml", "Its XML as it is written today", oban_xml.write(camera())),
    ]
