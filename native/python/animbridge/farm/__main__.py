# SPDX-License-Identifier: MIT
"""The command `python -m animbridge.farm`."""

from __future__ import annotations

import argparse
import os
import signal
import sys
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from ..errors import LibraryError
from .errors import FarmError, StorageError, UsageError
from .inputs import StorageInputs
from .ledger import Ledger
from .run import Interruption, Run, crew
from .share import Done, Share
from .storage import Folder, is_url

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
#: Of `animbridge batch`, for one process, and those that look at files which are not there.
_OF_ONE_PROCESS: Final = ("--jobs", "--shard", "--report", "--json-lines")
_OF_FILES: Final = ("--newer", "--digest", "--from")


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command; its exit code."""
    options, words = _parser().parse_known_args(arguments)
    try:
        return _run(options, words)
    except UsageError as fault:
        print(fault, file=sys.stderr)
        return 2
    except ImportError as fault:
        extra = "dask" if fault.name == "distributed" else "s3"
        how = f"Install AnimBridge with its extra, as in: pip install 'animbridge[{extra}]'"
        print(f"error: {fault}. {how}", file=sys.stderr)
    except StorageError as fault:
        print(f"error: {fault}. Go on with the same command and --resume", file=sys.stderr)
    except (FarmError, LibraryError, OSError) as fault:
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
    add("--out", metavar="DIR", required=True, help="the folder of the outputs, or its URL")
    add("--resume", action="store_true", help="do what is missing, and what has changed")
    add("--retry-failed", action="store_true", help="the same, and try again what failed")
    add("--quiet", action="store_true", help="show no progress")
    add = parser.add_mutually_exclusive_group().add_argument
    add("--scheduler", metavar="ADDRESS", help="of Dask's scheduler, such as tcp://render01:8786")
    add("--workers", type=int, metavar="N", help="files at once on this machine (one for each core)")
    return parser


def _run(options: argparse.Namespace, words: list[str]) -> int:
    if options.workers is not None and options.workers < 1:
        raise UsageError("--workers must be at least 1")
    has_urls = any(map(is_url, (options.out, *words)))
    for option in (*_OF_ONE_PROCESS, *(_OF_FILES if has_urls else ())):
        if any(word == option or word.startswith(f"{option}=") for word in words):
            where = "URLs" if option in _OF_FILES else "a farm, whose --workers and ledger say the same"
            raise UsageError(f"{option} does not go with {where}; leave it out")
    if "--from=-" in words or ("--from", "-") in pairwise(words):
        raise UsageError("--from - reads standard input, which workers do not have; give a file")
    interruption = Interruption()
    out = Folder.of(options.out)
    inputs = StorageInputs(words) if has_urls else None
    with crew(options.scheduler, options.workers or os.cpu_count() or 1) as workers, Ledger(out) as ledger:
        run = Run(workers, interruption, quiet=options.quiet)
        count = 20 * run.threads()  # for all workers to end at about the same time
        resumes = options.resume or options.retry_failed
        if inputs:
            if resumes:
                inputs.leave_out_done(ledger.rows(), out, retries_failed=options.retry_failed)
            run.take(Done.of(inputs.failures))
            shares = inputs.shares(count, out)
        else:
            ledger.share_out(count, resumes=resumes)
            own = (*words, *(["--retry-failed"] if options.retry_failed else []))
            shares = [Share(number, count, own, out) for number in range(1, count + 1)]
        left = run.run(shares)
    for line in ledger.problems:
        print(f"failed   {line}")
    is_stopped = interruption.number and (left or not shares)
    if is_stopped:
        name = signal.Signals(interruption.number).name
        print(f"Stopped by {name}: {left} of {len(shares)} shares left. Go on with --resume.")
    print(run.summary())
    return 128 + interruption.number if is_stopped else int(run.has_failed or bool(ledger.problems))


if __name__ == "__main__":
    sys.exit(main())
