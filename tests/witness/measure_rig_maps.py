# SPDX-License-Identifier: MIT
"""How many parts `animbridge rig` finds, misses and gets wrong, on rigs whose truth is known.

    python -m tests.witness.measure_rig_maps [--only RIG] [--wrong]

Prints the tables of docs/how-we-know.md: per convention and per mutation. --wrong also lists each wrong part.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from .rig_foreign import foreign_rigs
from .rig_mutations import mutations
from .rigs import Rig, all_rigs, bvh_bytes, load_tables

COMMAND = Path(__file__).resolve().parents[2] / "build" / "bin" / "animbridge"
FOREIGN = "foreign"


@dataclass
class Count:
    """Parts of one or several rigs."""

    rigs: int = 0
    right: int = 0
    missing: int = 0
    wrong: list[str] = field(default_factory=list[str])

    def add(self, other: Count) -> None:
        self.rigs += other.rigs
        self.right += other.right
        self.missing += other.missing
        self.wrong += other.wrong


def report_of(rig: Rig, folder: Path) -> dict[str, Any]:
    """What the command says about the rig at rest, written as a BVH."""
    path = folder / "rig.bvh"
    path.write_bytes(bvh_bytes(rig))
    done = subprocess.run([COMMAND, "rig", path, "--json"], capture_output=True, check=True, timeout=60)
    return json.loads(done.stdout)


def judge(rig: Rig, report: dict[str, Any], label: str) -> Count:
    """Each slot of the report against the truth. Where names and places contradict each other, a sided slot
    is wrong unless a warning goes with it."""
    count = Count(rigs=1)
    found = {slot: row["joint"] for slot, row in report["slots"].items()}
    warned = bool(report["warnings"])
    for slot, joint in found.items():
        is_sided = slot.startswith(("left", "right"))
        if joint in rig.right_answers(slot) and (rig.sides_agree or not is_sided or warned):
            count.right += 1
        else:
            count.wrong.append(f"{label}: {slot} = {joint}, right is {rig.right_answers(slot)}")
    count.missing = sum(1 for slot in rig.truth if slot not in found)
    return count


def measure(rigs: Iterable[tuple[str, str, Rig]]) -> tuple[dict[str, Count], dict[str, Count]]:
    """(per rig, per mutation) of (rig, mutation, the mutated rig)."""
    by_rig: dict[str, Count] = {}
    by_mutation: dict[str, Count] = {}
    with tempfile.TemporaryDirectory(prefix="animbridge-test-") as folder:
        for name, mutation, rig in rigs:
            count = judge(rig, report_of(rig, Path(folder)), f"{name}/{mutation}")
            by_rig.setdefault(name, Count()).add(count)
            by_mutation.setdefault(mutation, Count()).add(count)
    return by_rig, by_mutation


def rigs_with_mutations(only: str | None = None) -> list[tuple[str, str, Rig]]:
    made = [
        (rig.name, mutation, changed)
        for rig in all_rigs(load_tables())
        if only in (None, rig.name)
        for mutation, changed in mutations(rig).items()
    ]
    if only in (None, FOREIGN):
        made += [(rig.name, FOREIGN, rig) for rig in foreign_rigs()]
    return made


def table(title: str, counts: dict[str, Count]) -> str:
    rows = [f"| {title} | Skeletons | Right | Wrong | Missing |", "|---|---|---|---|---|"]
    total = Count()
    for name, count in counts.items():
        total.add(count)
        rows.append(f"| {name} | {count.rigs} | {count.right} | {len(count.wrong)} | {count.missing} |")
    rows.append(f"| all | {total.rigs} | {total.right} | {len(total.wrong)} | {total.missing} |")
    return "\n".join(rows)


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--only", help=f"one rig of the generator, or {FOREIGN}")
    parser.add_argument("--wrong", action="store_true", help="list each wrong part")
    arguments = parser.parse_args()
    by_rig, by_mutation = measure(rigs_with_mutations(arguments.only))
    print(table("Rig", by_rig), table("Mutation", by_mutation), sep="\n\n")
    if arguments.wrong:
        print(*(line for count in by_rig.values() for line in count.wrong), sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
