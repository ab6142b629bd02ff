# SPDX-License-Identifier: MIT
"""The command `python -m animbridge.farm`."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from ..text import text_of_json
from . import packages
from .errors import FarmError
from .interruption import Interruption
from .ledger import Ledger, open_ledger
from .plan import Plan, read_plan
from .planning import UsageError, make_plan, outputs_of, without_done
from .report import Progress, Report
from .run import Run
from .storage import is_url

_TEXT: Final = """\
Converts files on the workers of a Dask cluster. Without --scheduler, Dask starts workers on this machine.

Give either a plan that "animbridge batch ... --plan FILE" made, or the words of "animbridge batch": inputs,
--to, --out and the options of the conversion. Inputs and --out may be URLs, such as s3://bucket/walks.

All workers need this Python package in the same version, and, for inputs that are not URLs, the same folders.
"""
_EPILOG: Final = """\
Ctrl-C and SIGTERM stop after the files in hand; the second time, at once.

exit codes: 0 nothing failed, 1 something failed (the others are done), the target program refuses an output,
or everything was skipped, 2 the command line is wrong, 130 stopped by Ctrl-C, 143 stopped by SIGTERM
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command; its exit code."""
    options, words = _parser().parse_known_args(arguments)
    try:
        return _run(options, words)
    except UsageError as fault:
        print(fault, file=sys.stderr)
        return 2
    except (FarmError, OSError) as fault:
        print(f"error: {fault}", file=sys.stderr)
        return 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m animbridge.farm",
        usage="%(prog)s PLAN | INPUT... --to FORMAT --out DIR [options]",
        description=_TEXT,
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    add = parser.add_argument
    add("--scheduler", metavar="ADDRESS", help="of Dask's scheduler, such as tcp://render01:8786")
    add("--workers", type=_positive, metavar="N", help="workers on this machine (one for each core)")
    add("--task-seconds", type=_seconds, default=30.0, metavar="S", help="how long a task takes, about (30)")
    add(
        "--resume",
        action="store_true",
        help="do what is missing, and what has changed",
    )
    add("--retry-failed", action="store_true", help="the same, and try again what failed")
    add("--report", type=Path, metavar="FILE", help="write a JSON report with a row for each output")
    add("--json-lines", action="store_true", help="print each row as a line of JSON when it is done")
    add("--quiet", action="store_true", help="show no progress")
    return parser


def _run(options: argparse.Namespace, words: Sequence[str]) -> int:
    packages.distributed()  # before anything is read or made
    plan, is_plan_file = _plan_of(options, words)
    ledger = open_ledger(plan.header)
    try:
        plan = _what_is_left(plan, ledger, options, is_plan_file=is_plan_file)
        report = Report(options.report, json_lines=options.json_lines)
        progress = Progress(len(plan.rows), quiet=options.quiet)
        if not plan.rows:
            return _end(report, progress, Interruption(), 0, has_conflicts=False)
        with Interruption() as interruption:
            with _client(options) as client:
                run = Run(client, plan, ledger, report, progress, options.task_seconds)
                left = run.run(interruption)
            return _end(report, progress, interruption, left, has_conflicts=run.conflicts > 0)
    finally:
        ledger.close()


def _plan_of(options: argparse.Namespace, words: Sequence[str]) -> tuple[Plan, bool]:
    if options.scheduler and options.workers:
        raise UsageError("--workers starts workers on this machine, so it does not go with --scheduler")
    if any(word == "--jobs" or word.startswith("--jobs=") for word in words):
        raise UsageError("--jobs is for one machine; use --workers, or start workers with as many threads")
    if len(words) == 1 and words[0].endswith(".jsonl"):
        if options.resume or options.retry_failed:
            raise UsageError(
                "a plan that is run again goes on by itself; leave --resume and --retry-failed out"
            )
        return read_plan(Path(words[0])), True
    again = [f"--{name.replace('_', '-')}" for name in ("resume", "retry_failed") if getattr(options, name)]
    return make_plan([*words, *again]), False


def _what_is_left(plan: Plan, ledger: Ledger, options: argparse.Namespace, *, is_plan_file: bool) -> Plan:
    if is_plan_file:
        # What is in the ledger since the plan was made comes from runs of this plan.
        return without_done(plan, ledger.rows(plan.header.ledger_bytes), outputs_of(plan.header))
    has_urls = is_url(plan.header.out) or any(is_url(text_of_json(row.input)) for row in plan.rows)
    if has_urls and (options.resume or options.retry_failed):
        rows = (row for row in ledger.rows() if not (options.retry_failed and row["status"] == "failed"))
        return without_done(plan, rows, outputs_of(plan.header))
    return plan  # the command has compared it with the ledger


@contextmanager
def _client(options: argparse.Namespace) -> Iterator[Any]:
    """A client of the scheduler, or of workers on this machine that end with it."""
    dask = packages.distributed()
    if options.scheduler is None:
        count = options.workers or os.cpu_count() or 1
        with (
            dask.LocalCluster(n_workers=count, threads_per_worker=1, dashboard_address=None) as cluster,
            dask.Client(cluster) as client,
        ):
            yield client
        return
    try:
        client = dask.Client(options.scheduler, timeout=10)
    except (OSError, ValueError) as fault:
        raise FarmError(f"Dask's scheduler {options.scheduler} cannot be reached: {fault}") from fault
    with client:
        yield client


def _end(
    report: Report, progress: Progress, interruption: Interruption, left: int, *, has_conflicts: bool
) -> int:
    is_stopped = bool(interruption.name) and left > 0
    stopped = {"signal": interruption.name, "inputs_left": left} if is_stopped else None
    report.finish(stopped)
    if stopped:
        progress.print(f"Stopped by {interruption.name}: {left:,} inputs not converted. Go on with --resume.")
    progress.print(report.summary())
    if is_stopped:
        return interruption.exit_code
    sums = report.totals
    is_all_skipped = sums["skipped"] > 0 and not sums["outputs"] + sums["current"] + sums["failed"]
    return 1 if sums["failed"] or report.failing or is_all_skipped or has_conflicts else 0


def _positive(text: str) -> int:
    value = int(text)
    if not 1 <= value <= 1024:
        raise argparse.ArgumentTypeError(f"{text} is not between 1 and 1024")
    return value


def _seconds(text: str) -> float:
    value = float(text)
    if not 0.1 <= value <= 3600:
        raise argparse.ArgumentTypeError(f"{text} is not between 0.1 and 3600")
    return value


if __name__ == "__main__":
    sys.exit(main())
