# SPDX-License-Identifier: MIT
"""What is to be converted: the plan that `animbridge batch --plan` writes, read line by line."""

from __future__ import annotations

import json
import posixpath
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..text import text_of_json
from .errors import FarmError

#: The key of an input in ledgers: its place below the output folder, and how many before it have the same.
Key = tuple[str, int]


@dataclass(frozen=True)
class Header:
    """What all inputs of a plan share; the members of its first line, as native/batch/plan_file.h says."""

    version: str
    folder: str
    out: str
    arguments: tuple[str, ...]
    options: str
    ledger_bytes: int
    reserved: tuple[Any, ...] = ()
    extensions: tuple[str, ...] = ()

    def line(self) -> str:
        """As a line of a plan for a worker."""
        return json.dumps({"animbridge_plan": 1, "version": self.version, "reserved": list(self.reserved)})


@dataclass(frozen=True)
class Row:
    """One input. Names that are not UTF-8 are objects, as everywhere in AnimBridge's JSON."""

    input: Any
    folder: Any
    size: int
    before: int = 0
    fault: Any = None
    #: Of an input that a URL names: nanoseconds since 1970; None where the storage has no times.
    modified: int | None = None

    @property
    def key(self) -> Key:
        """As the rows of ledgers have it."""
        return posixpath.join(text_of_json(self.folder), self.name), self.before

    @property
    def name(self) -> str:
        """Of the file, without its folders."""
        return text_of_json(self.input).replace("\\", "/").rpartition("/")[2]

    @property
    def stem(self) -> str:
        """Inputs with the same stem may have the same output, and are converted together."""
        return posixpath.splitext(self.key[0])[0]

    def line(self) -> str:
        """As a line of a plan."""
        row = {"input": self.input, "folder": self.folder, "size": self.size}
        more = {"before": self.before or None, "fault": self.fault}
        return json.dumps(row | {name: value for name, value in more.items() if value is not None})


@dataclass
class Plan:
    """A header and the inputs."""

    header: Header
    rows: list[Row] = field(default_factory=list)

    def groups(self) -> Iterator[list[Row]]:
        """The inputs in order, in groups of those that may have the same output."""
        by_stem: dict[str, list[Row]] = {}
        for row in self.rows:
            by_stem.setdefault(row.stem, []).append(row)
        yield from by_stem.values()


def key_of(row: dict[str, Any]) -> Key:
    """The key of a ledger's row."""
    return text_of_json(row["path"]), row.get("before", 0)


def read_plan(path: Path) -> Plan:
    """Reads a plan; FarmError with the line where it is none."""
    number = 0
    plan: Plan | None = None
    try:
        with path.open(encoding="utf-8") as lines:
            for line in lines:
                number += 1
                if plan is None:
                    plan = Plan(_header_of(json.loads(line)))
                else:
                    plan.rows.append(Row(**json.loads(line)))
    except OSError as fault:
        raise FarmError(f"the plan cannot be read: {fault}") from fault
    except (ValueError, KeyError, TypeError) as fault:
        raise FarmError(
            f"{path}: line {number} is not a line of a plan ({fault}). "
            "Make it again with animbridge batch --plan"
        ) from fault
    if plan is None:
        raise FarmError(f"{path}: it is empty, and not a plan of animbridge batch --plan")
    return plan


def _header_of(line: dict[str, Any]) -> Header:
    if line["animbridge_plan"] != 1:
        raise ValueError(f"it has the form {line['animbridge_plan']}, and 1 is known")
    return Header(
        version=line["version"],
        folder=text_of_json(line["folder"]),
        out=text_of_json(line["out"]),
        arguments=tuple(map(text_of_json, line["arguments"])),
        options=line["options"],
        ledger_bytes=line["ledger_bytes"],
        reserved=tuple(line["reserved"]),
        extensions=tuple(line["extensions"]),
    )
