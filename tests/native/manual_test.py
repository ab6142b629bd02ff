#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The man page as man shows it, and the completions as the shells use them."""

from __future__ import annotations

import os
import pty
import re
import shutil
import signal
import subprocess
import threading
from contextlib import suppress
from pathlib import Path

from command_case import CommandCase, main

COMMANDS = {
    "batch",
    "batch-merge",
    "check",
    "quality",
    "compare",
    "fix",
    "convert",
    "edit",
    "join",
    "formats",
    "info",
    "manual",
    "oban",
    "pose",
    "reduce",
    "rig",
    "rig-map",
    "sequence",
}

# The .zshrc of an interactive zsh: what completion offers goes to a pipe, and a line "done" after it.
# The line editor itself says "ready": what is typed before it runs can be lost.
ZSHRC = r"""
PS1='' PS2='' RPS1=''
unsetopt prompt_cr prompt_sp zle_bracketed_paste beep
fpath=("$FOLDER" $fpath)
autoload -Uz compinit && compinit -u -D
zstyle ':completion:*' menu no
exec {pipe}>"$FOLDER/pipe"
compadd() {
    if [[ "$*" == *-[OAD]\ * ]]; then
        builtin compadd "$@"
        return
    fi
    typeset -a hits
    builtin compadd -O hits "$@"
    (( ${#hits} )) && print -u $pipe -rl -- "${(@)hits}"
    builtin compadd "$@"
}
told() { zle complete-word; print -u $pipe done }
zle -N told
bindkey '^I' told
ready() { print -u $pipe ready }
zle -N zle-line-init ready
"""


class ManPage(CommandCase):
    def shown(self) -> str:
        if shutil.which("groff") is None:
            self.skipTest("no groff")
        page = self.folder / "animbridge.1"
        page.write_text(self.expect(0, "manual", "man").stdout, encoding="utf-8")
        command = ["groff", "-ww", "-man", "-Tutf8", "-P-cbou", str(page)]
        result = subprocess.run(command, capture_output=True, text=True, check=False)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        return result.stdout

    def test_it_has_no_warnings_and_shows_what_values_there_are(self) -> None:
        text = self.shown()
        for line in (
            "animbridge check [OPTIONS] FILE...",
            "animbridge compare [OPTIONS] FILE FILE",
            "animbridge oban extract --out DIR [OPTIONS] FILE [NAME...]",
            "animbridge manual [OPTIONS] man|bash|zsh|fish|findings",
            "--level playback|upload|strict",
            "--mm MM",
            "--joint-priority NAME=PRIORITY",
            "--edit JSON",
        ):
            self.assertIn(f"\n       {line}\n", text)
        self.assertIn("(risky by default)", " ".join(text.split()))
        self.assertRegex(text, r"\n +--strict\n")
        # Options of one way stand together, under its heading.
        self.assertRegex(text, r"\n       From BVH to \.anim\n\n? +--loader (.*\n)+ +From \.anim to BVH")
        self.assertIn("\nEXIT STATUS\n", text)

    def test_help_of_many_options_shows_ten(self) -> None:
        """Its last line says how to see all, and how many they are."""
        for command in ("convert", "batch", "edit"):
            text = self.expect(0, command, "--help").stdout
            shown = re.findall(r"^  (?:-h,)?(--[a-z-]+)", text, re.M)
            everything = self.expect(0, command, "--help-all").stdout
            all_of_them = re.findall(r"^  (?:-h,)?(--[a-z-]+)", everything, re.M)
            self.assertEqual(len(shown), 10)
            self.assertLess(set(shown), set(all_of_them))
            last = text.splitlines()[-1]
            self.assertEqual(last, f"animbridge {command} --help-all lists all {len(all_of_them)} options.")

    def test_every_way_is_a_group_of_the_help(self) -> None:
        """What stands under each heading, from the heading's line to the next."""
        text = self.expect(0, "convert", "--help-all").stdout
        groups = dict(re.findall(r"^(\S.*):\n((?:  .*\n)+)", text, re.M))
        self.assertIn("  --loader ", groups["From BVH to .anim"])
        self.assertIn("  --names ", groups["From .anim to BVH, from a Second Life pose"])
        self.assertIn("  --oban ", groups["From a level (.dat) to an OBAN"])
        self.assertIn("  --joint ", groups["To an OBAN"])
        self.assertNotIn("  --loader ", groups["Options"])
        text = self.expect(0, "edit", "--help-all").stdout
        edits = dict(re.findall(r"^(\S.*):\n((?:  .*\n)+)", text, re.M))
        self.assertIn("  --base-priority ", edits["Second Life animation"])
        self.assertIn("  --decimals ", edits["BVH motion"])
        self.assertIn("  --flags ", edits["Oni object animation"])

    def test_it_names_every_option_that_help_names(self) -> None:
        text = self.shown()
        for command in COMMANDS - {"oban"}:
            help_option = "--help-all" if command in ("convert", "batch", "edit") else "--help"
            for option in re.findall(r"^  .*?(--[a-z-]+)", self.expect(0, command, help_option).stdout, re.M):
                self.assertRegex(text, rf"\n +(-h, )?{option}( |\n)", f"{command} {option}")


class Completions(CommandCase):
    """The same questions for each shell."""

    def setUp(self) -> None:
        super().setUp()
        (self.folder / "a file.anim").touch()
        (self.folder / "a folder").mkdir()

    def script(self, shell: str, name: str) -> Path:
        if shutil.which(shell) is None:
            self.skipTest(f"no {shell}")
        path = self.folder / name
        path.write_text(self.expect(0, "manual", shell).stdout, encoding="utf-8")
        return path

    def check(self, complete: dict[str, set[str]]) -> None:
        for line, expected in complete.items():
            with self.subTest(line=line):
                self.assertEqual(self.words(line), expected)
        for line, present, absent in (
            ("animbridge convert --", "--as-stored", "--level"),
            ("animbridge info --", "--strict", "--as-stored"),
            ("animbridge oban pack --", "--mac", "--as"),
            ("animbridge oban list --", "--json", "--mac"),
            ("animbridge --", "--version", "--json"),
        ):
            with self.subTest(line=line):
                self.assertIn(present, self.words(line))
                self.assertNotIn(absent, self.words(line))

    def words(self, line: str) -> set[str]:
        raise NotImplementedError

    #: What there is to complete. A file's name comes back as the shell has it.
    QUESTIONS = {
        "animbridge conv": {"convert"},
        "animbridge oban ext": {"extract"},
        "animbridge oban ": {"list", "extract", "replace", "pack"},
        "animbridge check --level ": {"playback", "upload", "strict"},
        "animbridge check --fail-on a": {"altered", "advice"},
        "animbridge info --format ob": {"oban", "oban_level"},
        "animbridge convert a.bvh b.anim --loader ": {"current", "pre2022"},
        "animbridge convert --names ": {"joints", "aliases"},
        "animbridge oban extract l.dat --as ": {"oni", "xml", "raw", "json"},
        "animbridge manual ": {"man", "bash", "zsh", "fish", "findings"},
        "animbridge compare --mm ": set(),
    }


class Bash(Completions):
    def words(self, line: str) -> set[str]:
        script = (
            'source ./c.bash; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); '
            '_animbridge animbridge; printf "%s\\n" "${COMPREPLY[@]}"'
        )
        # Bash makes words of "=", too.
        words = [word for part in line.split(" ") for word in re.split("(=)", part)]
        command = ["bash", "-uc", script, "bash", *words]
        result = subprocess.run(command, capture_output=True, text=True, check=True, cwd=self.folder)
        self.assertEqual(result.stderr, "")
        return set(result.stdout.splitlines()) - {""}

    def test_bash(self) -> None:
        self.script("bash", "c.bash")
        self.check(self.QUESTIONS)
        self.check(
            {
                "animbridge ": COMMANDS | {"--version", "--help", "-h"},
                "animbridge check --level=p": {"playback"},
                "animbridge check --level=": {"playback", "upload", "strict"},
                "animbridge rig-map ": set(),
                "animbridge check --strict a": {"a file.anim", "a folder"},
                "animbridge oban extract l.dat --out a": {"a folder"},
                "animbridge convert --anim-ini a": {"a file.anim", "a folder"},
            }
        )


class Fish(Completions):
    def words(self, line: str) -> set[str]:
        command = ["fish", "--no-config", "-c", "source ./c.fish; complete -C $argv[1]", line]
        environment = {**os.environ, "HOME": str(self.folder), "XDG_DATA_HOME": str(self.folder)}
        result = subprocess.run(
            command, capture_output=True, text=True, check=True, cwd=self.folder, env=environment
        )
        self.assertEqual(result.stderr, "")
        return {word.split("\t")[0] for word in result.stdout.splitlines()}

    def test_fish(self) -> None:
        self.script("fish", "c.fish")
        self.check(self.QUESTIONS)
        self.check(
            {
                "animbridge ": COMMANDS,
                "animbridge check --level=p": {"--level=playback"},
                "animbridge check --json a": {"a file.anim", "a folder/"},
                "animbridge oban extract l.dat --out a": {"a folder/"},
                "animbridge convert --anim-ini a": {"a file.anim", "a folder/"},
                "animbridge rig-map ": set(),
                # A file that is called as a command is one is no command.
                "animbridge convert check --lev": set(),
            }
        )


class Zsh(Completions):
    def start(self) -> None:
        """An interactive zsh on a terminal of its own; what it completes comes through a pipe."""
        signal.alarm(300)  # a shell that says nothing ends the test
        self.addCleanup(signal.alarm, 0)
        os.mkfifo(self.folder / "pipe")
        (self.folder / ".zshrc").write_text(ZSHRC, encoding="utf-8")
        pid, self.terminal = pty.fork()
        if pid == 0:
            os.chdir(self.folder)
            folder = str(self.folder)
            environment = {**os.environ, "FOLDER": folder, "ZDOTDIR": folder, "TERM": "dumb"}
            os.execvpe("zsh", ["zsh", "--no-global-rcs", "-i"], environment)
        # A shell whose terminal nobody reads stops when it has shown enough.
        reader = threading.Thread(target=self.read_terminal, daemon=True)
        reader.start()
        self.addCleanup(self.stop, pid, reader)
        self.pipe = (self.folder / "pipe").open(encoding="utf-8")
        self.addCleanup(self.pipe.close)
        self.assertEqual(self.pipe.readline(), "ready\n")

    def stop(self, pid: int, reader: threading.Thread) -> None:
        # To close the terminal while the thread reads from it would not hang up: the shell has to end first.
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
        reader.join()
        os.close(self.terminal)

    def read_terminal(self) -> None:
        with suppress(OSError):  # the shell has ended
            while os.read(self.terminal, 4096):
                pass

    def words(self, line: str) -> set[str]:
        # ^U takes away what was there.
        os.write(self.terminal, f"\x15{line}\t".encode())
        words: set[str] = set()
        while (word := self.pipe.readline()) not in ("done\n", ""):
            words.add(word.rstrip("\n").replace("\\", ""))
        return words

    def test_zsh(self) -> None:
        self.script("zsh", "_animbridge")
        self.start()
        self.check(self.QUESTIONS)
        self.check(
            {
                "animbridge ": COMMANDS,
                "animbridge check --level=p": {"playback"},
                "animbridge check --json a": {"a file.anim", "a folder"},
                "animbridge oban extract l.dat --out a": {"a folder"},
                "animbridge convert --anim-ini a": {"a file.anim", "a folder"},
            }
        )


if __name__ == "__main__":
    main()
