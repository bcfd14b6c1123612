"""Images and recordings over HTTP: said by a person, given by a tool, refused in words."""

import json
from typing import Any

import pytest

from tests.engine.test_media import audio_part, image_part
from tests.runs.browsers import RunBrowser, work
from tests.runs.plugin import build_talker
from tests.runs.tool_plugin import build_tool_agent

pytestmark = pytest.mark.django_db(transaction=True)

SVG = image_part(b"<svg onload='alert(1)'/>", "image/svg+xml")


def test_a_tape_begins_with_words_and_images() -> None:
    browser = RunBrowser(spec=build_talker())
    said = {"agent_version_id": browser.version_id, "message": "What is this?"}

    refused = browser.ask("POST", "tapes", {**said, "attachments": [SVG]}, expect=422)
    before = browser.ask("GET", "tapes")["items"]
    started = browser.ask(
        "POST", "tapes", {**said, "attachments": [image_part(), audio_part()]}, expect=201
    )

    assert refused["code"] == "media_invalid"
    assert refused["message"].startswith("Attachment 1: The image is not PNG")
    assert len(before) == 1
    (first, *_) = browser.ask("GET", f"tapes/{started['tape_id']}/steps")["items"]
    assert first["body"]["content"] == "What is this?"
    assert first["body"]["attachments"] == [image_part(), audio_part()]


def test_an_answer_comes_with_images_and_without_them_looks_as_before() -> None:
    browser = RunBrowser("hello", spec=build_talker())
    browser.run()

    for body in ({"attachments": [image_part()]}, {"text": "x", "attachments": [SVG]}):
        assert browser.order("reply", body, expect=422)["message"]
    browser.go_on("reply", {"text": "Look:", "attachments": [image_part()]})

    said = [step["body"] for step in browser.steps() if step["kind"] == "user"]
    assert "attachments" not in said[0]
    assert (said[1]["content"], said[1]["attachments"]) == ("Look:", [image_part()])


def test_words_into_a_living_run_come_with_images() -> None:
    browser = RunBrowser("3")
    browser.run(breakpoints=[{"kind": "kind", "value": "test_count_action"}])
    sent = {"text": "Look again:", "attachments": [image_part(), audio_part()]}

    refused = browser.order("steer", {"text": "x", "attachments": [SVG]}, expect=422)
    many = browser.order("steer", {"text": "x", "attachments": [image_part()] * 11}, expect=422)
    queued = browser.order("steer", sent)["control"]["messages"]
    (listed,) = browser.ask("GET", "jobs")["items"]
    told = [frame for frame in browser.frames() if frame["type"] == "job.control"][-1]
    browser.order("breakpoints", {"breakpoints": []})
    browser.go_on("continue", {"mode": "run"})

    assert refused["message"].startswith("Attachment 1: The image is not PNG")
    assert "at most 10 attachments" in many["message"]
    assert queued[0]["attachments"] == sent["attachments"]
    for short in (listed["control"], told["control"]):
        types = [{"type": "image_url"}, {"type": "input_audio"}]
        assert short["messages"][0]["attachments"] == types
    said = browser.steps()[5]
    assert (said["writer"], said["body"]["content"]) == ("person", "Look again:")
    assert said["body"]["attachments"] == sent["attachments"]
    assert browser.job()["control"]["messages"] == []


def test_words_with_images_answer_an_agent_that_waits() -> None:
    browser = RunBrowser("hello", spec=build_talker())
    browser.run()

    browser.go_on("steer", {"text": "bye", "attachments": [image_part()]})

    said = [step["body"] for step in browser.steps() if step["kind"] == "user"]
    assert said[-1]["attachments"] == [image_part()]


def test_attachments_that_wait_have_a_limit_together() -> None:
    browser = RunBrowser("3")
    browser.resume()
    recording = audio_part(b"RIFF" + b"x" * 4_900_000)
    large = {"text": "Listen.", "attachments": [recording] * 3}

    browser.order("steer", large)
    refused = browser.order("steer", large, expect=409)
    browser.order("steer", {"text": "Well?"})

    assert "large attachments already" in refused["message"]
    assert len(browser.job()["control"]["messages"]) == 2


def test_a_tool_gives_an_image() -> None:
    browser = RunBrowser(json.dumps(["photograph"]), spec=build_tool_agent())

    browser.run()

    (result,) = [step for step in browser.steps() if step["kind"] == "tool"]
    parts: list[Any] = result["body"]["content"]
    assert (result["is_error"], [part["type"] for part in parts]) == (False, ["image_url"])
    assert parts[0]["image_url"]["url"].startswith("data:image/gif;base64,")


def test_a_person_enters_an_image_as_the_result_of_a_tool() -> None:
    browser = RunBrowser(json.dumps(["photograph"]), spec=build_tool_agent())
    browser.resume(tools={"default": "ask"})
    work()

    browser.go_on("reply", {"text": "Here:", "attachments": [image_part()]})

    (result,) = [step for step in browser.steps() if step["kind"] == "tool"]
    assert result["body"]["content"] == [{"type": "text", "text": "Here:"}, image_part()]
