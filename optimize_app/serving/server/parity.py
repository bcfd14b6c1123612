"""Whether a server answers as its model does: the same calls with the server and without it.

Wrongly served adapters are not rare: the wrong one, one that was replaced on disk, a prompt that is
formatted differently. All of these show in a few greedy answers.
"""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

import httpx
import torch
from peft import PeftModel

from optimize_app.finetune.trainer.encoding import tokenize
from optimize_app.finetune.trainer.models import adding_adapter
from optimize_app.finetune.trainer.rendering import write_prompt
from optimize_app.finetune.trainer.token_masks import normalize_over
from optimize_app.serving.server.adapters import find_adapter
from optimize_app.serving.server.config import ServerConfig
from optimize_app.serving.server.errors import ContextLengthError, ServerFolderError
from optimize_app.serving.server.model import BaseModel, load_base
from optimize_app.serving.server.server_folder import ServerFolder

BOUNDS: Final = {"fp32": 1e-3, "bf16": 5e-2}
"""The largest allowed difference of two log-probabilities, in nats, by precision."""
MOST_CALLS = 5
TOKENS = 64
"""Maximum number of tokens of each answer."""
_SECONDS = 600.0


@dataclass(frozen=True)
class Served:
    """A server's answer."""

    prompt_ids: list[int]
    ids: list[int]
    logprobs: list[float]
    text: str


@dataclass(frozen=True)
class CallParity:
    """One call, answered both ways."""

    text: str
    expected: str
    text_equal: bool
    prompt_equal: bool
    tokens: int
    mean: float
    largest: float


@dataclass(frozen=True)
class Parity:
    """The result of a probe; differences of log-probabilities in nats."""

    passed: bool
    message: str
    mean: float | None = None
    largest: float | None = None
    bound: float | None = None
    texts_equal: bool | None = None
    calls: tuple[CallParity, ...] = ()


def measure_parity(folder: ServerFolder, name: str, calls: Sequence[dict[str, Any]]) -> Parity:
    """Ask the server of a folder and the model itself, and compare.

    Raises:
        StudioError: the server does not answer, or the model cannot be loaded.
    """
    config = folder.read_config()
    asked = [(call, _ask(folder, config, name, call)) for call in calls]
    answered = [(call, answer) for call, answer in asked if answer is not None]
    if not answered:
        raise ServerFolderError(
            "Every call of the probe is longer than the context of this base. Put shorter ones "
            f"into probes/{name}.jsonl."
        )
    base = load_base(config)
    model = _load_itself(folder, config, base, name)
    compared = tuple(_compare(model, base, call, answer) for call, answer in answered)
    return judge(compared, BOUNDS[base.precision])


def judge(calls: Sequence[CallParity], bound: float) -> Parity:
    """Return whether differences are within the bound, with a sentence about it."""
    tokens = sum(call.tokens for call in calls)
    mean = sum(call.mean * call.tokens for call in calls) / max(tokens, 1)
    largest = max((call.largest for call in calls), default=0.0)
    texts_equal = all(call.text_equal for call in calls)
    if not all(call.prompt_equal for call in calls):
        message = "The server reads other tokens than training: its chat template differs."
    elif largest > bound:
        message = (
            f"A log-probability differs by {largest:.2g}, more than {bound:g}: the server answers "
            "with other weights than those on disk, or computes differently."
        )
    elif not texts_equal:
        message = "The server's greedy answers are not those of the model."
    else:
        message = f"The server answers like the model, within {largest:.2g}."
    passed = texts_equal and largest <= bound and all(call.prompt_equal for call in calls)
    return Parity(passed, message, mean, largest, bound, texts_equal, tuple(calls))


def read_calls(path: Path) -> list[dict[str, Any]]:
    """Return the first calls of a file: a JSON object with `messages` in each line.

    Raises:
        ServerFolderError: the file is missing, or contains no calls.
    """
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
        calls = [json.loads(line) for line in lines if line.strip()][:MOST_CALLS]
    except FileNotFoundError as error:
        raise ServerFolderError(
            f"{path} is missing; it holds the calls to make, one JSON object with messages in "
            "each line."
        ) from error
    except (ValueError, RecursionError) as error:
        raise ServerFolderError(f"{path} has a line that is not JSON: {error}.") from error
    if not calls or not all(isinstance(call, dict) and call.get("messages") for call in calls):
        raise ServerFolderError(f"{path} has no calls, or a line without messages.")
    return calls


def parity_to_json(parity: Parity) -> dict[str, Any]:
    return asdict(parity)


def _ask(
    folder: ServerFolder, config: ServerConfig, name: str, call: dict[str, Any]
) -> Served | None:
    """Return a greedy answer; `None` if the call exceeds the base's context."""
    try:
        address = json.loads(folder.address_file.read_bytes())
    except (OSError, ValueError) as error:
        raise ServerFolderError(
            f"No server answers for {folder.path}; start one before it is probed."
        ) from error
    host = f"[{address['host']}]" if ":" in address["host"] else address["host"]
    body = {
        "model": name,
        "messages": call["messages"],
        "max_tokens": TOKENS,
        "temperature": 0,
        "logprobs": True,
        "return_token_ids": True,
    }
    if call.get("tools"):
        body["tools"] = call["tools"]
    headers = {"authorization": f"Bearer {config.api_key}"} if config.api_key else {}
    try:
        response = httpx.post(
            f"http://{host}:{address['port']}/v1/chat/completions",
            json=body, headers=headers, timeout=_SECONDS, trust_env=False,
        )  # fmt: skip
        answer = response.json()
    except (httpx.HTTPError, ValueError) as error:
        raise ServerFolderError(f"The server does not answer: {error}.") from error
    if response.status_code != httpx.codes.OK:
        failure = answer.get("error", answer) if isinstance(answer, dict) else answer
        if isinstance(failure, dict) and failure.get("code") == ContextLengthError.code:
            return None
        words = failure.get("message", failure) if isinstance(failure, dict) else failure
        raise ServerFolderError(f"The server answered {response.status_code}: {words}")
    return _read_answer(answer)


def _read_answer(answer: dict[str, Any]) -> Served:
    choice = answer["choices"][0]
    scored = (choice.get("logprobs") or {}).get("content")
    ids = choice.get("token_ids")
    prompt_ids = answer.get("prompt_token_ids") or choice.get("prompt_token_ids")
    if not scored or not ids or not prompt_ids:
        raise ServerFolderError(
            "The server returns no token ids or log-probabilities, so it cannot be compared; it "
            "must support logprobs and return_token_ids."
        )
    return Served(
        prompt_ids, ids, [one["logprob"] for one in scored], choice["message"]["content"] or ""
    )


def _load_itself(folder: ServerFolder, config: ServerConfig, base: BaseModel, name: str) -> Any:
    if name == config.base_name:
        return base.model
    found = find_adapter(folder.adapters, name)
    with adding_adapter():
        return PeftModel.from_pretrained(base.model, str(found.folder)).eval()


def _compare(model: Any, base: BaseModel, call: dict[str, Any], served: Served) -> CallParity:
    text = write_prompt(base.tokenizer, call["messages"], call.get("tools") or ())
    prompt = tokenize(text, base.tokenizer)
    with torch.inference_mode():
        expected = _answer_greedily(model, base, prompt)
        own = _score(model, base, served)
    differences = [abs(one - other) for one, other in zip(own, served.logprobs, strict=True)]
    return CallParity(
        text=served.text,
        expected=base.tokenizer.decode(expected, skip_special_tokens=True),
        text_equal=expected == served.ids,
        prompt_equal=prompt == served.prompt_ids,
        tokens=len(differences),
        mean=sum(differences) / len(differences),
        largest=max(differences),
    )


def _answer_greedily(model: Any, base: BaseModel, prompt: list[int]) -> list[int]:
    given = torch.tensor([prompt], device=base.device)
    output = model.generate(
        input_ids=given,
        attention_mask=torch.ones_like(given),
        max_new_tokens=min(TOKENS, base.max_context - len(prompt)),
        do_sample=False,
        repetition_penalty=1.0,
        use_cache=True,
        pad_token_id=base.end_ids[0],
        eos_token_id=list(base.end_ids),
    )
    return [int(token) for token in output[0, len(prompt) :]]


def _score(model: Any, base: BaseModel, served: Served) -> list[float]:
    """Return the model's own log-probabilities of the tokens that the server drew."""
    full = torch.tensor([[*served.prompt_ids, *served.ids]], device=base.device)
    logits = model(input_ids=full, logits_to_keep=len(served.ids) + 1).logits[0, :-1]
    chosen = torch.tensor(served.ids, device=base.device).unsqueeze(1)
    scores: list[float] = normalize_over(logits, None).gather(1, chosen).squeeze(1).tolist()
    return scores
