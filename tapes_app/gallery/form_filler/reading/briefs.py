"""What a node tells its model, as text that no message can imitate, and back.

A brief consists of sections, each a heading and one line of JSON: a line break in somebody's
message is escaped there and cannot begin a section.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any

from pydantic import JsonValue, ValidationError

from tapes_app.engine.errors import LLMError
from tapes_app.engine.plain_json import dump_json_text
from tapes_app.engine.tape.dialog_steps import AssistantStep, UserStep
from tapes_app.engine.tape.steps import Step, parse_step
from tapes_app.gallery.form_filler.form_state import FormState, advance
from tapes_app.gallery.form_filler.forms import FormError, FunctionSchema
from tapes_app.gallery.form_filler.steps import PromptUserForTextMessageAction

_HEADING = "# "
_NOT_OURS = (
    "I am a script, not a language model, and understand only what the nodes of the form filler "
    "ask. Choose a model to ask for anything else."
)


def write_sections(sections: Mapping[str, Any]) -> str:
    return "\n".join(
        f"{_HEADING}{name}\n{dump_json_text(value)}" for name, value in sections.items()
    )


def read_sections(text: str) -> dict[str, Any]:
    """Return the sections of a brief.

    Raises:
        LLMError: it is no brief.
    """
    lines = text.splitlines()
    sections: dict[str, Any] = {}
    try:
        for heading, line in zip(lines[::2], lines[1::2], strict=True):
            if not heading.startswith(_HEADING):
                raise LLMError(_NOT_OURS)
            sections[heading.removeprefix(_HEADING)] = json.loads(line)
    except ValueError as error:
        raise LLMError(_NOT_OURS) from error
    return sections


def list_dialogue(steps: Sequence[Step]) -> list[dict[str, str]]:
    """Return what assistant and user have written, in order."""
    dialogue: list[dict[str, str]] = []
    for step in steps:
        match step:
            case PromptUserForTextMessageAction(prompt=text) | AssistantStep(content=text):
                dialogue.append({"assistant": text})
            case UserStep(content=text):
                dialogue.append({"user": text})
            case _:
                pass
    return dialogue


@dataclass(frozen=True)
class Brief:
    """What a scripted model knows: the sections of its prompt, and nothing else."""

    node: str = ""
    forms: tuple[tuple[str, str], ...] = ()
    """The names of the company's forms, each with what it is for."""

    state: FormState = field(default_factory=FormState)
    message: str = ""
    """What the user wrote last."""

    thoughts: tuple[Step, ...] = ()
    """What the assistant has thought in this turn."""

    @property
    def form(self) -> FunctionSchema:
        if self.state.form is None:
            raise LLMError(_NOT_OURS)
        return self.state.form

    def after(self, *steps: Step) -> "Brief":
        """Return what is known once the assistant has thought more."""
        state = self.state
        for step in steps:
            state = advance(state, step)
        # The message still answers what was asked before.
        asked = {"requested": self.state.requested, "may": self.state.may}
        state = state.model_copy(update=asked)
        return replace(self, state=state, thoughts=(*self.thoughts, *steps))


def read_brief(text: str) -> Brief:
    """Return the brief of a prompt.

    Raises:
        LLMError: it is no brief.
    """
    sections = read_sections(text)
    status = sections.get("State", {})
    form = sections.get("Form")
    try:
        state = FormState.model_construct(
            form=None if form is None else _read_form(json.dumps(form)),
            candidates=None,
            assigned=status.get("filled", {}),
            skipped=tuple(status.get("skipped", ())),
            requested=status.get("asked for", ""),
            may=status.get("asked to confirm", ""),
        )
        return Brief(
            node=sections["Node"],
            forms=tuple((one["name"], one["purpose"]) for one in sections.get("Forms", ())),
            state=state,
            message=_find_message(sections.get("Conversation", ())),
            thoughts=tuple(map(parse_step, sections.get("Thoughts of this turn", ()))),
        )
    except (FormError, ValidationError, KeyError, AttributeError, TypeError) as error:
        raise LLMError(_NOT_OURS) from error


@lru_cache(maxsize=256)
def _read_form(text: str) -> FunctionSchema:
    return FunctionSchema.read(json.loads(text))


def _find_message(conversation: Sequence[Mapping[str, JsonValue]]) -> str:
    spoken = (str(turn["user"]) for turn in reversed(conversation) if "user" in turn)
    return next(spoken, "")
