"""Restarting dead children."""

import sys

from studio.children import Child, ChildSpec, back_off_seconds, stop_children


def test_each_failure_doubles_the_wait_up_to_a_limit() -> None:
    assert [back_off_seconds(count) for count in range(8)] == [0.5, 1, 2, 4, 8, 16, 30, 30]
    assert back_off_seconds(10_000) == 30


def test_a_child_that_dies_is_left_alone_until_its_wait_is_over() -> None:
    child = Child(ChildSpec("brief", [sys.executable, "-c", ""]))
    child.revive(now=100.0)
    assert child.process is not None
    child.process.wait()

    child.revive(now=101.0)
    child.revive(now=101.4)
    assert child.started_at == 100.0

    child.revive(now=101.6)
    assert child.started_at == 101.6
    stop_children([child], grace_seconds=10)


def test_a_child_that_lived_long_is_forgiven() -> None:
    child = Child(ChildSpec("brief", [sys.executable, "-c", ""]), failure_count=6)
    child.revive(now=100.0)
    assert child.process is not None
    child.process.wait()

    child.revive(now=200.0)

    assert child.start_again_at == 200.5


def test_a_child_that_does_not_listen_is_killed_after_the_grace() -> None:
    stubborn = "import signal; signal.signal(15, signal.SIG_IGN); signal.pause()"
    child = Child(ChildSpec("stubborn", [sys.executable, "-c", stubborn]))
    child.start(now=0.0)

    stop_children([child], grace_seconds=0.3)

    assert not child.is_alive()


def test_a_child_that_was_stopped_on_purpose_is_started_again_at_once() -> None:
    child = Child(ChildSpec("long", [sys.executable, "-c", "import signal; signal.pause()"]))
    child.failure_count = 9
    child.start(now=100.0)
    stop_children([child], grace_seconds=10)

    child.renew()
    child.revive(now=100.1)

    assert child.started_at == 100.1
    assert child.failure_count == 0
    stop_children([child], grace_seconds=10)
