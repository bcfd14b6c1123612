"""Which tokens end a turn: where a model stops, and up to where an answer is learnt."""

from contextlib import suppress
from functools import lru_cache
from typing import Any

from transformers import AutoConfig, AutoTokenizer, GenerationConfig, PreTrainedTokenizerBase

from optimize_app.finetune.trainer.template_habits import (
    PROBE_TEXT,
    PROBE_VALUE,
    make_probe_call,
    write_probe,
)


def load_tokenizer(base: str, *, revision: str | None = None, is_offline: bool = False) -> Any:
    """Return the tokenizer of a model, with the ids at which that model was made to stop.

    Raises:
        Exception: whatever transformers raises for a folder without a tokenizer.
    """
    options: dict[str, Any] = {"revision": revision or "main", "local_files_only": is_offline}
    tokenizer = AutoTokenizer.from_pretrained(base, **options)
    tokenizer.turn_end_ids = ()
    for source in (GenerationConfig, AutoConfig):  # not every model has the first
        with suppress(OSError, ValueError, AttributeError):
            ends = source.from_pretrained(base, **options).eos_token_id
            tokenizer.turn_end_ids = tuple(ends if isinstance(ends, list) else [ends])
            break
    return tokenizer


def find_end_ids(tokenizer: PreTrainedTokenizerBase) -> tuple[int, ...]:
    """Return the ids of the tokens that end a turn; empty if there is none."""
    ids: Any = tokenizer.convert_tokens_to_ids(list(find_end_tokens(tokenizer)))
    return tuple(sorted({int(one) for one in ids if one is not None}))


def find_end_tokens(tokenizer: PreTrainedTokenizerBase) -> tuple[str, ...]:
    """Return the tokens that end a turn; an answer is learnt including its one.

    They are those at which the model was made to stop and, if its template writes none of them
    after a text or a tool call, the special token that it writes there.
    """
    return _find_end_tokens(tokenizer, str(tokenizer.chat_template or ""))


@lru_cache(maxsize=8)
def _find_end_tokens(tokenizer: PreTrainedTokenizerBase, template: str) -> tuple[str, ...]:
    ids = [one for one in getattr(tokenizer, "turn_end_ids", ()) if one is not None]
    known = {str(token) for token in tokenizer.convert_ids_to_tokens(ids) if token}
    if tokenizer.eos_token is not None:
        known.add(str(tokenizer.eos_token))
    special = [added.content for added in tokenizer.added_tokens_decoder.values() if added.special]
    found: set[str] = set()
    for tail in _list_tails(tokenizer) if template else ():
        if not any(end in tail for end in known):
            found |= {token for token in special if tail.endswith(token)}
    return tuple(sorted(known | found))


def _list_tails(tokenizer: PreTrainedTokenizerBase) -> list[str]:
    """Return what the template writes after an answer: after a text, and after a tool call."""
    answer = {"role": "assistant", "content": PROBE_TEXT}
    calling = {"role": "assistant", "content": "", "tool_calls": [make_probe_call(0)]}
    tails = []
    for probe, last in ((answer, PROBE_TEXT), (calling, PROBE_VALUE)):
        with suppress(Exception):  # a template is somebody's program, and may reject the probe
            tails.append(write_probe(tokenizer, probe).whole.rpartition(last)[2].strip())
    return tails
