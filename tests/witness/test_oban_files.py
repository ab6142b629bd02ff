# SPDX-License-Identifier: MIT
"""The witness's OBAN containers and XML against published bytes and hand-made values; the OBAN fixtures."""

from __future__ import annotations

import random
import struct
from pathlib import Path

import numpy as np
import pytest
from tests.witness import oban_any, oban_container, oban_file, oban_level, oban_oni, oban_xml
from tests.witness.anim_file import ParseError
from tests.witness.cases import oban_manifest, oban_packages, oban_published, oban_records, oban_text
from tests.witness.cases.oban_build import ObanCase, swing

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures" / "oban"
CASES = oban_manifest.all_cases()
PC = "1f27dc33dfbc0300"


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.file)
def test_case(case: ObanCase) -> None:
    """It is read, written, judged, or refused just as its author says."""
    assert case.row()["read"] == ("error" if case.error else "ok")


def test_fixtures_are_what_the_cases_make() -> None:
    files = oban_manifest.all_files()
    assert files == oban_manifest.all_files()
    there = {p.relative_to(FIXTURES).as_posix(): p.read_bytes() for p in FIXTURES.rglob("*.*")}
    assert sorted(there) == sorted(files)
    assert [name for name, data in files.items() if there[name] != data] == []


def test_created_file_is_the_published_one() -> None:
    made = oban_oni.create(oban_published.camera(), oban_published.CAMERA_NAME)
    assert made == oban_published.CAMERA_ONI
    assert len(made) == 0x120
    assert made[:0x10].hex() == PC + "32335256" + "40001400"
    assert made[0x20:0x30].hex() == "80000000" + "a0000000" + "60000000" + "10000000"
    assert made[0x40:0x54].hex() == "4e41424f" + "08000000" + "00000000" + "a0000000" + "00000000"


def test_published_xml_is_the_published_file() -> None:
    made = oban_xml.parse(oban_published.CAMERA_XML)
    assert oban_xml.name_in(oban_published.CAMERA_XML) == oban_published.CAMERA_NAME
    assert oban_oni.create(made, oban_published.CAMERA_NAME) == oban_published.CAMERA_ONI


def test_older_layout() -> None:
    """The page's older file of three keys: data at 0x60, 0xE0 bytes, names at 0x140, 0x0D of them."""
    made = oban_oni.created_by_older_writer(swing(), "12345678")
    assert struct.unpack_from("<4I", made, 0x20) == (0x60, 0xE0, 0x140, 0x0D)
    assert len(made) == 0x14D


def test_exported_has_a_raw_part() -> None:
    made, plain = oban_oni.exported(swing(), "swing"), oban_oni.create(swing(), "swing")
    assert struct.unpack_from("<4I", made, 0x30) == (len(plain), 32, 0, 0)
    assert made[0x40:] == plain[0x40:] + bytes(32)


@pytest.mark.parametrize("keys", [1, 2, 3, 300])
@pytest.mark.parametrize("length", [1, 26, 27, 28, 59])
def test_blocks_are_aligned(keys: int, length: int) -> None:
    """A(0x60 + L), L with tag and NUL: 27 characters still fit into one line of 32."""
    made = oban_oni.create(oban_records.every_frame(keys), "n" * length)
    assert struct.unpack_from("<I", made, 0x20)[0] == (0x80 if length <= 27 else 0xA0)
    assert len(made) == (0x80 if length <= 27 else 0xA0) + 0x80 + 0x20 * keys


@pytest.mark.parametrize("data", [oban_packages.ONE_FILE, oban_packages.mixed()], ids=["oni", "level"])
def test_patched_byte(data: bytes) -> None:
    """Whatever a byte becomes: an error inside the file, or the same bytes again."""
    for at in range(len(data)):
        for value in (0, 1, 0x7F, 0x80, 0xFF):
            changed = data[:at] + bytes([value]) + data[at + 1 :]
            try:
                read = oban_any.read(changed)
            except ParseError as error:
                assert 0 <= error.offset <= len(data)
                continue
            assert oban_any.written(read) == changed


def test_truncated_at_each_byte() -> None:
    for data in (oban_packages.ONE_FILE, oban_level.create(oban_packages.TWO, "level3_Final")):
        for end in range(len(data)):
            with pytest.raises(ParseError) as caught:
                oban_any.read(data[:end])
            assert caught.value.offset <= end


def test_new_level_by_hand() -> None:
    """Two of three and two keys... header, 2 * 20, 2 * 8, 16: 0x88, so the data begins at 0xA0."""
    data = oban_level.create(oban_packages.TWO, "level7_Final")
    door, swinging = (oban_packages.TWO[name] for name in ("Door_A", "swing"))
    assert data[8:12] == b"13RV"
    assert struct.unpack_from("<3I", data, 0x14) == (2, 2, 1)
    sizes = [0x80 + 0x20 * len(made.keys) for made in (door, swinging)]
    assert struct.unpack_from("<4I", data, 0x20) == (0xA0, sum(sizes), 0xA0 + sum(sizes), 11 + 10)
    assert data[0x40:0x54] == struct.pack("<4s4I", b"NABO", 8, 0, sizes[0], 0)
    assert data[0x54:0x68] == struct.pack("<4s4I", b"NABO", 8 + sizes[0], 11, sizes[1], 0)
    assert data[0x68:0x78] == struct.pack("<4I", 0, 0, 1, 0)
    assert data[0x78:0x88].hex() == "240c4e0000000000" + "4e41424f" + "02000000"
    assert data[0xA0:0xA8].hex() == "01000000" + "0100000e"
    assert data[0xA0 + sizes[0] :][:8].hex() == "01010000" + "0100000e"
    assert data.endswith(b"OBANDoor_A\0OBANswing\0")


@pytest.mark.parametrize(("base_name", "expected"), oban_manifest.BASE_NAMES.items())
def test_level_id(base_name: str, expected: int) -> None:
    """Spec 1 gives level7_Final; the published van is from level3_Final; the sums are by hand."""
    assert oban_level.level_id(base_name) == expected


def test_packages_have_their_parts() -> None:
    made = oban_packages.packages()
    assert [name.rsplit(".")[-1] for name in made["package_pc"]] == ["dat", "raw"]
    assert [name.rsplit(".")[-1] for name in made["package_mac"]] == ["dat", "raw", "sep"]
    assert {data for name, data in made["package_mac"].items() if not name.endswith(".dat")} == {bytes(32)}
    pc, mac = (made[f"package_{p}"]["level7_Final.dat"] for p in ("pc", "mac"))
    assert pc[8:] == mac[8:]


@pytest.mark.parametrize("index", range(len(oban_packages.replacements())))
def test_replacement_leaves_the_others_alone(index: int) -> None:
    row, case = oban_packages.replacements()[index]
    if not row:
        return
    before = oban_container.parse((FIXTURES / row["file"]).read_bytes())
    after = oban_container.parse(case.data)
    for i, (old, new) in enumerate(zip(before.instances, after.instances, strict=True)):
        assert (old.tag, old.flags, old.name_offset) == (new.tag, new.flags, new.name_offset)
        assert before.name_of(i) == after.name_of(i)
        if before.name_of(i) == row["name"].encode():
            given = oban_file.parse_raw((FIXTURES / row["with"]).read_bytes())
            kept = before.record(i)
            assert after.record(i) == oban_file.with_pre_header(given, kept.res_id, kept.lev_id)
        elif old.has_data:
            spans = (before.start_of(i), after.start_of(i))
            assert before.data[spans[0] :][: old.data_size] == after.data[spans[1] :][: old.data_size]
    assert before.templates == after.templates and before.names == after.names
    assert after.header.data_offset % 32 == after.header.name_offset % 32 == 0


def test_what_cannot_be_replaced() -> None:
    for name in ("first", "second"):
        with pytest.raises(oban_level.ReplaceError):
            oban_level.replaced(oban_packages.duplicates(), name, swing())
    with pytest.raises(oban_level.ReplaceError):
        oban_level.replaced(oban_packages.mixed(), "elsewhere", swing())
    with pytest.raises(KeyError):
        oban_level.replaced(oban_packages.mixed(), "wall", swing())


@pytest.mark.parametrize(("bits", "text"), oban_text.KNOWN_NUMBERS.items(), ids=str)
def test_number_text(bits: int, text: str) -> None:
    assert oban_xml.number_text(bits) == text


def test_digits_are_the_shortest() -> None:
    """As numpy finds them, which has another algorithm; powers of two have lopsided neighbours."""
    rng = random.Random(20240607)
    samples = (
        [rng.randrange(1, 0x7F800000) for _ in range(2000)] + [e << 23 for e in range(1, 255)] + [1, 2, 3]
    )
    for bits in samples:
        value = np.array([bits], dtype=np.uint32).view(np.float32)[0]
        digits, point = oban_xml.shortest_digits(bits)
        mantissa, exponent = np.format_float_scientific(value, unique=True, trim="-").split("e")
        assert (len(digits), point) == (len(mantissa.replace(".", "")), int(exponent) + 1)
        assert oban_xml.parsed_bits(oban_xml.number_text(bits)) == bits


def test_xml_is_a_fixed_point() -> None:
    for name, made in oban_text.written().items():
        text = oban_xml.write(made)
        again = oban_xml.parse(text)
        assert oban_xml.write(again) == text, name
        if not oban_xml.left_behind(made):
            assert oban_file.write(again) == oban_file.write(made)


def test_xml_by_hand() -> None:
    text = oban_xml.write(oban_text.written()["xml_negative_counts.xml"]).decode("utf-8")
    assert text.startswith(
        '\ufeff<?xml version="1.0" encoding="utf-8"?>\n<Oni>\n    <OBAN id="0">\n        <Flags></Flags>'
    )
    assert "<FrameLength>-25536</FrameLength>" in text and "<HalfStopFrame>-1</HalfStopFrame>" in text
    assert text.endswith("    </OBAN>\n</Oni>")
    assert "\r" not in text and "\t" not in text


def test_what_xml_leaves_behind() -> None:
    lossy = oban_text.written()["xml_lossy.xml"]
    assert oban_xml.left_behind(lossy) == ["res_id", "lev_id", "padding"]
    assert oban_xml.left_behind(swing(initial_bits=(0xFFC12345, *([0] * 11)))) == ["nan_payload"]
    assert oban_xml.left_behind(swing()) == []
    with pytest.raises(ValueError, match="32767"):
        oban_xml.write(oban_records.longest(32768))


def test_names() -> None:
    assert oban_oni.encoded_name("door") == oban_oni.encoded_name("OBANdoor") == b"OBANdoor\0"
    assert len(oban_oni.encoded_name("x" * 59)) == 64
    for name in ('a/b:c*"d', "100%", "plain"):
        assert oban_oni.name_of_file(oban_oni.file_name_of("OBAN" + name)) == "OBAN" + name
