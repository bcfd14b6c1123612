"""What a model thought aloud is no part of its answer, however its thoughts are marked."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tapes_app.engine.prompts.parsing import bare_answer
from tapes_app.engine.tape.dialog_steps import AssistantStep, UserStep
from tapes_app.engine.tape.steps import parse_step
from tapes_app.engine.tape.thoughts import answered_json, without_thoughts

THOUGHT = "Is it 41?\nNo."
MARKED = [
    f"<think>{THOUGHT}</think>",
    f"\n<Think>\n{THOUGHT}\n</Think>\n\n",
    f'<thinking effort="high">{THOUGHT}</thinking>',
    f"<thought>{THOUGHT}</thought>",
    f"<reasoning>{THOUGHT}</reasoning>",
    f"<seed:think>{THOUGHT}</seed:think>",
    f"[THINK]{THOUGHT}[/THINK]",
    f"◁think▷{THOUGHT}◁/think▷",
    f"<|START_THINKING|>{THOUGHT}<|END_THINKING|><|START_RESPONSE|>",
    f"<|begin_of_thought|>{THOUGHT}<|end_of_thought|>\n<|begin_of_solution|>",
    f"<|channel|>analysis<|message|>{THOUGHT}<|end|><|start|>assistant<|channel|>final<|message|>",
    f"<|start|>assistant<|channel|>analysis<|message|>{THOUGHT}<|end|><|channel|>final "
    "<|constrain|>json<|message|>",
    f"analysis{THOUGHT}assistantfinal",
    # The prompt ended with the opening mark.
    f"{THOUGHT}</think>",
    f"{THOUGHT}\n[/THINK]\n",
    f"{THOUGHT}◁/think▷",
    # Blocks in a row, in each other, and a mark that is only mentioned.
    f"<think>{THOUGHT}</think><think>Yes, 41.</think>",
    f"<think>{THOUGHT}<think>Sure?</think> 41.</think>",
    f"<think>After <think> I go on: {THOUGHT}</think>",
    "<think></think>",
]


@pytest.mark.parametrize("marked", MARKED)
@pytest.mark.parametrize("answer", ["42", '{"score": 1}', "It is `</b>` here.\n\nSee?"])
def test_thoughts_in_front_of_an_answer_are_taken_off(marked: str, answer: str) -> None:
    assert without_thoughts(marked + answer) == answer
    assert bare_answer(f"{marked}\n```json\n{answer}\n```").strip() == answer


@pytest.mark.parametrize("end", ["<|return|>", "<|end|>"])
def test_the_end_mark_of_a_channel_is_no_part_of_the_answer(end: str) -> None:
    text = f"<|channel|>analysis<|message|>41?<|end|><|channel|>final<|message|>42{end}"

    assert without_thoughts(text) == "42"


@pytest.mark.parametrize(
    "text",
    ["<think>41", "[THINK]41", "◁think▷41", "<|channel|>analysis<|message|>41", "<reasoning>\n41"],
)
def test_thoughts_that_never_end_leave_no_answer(text: str) -> None:
    assert without_thoughts(text) == ""


@pytest.mark.parametrize(
    "text",
    [
        "42",
        " 42\n",
        "The mark <think> opens thoughts.",
        "Okay. <think>41?</think> 42",
        "A block ends with `</think>` there.",
        '{"reason": "It wrote </think> twice.", "score": 1}',
        '```json\n{"reason": "</think>"}\n```',
        '{"reason": "It opened <|channel|>final<|message|>.", "score": 1}',
        "analysis of assistants",
        "<thinker>42</thinker>",
        "I think 42",
    ],
)
def test_an_answer_that_mentions_a_mark_stays_whole(text: str) -> None:
    assert without_thoughts(text) == text


@given(st.lists(st.sampled_from(["<think>", "</think>", "[THINK]", "4", " ", "<|channel|>", "`"])))
def test_any_text_has_an_answer_and_that_is_a_part_of_it(pieces: list[str]) -> None:
    text = "".join(pieces)

    assert without_thoughts(text) in text


@pytest.mark.parametrize(
    "piece", ["<think>", "<think></think>", "</think", "`</think>`", "<|channel|>final", "<|end|>"]
)
def test_a_long_text_takes_time_in_proportion_to_its_length(piece: str) -> None:
    text = "<think></think>" + piece * 50_000
    began = time.process_time()

    without_thoughts(text)

    assert time.process_time() - began < 5


def test_only_an_agents_text_has_thoughts_in_front_of_it() -> None:
    text = "<think>41?</think>42"
    parts = [{"type": "text", "text": text}]

    assert answered_json(AssistantStep(content=text))["content"] == "42"
    assert answered_json(UserStep(content=text))["content"] == text
    said = answered_json(parse_step({"kind": "final_answer_action", "content": parts}))
    assert said["content"] == [{"type": "text", "text": "42"}]
