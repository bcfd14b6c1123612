"""Claim 14: the same tokens have the same log-probabilities in the trainer and in the server.

The server writes answers in busy batches that mix the base with two adapters. Its log-probability
of each token is compared with one pass of the trainer over the complete sequences. In addition:
tokens per second of the server and of transformers' own `generate` on the same prompts.
"""

import asyncio
import json
import subprocess
import sys
import time
from collections import deque
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Thread
from typing import Any

from harness import HERE, Row, add_repository_to_path, finish, row

add_repository_to_path()

import httpx  # noqa: E402
import torch  # noqa: E402
from peft import PeftModel  # noqa: E402
from transformers import AutoModelForCausalLM, AutoTokenizer  # noqa: E402

from optimize_app.finetune.base_recipe import BaseRecipe  # noqa: E402
from optimize_app.finetune.trainer.base_corpus import list_documents  # noqa: E402
from optimize_app.finetune.trainer.encoding import Encoded  # noqa: E402
from optimize_app.finetune.trainer.tensors import make_pass, score_tokens  # noqa: E402
from optimize_app.finetune.trainer.token_masks import normalize_over, unpack_mask  # noqa: E402

GOAL = "log-probabilities of trainer and server differ by less than 1e-4, masks replayed"
BOUND = 1e-4
ADAPTERS = ("one", "two")
ANSWERS, TIMED, TOKENS, ROUNDS = 96, 32, 48, 2
FORM = {
    "type": "object",
    "properties": {
        "name": {"type": "string"},
        "city": {"type": "string"},
        "sizes": {"type": "array", "items": {"type": "integer"}},
    },
    "required": ["name", "city", "sizes"],
    "additionalProperties": False,
}


def train(folder: Path, config: dict[str, Any], samples: Sequence[str]) -> None:
    folder.mkdir()
    (folder / "config.json").write_text(json.dumps({**config, "device": "cpu"}))
    (folder / "samples.jsonl").write_text("".join(f"{line}\n" for line in samples))
    command = [sys.executable, "-m", "optimize_app.finetune", str(folder)]
    subprocess.run(command, check=True, cwd=HERE.parent, capture_output=True)


def make_models(folder: Path) -> Path:
    """Make the base of `make_base_model` in a fraction of its steps, and two adapters on it."""
    recipe = BaseRecipe(steps=100)
    (folder / "recipe.json").write_text(recipe.model_dump_json())
    blank = [sys.executable, "-m", "optimize_app.finetune.trainer.blank_model", str(folder)]
    subprocess.run(blank, check=True, cwd=HERE.parent, capture_output=True)
    config = recipe.configure(str(folder / "blank")).model_dump(mode="json")
    samples = [example.model_dump_json() for example in recipe.list_examples()]
    train(folder / "base", config, samples)
    base = folder / "base" / "model"
    for number, name in enumerate(ADAPTERS):
        lora = {"base": str(base), "lora": {"rank": 16, "alpha": 32}, "learning_rate": 4e-3}
        chosen = samples[number * 200 : number * 200 + 200]
        train(folder / name, {**lora, "batch_size": 8, "seed": number, "steps": 25}, chosen)
    server = folder / "server"
    (server / "adapters").mkdir(parents=True)
    for name in ADAPTERS:
        (server / "adapters" / name).symlink_to(folder / name / "adapter")
    settings = {"base": str(base), "served_name": "base", "device": "cpu", "max_batch": 16}
    (server / "server.json").write_text(json.dumps(settings))
    return server


def list_bodies(models: Sequence[str], **fields: Any) -> list[dict[str, Any]]:
    bodies = []
    for number, document in enumerate(list_documents(ANSWERS, seed=77)):
        messages = [{"role": turn.role, "content": turn.text} for turn in document[:-1]]
        body = {"model": models[number % len(models)], "messages": messages, "seed": number}
        bodies.append({**body, "max_tokens": TOKENS, **fields})
    return bodies


async def ask_all(url: str, bodies: Sequence[dict[str, Any]], at_once: int) -> list[Any]:
    gate = asyncio.Semaphore(at_once)
    async with httpx.AsyncClient(base_url=url, timeout=600, trust_env=False) as client:

        async def ask(body: dict[str, Any]) -> Any:
            async with gate:
                response = await client.post("/v1/chat/completions", json=body)
                response.raise_for_status()
                return response.json()

        return await asyncio.gather(*map(ask, bodies))


def compare(
    models: dict[str, Any],
    bodies: Sequence[dict[str, Any]],
    answers: Sequence[Any],
    *,
    masked: bool,
) -> list[float]:
    """Return |log-probability trainer - server| of every token."""
    differences = []
    for name, model in models.items():
        mine = [
            answer for body, answer in zip(bodies, answers, strict=True) if body["model"] == name
        ]
        for answer, scored in zip(mine, score(model, mine, masked=masked), strict=True):
            served = [one["logprob"] for one in answer["choices"][0]["logprobs"]["content"]]
            differences += [abs(x - y) for x, y in zip(scored, served, strict=True)]
    return differences


def score(model: Any, answers: Sequence[Any], *, masked: bool) -> list[list[float]]:
    """Score answers as the trainer does: padded rows, one pass, no cache."""
    sequences = []
    for number, answer in enumerate(answers):
        prompt, ids = answer["prompt_token_ids"], answer["choices"][0]["token_ids"]
        weights = (0.0,) * len(prompt) + (1.0,) * len(ids)
        sequences.append(Encoded(str(number), (*prompt, *ids), weights))
    batch = make_pass(sequences, packed=False, pad_id=0, device=torch.device("cpu"))
    with torch.no_grad():
        if not masked:
            scores = score_tokens(model, batch)
            return [
                line[weights != 0].tolist()
                for line, weights in zip(scores.log_probabilities, scores.weights, strict=True)
            ]
        logits = model(input_ids=batch.token_ids).logits
    return [
        _score_masked(logits[place], sequence, answer)
        for place, (sequence, answer) in enumerate(zip(sequences, answers, strict=True))
    ]


def _score_masked(logits: torch.Tensor, sequence: Encoded, answer: Any) -> list[float]:
    choice = answer["choices"][0]
    start, end = len(answer["prompt_token_ids"]), len(sequence)
    masks = [torch.from_numpy(unpack_mask(one, logits.shape[1])) for one in choice["token_masks"]]
    logs = normalize_over(logits[start - 1 : end - 1], torch.stack(masks))
    return logs.gather(1, torch.tensor(choice["token_ids"]).unsqueeze(1)).squeeze(1).tolist()


def measure_ours(url: str, bodies: Sequence[dict[str, Any]], at_once: int) -> float:
    """Return tokens per second, as the clients see them."""
    started = time.perf_counter()
    answers = asyncio.run(ask_all(url, bodies, at_once))
    seconds = time.perf_counter() - started
    return sum(answer["usage"]["completion_tokens"] for answer in answers) / seconds


def measure_generate(model: Any, tokenizer: Any, bodies: Sequence[Any], rows: int) -> float:
    """Return tokens per second of transformers' `generate`, not counting padding."""
    end, tokens, started = tokenizer.eos_token_id, 0, time.perf_counter()
    for first in range(0, len(bodies), rows):
        chats = [body["messages"] for body in bodies[first : first + rows]]
        texts = [
            tokenizer.apply_chat_template(chat, tokenize=False, add_generation_prompt=True)
            for chat in chats
        ]
        given = tokenizer(texts, return_tensors="pt", padding=True, padding_side="left")
        with torch.inference_mode():
            output = model.generate(
                input_ids=given["input_ids"],
                attention_mask=given["attention_mask"],
                max_new_tokens=TOKENS,
                do_sample=False,
                pad_token_id=end,
            )
        for line in output[:, given["input_ids"].shape[1] :].tolist():
            tokens += (line.index(end) + 1) if end in line else len(line)
    return tokens / (time.perf_counter() - started)


def best_of(measure: Any) -> float:
    """Return the best round, as others may use the machine meanwhile."""
    return max(measure() for _ in range(ROUNDS))


def compare_all(url: str, models: dict[str, Any]) -> tuple[list[Row], float]:
    names = tuple(models)
    asked = {"logprobs": True, "return_token_ids": True, "return_token_masks": True}
    form = {"structured_outputs": {"json": FORM}}
    rows, worst = [], 0.0
    for title, fields, masked, counts in (
        ("free", {}, False, True),
        ("under a grammar, mask replayed", form, True, True),
        ("nucleus of 0.9, mask replayed", {"top_p": 0.9}, True, True),
        ("under a grammar, mask not replayed", form, False, False),
    ):
        bodies = list_bodies(names, **asked, **fields)
        answers = asyncio.run(ask_all(url, bodies, 16))
        found = compare(models, bodies, answers, masked=masked)
        if counts:
            worst = max(worst, *found)
        title = f"{title}, {len(found)} tokens"  # noqa: PLW2901
        rows.append(row(f"{title}: mean", sum(found) / len(found), None, "nats", higher_wins=False))
        rows.append(row(f"{title}: largest", max(found), None, "nats", higher_wins=False))
    return rows, worst


def measure_speed(url: str, models: dict[str, Any], tokenizer: Any) -> list[Row]:
    rows = []
    form = {"structured_outputs": {"json": FORM}}
    for at_once in (1, 16):
        plain = list_bodies(["base"], temperature=0)[:TIMED]
        peer = best_of(lambda: measure_generate(models["base"], tokenizer, plain, at_once))  # noqa: B023
        for title, names, fields, peer_rows in (
            ("the base", ["base"], {}, peer),
            ("one adapter", ["one"], {}, None),
            ("the base and two adapters mixed", ["base", *ADAPTERS], {}, None),
            ("the base under a grammar", ["base"], form, None),
        ):
            bodies = list_bodies(names, temperature=0, **fields)[:TIMED]
            ours = best_of(lambda: measure_ours(url, bodies, at_once))  # noqa: B023
            case = f"{at_once} at once, {title}"
            rows.append(row(case, ours, peer_rows, "tokens/s", higher_wins=True))
    return rows


if __name__ == "__main__":
    with TemporaryDirectory() as name:
        server = make_models(Path(name))
        command = [sys.executable, "-m", "optimize_app.serving", str(server)]
        process = subprocess.Popen(command, cwd=HERE.parent, stdout=subprocess.PIPE, text=True)
        try:
            assert process.stdout is not None
            next(line for line in process.stdout if "Answering" in line)
            Thread(target=deque, args=(process.stdout, 0), daemon=True).start()
            address = json.loads((server / "address.json").read_text())
            url = f"http://{address['host']}:{address['port']}"
            base = Path(name) / "base" / "model"
            tokenizer = AutoTokenizer.from_pretrained(base)
            models = {"base": AutoModelForCausalLM.from_pretrained(base).eval()}
            for adapter in ADAPTERS:
                fresh = AutoModelForCausalLM.from_pretrained(base)
                folder = str(server / "adapters" / adapter)
                models[adapter] = PeftModel.from_pretrained(fresh, folder).eval()
            rows, worst = compare_all(url, models)
            rows += measure_speed(url, models, tokenizer)
        finally:
            process.terminate()
            process.wait()
    finish(
        "serving",
        claim=14,
        goal=GOAL,
        rows=rows,
        met=worst < BOUND,
        peer="transformers 5.23.0, generate in batches of as many prompts",
    )
