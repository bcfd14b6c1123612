"""Which tokens are learnt: the sampled spans and nothing else, whatever template there is."""

from typing import Any

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from transformers import AutoModelForCausalLM

from optimize_app.finetune.trainer.attention import WITHIN_SEQUENCES
from optimize_app.finetune.trainer.batching import plan_epoch, plan_step
from optimize_app.finetune.trainer.blank_model import TEMPLATE
from optimize_app.finetune.trainer.config import FinetuneConfig
from optimize_app.finetune.trainer.encoding import Encoded, encode, encode_all, require_items
from optimize_app.finetune.trainer.rendering import examine_template
from optimize_app.finetune.trainer.tensors import make_pass, score_tokens
from optimize_app.training_sets.samples import (
    ChatExample,
    SampleError,
    Span,
    TextExample,
    TokenExample,
)
from tests.finetune.folders import make_tokenizer

# The forms of the stock templates: none marks what is generated.
LLAMA_LIKE = (
    "{% for m in messages %}<|{{ m['role'] }}|>\n\n{{ m['content'] | trim }}<|end|>{% endfor %}"
    "{% if add_generation_prompt %}<|assistant|>\n\n{% endif %}"
)
# Qwen 3 leaves the thoughts of earlier turns out: a longer chat does not begin with the shorter.
QWEN_LIKE = (
    "{% for m in messages %}<|{{ m['role'] }}|>\n"
    "{% if m['role'] == 'assistant' and loop.last %}<think></think>{% endif %}"
    "{{ m['content'] }}<|end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|assistant|>\n{% endif %}"
)
MARKING = (
    "{% for m in messages %}<|{{ m['role'] }}|>{% if m['role'] == 'assistant' %}"
    "{% generation %}{{ m['content'] }}<|end|>{% endgeneration %}{% else %}"
    "{{ m['content'] }}<|end|>{% endif %}{% endfor %}"
    "{% if add_generation_prompt %}<|assistant|>{% endif %}"
)
CONFIG = FinetuneConfig(base="any", max_length=64)


def chat(**values: Any) -> ChatExample:
    question = {"role": "user", "content": "2 + 3 ="}
    return ChatExample(**{"id": "a", "messages": (question,), "answer": {"content": "5"}, **values})


def learnt_text(encoded: Encoded, tokenizer: Any) -> str:
    pairs = zip(encoded.token_ids, encoded.weights, strict=True)
    return str(tokenizer.decode([token for token, weight in pairs if weight]))


@pytest.mark.parametrize("template", [TEMPLATE, LLAMA_LIKE, QWEN_LIKE, MARKING])
def test_the_answer_and_its_end_are_learnt_with_every_template(template: str) -> None:
    tokenizer = make_tokenizer(template)

    encoded = encode(chat(), tokenizer)

    assert learnt_text(encoded, tokenizer).removeprefix("<think></think>") == "5<|end|>"
    assert str(tokenizer.decode(list(encoded.token_ids))).endswith("5<|end|>")


def test_the_two_properties_of_a_template_are_told() -> None:
    found = {
        name: examine_template(make_tokenizer(template))
        for name, template in (("llama", LLAMA_LIKE), ("qwen", QWEN_LIKE), ("marking", MARKING))
    }

    assert [found[name].marks_generation for name in found] == [False, False, True]
    assert [found[name].keeps_prefixes for name in found] == [True, False, True]


@given(
    text=st.text(alphabet="ab 12=\n«é", min_size=1, max_size=40),
    cuts=st.lists(st.integers(0, 40), min_size=2, max_size=6, unique=True),
)
def test_every_learnt_token_is_of_a_span_and_the_text_stays(text: str, cuts: list[int]) -> None:
    tokenizer = make_tokenizer()
    places = sorted(min(cut, len(text)) for cut in cuts)
    spans = tuple(
        Span(start=start, end=end)
        for start, end in zip(places[::2], places[1::2], strict=False)
        if start < end
    )
    example = TextExample(
        id="a",
        text="go" + text,
        spans=tuple(Span(start=span.start + 2, end=span.end + 2) for span in spans),
    )
    if not spans:
        with pytest.raises(SampleError, match="no token to learn"):
            encode(example, tokenizer)
        return

    encoded = encode(example, tokenizer)

    assert tokenizer.decode(list(encoded.token_ids)) == "go" + text
    assert learnt_text(encoded, tokenizer) == "".join(text[s.start : s.end] for s in spans)


def test_recorded_tokens_are_taken_as_they_are() -> None:
    tokenizer = make_tokenizer()
    recorded = TokenExample(id="a", token_ids=(9, 8, 7), weights=(0, 1, -0.5))

    encoded = encode(recorded, tokenizer)

    assert (encoded.token_ids, encoded.weights) == ((9, 8, 7), (0.0, 1.0, -0.5))
    with pytest.raises(SampleError, match="another tokenizer"):
        encode(TokenExample(id="a", token_ids=(1, 99_999), weights=(0, 1)), tokenizer)


def test_long_examples_lose_their_beginning_or_are_named() -> None:
    tokenizer = make_tokenizer()
    long = chat(messages=({"role": "user", "content": "x" * 90},))

    cutting = CONFIG.model_copy(update={"too_long": "cut_start"})
    cut = encode_all([long], tokenizer, cutting)
    left = encode_all([long, chat(id="b")], tokenizer, CONFIG)

    assert len(cut.items[0]) == 64
    assert learnt_text(cut.items[0], tokenizer) == "5<|end|>"  # type: ignore[arg-type]
    assert [item.id for item in left.items] == ["b"]
    answer = chat(answer={"content": "5" * 90})
    with pytest.raises(SampleError, match="its answer alone is not shorter than max_length, 64"):
        require_items(encode_all([answer], tokenizer, cutting))
    assert "more than max_length" in left.left_out["a"]
    for one, config in ((long, CONFIG), (long, CONFIG.model_copy(update={"too_long": "refuse"}))):
        with pytest.raises(SampleError, match="more than max_length"):
            require_items(encode_all([one], tokenizer, config))


@given(
    runs=st.lists(st.tuples(st.integers(0, 30), st.integers(1, 30)), min_size=1, max_size=4),
    limit=st.integers(2, 64),
)
def test_cutting_leaves_answers_whole_and_something_before_them(
    runs: list[tuple[int, int]], limit: int
) -> None:
    weights = [weight for asked, answered in runs for weight in (0.0,) * asked + (1.0,) * answered]
    example = TokenExample(id="a", token_ids=(9,) * len(weights), weights=tuple(weights))
    config = CONFIG.model_copy(update={"too_long": "cut_start", "max_length": limit})
    if not any(weights[1:]):
        return

    encoded = encode_all([example], make_tokenizer(), config)

    if encoded.left_out:
        assert runs[-1][1] >= limit or not runs[-1][0]
        return
    (item,) = encoded.items
    assert isinstance(item, Encoded)
    assert len(item) <= limit
    assert list(item.weights) == weights[item.cut :]
    assert item.cut == 0 or item.weights[0] == 0


def test_a_tokenizer_without_a_template_is_told_with_what_would_do() -> None:
    with pytest.raises(SampleError, match=r"has no chat template.*give examples as text"):
        encode(chat(), make_tokenizer(None))


@pytest.mark.parametrize("attention", ["sdpa", WITHIN_SEQUENCES])
def test_packed_sequences_do_not_see_each_other(base: Any, attention: str) -> None:
    model = AutoModelForCausalLM.from_pretrained(base, attn_implementation=attention)
    device = torch.device("cpu")
    torch.manual_seed(1)
    sequences = [
        Encoded(str(size), tuple(torch.randint(0, 250, (size,)).tolist()), (1.0,) * size)
        for size in (9, 17, 5)
    ]
    alone = [
        score_tokens(model, make_pass([one], packed=False, pad_id=0, device=device))
        for one in sequences
    ]
    batch = make_pass(sequences, packed=True, pad_id=0, device=device)
    packed = score_tokens(model, batch)
    padded = score_tokens(model, make_pass(sequences, packed=False, pad_id=0, device=device))

    for place, one in enumerate(alone):
        expected = one.log_probabilities[0]
        chosen = (packed.owner[0] == place) & (packed.weights[0] != 0)
        assert torch.allclose(packed.log_probabilities[0][chosen], expected, atol=1e-5)
        row = padded.log_probabilities[place][: len(expected)]
        assert torch.allclose(row, expected, atol=1e-5)
    # The traps of torch's attention: beside a mask of ones, or with a cache, every sequence sees
    # those before it.
    asked = {"input_ids": batch.token_ids, "position_ids": batch.position_ids}
    right = model(**asked, use_cache=False).logits
    ones = torch.ones_like(batch.token_ids)
    for trap in (
        model(**asked, use_cache=False, attention_mask=ones).logits,
        model(**asked, use_cache=True).logits,
    ):
        assert ((trap - right).abs().max() > 1e-3) == (attention == "sdpa")


@given(
    lengths=st.lists(st.integers(1, 50), min_size=1, max_size=60),
    batch_size=st.integers(1, 9),
    processes=st.integers(1, 3),
    bound=st.integers(8, 120),
    padded=st.booleans(),
    epoch=st.integers(0, 3),
)
def test_each_example_is_once_in_an_epoch_and_passes_are_bounded(
    lengths: list[int], batch_size: int, processes: int, bound: int, padded: bool, epoch: int
) -> None:
    batches = plan_epoch(lengths, batch_size, seed=3, epoch=epoch)
    assert batches == plan_epoch(lengths, batch_size, seed=3, epoch=epoch)
    seen: list[int] = []
    for batch in batches:
        plan = plan_step(batch, lengths, tokens_per_pass=bound, processes=processes, padded=padded)
        assert len({len(passes) for passes in plan.passes}) == 1  # sharded models wait in step
        for places in (one for passes in plan.passes for one in passes):
            seen += places
            sizes = [lengths[place] for place in places]
            cost = max(sizes, default=0) * len(sizes) if padded else sum(sizes)
            assert cost <= bound or len(sizes) == 1
    assert sorted(seen) == list(range(len(lengths)))
