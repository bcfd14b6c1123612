"""The improver's script: it knows the word problems of `math`, and what each sentence asks for."""

import json
import random
from typing import Any, NamedTuple

from tapes_app.engine.errors import LLMError
from tapes_app.engine.model.llm import LLMOutput, Prompt
from tapes_app.engine.prompts.structured_output import write_structured
from tapes_app.gallery.improver.steps import BadStepThought, RewriteStepAction
from tapes_app.gallery.math.sentences import find_operation, split_sentences
from tapes_app.gallery.scripting import Share

_LIMITS = (
    "I am a script, not a language model: I find the sentence of a word problem that its solver "
    "took for another operation. Give me the JSON of a tape of the agent math, or choose a model."
)
_MISTAKES = ("add", "subtract", "multiply", "divide", "plus")
"""The last one is no operation: it is refused, and can be corrected."""


class _Mistake(NamedTuple):
    position: int
    operation: str
    right: str
    sentence: str


def answer(prompt: Prompt, *, error_rate: Share = 0.0, seed: int = 0) -> LLMOutput:
    """Answer as the node that asks, identified by the form of the answer that it wants.

    `error_rate` is the share of rewritten steps that get a wrong operation, or one that does not
    exist; `seed` decides which ones.
    """
    found = _find_mistake(next((item.text for item in prompt.messages if item.role == "user"), ""))
    wanted = (prompt.response_format or {}).get("json_schema", {}).get("name")
    if wanted == BadStepThought.__name__:
        why = f"“{found.sentence}” asks to {found.right}, not to {found.operation}."
        return _write(BadStepThought(position=found.position, why=why))
    operation = found.right
    chance = random.Random(f"{seed} {found} {len(prompt.messages)}")  # noqa: S311 - to repeat
    if chance.random() < error_rate:
        operation = chance.choice([one for one in _MISTAKES if one != found.right])
    return _write(RewriteStepAction(position=found.position, fields={"operation": operation}))


def _find_mistake(text: str) -> _Mistake:
    try:
        steps = json.loads(text)["steps"]
        problem = next(step["content"] for step in steps if step["kind"] == "user")
        sentences = split_sentences(problem)
        thoughts = [(at, step) for at, step in enumerate(steps) if step["kind"] == "math_thought"]
        return next(found for at, step in thoughts if (found := _judge(at, step, sentences)))
    except (ValueError, TypeError, KeyError, IndexError, StopIteration, RecursionError) as error:
        raise LLMError(_LIMITS) from error


def _judge(position: int, thought: dict[str, Any], sentences: list[str]) -> _Mistake | None:
    """Return what is wrong with a thought; `None` if it is what its sentence asks for."""
    sentence = sentences[thought["sentence"] - 1]
    right, operation = find_operation(sentence), thought["operation"]
    if right is None or right == operation:
        return None
    return _Mistake(position, operation, right, sentence)


def _write(step: BadStepThought | RewriteStepAction) -> LLMOutput:
    return LLMOutput(content=write_structured(step))
