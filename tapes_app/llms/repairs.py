"""What is asked instead when a provider refuses the form of a request: one table."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from enum import Flag, auto
from http import HTTPStatus
from typing import Any

from tapes_app.engine.errors import LLMError
from tapes_app.engine.model.llm import Prompt
from tapes_app.engine.prompts.answer_schema import put_schema_in_prompt
from tapes_app.engine.prompts.sound_messages import fold_system, merge_turns

_REFUSALS = frozenset({400, 404, 422})
_SYSTEM_ROLES = frozenset({"system", "developer"})


class Manners(Flag):
    """What a model is known to want; kept for its later requests."""

    TURNS = auto()
    """Messages of one role in a row are merged."""

    SYSTEM_FIRST = auto()
    """Later system messages open the user's next message."""

    NO_SYSTEM = auto()
    """All system messages do."""

    NO_STREAM_OPTIONS = auto()

    def arrange(self, messages: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """Return messages in the order and with the roles that the model accepts."""
        if Manners.NO_SYSTEM in self:
            messages = fold_system(messages, keep_first=False)
        elif Manners.SYSTEM_FIRST in self:
            messages = fold_system(messages, keep_first=True)
        return merge_turns(messages) if Manners.TURNS in self else messages


@dataclass(frozen=True, slots=True)
class Question:
    """A prompt, and how to ask it until the provider refuses that too."""

    prompt: Prompt
    token_fields: Mapping[str, Any]
    """Extras to request with it."""

    manners: Manners

    def repair(self, error: LLMError) -> "Question | None":
        """Return what to ask instead; `None` if the error is not about the form of the request."""
        status = error.details.get("status")
        if not isinstance(status, int):
            return None
        fitting = (row for row in REPAIRS if row.fits(status, error.message))
        mended = (row.mend(self, error.message) for row in fitting)
        return next((question for question in mended if question is not None), None)


@dataclass(frozen=True, slots=True)
class Repair:
    """One row: how a refusal is recognized, and what is asked then."""

    refusal: tuple[re.Pattern[str], ...]
    """What its message says: all of these."""

    mend: Callable[[Question, str], Question | None]
    """Takes the question and the message; `None` if the question has nothing left to mend."""

    is_of_template: bool = False
    """Whether a chat template refuses, whose failure servers report as their own."""

    def fits(self, status: int, message: str) -> bool:
        is_failure = self.is_of_template and status >= HTTPStatus.INTERNAL_SERVER_ERROR
        is_refusal = status in _REFUSALS or is_failure
        return is_refusal and all(pattern.search(message) for pattern in self.refusal)


def _drop_response_format(question: Question, _: str) -> Question | None:
    if not question.prompt.response_format:
        return None
    return replace(question, prompt=put_schema_in_prompt(question.prompt))


def _drop_token_fields(question: Question, message: str) -> Question | None:
    left = {name: on for name, on in question.token_fields.items() if name not in message}
    return replace(question, token_fields=left) if len(left) < len(question.token_fields) else None


def _learn(manner: Manners) -> Callable[[Question, str], Question | None]:
    def mend(question: Question, _: str) -> Question | None:
        is_known = manner in question.manners
        return None if is_known else replace(question, manners=question.manners | manner)

    return mend


def _put_system_first(question: Question, message: str) -> Question | None:
    later = (one.role for one in question.prompt.messages[1:])
    has_later = not _SYSTEM_ROLES.isdisjoint(later)
    return _learn(Manners.SYSTEM_FIRST)(question, message) if has_later else None


def _drop_system(question: Question, message: str) -> Question | None:
    roles = (one.role for one in question.prompt.messages)
    has_any = not _SYSTEM_ROLES.isdisjoint(roles)
    return _learn(Manners.NO_SYSTEM)(question, message) if has_any else None


_SYSTEM = re.compile(
    r"\b(?:system|developer)\W{0,3}(?:message|role|prompt|instruction)"
    r"|\brole\W{1,5}(?:system|developer)\b|['\"`](?:system|developer)['\"`]",
    re.IGNORECASE,
)
_PLACE = re.compile(
    r"\b(?:first|begin\w*|start|top|after|leading|preced\w*|single|multiple|only one)\b",
    re.IGNORECASE,
)
_NOT_TAKEN = re.compile(
    r"(?:\bnot|n't|\bun)\s?(?:be )?(?:support|allow|permit|accept|enable)", re.IGNORECASE
)
_ODD_ROLE = re.compile(r"\b(?:unexpected|unknown|invalid) role", re.IGNORECASE)
_ONLY_USER = re.compile(r"\bonly user\b", re.IGNORECASE)
_ROLE = re.compile(r"\brole", re.IGNORECASE)
_TURNS = re.compile(r"\b(?:alternat|interleav|successive|consecutive)", re.IGNORECASE)
_FORM = re.compile(r"response_format|json_schema")
_TOKENS = re.compile(r"logprobs|return_token")
_STREAM_OPTIONS = re.compile(r"stream_options|include_usage")

REPAIRS = (
    Repair((_FORM,), _drop_response_format),
    Repair((_TOKENS,), _drop_token_fields),
    Repair((_STREAM_OPTIONS,), _learn(Manners.NO_STREAM_OPTIONS)),
    Repair((_SYSTEM, _PLACE), _put_system_first, is_of_template=True),
    Repair((_SYSTEM, _NOT_TAKEN), _drop_system, is_of_template=True),
    Repair((_SYSTEM, _ODD_ROLE), _drop_system, is_of_template=True),
    Repair((_ONLY_USER, _ROLE), _drop_system, is_of_template=True),
    Repair((_TURNS,), _learn(Manners.TURNS), is_of_template=True),
)
"""The rows are tried in this order; a row that has nothing left to mend is passed over."""
