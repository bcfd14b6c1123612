"""Prompts that are too long for a model lose the ends of old observations, and say so."""

from tapes_app.engine.model.messages import Message, content_text, user_message
from tapes_app.engine.model.prompt_length import (
    DEFAULT_CONTEXT_TOKENS,
    KEPT_CHARACTERS,
    find_room,
    shorten,
)

PAGE = "line of a page\n" * 1000
PICTURE = {"type": "image_url", "image_url": {"url": "data:image/png;base64,aGk="}}


class Small:
    context_tokens = 8_192


def test_the_oldest_long_observations_are_shortened_first_and_the_rest_stays() -> None:
    messages = [user_message(text) for text in ("Do it.", PAGE, "short", PAGE, PAGE)]

    cut = shorten(messages, {1, 2, 3, 4}, 2 * len(PAGE))

    assert cut.messages[0].text == "Do it."
    assert cut.messages[1].text.startswith(PAGE[:KEPT_CHARACTERS] + "\n[13,000 more characters")
    assert [message.text for message in cut.messages[2:]] == ["short", cut.messages[3].text, PAGE]
    assert (cut.message_count, cut.left_out) == (2, 26_000)


def test_what_fits_and_what_is_no_observation_is_left_alone() -> None:
    messages = [user_message(PAGE), user_message(PAGE)]

    assert shorten(messages, {0, 1}, 2 * len(PAGE)).messages == tuple(messages)
    assert shorten(messages, set(), 10).messages == tuple(messages)


def test_a_shortened_message_keeps_its_images_and_its_call() -> None:
    parts = [{"type": "text", "text": PAGE}, PICTURE]
    result = Message(role="tool", tool_call_id="a", content=parts)

    (short,) = shorten([result], {0}, 10).messages

    assert short["tool_call_id"] == "a"
    assert short["content"][1:] == [PICTURE]
    assert len(content_text(short["content"])) < KEPT_CHARACTERS + 200


def test_a_model_that_says_nothing_of_its_limit_has_the_usual_one() -> None:
    assert find_room(Small()) == 6_144 * 3
    assert find_room(None) == find_room(object()) == DEFAULT_CONTEXT_TOKENS * 3 * 3 // 4
