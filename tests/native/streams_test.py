#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What the animbridge command writes where: full and closed streams, links, pipes, modes, sudden ends."""

from __future__ import annotations

import os
import resource
import shutil
import signal
import stat
import subprocess
import threading
from pathlib import Path

import command_case
from command_case import CommandCase, main


def run_with(
    arguments: list[str | Path],
    *,
    stdout: object = subprocess.PIPE,
    before: object = None,
    command: Path | None = None,
) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [command or command_case.ARGUMENTS.command, *map(str, arguments)],
        stdout=stdout,  # type: ignore[arg-type]
        stderr=subprocess.PIPE,
        preexec_fn=before,  # type: ignore[arg-type]
        timeout=60,
        check=False,
    )


class StandardOutput(CommandCase):
    def setUp(self) -> None:
        super().setUp()
        level = self.fixtures.parent / "oban" / "level_pc.dat"
        file = self.fixtures / "loop_with_outro.anim"
        dance = self.fixtures.parent / "demo" / "dance.anim"
        reports = [
            ["formats"],
            ["info", file],
            ["check", file, "--fail-on", "never"],
            ["compare", file, file],
            ["pose", file, "0"],
            ["rig", file],
            ["reduce", dance, self.folder / "r.anim"],
            ["convert", file, self.folder / "c.bvh"],
            ["oban", "list", level],
            ["oban", "extract", level, "swing", "--out", self.folder],
            ["oban", "replace", level, "swing", level.parent / "swing.oban", "--out", self.folder / "o.dat"],
            ["oban", "pack", self.folder / "level1_A.dat", level.parent / "swing.oban"],
        ]
        self.calls = [
            *reports,
            *([*call, "--json"] for call in reports),
            ["rig-map"],
            *(["manual", kind] for kind in ("man", "bash", "zsh", "fish", "findings")),
            ["--help"],
            ["--version"],
            ["oban", "--help"],
            ["oban", "list", "--help"],
        ]

    def test_a_full_one_is_an_error(self) -> None:
        for call in self.calls:
            with self.subTest(call=call), Path("/dev/full").open("wb") as full:
                result = run_with(call, stdout=full)
                self.assertEqual(result.returncode, 1, result.stderr)
                expected = b"animbridge: cannot write to standard output: No space left on device\n"
                self.assertEqual(result.stderr, expected)

    def test_a_closed_one_is_an_error(self) -> None:
        for call in self.calls:
            with self.subTest(call=call):
                result = run_with(call, stdout=None, before=lambda: os.close(1))
                self.assertEqual(result.returncode, 1, result.stderr)
                expected = b"animbridge: cannot write to standard output: Bad file descriptor\n"
                self.assertEqual(result.stderr, expected)

    def test_a_reader_that_is_gone_ends_the_command_as_any_other(self) -> None:
        for call in self.calls:
            with self.subTest(call=call):
                reader, writer = os.pipe()
                os.close(reader)
                result = run_with(call, stdout=writer)
                os.close(writer)
                self.assertEqual((result.returncode, result.stderr), (-signal.SIGPIPE, b""))

    def test_nothing_is_written_into_files_in_the_place_of_closed_streams(self) -> None:
        source = self.fixtures / "minimal.anim"
        output = self.folder / "out.anim"

        def close_all() -> None:
            os.closerange(0, 3)

        result = run_with(["convert", source, output], stdout=None, before=close_all)
        self.assertEqual(result.returncode, 0)
        self.assertEqual(output.read_bytes(), source.read_bytes())
        missing = ["convert", self.folder / "missing.anim", output]
        self.assertEqual(run_with(missing, stdout=None, before=close_all).returncode, 1)
        self.assertEqual(output.read_bytes(), source.read_bytes())


class OutputFiles(CommandCase):
    def setUp(self) -> None:
        super().setUp()
        self.source = self.fixtures / "minimal.anim"
        self.bytes = self.source.read_bytes()
        self.output = self.folder / "out.anim"

    def convert(
        self, code: int = 0, output: Path | None = None, before: object = None, command: Path | None = None
    ) -> str:
        result = run_with(["convert", self.source, output or self.output], before=before, command=command)
        self.assertEqual(result.returncode, code, result.stderr)
        return result.stderr.decode()

    def mode(self) -> int:
        return stat.S_IMODE(self.output.stat().st_mode)

    def test_a_new_file_follows_the_umask(self) -> None:
        for mask in (0o022, 0o077, 0o027, 0o002, 0):
            self.convert(before=lambda mask=mask: os.umask(mask))
            self.assertEqual(self.mode(), 0o666 & ~mask)
            self.output.unlink()

    def test_a_replaced_file_keeps_its_permissions(self) -> None:
        for mode in (0o600, 0o640, 0o664):
            self.output.write_bytes(b"old")
            self.output.chmod(mode)
            self.convert(before=lambda: os.umask(0o077))
            self.assertEqual((self.mode(), self.output.read_bytes()), (mode, self.bytes))

    def test_links_are_followed(self) -> None:
        (self.folder / "far").mkdir()
        self.output.symlink_to("far/there.anim")
        for _ in ("where nothing is", "where the file is"):
            self.convert()
            self.assertTrue(self.output.is_symlink())
            self.assertEqual((self.folder / "far" / "there.anim").read_bytes(), self.bytes)
        loop = self.folder / "loop.anim"
        loop.symlink_to("loop.anim")
        self.assertIn(f"{loop}: cannot write: Too many levels of symbolic links", self.convert(1, loop))
        folder = self.folder / "folder.anim"
        folder.symlink_to("far")
        self.assertIn(f"{folder}: cannot write: Is a directory", self.convert(1, folder))
        self.assertEqual({path.name for path in (self.folder / "far").iterdir()}, {"there.anim"})

    def test_a_fifo_is_written_into(self) -> None:
        os.mkfifo(self.output)
        found: list[bytes] = []
        reader = threading.Thread(target=lambda: found.append(self.output.read_bytes()))
        reader.start()
        self.convert()
        reader.join()
        self.assertEqual(found, [self.bytes])
        self.assertTrue(self.output.is_fifo())

    def test_devices_are_written_into(self) -> None:
        for device, code in (("null", 0), ("full", 1)):
            self.output.symlink_to(f"/dev/{device}")
            said = self.convert(code)
            self.assertEqual("No space left on device" in said, code == 1)
            self.assertTrue(Path(f"/dev/{device}").is_char_device())
            self.output.unlink()

    def test_standard_output_gets_the_file_and_nothing_else(self) -> None:
        demo = self.fixtures.parent / "demo" / "dance.anim"
        self.expect(0, "reduce", demo, self.output)
        result = run_with(["reduce", demo, "/dev/stdout"])
        self.assertEqual((result.returncode, result.stdout), (0, self.output.read_bytes()))
        self.assertIn(b"keys", result.stderr)
        with (self.folder / "redirected").open("wb") as redirected:
            run_with(["reduce", demo, "/dev/stdout", "--json"], stdout=redirected)
        self.assertEqual((self.folder / "redirected").read_bytes(), self.output.read_bytes())

    def test_a_long_name_and_a_folder_that_may_not_be_written_to(self) -> None:
        longest = self.folder / ("n" * 250 + ".anim")
        for _ in ("new", "replaced"):
            self.convert(output=longest)
            self.assertEqual(longest.read_bytes(), self.bytes)
        self.assertIn("File name too long", self.convert(1, self.folder / ("n" * 251 + ".anim")))
        closed = self.folder / "closed"
        closed.mkdir(0o555)
        if os.geteuid() == 0:

            def as_somebody() -> None:
                os.setuid(65534)

            self.folder.chmod(0o755)
        else:
            as_somebody = None  # type: ignore[assignment]
        self.source = self.folder / "source.anim"
        self.source.write_bytes(self.bytes)
        # The checkout may be where nobody else may look, such as in root's home.
        command = Path(shutil.copy(command_case.ARGUMENTS.command, self.folder / "animbridge"))
        self.assertIn("Permission denied", self.convert(1, closed / "out.anim", as_somebody, command))
        self.assertEqual(list(closed.iterdir()), [])

    def test_a_command_that_ends_half_way_leaves_nothing(self) -> None:
        try:
            os.close(os.open(self.folder, os.O_TMPFILE | os.O_WRONLY))
        except OSError:
            self.skipTest("this file system knows no unnamed files")
        source = self.fixtures.parent / "demo" / "dance.anim"

        def small_files() -> None:
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
            signal.signal(signal.SIGXFSZ, signal.SIG_DFL)

        for old in ([], ["out.anim"]):
            result = run_with(["convert", source, self.output], before=small_files)
            self.assertEqual(result.returncode, -signal.SIGXFSZ)
            self.assertEqual([path.name for path in self.folder.iterdir()], old)
            self.output.write_bytes(b"old")
        self.assertEqual(self.output.read_bytes(), b"old")

    def test_a_file_that_is_too_large_is_refused_unread(self) -> None:
        large = self.folder / "large.anim"
        large.touch()
        os.truncate(large, 5 << 30)
        result = run_with(["info", large, "--json"])
        expected = f"animbridge: {large}: found 5368709120 bytes; at most 4294967296 are read\n"
        self.assertEqual((result.returncode, result.stderr.decode()), (1, expected))
        # The largest child of this process so far. An address limit would stop AddressSanitizer too.
        peak_kib = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
        self.assertLess(peak_kib, 1 << 20)


if __name__ == "__main__":
    main()
