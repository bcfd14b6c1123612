"""A module that runs as a program of its own and answers lines of JSON, one for each."""

import json
import os
import selectors
import subprocess
import sys
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

_ROOT = Path(__file__).resolve().parents[2]


class LineProgram:
    """Asks a program, which starts with the first question and again if it has ended.

    It inherits no environment variables of the studio, and so none of its secrets. `first_line`
    is called for each start.
    """

    def __init__(
        self, module: str, first_line: Callable[[], Mapping[str, Any]], *, patience_seconds: float
    ) -> None:
        """`patience_seconds`: longer than the program takes to load and to answer."""
        self._module = module
        self._first_line = first_line
        self._patience_seconds = patience_seconds
        self._process: subprocess.Popen[str] | None = None

    def ask(self, line: str) -> Any:
        """Return the program's answer to a line.

        Raises:
            OSError: it ended, or did not answer in time; it is killed.
            ValueError: its answer is not JSON.
        """
        try:
            return self._exchange(line)
        except (OSError, ValueError):
            self.end()
            raise

    def end(self) -> None:
        if self._process is None:
            return
        self._process.kill()
        self._process.communicate()
        self._process = None

    def _exchange(self, line: str) -> Any:
        process = self._running()
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(line + "\n")
        process.stdin.flush()
        with selectors.DefaultSelector() as selector:
            selector.register(process.stdout, selectors.EVENT_READ)
            if not selector.select(self._patience_seconds):
                raise TimeoutError(self._module)
        return json.loads(process.stdout.readline())

    def _running(self) -> subprocess.Popen[str]:
        if self._process is None or self._process.poll() is not None:
            self.end()
            self._process = self._start()
        return self._process

    def _start(self) -> subprocess.Popen[str]:
        first_line = self._first_line()
        process = subprocess.Popen(  # noqa: S603 - our own program
            [sys.executable, "-X", "utf8", "-m", self._module],
            cwd=_ROOT,
            env={},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            encoding="utf-8",
            start_new_session=True,
        )
        assert process.stdin is not None
        process.stdin.write(json.dumps(first_line) + "\n")
        return process


def answer_lines(prepare: Callable[[Any], Callable[[str], Any]]) -> None:
    """Answer each line of the standard input until it ends; for the program itself.

    `prepare` gets what the first line holds and returns what answers each further line. Whatever
    either prints goes nowhere.
    """
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    _send_to_nowhere((1, 2))
    answer = prepare(json.loads(sys.stdin.readline()))
    for line in sys.stdin:
        print(json.dumps(answer(line)), file=answers, flush=True)


def _send_to_nowhere(files: Iterable[int]) -> None:
    null = os.open(os.devnull, os.O_WRONLY)
    for file in files:
        os.dup2(null, file)
