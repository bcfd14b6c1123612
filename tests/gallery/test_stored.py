"""What is stored keeps its meaning: versions of the shipped agents, and prompts on record.

A digest changes only when the agent really does: every install then gets a new version of it,
and recorded answers no longer replay.
"""

import pytest

from tapes_app.engine.agent.registration import gallery_agents
from tests.gallery.running import Session


@pytest.mark.parametrize(
    ("name", "digest"),
    [
        ("chat", "0f3d749720572740193166775e6ccaed"),
        ("analyst", "9d4c60d1ae3434f168e3e134ad691bc4"),
        ("math", "1645f20940fa209ad959836dcff57b0e"),
        ("continuation", "dcef3cf6e9cbc52ba964592e6d67df0f"),
        ("orders", "d5d60b7a9ad723c80783cd9eaae06c53"),
        ("briefing", "9bc6367ff3d8437d13ce9c86332caad4"),
        ("data-science", "0ad98b37b6e32c213bc1fe3ab6724d79"),
        ("questions", "845aee27c8e64bd9832769947b19df1d"),
        ("improver", "83ab9713934a280a6bc362e718284440"),
        ("retrieval", "8dd307f00cbcd22f2aad3529a54e1dfb"),
        ("web-tasks", "90fe415d0307c7eac7e9e2f75170e7fd"),
        ("web-tasks-browser", "05b32878993a60bea652656dc1e9fab3"),
    ],
)
def test_a_shipped_agent_is_the_version_that_installs_hold(name: str, digest: str) -> None:
    assert gallery_agents.get(name)().digest == digest


@pytest.mark.parametrize(
    ("name", "said", "digests"),
    [
        (
            "chat",
            "What is 12 * (3 + 4), and 5 km in miles?",
            ["b45a5ca3c38256b59c4c148a5af0caf4", "dd091bb07668109fedefa2ff58ae7d5e"],
        ),
        (
            "analyst",
            "What is new at Zephyr Motors?",
            [
                "d85dee1f13d117980519494409a62fef",
                "706609e497c49616d2ea117fd32b9c84",
                "d72fa13fa4f4be9d46d5750f548f27bf",
                "93b514d5a7cfcc3efa564bad15f3ac5d",
                "0deb7e4f743a50d635716a47445dd37c",
                "269102e07e4d772fffed9853f53bdee4",
            ],
        ),
    ],
)
async def test_a_shipped_agent_asks_what_is_on_record(
    name: str, said: str, digests: list[str]
) -> None:
    session = Session(name)

    await session.say(said)

    assert [call.prompt.digest for call in session.calls.values()] == digests
