"""A model as judge of another's work: what it is shown, and how its answer is parsed."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar
from uuid import UUID

from tapes_app.agents.services.llm_configs import build_stored_llm
from tapes_app.agents.store import llm_models as model_storage
from tapes_app.engine.errors import CallRefusedError, LLMError
from tapes_app.engine.model.llm import LLM, LLMCall, Prompt
from tapes_app.engine.model.messages import Message, user_message
from tapes_app.engine.prompts.structured_output import StructuredOutputError, ask_structured
from tapes_app.engine.tape.steps import Step, family_of
from tapes_app.engine.tape.thoughts import answered_json
from tapes_app.experiments.domain.checks import Ended, final_text, text_of
from tapes_app.gallery.judge.agent import instruct, instruct_constraint, instruct_pair
from tapes_app.gallery.judge.steps import Better, ConstraintAnswer, JudgeAnswer, PairAnswer

MAX_SHOWN = 40_000
"""Most characters of a run that a judge reads; the middle of a longer one is left out."""

_STEP_SHOWN = 4_000

Answer = TypeVar("Answer", JudgeAnswer, PairAnswer, ConstraintAnswer)


@dataclass(frozen=True, slots=True)
class Opinion:
    """A judge's opinion, or why its answer could not be parsed."""

    calls: tuple[LLMCall, ...]
    """All calls made, the last one last; a judge whose answer cannot be parsed is asked again.

    Empty: the budget has no room for a call."""

    score: float | None
    reason: str


@dataclass(frozen=True, slots=True)
class PairOpinion:
    """Which of two branches a judge prefers; `None` if its answer could not be parsed."""

    calls: tuple[LLMCall, ...]
    better: Better | None
    reason: str


@dataclass(frozen=True, slots=True)
class ConstraintOpinion:
    """Whether a judge considers a constraint met; `None` if its answer could not be parsed."""

    calls: tuple[LLMCall, ...]
    holds: bool | None
    reason: str


AnyOpinion = Opinion | PairOpinion | ConstraintOpinion


def build_judge(project_id: UUID, model_id: UUID) -> LLM:
    """Return the judge's model, ready to be asked.

    Raises:
        NotFoundError: the project has no such model.
        ModelKeyMissingError: the model has no key.
    """
    return build_stored_llm(project_id, model_storage.load_model(model_id, project_id))


def build_prompt(rubric: str, ended: Ended, *, expected: str = "") -> Prompt:
    """Return the prompt that asks a judge about a branch, with the expected answer if given."""
    return _ask_by(instruct(rubric), _show_ended(ended, expected))


def build_constraint_prompt(constraint: str, ended: Ended, *, expected: str = "") -> Prompt:
    """Return the prompt that asks a judge about one constraint."""
    return _ask_by(instruct_constraint(constraint), _show_ended(ended, expected))


def build_pair_prompt(rubric: str, first: Ended, second: Ended, *, expected: str = "") -> Prompt:
    """Return the prompt that asks a judge to compare two branches of a task, in the given order."""
    shown = _tag("task", _show_all(first.tape.steps[: first.kept_count]))
    shown += f"\n\n{_tag('first', _show_all(first.new_steps))}"
    shown += f"\n\n{_tag('second', _show_all(second.new_steps))}"
    if expected.strip():
        shown += f"\n\n{_tag('expected_answer', expected.strip())}"
    return _ask_by(instruct_pair(rubric), shown)


async def ask_judge(llm: LLM, prompt: Prompt) -> Opinion:
    """Ask for a judgment. A judge that fails or rambles gives an opinion without a score.

    Never raises for a model's mistakes: the calls are worth storing either way.
    """
    calls, answer, reason = await _ask(llm, prompt, JudgeAnswer)
    return Opinion(calls, answer.score if answer else None, reason)


async def ask_which_is_better(llm: LLM, prompt: Prompt) -> PairOpinion:
    """Ask which of two is better; like `ask_judge`, it never raises for a model's mistakes."""
    calls, answer, reason = await _ask(llm, prompt, PairAnswer)
    return PairOpinion(calls, answer.better if answer else None, reason)


async def ask_whether_it_holds(llm: LLM, prompt: Prompt) -> ConstraintOpinion:
    """Ask about one constraint; like `ask_judge`, it never raises for a model's mistakes."""
    calls, answer, reason = await _ask(llm, prompt, ConstraintAnswer)
    return ConstraintOpinion(calls, answer.holds if answer else None, reason)


async def _ask(
    llm: LLM, prompt: Prompt, kind: type[Answer]
) -> tuple[tuple[LLMCall, ...], Answer | None, str]:
    """Return all calls made, the answer with its reason, or why there is none."""
    calls: list[LLMCall] = []
    try:
        answer = await ask_structured(llm, prompt, kind, keep=calls.append)
    except StructuredOutputError as error:
        return tuple(calls), None, f"The judge gave no judgment. {error.message}"
    except CallRefusedError as refused:
        return tuple(calls), None, f"Not judged: {refused.message}"
    except LLMError as error:
        return tuple(calls), None, f"The judge failed: {error.message}"
    return tuple(calls), answer, answer.reason


def _show_ended(ended: Ended, expected: str) -> str:
    shown = _tag("task", _show_all(ended.tape.steps[: ended.kept_count]))
    shown += f"\n\n{_tag('done', _show_all(ended.new_steps))}"
    shown += f"\n\n{_tag('final_answer', final_text(ended.new_steps))}"
    if expected.strip():
        shown += f"\n\n{_tag('expected_answer', expected.strip())}"
    return shown


def _ask_by(instructions: str, shown: str) -> Prompt:
    system = Message(role="system", content=instructions)
    return Prompt(messages=(system, user_message(shown)))


def _tag(name: str, text: str) -> str:
    return f"<{name}>\n{_shorten(text)}\n</{name}>"


def _show_all(steps: Sequence[Step]) -> str:
    return "\n\n".join(map(_show, steps))


def _show(step: Step) -> str:
    text = text_of(step) or json.dumps(answered_json(step), ensure_ascii=False, default=str)
    shown = text if len(text) <= _STEP_SHOWN else f"{text[:_STEP_SHOWN]} […]"
    return f"[{family_of(step)}: {step.kind}]\n{shown}"


def _shorten(text: str) -> str:
    if len(text) <= MAX_SHOWN:
        return text
    half = MAX_SHOWN // 2
    return f"{text[:half]}\n[… {len(text) - 2 * half:,} characters …]\n{text[-half:]}"
