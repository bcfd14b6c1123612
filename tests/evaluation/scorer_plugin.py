"""Scorer functions as a plugin registers them: one that is right, and such as misbehave."""

import os
import re
import socket
import sys
import time
from contextlib import suppress
from typing import Any

from optimize_app.evaluation.scoring.functions import prepared_by, scorer_functions
from tapes_app.engine.tape.tape import Tape
from tapes_app.experiments.domain.checks import final_text


@scorer_functions.register("test-last-digit")
def compare_last_digit(tape: Tape, expected: str) -> Any:
    """A quarter for an answer, all of it where it ends in the digit that is expected."""
    sys.stdout.write(f"looking at {tape.id}")  # what a function prints is not its score
    digit = re.findall(r"\d", final_text(tape.steps))[-1]
    value = 1.0 if digit == expected[-1] else 0.25
    return {"value": value, "explanation": f"It ends in {digit}."}


@scorer_functions.register("test-unsure")
def doubt(tape: Tape, expected: str) -> Any:
    """Never know."""
    return {"value": None, "explanation": "Who knows?"}


@scorer_functions.register("test-quote")
def quote(tape: Tape, expected: str) -> Any:
    """Full marks, with what every step says."""
    said = (step.to_json()["content"] for step in tape.steps)
    return {"value": 1, "explanation": ", ".join(said)}


@scorer_functions.register("test-reader")
def read_aloud(tape: Tape, expected: str) -> Any:
    """Full marks, with what the file says whose path is expected."""
    with open(expected) as file:  # noqa: PTH123
        return {"value": 1, "explanation": file.read()}


_loaded_by: list[int] = []


@scorer_functions.register("test-prepared")
@prepared_by(lambda: _loaded_by.append(os.getpid()))
def tell_who_loaded(tape: Tape, expected: str) -> Any:
    """Full marks if it was prepared once, by the process that forked this one."""
    return _loaded_by == [os.getppid()]


@scorer_functions.register("test-broken")
def break_down(tape: Tape, expected: str) -> Any:
    """Never answer."""
    raise ValueError("never")


@scorer_functions.register("test-misdeed")
def misbehave(tape: Tape, expected: str) -> Any:
    """Do what is expected."""
    deeds = {deed.__name__: deed for deed in _MISDEEDS}
    return deeds[expected]() if expected in deeds else True


def raise_error() -> None:
    raise LookupError("no such answer")


def print_a_gigabyte() -> bool:
    for _ in range(1024):
        sys.stdout.write("x" * 1024 * 1024)
    return True


def return_text() -> str:
    return "good"


def return_seven() -> int:
    return 7


def end_process() -> None:
    os._exit(3)


def leave() -> None:
    sys.exit(4)


def take_memory() -> bool:
    return bool(bytearray(3 * 1024**3))


def explain_at_length() -> Any:
    return {"value": 1, "explanation": "x" * 10_000_000}


def hang() -> None:
    time.sleep(3600)


def write_file() -> bool:
    with open("/tmp/scorer-function-wrote-this", "w") as file:  # noqa: PTH123
        file.write("x")
    return True


def truncate_file() -> None:
    os.truncate("/tmp/scorer-function-wrote-this", 0)


def delete_file() -> None:
    os.remove("/tmp/scorer-function-wrote-this")  # noqa: PTH107


def fork_forever() -> None:
    while True:
        os.fork()


def read_parent() -> bytes:
    with open(f"/proc/{os.getppid()}/environ", "rb") as file:  # noqa: PTH123
        return file.read()


def list_descriptors() -> Any:
    found = []
    for descriptor in range(3, 64):
        with suppress(OSError):
            os.fstat(descriptor)
            found.append(descriptor)
    return {"value": len(found) == 1, "explanation": f"{len(found)} for the answer."}


def ask_network() -> bool:
    with socket.create_connection(("127.0.0.1", 9), timeout=1):
        return True


def tell_secrets() -> Any:
    found = [name for name in os.environ if name.startswith("STUDIO_")]  # noqa: TID251
    return {"value": not found, "explanation": ", ".join(found) or "None."}


_MISDEEDS = (
    raise_error,
    return_text,
    return_seven,
    end_process,
    leave,
    print_a_gigabyte,
    take_memory,
    explain_at_length,
    hang,
    write_file,
    truncate_file,
    delete_file,
    fork_forever,
    read_parent,
    list_descriptors,
    ask_network,
    tell_secrets,
)
