"""Chats over HTTP, asked of the real program: forms, streams, batches, refusals, cancellation."""

import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import pytest
from pydantic import BaseModel

from optimize_app.finetune.trainer.encoding import encode
from optimize_app.finetune.trainer.token_masks import unpack_mask
from optimize_app.serving.server.errors import RequestError
from optimize_app.serving.server.prompts import PromptWriter
from optimize_app.serving.server.requests import parse_chat_request
from optimize_app.training_sets.examples import Origin, make_example
from optimize_app.training_sets.recorded_tokens import take_tokens
from optimize_app.training_sets.samples import ChatExample, TokenExample
from optimize_app.training_sets.token_reader import TokenReader
from tapes_app.engine.model.llm import LLMCall, LLMResult, Prompt
from tapes_app.engine.model.messages import user_message
from tapes_app.engine.prompts.answer_schema import make_response_format
from tapes_app.llms.model_config import ModelConfig
from tapes_app.llms.openai_client import OpenAICompatibleLLM
from tests.finetune.folders import make_tokenizer
from tests.serving.servers import Running, body_of, make_adapter
from tests.waiting import wait_until

NAMES = ("base", "one.v1", "two", "dora")
GREEDY: dict[str, Any] = {"temperature": 0, "logprobs": True, "return_token_ids": True}


class Sum(BaseModel):
    parts: list[int]
    said: str
    is_done: bool


FORM = make_response_format(Sum)
TOOLS = [{"type": "function", "function": {"name": "add", "parameters": {"type": "object"}}}]


def read_stream(server: Running, **fields: Any) -> list[dict[str, Any]]:
    with (
        server.client() as client,
        client.stream("POST", "/v1/chat/completions", json=body_of("hi", stream=True, **fields))
        as response,
    ):  # fmt: skip
        lines = [line for line in response.iter_lines() if line]
    assert lines[-1] == "data: [DONE]"
    return [json.loads(line.removeprefix("data: ")) for line in lines[:-1]]


@pytest.mark.parametrize(
    "fields",
    [
        {"seed": 5, "temperature": 0.8, "top_p": 0.9},
        {"seed": 6, "response_format": FORM, "max_tokens": 40},
        {"seed": 7, "stop": ["a", "e", " "], "max_tokens": 60, "n": 2},
    ],
)
def test_a_stream_is_the_whole_answer_in_pieces(server: Running, fields: dict[str, Any]) -> None:
    asked = {**fields, "logprobs": True, "top_logprobs": 2, "return_token_ids": True,
             "return_token_masks": True}  # fmt: skip

    whole = server.answer("hi", **asked)
    chunks = read_stream(server, **asked, stream_options={"include_usage": True})

    *chunks, last = chunks
    assert last["usage"] == whole["usage"]
    assert chunks[0]["prompt_token_ids"] == whole["prompt_token_ids"]
    for choice in whole["choices"]:
        parts = [
            one for chunk in chunks for one in chunk["choices"] if one["index"] == choice["index"]
        ]
        assert (
            "".join(part["delta"].get("content", "") for part in parts)
            == choice["message"]["content"]
        )
        for name in ("token_ids", "token_masks"):
            assert [one for part in parts for one in part.get(name, ())] == choice[name]
        told = [part["logprobs"]["content"] for part in parts if part["logprobs"]]
        assert [one for content in told for one in content] == choice["logprobs"]["content"]
        assert parts[-1]["finish_reason"] == choice["finish_reason"]


def test_a_prompt_has_the_tokens_that_training_gives_it(server: Running) -> None:
    messages = ({"role": "system", "content": "é"}, {"role": "user", "content": "1 + 2"})
    example = ChatExample(id="x", messages=messages, answer={"content": "3"})
    encoded = encode(example, make_tokenizer())

    answer = server.answer(messages=messages, return_token_ids=True)

    prompt = answer["prompt_token_ids"]
    assert tuple(prompt) == encoded.token_ids[: len(prompt)]
    assert encoded.weights.index(1.0) == len(prompt)


def test_a_model_is_told_of_tools_or_the_request_is_refused(server: Running) -> None:
    messages = [{"role": "user", "content": "hi"}]
    body = json.dumps({"model": "base", "messages": messages, "tools": TOOLS}).encode()
    plain = make_tokenizer("{% for message in messages %}{{ message['content'] }}{% endfor %}")

    told = server.answer("hi", tools=TOOLS)["usage"]["prompt_tokens"]

    assert told > server.answer("hi")["usage"]["prompt_tokens"]
    with pytest.raises(RequestError, match="does not support tools"):
        PromptWriter(plain, 100).write(parse_chat_request(body))


def test_a_seed_gives_the_same_answer_alone_and_in_a_busy_batch(server: Running) -> None:
    alone = server.text(seed=11)

    with ThreadPoolExecutor(12) as pool:
        busy = [
            pool.submit(server.answer, "noise " * number, model=NAMES[number % 3], max_tokens=40)
            for number in range(10)
        ]
        again = pool.submit(server.text, seed=11)
        other = pool.submit(server.text, seed=12)

    assert again.result() == alone != other.result()
    # An untrained model may end its answer at once, so that it has no text.
    ends = {one.result()["choices"][0]["finish_reason"] for one in busy}
    assert ends <= {"stop", "length"}


def test_adapters_in_one_batch_answer_as_each_does_alone(server: Running) -> None:
    alone = {name: server.answer(model=name, **GREEDY)["choices"][0] for name in NAMES}

    with ThreadPoolExecutor(12) as pool:
        asked = [(name, pool.submit(server.answer, model=name, **GREEDY)) for name in NAMES * 3]
    together = [(name, asking.result()["choices"][0]) for name, asking in asked]

    assert len({tuple(choice["token_ids"]) for choice in alone.values()}) == len(NAMES)
    for name, choice in together:
        assert choice["token_ids"] == alone[name]["token_ids"]
        assert [one["logprob"] for one in choice["logprobs"]["content"]] == pytest.approx(
            [one["logprob"] for one in alone[name]["logprobs"]["content"]], abs=1e-4
        )


@pytest.mark.parametrize("seed", range(3))
def test_an_untrained_model_writes_valid_json_under_a_form(server: Running, seed: int) -> None:
    answer = server.answer(
        response_format=FORM, seed=seed, max_tokens=600, temperature=0.5, logprobs=True,
        return_token_masks=True,
    )["choices"][0]  # fmt: skip

    if answer["finish_reason"] == "stop":
        value = json.loads(answer["message"]["content"])
        assert list(Sum.model_validate(value).model_dump()) == list(value)
    for told, mask in zip(answer["logprobs"]["content"], answer["token_masks"], strict=True):
        assert unpack_mask(mask, len(make_tokenizer())).sum() == told["allowed_count"]


def test_an_answer_that_is_cut_says_so(server: Running) -> None:
    answer = server.answer(response_format=FORM, max_tokens=5, return_token_ids=True)

    choice = answer["choices"][0]
    assert choice["finish_reason"] == "length"
    assert choice["message"]["content"].startswith('{"pa')
    assert len(choice["token_ids"]) == 5 == answer["usage"]["completion_tokens"]


def test_an_answer_ends_where_the_context_does(server: Running) -> None:
    answer = server.answer("x" * 4000, structured_outputs={"regex": "a*b"}, temperature=0)

    assert answer["choices"][0]["finish_reason"] in ("stop", "length")
    assert server.ask("x" * 4096).json()["error"]["code"] == "context_length_exceeded"


def test_stop_strings_are_not_in_the_text(server: Running) -> None:
    outputs = {"choice": ["count: one two three"]}

    answer = server.answer(structured_outputs=outputs, stop="two", max_tokens=60)

    assert answer["choices"][0]["message"]["content"] == "count: one "
    assert answer["choices"][0]["finish_reason"] == "stop"


def test_a_client_that_leaves_frees_its_place(server: Running) -> None:
    body = body_of("hi", stream=True, max_tokens=4000, structured_outputs={"regex": "a{3900}"})

    with server.client() as client, client.stream("POST", "/v1/chat/completions", json=body) as on:
        lines = on.iter_lines()
        next(lines)
        assert server.metric("running") == 1

    wait_until(lambda: server.metric("running") == 0)
    assert server.metric('requests_total{model="base",end="cancelled"}') == 1


async def test_our_own_client_gets_words_and_tokens_that_can_be_learnt(
    server: Running, base: Path
) -> None:
    llm = OpenAICompatibleLLM(
        ModelConfig(
            litellm_model="hosted_vllm/one.v1", base_url=f"{server.url}/v1",
            record_tokens=True, record_masks=True, parameters={"max_tokens": 40, "seed": 1},
        )
    )  # fmt: skip
    prompt = Prompt(messages=(user_message("1 + 2"),), response_format=FORM)

    results = [event async for event in llm.stream(prompt) if isinstance(event, LLMResult)]

    tokens = results[0].tokens
    assert tokens is not None
    assert tokens.prompt_ids
    assert tokens.ids is not None
    assert len(tokens.ids) == results[0].usage.output_tokens == len(tokens.logprobs or ())
    vocabulary = len(make_tokenizer())
    allowed = [unpack_mask(mask, vocabulary) for mask in tokens.masks or () if mask]
    assert len(allowed) == len(tokens.ids)
    assert all(mask[token] for mask, token in zip(allowed, tokens.ids, strict=True))
    assert (results[0].output.content or "").startswith('{"parts": [')

    recorded = LLMCall(prompt=prompt, output=results[0].output, tokens=tokens)
    chat = make_example(recorded, name=str(uuid4()), origin=Origin(uuid4(), 1, "model"))
    (example,) = take_tokens([chat], {UUID(chat.id): recorded}, TokenReader("minute", base))
    assert isinstance(example, TokenExample)
    assert example.token_ids == tokens.prompt_ids + tokens.ids
    assert example.logprobs is not None
    assert example.logprobs[-len(tokens.ids) :] == tokens.logprobs


@pytest.mark.parametrize(
    ("fields", "status", "words"),
    [
        ({"logit_bias": {}, "top_k": 3}, 400, "does not support logit_bias, top_k"),
        ({"model": "three"}, 404, "no model 'three'"),
        ({"model": "../made/one"}, 404, "no model"),
        ({"model": ""}, 404, "no model"),
        ({"messages": []}, 400, "messages"),
        ({"messages": [{"role": "wizard", "content": "1 + 2"}]}, 400, "tool or function"),
        ({"messages": [{"role": "user", "content": [{"type": "image_url"}]}]}, 400, "text only"),
        ({"tool_choice": "required"}, 400, "tool_choice"),
        ({"temperature": -1}, 400, "temperature"),
        ({"top_logprobs": 3}, 400, "needs logprobs"),
        ({"max_tokens": 3, "max_completion_tokens": 4}, 400, "differ"),
        ({"response_format": {"type": "json_schema"}}, 400, "json_schema"),
        ({"response_format": {"type": "json_schema", "json_schema": {"schema": {"not": {}}}}}, 400,
         "response_format cannot be compiled"),
    ],
)  # fmt: skip
def test_what_is_not_served_is_refused_with_a_sentence(
    server: Running, fields: dict[str, Any], status: int, words: str
) -> None:
    response = server.ask(**fields)

    assert response.status_code == status
    error = response.json()["error"]
    assert words in error["message"]
    assert error["type"] == "invalid_request_error"


def test_harmless_fields_and_nulls_count_as_not_given(server: Running) -> None:
    assert server.text(user="me", store=False, metadata={"a": "b"}, tools=None, stop=None) != "?"


def test_models_are_listed_and_served_when_their_folder_is_there(
    server: Running, base: Path
) -> None:
    place = server.folder / "adapters" / "late"
    place.symlink_to(make_adapter(base, base.parent / "made" / "late", 9))

    with server.client() as client:
        models = {one["id"]: one for one in client.get("/v1/models").json()["data"]}
    served = server.ask(model="late").status_code
    place.unlink()

    assert models["base"] == {**models["base"], "parent": None, "root": str(base)}
    assert models["late"] == {**models["late"], "parent": "base"}
    assert served == 200
    assert server.ask(model="late").status_code == 404


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda folder: (folder / "adapter_model.safetensors").rename(folder / "adapter.bin"),
         "a pickle"),
        (lambda folder: (folder / "adapter_model.safetensors").unlink(), "has no adapter_model"),
        (lambda folder: (folder / "adapter_model.safetensors").write_bytes(b"x" * 99), "not fit"),
        (lambda folder: (folder / "adapter_config.json").write_text("["), "not JSON"),
        (lambda folder: set_field(folder, peft_type="IA3"), "not a LoRA"),
        (lambda folder: set_field(folder, bias="all"), "biases"),
        (lambda folder: set_field(folder, modules_to_save=["lm_head"]), "modules_to_save"),
        (lambda folder: set_field(folder, init_lora_weights="pissa"), "initialized by pissa"),
        (lambda folder: set_field(folder, r=8), "not fit"),
        (lambda folder: set_field(folder, target_modules=["q_proj"]), "not fit"),
    ],
)  # fmt: skip
def test_an_adapter_that_cannot_be_served_is_refused_and_harms_no_other(
    server: Running, base: Path, change: Any, words: str
) -> None:
    before = server.text(temperature=0, model="one.v1")
    broken = make_adapter(base, server.folder / "adapters" / "broken", 4)
    change(broken)

    response = server.ask(model="broken")
    for path in broken.iterdir():
        path.unlink()
    broken.rmdir()

    assert response.status_code == 400, response.text
    assert words in response.json()["error"]["message"]
    assert server.text(temperature=0, model="one.v1") == before


def set_field(folder: Path, **fields: Any) -> None:
    path = folder / "adapter_config.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), **fields}))
