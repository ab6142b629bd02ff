# SPDX-License-Identifier: MIT
"""Makes a plan of a command line.

The command lists files and checks the options. Storage lists what URLs name.
"""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from .. import command
from ..text import text_of_json
from .errors import FarmError
from .plan import Header, Key, Plan, Row, key_of, read_plan
from .storage import Folder, is_url

#: Options of `animbridge batch` that look at files which are not there.
_NOT_FOR_URLS: Final = ("--newer", "--digest")


class UsageError(FarmError):
    """The command line is wrong."""


def make_plan(words: Sequence[str]) -> Plan:
    """The plan of words as `animbridge batch` takes them, with URLs among the inputs and as --out."""
    words, out = _split_out(words)
    urls = [word for word in words if is_url(word)]
    words = [word for word in words if not is_url(word)]
    if urls or is_url(out):
        for option in _NOT_FOR_URLS:
            if option in words:
                raise UsageError(f"{option} does not go with URLs; leave it out")
    if urls:
        words += ["--from", os.devnull]
    with tempfile.TemporaryDirectory(prefix="animbridge-farm-") as scratch:
        own_out = str(Path(scratch, "out")) if is_url(out) else out
        plan = _made_by_command([*words, "--out", own_out], Path(scratch, "plan.jsonl"))
    plan.header = replace(plan.header, out=out)
    for url in urls:
        plan.rows += _rows_at(url, plan.header)
    if urls:
        plan.rows = _numbered(plan.rows)
    return plan


def _split_out(words: Sequence[str]) -> tuple[list[str], str]:
    """The words without --out, and its value."""
    left = list(words)
    for index, word in enumerate(left):
        if word == "--out" and index + 1 < len(left):
            return left[:index] + left[index + 2 :], left[index + 1]
        if word.startswith("--out="):
            return left[:index] + left[index + 1 :], word.removeprefix("--out=")
    raise UsageError("--out is required: the folder of the outputs, or its URL")


def _made_by_command(words: Sequence[str], path: Path) -> Plan:
    done = subprocess.run(
        [*command.words(), "batch", *words, "--plan", path, "--quiet"],
        capture_output=True,
        check=False,
    )
    said = done.stderr.decode("utf-8", "replace").strip()
    if done.returncode == 2:
        raise UsageError(said)
    if done.returncode != 0:
        raise FarmError(said)
    return read_plan(path)


def _rows_at(url: str, header: Header) -> list[Row]:
    try:
        rows = list(Folder(url).rows(header.extensions))
    except FileNotFoundError:
        return [Row(url, "", 0, fault="there is nothing with this name")]
    except FarmError:
        raise
    except Exception as problem:  # storages have exceptions of their own kinds
        raise FarmError(f"{url} cannot be listed: {type(problem).__name__}: {problem}") from problem
    return rows or [Row(url, "", 0, fault="the folder contains no animation or .json file")]


def _numbered(rows: Iterable[Row]) -> list[Row]:
    """With the number of those before that have the same place."""
    seen = Counter[str]()
    numbered: list[Row] = []
    for row in rows:
        if row.fault is None:
            place = row.key[0]
            numbered.append(replace(row, before=seen[place]))
            seen[place] += 1
        else:
            numbered.append(row)
    return numbered


def without_done(
    plan: Plan, rows: Iterable[dict[str, Any]], is_there: Callable[[dict[str, Any]], bool]
) -> Plan:
    """The plan without what a ledger has, unless input, options, version or outputs have changed."""
    newest: dict[Key, dict[str, Any]] = {}
    for row in rows:
        newest[key_of(row)] = row
    return Plan(
        plan.header, [row for row in plan.rows if not _is_done(row, newest.get(row.key), plan, is_there)]
    )


def _is_done(
    row: Row, known: dict[str, Any] | None, plan: Plan, is_there: Callable[[dict[str, Any]], bool]
) -> bool:
    if row.fault is not None or known is None:
        return False
    state = (known["size"], known.get("modified"), known["options"], known["version"])
    wanted = (row.size, row.modified, plan.header.options, plan.header.version)
    return row.modified is not None and state == wanted and all(map(is_there, known["outputs"]))


def outputs_of(header: Header) -> Callable[[dict[str, Any]], bool]:
    """Tells whether an output of a ledger's row is there, with its size."""
    if is_url(header.out):
        try:
            sizes = Folder(header.out).sizes()
        except FileNotFoundError:
            sizes = {}
        except Exception as problem:  # as above
            raise FarmError(
                f"{header.out} cannot be listed: {type(problem).__name__}: {problem}"
            ) from problem
        return lambda output: sizes.get(text_of_json(output["path"])) == output["size"]

    def is_there(output: dict[str, Any]) -> bool:
        path = Path(header.folder, header.out, text_of_json(output["path"]))
        return path.is_file() and path.stat().st_size == output["size"]

    return is_there
