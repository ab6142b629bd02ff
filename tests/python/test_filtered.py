# SPDX-License-Identifier: MIT
"""scripts/lib/filtered.sh: a command behind sed gets each signal once and gives its exit code."""

from __future__ import annotations

import os
import signal
import subprocess
from pathlib import Path

import pytest
from material import ROOT

#: Says what it gets, and ends with 7 after the second signal. A signal may come while `print` still prints,
#: and `print` cannot be called again then; a write can.
PROGRAM = """
import os, signal, sys
count = 0
def say(*words):
    os.write(1, (" ".join(map(str, words)) + "\\n").encode())
def note(number, _):
    global count
    count += 1
    say("raw", signal.Signals(number).name, count)
    if count == 2:
        say("raw last words")
        sys.exit(7)
signal.signal(signal.SIGINT, note), signal.signal(signal.SIGTERM, note)
say("raw ready")
while True:
    signal.pause()
"""
SHELL = """
set -euo pipefail
. "$1/scripts/lib/filtered.sh"
through_a_function() { env MARK=1 "$@"; }
rc=0
run_filtered 's/^raw/clean/' "${@:3}" python3 -c "$2" || rc=$?
exit "$rc"
"""


@pytest.mark.parametrize("prefix", [[], ["through_a_function"]], ids=["program", "function"])
@pytest.mark.parametrize("to_group", [False, True])
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_signals(number: signal.Signals, to_group: bool, prefix: list[str]) -> None:
    """To the script alone, as `kill` sends them, and to the whole group, as a terminal does."""
    # A shell cannot trap what was ignored when it started, as in the background of another one.
    command = ["env", "--default-signal=INT", "bash", "-c", SHELL, "bash", str(ROOT), PROGRAM, *prefix]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, start_new_session=True) as process:
        assert process.stdout
        try:
            assert process.stdout.readline() == "clean ready\n"
            for count in (1, 2):
                if to_group:
                    os.killpg(process.pid, number)
                else:
                    process.send_signal(number)
                assert process.stdout.readline() == f"clean {number.name} {count}\n"
            assert process.stdout.read() == "clean last words\n"
            assert process.wait(timeout=60) == 7
        finally:
            process.kill()


@pytest.mark.parametrize("code", [0, 1, 2, 130])
def test_exit_codes(code: int) -> None:
    """With all of the output there before the script ends."""
    program = f"print('raw\\n' * 5000, end=''); raise SystemExit({code})"
    command = ["bash", "-c", SHELL, "bash", str(ROOT), program]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == code and done.stdout == "clean\n" * 5000


def test_the_command_reads_nothing(tmp_path: Path) -> None:
    """In a group of its own a terminal would stop it at the first read."""
    command = ["bash", "-c", SHELL, "bash", str(ROOT), "import sys; print('raw', repr(sys.stdin.read()))"]
    (tmp_path / "words").write_text("words")
    with (tmp_path / "words").open() as words:
        done = subprocess.run(command, stdin=words, capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout == "clean ''\n"
