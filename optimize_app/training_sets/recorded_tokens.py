"""Examples made from the tokens recorded with LLM calls.

Servers do not report which tokenizer they used. So tokens are used for a base only if its tokenizer
reads them as the text of the call's prompt and answer.
"""

import hashlib
from array import array
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any
from uuid import UUID

from optimize_app.training_sets.samples import ChatExample, TokenExample
from optimize_app.training_sets.token_reader import TokenReader
from tapes_app.engine.model.llm import LLMCall

NOT_RECORDED = "No tokens were recorded with it."
INCOMPLETE = "Its server reported only some of its tokens."
FOREIGN = "The tokenizer of {base} reads its tokens as another text."
REBUILT = "rebuilt"
"""Key in an origin: why an example's tokens are made again from its text."""


@dataclass(frozen=True, slots=True)
class TokenCall:
    """A call whose tokens are those of the base model."""

    chat: ChatExample
    prompt: tuple[int, ...]
    sampled: tuple[int, ...]
    logprobs: tuple[float, ...] | None

    @property
    def whole(self) -> tuple[int, ...]:
        return self.prompt + self.sampled


def take_tokens(
    found: Iterable[ChatExample | str], calls: Mapping[UUID, LLMCall], reader: TokenReader
) -> Iterator[ChatExample | TokenExample | str]:
    """Yield the calls of a tape as their recorded tokens, joined where the tokens allow it.

    A call without tokens stays a chat, and its origin records why.
    """
    taken: list[TokenCall] = []
    for chat in found:
        if isinstance(chat, str):
            yield chat
            continue
        read = _read_call(calls[UUID(chat.id)], chat, reader)
        if isinstance(read, str):
            yield chat.model_copy(update={"origin": {**chat.origin, REBUILT: read}})
        else:
            taken.append(read)
    for chain in join_calls(taken):
        yield _make_example(chain, reader)


def _read_call(call: LLMCall, chat: ChatExample, reader: TokenReader) -> TokenCall | str:
    """Return a call with its tokens, or why they cannot be used."""
    tokens = call.tokens
    if tokens is None or not (tokens.prompt_ids or tokens.ids):
        return NOT_RECORDED
    if not (tokens.prompt_ids and tokens.ids):
        return INCOMPLETE
    if tokens.logprobs is not None and len(tokens.logprobs) != len(tokens.ids):
        return INCOMPLETE
    asked, answered = reader.read(tokens.prompt_ids), reader.read(tokens.ids)
    if not (_holds(asked, _words_asked(call)) and _holds(answered, _words_answered(call))):
        return FOREIGN.format(base=reader.base)
    return TokenCall(chat, tokens.prompt_ids, tokens.ids, tokens.logprobs)


def _holds(text: str | None, words: Iterable[str]) -> bool:
    """Return whether a text contains all words; templates trim the white space around them."""
    wanted = [one.strip() for one in words if one.strip()]
    return text is not None and bool(wanted) and all(one in text for one in wanted)


def _words_asked(call: LLMCall) -> Iterator[str]:
    """Yield the texts that every template copies unchanged: system and user messages."""
    for message in call.prompt.messages:
        if message.role in ("system", "developer", "user"):
            yield from message.text.split("\n")  # each template joins parts differently


def _words_answered(call: LLMCall) -> Iterator[str]:
    yield call.output.content or ""
    yield call.output.reasoning_content or ""
    for one in call.output.tool_calls:
        yield str(one.get("function", {}).get("name", ""))


def join_calls(calls: Iterable[TokenCall]) -> list[list[TokenCall]]:
    """Group calls whose tokens continue each other exactly, in the order of their tape.

    The tokens of a prompt and its answer must be the beginning of the next prompt. A chat template
    that writes an earlier answer differently from how it was sampled breaks this, and such calls
    stay separate.
    """
    chains: list[list[TokenCall]] = []
    for call in calls:
        open_ones = (chain for chain in chains if _continues(chain[-1].whole, call.prompt))
        longest = max(open_ones, key=lambda chain: len(chain[-1].whole), default=None)
        if longest is None:
            chains.append([call])
        else:
            longest.append(call)
    return chains


def _continues(before: Sequence[int], prompt: Sequence[int]) -> bool:
    return prompt[: len(before)] == before


def _make_example(chain: Sequence[TokenCall], reader: TokenReader) -> TokenExample:
    """Return calls that continue each other as one sequence in which each answer is learnt."""
    first, last = chain[0].chat, chain[-1].chat
    weights = [0.0] * len(last_ids := chain[-1].whole)
    logprobs: list[float | None] = [None] * len(last_ids)
    for call in chain:
        place = slice(len(call.prompt), len(call.whole))
        weights[place] = [call.chat.weight] * len(call.sampled)
        logprobs[place] = call.logprobs or [None] * len(call.sampled)
    origin: dict[str, Any] = dict(first.origin)
    if len(chain) > 1:
        origin["steps"] = [call.chat.origin["step"] for call in chain]
    return TokenExample(
        id=last.id,
        origin=origin,
        token_ids=last_ids,
        weights=tuple(weights),
        logprobs=tuple(logprobs) if any(call.logprobs for call in chain) else None,
        text=reader.read(last_ids),
        chat=last,
    )


@dataclass(frozen=True, slots=True)
class _Run:
    """Adjacent tokens that are learnt with one weight."""

    start: int
    end: int
    digest: bytes
    """Of all tokens up to its end: equal digests teach the same."""


def learn_once(example: TokenExample, known: Collection[bytes]) -> TokenExample | None:
    """Return an example without what others teach already; `None` if nothing else is in it.

    Forks of a tape share their first calls. Each fork reads them, and only one learns them.
    """
    old = [run for run in _list_runs(example) if run.digest in known]
    if not old:
        return example
    weights = list(example.weights)
    for run in old:
        weights[run.start : run.end] = [0.0] * (run.end - run.start)
    if not any(weights):
        return None
    mark = hashlib.sha256(repr(weights).encode()).hexdigest()[:8]
    return example.model_copy(update={"id": f"{example.id}~{mark}", "weights": tuple(weights)})


def digest_runs(example: TokenExample) -> Iterator[bytes]:
    """Yield a digest of what each learnt part of an example teaches."""
    return (run.digest for run in _list_runs(example))


def _list_runs(example: TokenExample) -> Iterator[_Run]:
    hashed = hashlib.sha256()
    at = 0
    for weight, group in groupby(example.weights):
        end = at + len(list(group))
        hashed.update(array("q", example.token_ids[at:end]).tobytes())
        if weight:
            yield _Run(at, end, hashed.copy().digest() + at.to_bytes(8, "big"))
        at = end
