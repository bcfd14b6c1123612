"""The websocket's schema is complete, and frames are what it says."""

import json
from pathlib import Path
from typing import Any, get_args

import pytest
from django.core.management import call_command

from tapes_app.jobs.domain import protocol
from tests.jobs.frames import build_step_added


def list_messages() -> list[type[protocol.Frame]]:
    union, *_ = get_args(protocol.ServerMessage)
    return list(get_args(union))


def test_every_frame_is_in_the_schema(tmp_path: Path) -> None:
    out = tmp_path / "protocol.json"

    call_command("export_protocol", out=out, verbosity=0)

    schema = json.loads(out.read_text())
    names = [message.__name__ for message in list_messages()]
    assert sorted(schema["discriminator"]["mapping"].values()) == sorted(
        f"#/$defs/{name}" for name in names
    )


def test_a_stored_event_becomes_a_valid_frame() -> None:
    event = build_step_added(position=3)

    frame: dict[str, Any] = json.loads(protocol.frame_event(41, protocol.encode_event(event)))

    assert protocol.SERVER_MESSAGE.validate_python(frame) == event.model_copy(update={"seq": 41})


@pytest.mark.parametrize("message", list_messages())
def test_every_frame_has_a_type_of_its_own(message: type[protocol.Frame]) -> None:
    name = message.model_fields["type"].default

    twins = [other for other in list_messages() if other.model_fields["type"].default == name]
    assert twins == [message]
