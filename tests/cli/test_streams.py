"""The command as a process: streams that are closed, full or cut short, another code page, and Ctrl-C."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from cli.exit_code import ExitCode
from tests.cli.command import EXAMPLES, ROOT, run_process, surroundings, write

BANK = str(EXAMPLES / "bank-on-premises.yaml")
PIPE = 1 << 20

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="shells and signals of Unix")


@pytest.mark.parametrize(
    "typed",
    [("advise", BANK), ("advise", BANK, "--format", "json"), ("check", BANK), ("schema",), ("--help",)],
    ids=["lines", "one document", "a few bytes", "many bytes", "help"],
)
def test_a_reader_that_has_gone_ends_the_command_without_a_word(typed: tuple[str, ...]) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    command = [sys.executable, "-m", "cli", *typed]
    done = subprocess.run(
        command, stdout=writing, stderr=subprocess.PIPE, cwd=ROOT, env=surroundings({}), check=False, timeout=60
    )
    os.close(writing)
    assert (done.returncode, done.stderr) == (ExitCode.NOT_WRITTEN, b"")


def test_the_first_line_can_be_taken_from_a_pipe() -> None:
    program = f'set -o pipefail; "{sys.executable}" -m cli rules list | head -1'
    done = subprocess.run(
        ["/bin/bash", "-c", program], capture_output=True, cwd=ROOT, env=surroundings({}), check=False, timeout=60
    )
    assert done.returncode in (ExitCode.DONE, ExitCode.NOT_WRITTEN)
    assert (len(done.stdout.splitlines()), done.stderr) == (1, b"")


@pytest.mark.parametrize("typed", [("advise", BANK), ("check", BANK)], ids=["lines", "a few bytes"])
@pytest.mark.parametrize("redirection", [">&-", "> /dev/full"], ids=["closed", "full"])
def test_a_standard_output_that_cannot_be_written_is_told_once(typed: tuple[str, ...], redirection: str) -> None:
    done = run_process(*typed, redirection=redirection)
    assert done.code == ExitCode.NOT_WRITTEN
    assert done.err.startswith("standard output: could not be written: ")
    assert len(done.err.splitlines()) == 1


@pytest.mark.parametrize("redirection", ["2>&-", "2> /dev/full"], ids=["closed", "full"])
def test_a_message_that_nobody_can_receive_does_not_land_on_standard_output(redirection: str) -> None:
    done = run_process("advise", "nowhere.yaml", redirection=redirection)
    assert (done.code, done.out, done.err) == (ExitCode.BAD_INPUT, "", "")


def test_a_standard_input_that_is_closed_cannot_be_read() -> None:
    done = run_process("advise", "-", redirection="<&-")
    assert (done.code, done.out) == (ExitCode.BAD_INPUT, "")
    assert done.err.startswith("<stdin>: cannot be read: ")


def test_a_code_page_of_china_shows_a_chinese_page(tmp_path: Path) -> None:
    path = write(tmp_path, "profile: 1\nworkloads: [{name: 😀训练, compliance: {residency: on_premises}}]\n")
    done = run_process("advise", path, environment={"PYTHONIOENCODING": "gbk", "LC_ALL": "zh_CN.GBK"})
    assert (done.code, done.err) == (ExitCode.DONE, "")
    assert done.out.startswith("?训练\n结论：自建")


def test_an_environment_without_a_locale_shows_a_chinese_page() -> None:
    done = run_process("advise", BANK, "--lang", "zh", environment={"LC_ALL": "C", "PYTHONUTF8": "0"})
    assert (done.code, done.err) == (ExitCode.DONE, "")


def test_ctrl_c_ends_the_command_with_one_line() -> None:
    # Whoever runs the tests in the background may have it ignored; that would be handed on.
    heeded = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)"
    program = f"{heeded}; from cli.app import main; main(['advise', '-'])"
    with subprocess.Popen(
        [sys.executable, "-c", program],
        cwd=ROOT,
        env=surroundings({"LC_ALL": "C"}),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdin
        process.stdin.write(b"#" * PIPE)  # more than a pipe holds: all of it is written once the command reads
        process.stdin.flush()
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    assert (process.returncode, out, err.strip()) == (ExitCode.INTERRUPTED, b"", b"Interrupted.")
