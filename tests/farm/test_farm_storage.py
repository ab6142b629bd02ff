# SPDX-License-Identifier: MIT
"""Inputs and outputs on storage that URLs name: an S3 server, read by another client, and a folder."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from programs import BROKEN, COMMAND, WALK, batch, cluster, farm, files_below, ledger_rows
from storage_server import BUCKET, BreakingWire, Bucket, s3_server, settings, web_server

from animbridge.farm.inputs import StorageInputs
from animbridge.farm.storage import Folder

LEDGER = ".animbridge/ledger.jsonl"
COUNT = 120


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    with s3_server() as port:
        yield port


@pytest.fixture(scope="module")
def bucket(port: int) -> Bucket:
    return Bucket(port)


@pytest.fixture(scope="module")
def clips(tmp_path_factory: pytest.TempPathFactory, bucket: Bucket) -> Path:
    """Files in folders, of which some are broken; also in the bucket."""
    folder = tmp_path_factory.mktemp("clips") / "in"
    for number in range(COUNT):
        place = folder / f"take {number % 5} ä"
        place.mkdir(parents=True, exist_ok=True)
        shutil.copy(BROKEN if number % 13 == 0 else WALK, place / f"clip.{number}.anim")
    shutil.copy(WALK.with_name("wave.anim"), folder / "readme.txt")
    bucket.put_all(folder, "in")
    return folder


@pytest.fixture(scope="module")
def single(tmp_path_factory: pytest.TempPathFactory, clips: Path) -> Path:
    """What a single run on this machine makes of them."""
    out = tmp_path_factory.mktemp("single") / "out"
    batch(clips, "--to", "bvh", "--out", out)
    return out


def split_ledger(found: dict[str, bytes]) -> tuple[dict[str, bytes], list[dict[str, Any]]]:
    """The outputs, and the rows of the one ledger."""
    rows = [json.loads(line) for line in found.pop(LEDGER).splitlines()]
    assert not [place for place in found if ".animbridge" in place], "parts of the ledger are left"
    return found, sorted(rows, key=lambda row: row["path"])


def comparable(rows: list[dict[str, Any]], inputs: str) -> list[dict[str, Any]]:
    """Without the time of the input, and with its path below the inputs."""
    made = [json.loads(json.dumps(row).replace(inputs, "IN")) for row in rows]
    return [{key: value for key, value in row.items() if key != "modified"} for row in made]


def test_bucket_to_bucket_is_a_single_run(port: int, bucket: Bucket, clips: Path, single: Path) -> None:
    url = f"s3://{BUCKET}"
    words = [f"{url}/in", "--to", "bvh", "--out", f"{url}/out", "--workers", "2"]
    done = farm(*words, more=settings(port))
    assert done.returncode == 1, done.stdout + done.stderr  # some are broken
    outputs, rows = split_ledger(bucket.get_all("out"))
    assert outputs == files_below(single) and len(outputs) == COUNT - 10
    assert comparable(rows, f"{url}/in") == comparable(ledger_rows(single), str(clips))
    assert f"failed   {url}/in/take 0 ä/clip.0.anim: " in done.stdout
    again = farm(*words, "--resume", more=settings(port))
    assert again.stdout.startswith("0 written, 0 failed"), again.stdout
    bucket.remove("out/take 1 ä/clip.1.bvh")
    bucket.put_all(WALK.parent, "in/take 2 ä")  # new ones
    again = farm(*words, "--resume", more=settings(port))
    new = sum(path.is_file() for path in WALK.parent.rglob("*"))
    assert again.stdout.startswith(f"{1 + new} written, 0 failed"), again.stdout
    assert {row["path"] for row in split_ledger(bucket.get_all("out"))[1]} > {row["path"] for row in rows}
    again = farm(*words, "--retry-failed", more=settings(port))
    assert "0 written, 10 failed" in again.stdout, again.stdout


@pytest.mark.parametrize("seed", [1, 2])
def test_connections_cut_in_the_middle(
    port: int, bucket: Bucket, clips: Path, single: Path, seed: int
) -> None:
    """What is under a final name is whole at any moment, and runs with --resume come to the end."""
    bucket.put_all(clips, f"cut{seed}")
    wire = BreakingWire(port, seed, share=0.5)
    inputs, out = f"cut{seed}", f"cut{seed} out"
    words = [f"s3://{BUCKET}/{inputs}", "--to", "bvh", "--out", f"s3://{BUCKET}/{out}", "--workers", "2"]
    expected = files_below(single)
    try:
        for attempt in range(10):
            more = ["--resume"] if attempt else []
            done = farm(*words, *more, more={"AWS_MAX_ATTEMPTS": "2", **settings(wire.port)})
            assert "Traceback (most recent call last)" not in done.stderr, done.stderr
            found = bucket.get_all(out)
            whole = {place: data for place, data in found.items() if expected.get(place) == data}
            assert set(found) - set(whole) <= {place for place in found if ".animbridge/" in place}
            if len(whole) == len(expected) and LEDGER in found:
                break
    finally:
        wire.close()
    assert wire.cuts > 20
    assert farm(*words, "--resume", more=settings(port)).stdout.split(",")[1] == " 0 failed"
    outputs, rows = split_ledger(bucket.get_all(out))
    assert outputs == expected
    assert comparable(rows, f"s3://{BUCKET}/{inputs}") == comparable(ledger_rows(single), str(clips))


@pytest.mark.parametrize("key", ["../walk.anim", "a//walk.anim", "a/./walk.anim", "a/../../walk.anim"])
def test_key_that_is_no_path_fails_alone(port: int, bucket: Bucket, tmp_path: Path, key: str) -> None:
    """It would be copied to another place, and stopped the whole run."""
    folder = f"keys of {key.count('.')}{len(key)}"
    bucket.put(f"{folder}/in/{key}", WALK.read_bytes())
    bucket.put(f"{folder}/in/good.anim", WALK.read_bytes())
    url = f"s3://{BUCKET}/{folder}"
    words = [f"{url}/in", "--to", "bvh", "--out", f"{url}/out", "--workers", "1"]
    done = farm(*words, more={"TMPDIR": str(tmp_path), **settings(port)})
    assert done.returncode == 1, done.stderr
    assert done.stdout.startswith(f"failed   {url}/in/{key}: its name is no path below the folder"), (
        done.stdout
    )
    assert "1 written, 1 failed" in done.stdout
    assert {place for place in bucket.get_all(f"{folder}/out") if ".animbridge" not in place} == {"good.bvh"}


def test_passwords_and_signatures_are_not_shown(tmp_path: Path) -> None:
    """A server that asks for a password, and one whose URLs are signed."""
    (tmp_path / "in").mkdir()
    for name in ("walk.anim", "broken.anim"):
        shutil.copy(WALK if name == "walk.anim" else BROKEN, tmp_path / "in" / name)
    with web_server(tmp_path / "in") as port:
        out = tmp_path / "out"
        for place in ("walk.anim", "broken.anim", "gone.anim"):
            url = f"http://somebody:hush-hush@127.0.0.1:{port}/{place}?signature=do-not-tell"
            done = farm(url, "--to", "bvh", "--out", out, "--workers", "1")
            ledger = (out / LEDGER).read_text(encoding="utf-8") if (out / LEDGER).exists() else ""
            said = done.stdout + done.stderr + ledger
            assert "hush" not in said and "tell" not in said and "somebody" not in said
            assert done.returncode == (place != "walk.anim"), said
    rows = {row["path"]: row for row in ledger_rows(out)}
    assert rows["walk.anim"]["input"] == f"http://127.0.0.1:{port}/walk.anim"
    assert rows["broken.anim"]["error"].startswith(f"http://127.0.0.1:{port}/broken.anim: ")
    done = farm("s3://key:hush@none/x.anim", "--to", "bvh", "--out", out, more=settings(port))
    assert "hush" not in done.stdout + done.stderr


def test_workers_of_a_cluster_copy_for_themselves(
    port: int, bucket: Bucket, clips: Path, single: Path, tmp_path: Path
) -> None:
    """They need the keys."""
    url = f"s3://{BUCKET}/from a cluster"
    with cluster(tmp_path, 1, **settings(port)) as address:
        words = [clips, "--to", "bvh", "--out", url, "--scheduler", address]
        done = farm(*words, more=settings(port))
    assert done.returncode == 1, done.stderr  # some are broken
    assert split_ledger(bucket.get_all("from a cluster"))[0] == files_below(single)


def test_what_is_not_there_is_said(port: int, tmp_path: Path) -> None:
    words = ["--to", "bvh", "--out", tmp_path / "out", "--workers", "1"]
    done = farm(f"s3://{BUCKET}/none", "s3://nobody/x.anim", *words, more=settings(port))
    assert done.returncode == 1
    assert f"s3://{BUCKET}/none: there is nothing with this name." in done.stdout
    assert "s3://nobody/x.anim: there is nothing with this name." in done.stdout
    done = farm("gopher://x/y", *words)
    assert done.returncode == 1 and "the storage gopher://x/y fails (" in done.stderr
    done = farm(WALK, "--to", "bvh", "--out", "gopher://x/y", "--workers", "1")
    assert done.returncode == 1 and "the storage gopher://x/y" in done.stderr
    assert "Traceback" not in done.stderr
    done = farm(f"s3://{BUCKET}/in", *words, "--newer", more=settings(port))
    assert done.returncode == 2 and "--newer does not go with URLs" in done.stderr
    done = farm(f"s3://{BUCKET}/in", *words, more={"AWS_MAX_ATTEMPTS": "1", **settings(1)})
    assert done.returncode == 1 and f"the storage s3://{BUCKET}/in fails (" in done.stderr


def test_folder_by_url_shows_whole_files_alone(tmp_path: Path, single: Path, clips: Path) -> None:
    """Where files grow while they are written, they have another name until then."""
    out = tmp_path / "out"
    done = farm(f"file://{clips}", "--to", "bvh", "--out", f"file://{out}", "--workers", "2")
    assert done.returncode == 1, done.stdout + done.stderr
    assert files_below(out) == files_below(single)
    # A link's target would be written into; a new file in its place leaves the target as it is.
    shutil.rmtree(out / ".animbridge")
    target = tmp_path / "target"
    target.write_bytes(b"kept")
    victim = next(path for path in sorted(out.rglob("*.bvh")))
    victim.unlink()
    os.link(target, victim)
    farm(f"file://{clips}", "--to", "bvh", "--out", f"file://{out}", "--workers", "2")
    assert target.read_bytes() == b"kept"
    assert files_below(out) == files_below(single)


def test_local_files_to_storage_and_back(port: int, clips: Path, single: Path, tmp_path: Path) -> None:
    url = f"s3://{BUCKET}/from here"
    words = [clips, "--to", "bvh", "--out", url, "--workers", "2"]
    farm(*words, more=settings(port))
    done = farm(*words, "--resume", more=settings(port))
    assert done.stdout.startswith("0 written, 0 failed"), done.stdout
    back = tmp_path / "back"
    done = farm(url, "--to", "bvh", "--out", back, "--workers", "2", more=settings(port))
    assert done.returncode == 0, done.stdout + done.stderr
    assert set(files_below(back)) == set(files_below(single))


@pytest.mark.parametrize(
    "line", ['{"path":"walk.anim"}', '{"path":"walk.anim","size":null,"outputs":7}', "7"]
)
def test_row_that_no_animbridge_wrote_counts_as_none(tmp_path: Path, line: str) -> None:
    ledger = tmp_path / "out" / LEDGER
    ledger.parent.mkdir(parents=True)
    ledger.write_text(f"{line}\n", encoding="utf-8")
    done = farm(f"file://{WALK}", "--to", "bvh", "--out", tmp_path / "out", "--workers", "1", "--resume")
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("1 written, 0 failed"), done.stdout


def test_share_has_room_on_the_disk_of_a_worker(many: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Three thousand files for one share become six, and each file is in one of them."""
    monkeypatch.setenv("ANIMBRIDGE_COMMAND", str(COMMAND))
    shares = StorageInputs([f"file://{many}", "--to", "bvh"]).shares(1, Folder.of("out"))
    places = [file.place for share in shares for file in share.files]
    assert len(shares) > 4 and max(len(share.files) for share in shares) < 700
    assert len(places) == len(set(places)) == 3000
