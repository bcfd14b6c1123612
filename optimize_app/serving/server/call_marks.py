"""What a chat template writes around a tool call, for calls that a grammar forces."""

import json
from contextlib import suppress
from typing import Any

from optimize_app.finetune.trainer.template_habits import make_probe_call, write_probe
from optimize_app.finetune.trainer.turn_ends import find_end_tokens

_NONE = ("", "")


def find_call_marks(tokenizer: Any) -> tuple[str, str]:
    """Return the text before and after the JSON of a call, as training has it.

    Empty if the template writes calls in another way, or in special tokens: a call without marks is
    read too.
    """
    call = make_probe_call(0)
    with suppress(Exception):  # a template is somebody's program, and may support no tools
        answer = {"role": "assistant", "content": "", "tool_calls": [call]}
        added = write_probe(tokenizer, answer).added or ""
        before, written, after = added.partition(json.dumps(call["function"]))
        for end in find_end_tokens(tokenizer):
            after = after.partition(end)[0]
        special = [one.content for one in tokenizer.added_tokens_decoder.values() if one.special]
        if written and not any(token in before + after for token in special):
            return before, after
    return _NONE
