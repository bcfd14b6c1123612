"""Restarting dead children, and what a child is."""

import os
import signal
import socket
from pathlib import Path

from studio.children import Child, ChildSpec, back_off_seconds, stop_children
from tests.waiting import wait_until


def wait_for_ever() -> None:
    signal.pause()


def be_stubborn(deaf: Path) -> None:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    deaf.touch()
    signal.pause()


def describe_itself(answer: Path, listener: socket.socket) -> None:
    leads = os.getpgid(0) == os.getpid()
    told = os.environ["TOLD_TO_CHILD"]
    answer.write_text(f"{leads} {told} {listener.getsockname()[1]}")


def test_each_failure_doubles_the_wait_up_to_a_limit() -> None:
    assert [back_off_seconds(count) for count in range(8)] == [0.5, 1, 2, 4, 8, 16, 30, 30]
    assert back_off_seconds(10_000) == 30


def test_a_child_that_dies_is_left_alone_until_its_wait_is_over() -> None:
    child = Child(ChildSpec("brief", os.getpid))
    child.revive(now=100.0)
    assert child.process is not None
    child.process.join()

    child.revive(now=101.0)
    child.revive(now=101.4)
    assert child.started_at == 100.0

    child.revive(now=101.6)
    assert child.started_at == 101.6
    stop_children([child], grace_seconds=10)


def test_a_child_that_lived_long_is_forgiven() -> None:
    child = Child(ChildSpec("brief", os.getpid), failure_count=6)
    child.revive(now=100.0)
    assert child.process is not None
    child.process.join()

    child.revive(now=200.0)

    assert child.start_again_at == 200.5


def test_a_child_that_does_not_listen_is_killed_after_the_grace(tmp_path: Path) -> None:
    deaf = tmp_path / "deaf"
    child = Child(ChildSpec("stubborn", be_stubborn, (deaf,)))
    child.start(now=0.0)
    wait_until(deaf.exists)

    stop_children([child], grace_seconds=0.3)

    assert not child.is_alive()
    assert child.process is not None
    assert child.process.exitcode == -signal.SIGKILL


def test_a_child_leads_a_group_and_gets_variables_and_sockets(tmp_path: Path) -> None:
    answer = tmp_path / "answer"
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        spec = ChildSpec("open", describe_itself, (answer, listener), {"TOLD_TO_CHILD": "a word"})
        child = Child(spec)
        child.start(now=0.0)
        assert child.process is not None
        child.process.join()

    assert answer.read_text() == f"True a word {port}"
    assert "TOLD_TO_CHILD" not in os.environ


def test_a_child_that_was_stopped_on_purpose_is_started_again_at_once() -> None:
    child = Child(ChildSpec("long", wait_for_ever))
    child.failure_count = 9
    child.start(now=100.0)
    stop_children([child], grace_seconds=10)

    child.renew()
    child.revive(now=100.1)

    assert child.started_at == 100.1
    assert child.failure_count == 0
    stop_children([child], grace_seconds=10)
