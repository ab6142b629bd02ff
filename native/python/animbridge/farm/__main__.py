# SPDX-License-Identifier: MIT
"""The command `python -m animbridge.farm`."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from contextlib import AbstractContextManager
from itertools import pairwise
from pathlib import Path
from typing import Final

from . import packages
from .crew import Crew, dask_workers, threads_here
from .errors import FarmError, UsageError
from .inputs import StorageInputs
from .interruption import Interruption
from .ledger import LocalLedger, RemoteLedger
from .run import Run
from .share import Share
from .storage import Source, is_url

_TEXT: Final = """\
Converts files on the workers of a Dask cluster or, without --scheduler, on all cores of this machine.

Give the words of "animbridge batch": inputs, --to, --out and the options of the conversion. Inputs and --out
may be URLs, such as s3://bucket/walks.

All workers need this Python package in the same version, and, for inputs that are not URLs, the same folders.
"""
_EPILOG: Final = """\
Ctrl-C and SIGTERM stop after the files in hand; the second time, at once.

exit codes: 0 nothing failed, 1 something failed (the others are done), the target program refuses an output,
or everything was skipped, 2 the command line is wrong, 130 stopped by Ctrl-C, 143 stopped by SIGTERM
"""
#: Of `animbridge batch`.
_REFUSED: Final = {
    "--jobs": "is for one machine; use --workers, or start workers with as many threads",
    "--shard": "is for engines that number their tasks; leave it out",
    "--report": "is for one machine; the ledger in the output folder says what became of each input",
    "--json-lines": "is for one machine; the ledger in the output folder says what became of each input",
}


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
        usage="%(prog)s INPUT... --to FORMAT --out DIR [options]",
        description=_TEXT,
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    add = parser.add_argument
    add("--scheduler", metavar="ADDRESS", help="of Dask's scheduler, such as tcp://render01:8786")
    add("--workers", type=_positive, metavar="N", help="files at once on this machine (one for each core)")
    add("--resume", action="store_true", help="do what is missing, and what has changed")
    add("--retry-failed", action="store_true", help="the same, and try again what failed")
    add("--quiet", action="store_true", help="show no progress")
    return parser


def _run(options: argparse.Namespace, words: list[str]) -> int:
    if options.scheduler and options.workers:
        raise UsageError("--workers are on this machine, so they do not go with --scheduler")
    for option, why in _REFUSED.items():
        if any(word == option or word.startswith(f"{option}=") for word in words):
            raise UsageError(f"{option} {why}")
    if "--from=-" in words or ("--from", "-") in pairwise(words):
        raise UsageError("--from - reads standard input, which workers do not have; give a file")
    if options.scheduler:
        packages.distributed()  # before anything is made
    others, out = _split_out(words)
    inputs = StorageInputs(others, out) if any(map(is_url, (out, *others))) else None
    with Interruption() as interruption:
        ledger = RemoteLedger(Source.of(out)) if is_url(out) else LocalLedger(Path(out))
        try:
            with _crew(options) as crew:
                run = Run(crew, quiet=options.quiet)
                shares = _shares(options, words, inputs, ledger, 20 * run.threads(interruption))
                run.take_rows(inputs.failures if inputs else [])
                ledger.begin()
                left = run.run(shares, interruption)
        finally:
            said = ledger.end()
    for line in said.splitlines():
        print(f"failed   {line}")
    is_stopped = bool(interruption.name) and (left > 0 or not shares)
    if is_stopped:
        print(f"Stopped by {interruption.name}: {left} of {len(shares)} shares left. Go on with --resume.")
    print(run.summary())
    return interruption.exit_code if is_stopped else int(run.has_failed or bool(said))


def _shares(
    options: argparse.Namespace,
    words: Sequence[str],
    inputs: StorageInputs | None,
    ledger: LocalLedger | RemoteLedger,
    count: int,
) -> list[Share]:
    """About so many shares: more than there are workers, for all workers to end at about the same time."""
    resumes = options.resume or options.retry_failed
    if inputs:
        if resumes:
            inputs.leave_out_done(ledger.rows(), retries_failed=options.retry_failed)
        return inputs.shares(count, str(Path.cwd()))
    if resumes and isinstance(ledger, LocalLedger):
        ledger.split(count)
    own = (*words, *(["--retry-failed"] if options.retry_failed else []))
    return [Share(number, count, own, str(Path.cwd())) for number in range(1, count + 1)]


def _split_out(words: Sequence[str]) -> tuple[list[str], str]:
    """The words without --out, and its value."""
    left = list(words)
    for index, word in enumerate(left):
        if word == "--out" and index + 1 < len(left):
            return left[:index] + left[index + 2 :], left[index + 1]
        if word.startswith("--out="):
            return left[:index] + left[index + 1 :], word.removeprefix("--out=")
    raise UsageError("--out is required: the folder of the outputs, or its URL")


def _crew(options: argparse.Namespace) -> AbstractContextManager[Crew]:
    if options.scheduler is not None:
        return dask_workers(options.scheduler)
    return threads_here(options.workers or os.cpu_count() or 1)


def _positive(text: str) -> int:
    value = int(text)
    if not 1 <= value <= 1024:
        raise argparse.ArgumentTypeError(f"{text} is not between 1 and 1024")
    return value


if __name__ == "__main__":
    sys.exit(main())
