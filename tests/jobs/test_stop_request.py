"""A process that waits for a stop can be asked for it at any moment."""

import sys
from threading import Thread
from types import FrameType
from typing import Any

import pytest

from tapes_app.jobs.domain.stop_request import StopRequest
from tests.waiting import PATIENCE_SECONDS

_ANY_NUMBER_OF_LINES = 12


@pytest.mark.parametrize("line", range(_ANY_NUMBER_OF_LINES))
def test_a_signal_handler_may_ask_in_the_middle_of_waiting(line: int) -> None:
    request = StopRequest()
    passed = 0

    def interrupt(frame: FrameType, event: str, arg: object) -> Any:
        """Be a handler that runs before one line of what waits, in the thread that waits."""
        nonlocal passed
        if event == "line":
            passed += 1
            if passed == line:
                request.set()
        return interrupt

    def wait() -> None:
        sys.settrace(interrupt)
        request.wait(0.05)
        sys.settrace(None)
        request.set()
        request.wait(PATIENCE_SECONDS)

    thread = Thread(target=wait, daemon=True)
    thread.start()
    thread.join(PATIENCE_SECONDS)

    assert not thread.is_alive()
    assert request.is_set()


def test_a_request_ends_the_waiting_of_another_thread() -> None:
    request = StopRequest()
    seen: list[bool] = []
    thread = Thread(target=lambda: seen.append(request.wait(PATIENCE_SECONDS)), daemon=True)

    thread.start()
    request.set()
    thread.join(PATIENCE_SECONDS)

    assert seen == [True]
    assert not StopRequest().wait(0.01)
