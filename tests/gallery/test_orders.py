"""The order desk: it acts on the orders that a task brings, or on those that it has by itself."""

import pytest

from tapes_app.engine.environment.state import read_state, with_state
from tapes_app.engine.tape.dialog_steps import UserStep
from tapes_app.engine.tape.tape import Tape
from tests.gallery.running import Session

LAMP = {"orders": {"41": {"item": "lamp", "status": "open"}}}


@pytest.mark.parametrize(
    ("said", "answer", "status"),
    [
        ("Please cancel order 41.", "order 41 is cancelled", "cancelled"),
        ("Where is order 41?", "order 41 is a lamp, open", "open"),
        ("Cancel 17.", "Error: ValueError: there is no order '17'; there are 41", "open"),
    ],
)
async def test_it_acts_on_the_orders_of_its_task(said: str, answer: str, status: str) -> None:
    session = Session("orders", Tape(steps=(with_state(UserStep(content=said), LAMP),)))

    await session.run()

    assert session.answer == answer
    assert read_state(session.tape.steps) == {"orders": {"41": {"item": "lamp", "status": status}}}


async def test_without_a_task_it_has_orders_of_its_own_and_remembers_what_it_did() -> None:
    session = Session("orders")

    assert (await session.say("Hello")).startswith("I am a script")
    assert await session.say("Cancel order 18") == (
        "Error: ValueError: order 18 is sent and cannot be cancelled"
    )
    assert await session.say("Cancel orders 17") == "order 17 is cancelled"
    assert await session.say("Cancel order 17 again") == (
        "Error: ValueError: order 17 is cancelled and cannot be cancelled"
    )
