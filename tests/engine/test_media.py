"""Images and recordings: what is taken, what a model is sent of them, and how they are refused."""

import asyncio
import base64
import json
import struct
import zlib
from typing import Any

import pytest

from tapes_app.engine import (
    Agent,
    Audio,
    Image,
    LLMOutput,
    Prompt,
    TalkNode,
    Tape,
    ToolCalls,
    ToolEnvironment,
    ToolResult,
    UserStep,
    run_to_end,
    tool,
)
from tapes_app.engine.prompts.chat_messages import message_of_step, step_of_message
from tapes_app.engine.tape.dialog_steps import ToolCall
from tapes_app.engine.tape.media import MediaError, check_attachments
from tapes_app.engine.tape.raster import read_raster
from tapes_app.engine.tape.steps import parse_step
from tapes_app.llms.scripted import ScriptedLLM


def make_png(width: int = 2, height: int = 2) -> bytes:
    """Make an image of one colour; only its size is what it says."""

    def chunk(name: bytes, data: bytes) -> bytes:
        return (
            struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
        )

    head = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    rows = zlib.compress(b"\0" + b"\x80" * 2)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


PNG = make_png()
WAV = b"RIFF\x24\0\0\0WAVEfmt "


def image_part(data: bytes = PNG, media_type: str = "image/png") -> dict[str, Any]:
    url = f"data:{media_type};base64,{base64.b64encode(data).decode()}"
    return {"type": "image_url", "image_url": {"url": url}}


def audio_part(data: bytes = WAV, name: str = "wav") -> dict[str, Any]:
    encoded = base64.b64encode(data).decode()
    return {"type": "input_audio", "input_audio": {"data": encoded, "format": name}}


def ask(
    *steps: Any, tools: list[Any] | None = None, answers: list[Any]
) -> tuple[Tape, list[Prompt]]:
    """Let an agent talk, and return the tape and the prompts that it asked."""
    prompts: list[Prompt] = []

    def answer(prompt: Prompt) -> LLMOutput:
        prompts.append(prompt)
        said = answers[len(prompts) - 1]
        return said if isinstance(said, LLMOutput) else LLMOutput(content=said)

    nodes = [TalkNode(tools=tools or [])]
    agent = Agent.create("seer", templates={"system": "Look."}, nodes=nodes)
    live = agent.with_llms({"default": ScriptedLLM(answer)})
    end = asyncio.run(run_to_end(live, Tape(steps=steps), ToolEnvironment(tools or [])))
    return end.tape, prompts


def test_what_a_person_attaches_is_sent_to_the_model_behind_the_words() -> None:
    said = UserStep(content="What is this?", attachments=(image_part(), audio_part()))

    _, prompts = ask(said, answers=["A dot."])

    message = prompts[0].messages[1]
    words = {"type": "text", "text": "What is this?"}
    assert message == {"role": "user", "content": [words, image_part(), audio_part()]}
    assert parse_step(json.loads(json.dumps(said.to_json()))).to_json() == said.to_json()


def test_an_image_of_a_tool_reaches_the_model_in_a_message_behind_all_results() -> None:
    @tool
    def photograph(of: str) -> list[Any]:
        """Take a photograph."""
        return [f"This is {of}.", Image(PNG)]

    @tool
    def count() -> int:
        return 7

    calls = LLMOutput(
        tool_calls=tuple(
            {"id": id, "type": "function", "function": {"name": name, "arguments": arguments}}
            for id, name, arguments in (("a", "photograph", '{"of": "me"}'), ("b", "count", "{}"))
        )
    )
    tape, prompts = ask(
        UserStep(content="Show."), tools=[photograph, count], answers=[calls, "Done."]
    )

    result = next(step for step in tape if isinstance(step, ToolResult))
    assert result.content == [{"type": "text", "text": "This is me."}, image_part()]
    roles = [message.role for message in prompts[1].messages]
    assert roles == ["system", "user", "assistant", "tool", "tool", "user"]
    assert [prompts[1].messages[n]["content"] for n in (3, 4)] == ["This is me.", "7"]
    assert prompts[1].messages[5]["content"][1:] == [image_part()]


@pytest.mark.parametrize(
    ("result", "reason"),
    [
        (lambda: Image(b"<svg onload='alert(1)'/>"), "not PNG, JPEG, GIF or WebP"),
        (lambda: Image(PNG + b"x" * 5_000_000), "at most 5 MB"),
        (lambda: [Image(PNG)] * 11, "at most 10 attachments"),
        (lambda: Audio(b"abc", "mp3"), "not mp3"),
    ],
)
def test_a_tool_is_told_why_its_image_cannot_be_taken(result: Any, reason: str) -> None:
    @tool
    def draw() -> Any:
        return result()

    call = ToolCall.model_validate({"id": "a", "function": {"name": "draw"}})
    answer = asyncio.run(ToolEnvironment([draw]).answer(call))

    assert answer.is_error
    assert reason in answer.content


def test_the_address_of_an_image_stays_an_address() -> None:
    @tool
    def find() -> Any:
        there = {"type": "image_url", "image_url": {"url": "https://example.org/a.png"}}
        return [there, image_part()]

    call = ToolCall.model_validate({"id": "a", "function": {"name": "find"}})
    answer = asyncio.run(ToolEnvironment([find]).answer(call))

    assert answer.content[0] == {"type": "text", "text": "Image at https://example.org/a.png"}


@pytest.mark.parametrize(
    ("parts", "reason"),
    [
        ([image_part(b"<svg/>", "image/svg+xml")], "Attachment 1: The image is not"),
        ([image_part(), image_part(PNG, "image/jpeg")], "Attachment 2: The image claims to be"),
        ([{"type": "image_url", "image_url": {"url": "https://x.org/a.png"}}], "are not fetched"),
        ([{"type": "text", "text": "x"}], "It must be"),
        (["x"], "It must be"),
        ([{"type": "image_url", "image_url": {"url": "data:image/png;base64,%%"}}], "not base64"),
        ([image_part(make_png(60_000, 60_000))], "60,000 by 60,000 pixels"),
        ([audio_part(WAV, "ogg")], "wav or mp3"),
        ([image_part()] * 11, "at most 10 attachments, not 11"),
        ([image_part(PNG + b"x" * 4_900_000)] * 5, "at most 20 MB together"),
    ],
)
def test_attachments_are_bounded_and_of_known_forms(parts: list[Any], reason: str) -> None:
    with pytest.raises(MediaError, match=reason):
        check_attachments(parts)


@pytest.mark.parametrize(
    ("data", "media_type", "size"),
    [
        (make_png(3, 5), "image/png", (3, 5)),
        (b"GIF89a\x03\x00\x05\x00", "image/gif", (3, 5)),
        (
            b"\xff\xd8\xff\xe0\x00\x04ab\xff\xff\xc2\x00\x11\x08\x00\x05\x00\x03\x03",
            "image/jpeg",
            (3, 5),
        ),
        (b"RIFF....WEBPVP8X....\0\0\0\0\x02\0\0\x04\0\0", "image/webp", (3, 5)),
        (b"RIFF....WEBPVP8L....\x2f\x02\x00\x01\x00", "image/webp", (3, 5)),
        (b"RIFF....WEBPVP8 ....\0\0\0\x9d\x01\x2a\x03\x00\x05\x00", "image/webp", (3, 5)),
    ],
)
def test_the_size_of_an_image_is_read_from_its_first_bytes(
    data: bytes, media_type: str, size: tuple[int, int]
) -> None:
    raster = read_raster(data)

    assert raster is not None
    assert (raster.media_type, (raster.width, raster.height)) == (media_type, size)
    assert all(read_raster(data[:length]) is None for length in range(10))


@pytest.mark.parametrize(
    "content",
    [
        [{"type": "text", "text": "See"}, image_part()],
        [image_part(), {"type": "text", "text": "See"}, audio_part()],
        [image_part()],
        [
            {"type": "text", "text": "a"},
            image_part(),
            {"type": "text", "text": "b"},
            {"type": "file"},
        ],
    ],
)
def test_a_message_with_images_comes_in_as_attachments_and_goes_out_as_it_came(
    content: list[Any],
) -> None:
    message = {"role": "user", "content": content, "name": "ada"}

    step = step_of_message(message)

    assert isinstance(step, UserStep)
    assert all(part in step.attachments for part in content if part["type"] == "image_url")
    assert "base64" not in json.dumps(step.to_json()["metadata"])
    assert message_of_step(step) == message


def test_calls_without_images_are_as_before() -> None:
    calls = ToolCalls.model_validate({"tool_calls": [{"id": "a", "function": {"name": "count"}}]})
    result = ToolResult(content=[{"a": 1}], tool_call_id="a")
    tape, prompts = ask(UserStep(content="Hi"), calls, result, answers=["x"])

    assert prompts[0].messages[-1]["content"] == '[{"a": 1}]'
    assert tape[0].to_json()["content"] == "Hi"
    assert "attachments" not in tape[0].to_json()
