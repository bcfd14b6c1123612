"""A tape and its LLM calls handed to somebody else: as files, and as something to run again."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from django.test import Client

from tapes_app.agents.store import llm_models as model_storage
from tapes_app.engine.model.llm import LLMCall, LLMOutput, Prompt
from tapes_app.engine.model.messages import Message, assistant_message, system_message, user_message
from tapes_app.engine.redaction import register_secret
from tapes_app.engine.tape.dialog_steps import AssistantStep, UserStep
from tapes_app.engine.tape.tape import Tape, TapeMetadata
from tapes_app.models import ProjectRecord
from tapes_app.tapes.store import headers
from tapes_app.tapes.store import loading as tape_loading
from tapes_app.tapes.store import saving as tape_saving
from tests.http.asking import read_stream
from tests.http.worlds import World
from tests.interchange.builders import read_tapes
from tests.llms.openai_server import OpenAIServer

pytestmark = pytest.mark.django_db

SECRET = "planted-secret-of-the-process-0123"
KEY = "sk-planted-key-0123456789abcdef"
HOSTILE = 'say "$(touch owned)" `id` \'quoted\' $HOME \\ \ud800 \u202e é 日本\nJSON\nEOF {"a": 1}'
TOOL = {"type": "function", "function": {"name": "add", "parameters": {"type": "object"}}}


def share(studio: Client, tape: UUID, wanted: str) -> str:
    answer = studio.get(f"/api/v1/tapes/{tape}/share?format={wanted}")
    assert answer.status_code == 200, answer.content
    assert "attachment" in answer["Content-Disposition"]
    return read_stream(answer).decode()


def snippet(studio: Client, tape: UUID, call: UUID, wanted: str) -> str:
    answer = studio.get(f"/api/v1/tapes/{tape}/calls/{call}/snippet?format={wanted}")
    assert answer.status_code == 200, answer.content
    return str(answer.json()["text"])


def store(project: UUID, text: str, **llm: Any) -> tuple[UUID, UUID]:
    """Save a tape of one call about `text`; return their ids."""
    prompt = Prompt(
        id="p1",
        messages=(system_message("Be brief."), user_message(text)),
        tools=(TOOL,),
    )
    call = LLMCall(prompt=prompt, output=LLMOutput(content=f"Heard: {text}"), llm=llm)
    tape = Tape().append(
        UserStep(content=text),
        AssistantStep(content=f"Heard: {text}").with_metadata(
            agent="chat", node="say", prompt_id="p1"
        ),
    )
    tape_id = tape_saving.save_tape(project, tape, calls=[call])
    call_id = headers.load_outline(tape_id, project)[1].call_id
    assert call_id is not None
    return tape_id, call_id


def test_a_page_holds_the_steps_the_calls_and_what_they_took(studio: Client, world: World) -> None:
    page = share(studio, world.tape, "html")

    for text in ("question 0", "answer 1", "talker.say", "LLM call", "$0.000024", "set_next_node"):
        assert text in page
    assert page.startswith("<!doctype html>")
    # The second prompt repeats the first; it stands on the page once.
    assert "messages are those of" in page


@pytest.mark.parametrize(
    ("wanted", "shown"),
    [
        ("html", "<dt>{name}</dt><dd>{value}</dd>"),
        ("markdown", "- {name}: `{value}`"),
    ],
)
def test_a_shared_tape_says_what_was_expected_what_came_and_the_outcome(
    studio: Client, project: ProjectRecord, wanted: str, shown: str
) -> None:
    steps = (UserStep(content="How many?"), AssistantStep(content="35"))
    known = {"expected": "36", "success": False, "actual": "35"}
    tape = Tape(steps=steps, metadata=TapeMetadata.model_validate(known))
    tape_id = tape_saving.save_tape(project.id, tape)

    page = share(studio, tape_id, wanted)

    for name, value in (("Outcome", "Failed"), ("Expected", "36"), ("Got", "35")):
        assert shown.format(name=name, value=value) in page


def test_markdown_and_json_say_the_same_as_the_tape(
    studio: Client, world: World, tmp_path: Path
) -> None:
    markdown = share(studio, world.tape, "markdown")
    file = tmp_path / "tape.json"
    file.write_text(share(studio, world.tape, "json"))

    assert "## 0 · Observation `user`" in markdown
    (imported,) = read_tapes(file)
    stored = tape_loading.load_tape(world.tape, world.project)
    assert [step.to_json() for step in imported.tape.steps] == [
        step.to_json() for step in stored.steps
    ]


def test_images_are_seen_on_a_shared_page(studio: Client, project: ProjectRecord) -> None:
    pixel = "data:image/png;base64,iVBORw0KGgo="
    image = {"type": "image_url", "image_url": {"url": pixel}}
    content = [{"type": "text", "text": "Look."}, image]
    prompt = Prompt(id="p1", messages=(Message(role="user", content=content),))
    call = LLMCall(prompt=prompt, output=LLMOutput(content="A dot."))
    answer = AssistantStep(content="A dot.").with_metadata(agent="a", node="b", prompt_id="p1")
    tape = Tape().append(UserStep(content="Look.", attachments=(image,)), answer)

    page = share(studio, tape_saving.save_tape(project.id, tape, calls=[call]), "html")

    # In the step, and in the prompt that holds it.
    assert page.count(f'<img src="{pixel}"') == 2


@pytest.mark.parametrize("wanted", ["html", "markdown", "json"])
def test_no_shared_file_holds_a_secret(studio: Client, project: ProjectRecord, wanted: str) -> None:
    register_secret(SECRET)
    text = f"The key is {KEY}, {SECRET}; Authorization: Bearer abcdefghijklmnop1234"
    tape, _ = store(project.id, text, model_name="m", parameters={"api_key": "plain-words-key"})

    shared = share(studio, tape, wanted)

    assert "[redacted]" in shared
    for secret in (KEY, SECRET, "abcdefghijklmnop1234", "plain-words-key"):
        assert secret not in shared


@pytest.mark.parametrize("wanted", ["html", "markdown", "json"])
def test_hostile_text_is_shared_in_any_form(
    studio: Client, project: ProjectRecord, wanted: str
) -> None:
    tape, _ = store(project.id, f"<script>own()</script>{HOSTILE}", model_name="m")

    shared = share(studio, tape, wanted)

    assert "\u202e" not in shared
    if wanted == "html":
        assert "<script" not in shared
    if wanted == "json":
        assert json.loads(shared)["steps"][0]["content"].startswith("<script>")


@pytest.mark.parametrize("wanted", ["curl", "python"])
def test_a_snippet_makes_the_recorded_call_again(
    studio: Client, project: ProjectRecord, tmp_path: Path, wanted: str
) -> None:
    if wanted == "curl" and shutil.which("curl") is None:
        pytest.skip("no curl on this machine")
    with OpenAIServer() as server:
        model_storage.create_model(
            project.id,
            name="local",
            litellm_model="openai/test-model",
            base_url=server.base_url,
            api_key_env="MY_KEY",
            parameters={},
        )
        tape, call = store(
            project.id,
            HOSTILE,
            model_name="openai/test-model",
            name="local",
            parameters={"temperature": 0.5, "seed": None, "delay_seconds": 1, "api_key": KEY},
        )
        text = snippet(studio, tape, call, wanted)

        answer = run(text, wanted, tmp_path, MY_KEY="from-the-environment")

    (asked,) = server.requests
    recorded = tape_loading.load_tape(tape, project.id).steps[0]
    assert asked == {
        "model": "test-model",
        "messages": [
            {"role": "system", "content": "Be brief."},
            {"role": "user", "content": recorded.to_json()["content"]},
        ],
        "temperature": 0.5,
        "tools": [TOOL],
    }
    assert server.keys == ["Bearer from-the-environment"]
    assert "The test server heard" in answer
    assert list(tmp_path.glob("owned")) == []


@pytest.mark.parametrize("wanted", ["curl", "python"])
def test_a_snippet_never_holds_a_key(studio: Client, project: ProjectRecord, wanted: str) -> None:
    register_secret(SECRET)
    model_storage.create_model(
        project.id,
        name="local",
        litellm_model="openai/test-model",
        base_url=f"https://user:{SECRET}@models.example/v1?key={KEY}",
        api_key_env="MY_KEY",
        parameters={},
    )
    text = f"my key is {KEY} and {SECRET}"
    tape, call = store(project.id, text, name="local", parameters={"headers": {"x": SECRET}})

    written = snippet(studio, tape, call, wanted)

    assert "MY_KEY" in written
    assert KEY not in written
    assert SECRET not in written


def test_a_model_without_an_address_asks_for_one(studio: Client, world: World) -> None:
    written = snippet(studio, world.tape, world.call, "curl")

    assert "LLM_BASE_URL" in written
    assert "question 0" in written


def test_an_unknown_form_is_refused(studio: Client, world: World) -> None:
    answer = studio.get(f"/api/v1/tapes/{world.tape}/share?format=exe")

    assert answer.status_code == 422


def test_a_tape_of_very_many_calls_is_shared_without_them_and_says_so(
    studio: Client, project: ProjectRecord, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tapes_app.exchange.services.shares.MOST_CALLS", 1)
    messages = [user_message("a"), assistant_message("b")]
    calls = [
        LLMCall(prompt=Prompt(id=f"p{at}", messages=tuple(messages)), output=LLMOutput(content="b"))
        for at in range(2)
    ]
    steps = [
        AssistantStep(content="b").with_metadata(agent="a", node="n", prompt_id=f"p{at}")
        for at in range(2)
    ]
    tape = tape_saving.save_tape(project.id, Tape().append(*steps), calls=calls)

    page = share(studio, tape, "html")

    assert "LLM calls are omitted" in page
    assert 'class="llm"' not in page


def run(text: str, wanted: str, folder: Path, **variables: str) -> str:
    command = ["sh", "-s"] if wanted == "curl" else [sys.executable, "-"]
    kept = {"PATH": os.defpath}
    done = subprocess.run(
        command,
        input=text,
        cwd=folder,
        env={**kept, "PYTHONUTF8": "1", **variables},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout
