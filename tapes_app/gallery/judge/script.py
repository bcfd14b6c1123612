"""The scripted judge: compares the last number of an answer with the expected one."""

import json
import random
import re

from tapes_app.engine.errors import LLMError
from tapes_app.engine.model.llm import LLMOutput, Prompt, scripts
from tapes_app.gallery.scripting import Share

MODEL = "script:number-judge"

_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
_LIMITS = (
    "I am a script, not a language model: I only compare the last number of an answer with the "
    "expected one. Choose a model to judge anything else."
)


@scripts.register("number-judge")
def answer(prompt: Prompt, *, leniency: Share = 0.0, seed: int = 0) -> LLMOutput:
    """Give 1 to the expected number and 0 to another one.

    `leniency` is the share of wrong answers that it takes for right, as judges do; `seed` decides
    which ones.
    """
    said, expected = (_read(prompt, name) for name in ("final_answer", "expected_answer"))
    if said is None or expected is None:
        raise LLMError(_LIMITS)
    if said == expected:
        return _write(1.0, f"The answer ends in {said}, as expected.")
    chance = random.Random(f"{seed} {said} {expected}")  # noqa: S311 - to repeat, not a secret
    if chance.random() < leniency:
        return _write(1.0, f"The answer {said} follows from its reasoning.")
    return _write(0.0, f"The answer ends in {said}; {expected} is expected.")


def _read(prompt: Prompt, name: str) -> str | None:
    text = prompt.messages[-1].text.rpartition(f"<{name}>")[2].partition(f"</{name}>")[0]
    numbers = _NUMBER.findall(text)
    return numbers[-1] if numbers else None


def _write(score: float, reason: str) -> LLMOutput:
    return LLMOutput(content=json.dumps({"score": score, "reason": reason}))
