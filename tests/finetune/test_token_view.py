"""Examples as pieces of text with their tokens: nothing of the text is lost, nothing is made up."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from optimize_app.finetune.trainer.encoding import encode
from optimize_app.finetune.trainer.token_view import MOST_TOKENS, view_sample
from optimize_app.training_sets.samples import (
    ChatExample,
    PreferencePair,
    SampleError,
    Span,
    TextExample,
    TokenExample,
)
from tests.finetune.folders import make_tokenizer

TOKENIZER = make_tokenizer()
TEXTS = st.text(st.characters(codec="utf-8"), max_size=40)


def chat(question: str, answer: str) -> ChatExample:
    return ChatExample(
        id="a", messages=({"role": "user", "content": question},), answer={"content": answer}
    )


@given(TEXTS, TEXTS)
def test_the_pieces_are_the_text_and_their_tokens_are_what_is_trained_on(
    question: str, answer: str
) -> None:
    example = chat(question, answer)

    (view,) = view_sample(example, TOKENIZER)

    encoded = encode(example, TOKENIZER)
    assert [token for piece in view.pieces for token in piece.ids] == list(encoded.token_ids)
    weights = [piece.weight for piece in view.pieces for _ in piece.ids]
    assert weights == list(encoded.weights)
    text = "".join(piece.text for piece in view.pieces)
    assert text == f"<|user|>{question}<|end|>\n<|assistant|>{answer}<|end|>"
    assert (view.token_count, view.trained_count) == (len(encoded), encoded.trained)
    assert view.is_text_kept


def test_tokens_that_share_a_character_stay_together() -> None:
    (view,) = view_sample(chat("😀", "é"), TOKENIZER)

    ids = {piece.text: len(piece.ids) for piece in view.pieces}
    assert (ids["😀"], ids["é"]) == (4, 2)


def test_recorded_tokens_are_shown_as_what_they_write() -> None:
    ids = TOKENIZER("one 😀", add_special_tokens=False)["input_ids"]
    example = TokenExample(id="a", token_ids=ids, weights=(0.0,) * (len(ids) - 4) + (1.0,) * 4)

    (view,) = view_sample(example, TOKENIZER)

    assert "".join(piece.text for piece in view.pieces) == "one 😀"
    assert view.pieces[-1].text == "😀"
    assert view.pieces[-1].weight == 1.0


def test_a_template_that_leaves_thoughts_out_is_told_of() -> None:
    answer = {"content": "144", "reasoning_content": "A dozen dozens."}
    example = chat("12 * 12?", "").model_copy(update={"answer": answer})
    turn = "{{% for m in messages %}}{{{{ m.role }}}}: {{{{ {} }}}}<|end|>{{% endfor %}}"
    asking = "{% if add_generation_prompt %}assistant: {% endif %}"

    (silent,) = view_sample(example, make_tokenizer(turn.format("m.content") + asking))
    keeping = turn.format("m.reasoning_content }}{{ m.content")
    (told,) = view_sample(example, make_tokenizer(keeping + asking))

    assert (silent.loses_thoughts, told.loses_thoughts) == (True, False)


def test_a_text_that_is_split_in_a_token_is_said_to_be_tokenized_otherwise() -> None:
    (split,) = (TOKENIZER("what", add_special_tokens=False)["input_ids"],)
    assert len(split) < len("what")
    example = TextExample(id="a", text="what", spans=(Span(start=1, end=4),))

    (view,) = view_sample(example, TOKENIZER)

    assert view.is_retokenized
    assert view.pieces[0].weight == 0.0


def test_a_pair_is_two_sequences_and_a_long_one_shows_its_end() -> None:
    long = chat("a " * MOST_TOKENS, "yes")
    pair = PreferencePair(id="p", chosen=long, rejected=chat("q", "no"))

    chosen, rejected = view_sample(pair, TOKENIZER)

    assert (chosen.role, rejected.role) == ("chosen", "rejected")
    assert chosen.hidden_count + sum(len(piece.ids) for piece in chosen.pieces) == (
        chosen.token_count
    )
    assert sum(len(piece.ids) for piece in chosen.pieces) <= MOST_TOKENS
    assert chosen.pieces[-1].text == "<|end|>"


@pytest.mark.parametrize(
    ("template", "sentence"),
    [(None, "has no chat template"), ("{{ nothing.here.at.all }}", "cannot write it")],
)
def test_what_cannot_be_written_is_told_in_a_sentence(template: Any, sentence: str) -> None:
    with pytest.raises(SampleError, match=sentence):
        view_sample(chat("q", "a"), make_tokenizer(template))
