"""The script of the maker of forms: companies with made-up words, each name its own."""

import re
from random import Random
from typing import Any

from tapes_app.engine.model.llm import SCRIPT_PREFIX, LLMOutput, Prompt, scripts
from tapes_app.engine.model.messages import digest_json
from tapes_app.engine.plain_json import dump_json_data, dump_json_text
from tapes_app.engine.tape.steps import Step
from tapes_app.gallery.form_filler.companies.generator import Company, make_company
from tapes_app.gallery.form_filler.making.steps import (
    CompanyThought,
    FormListThought,
    FormThought,
    ListedForm,
    NextFormThought,
)
from tapes_app.gallery.scripting import Share

NAME = "form-maker"
MODEL = SCRIPT_PREFIX + NAME
_ASKED_NAME = re.compile(r"\b(?:named|called)\s+[\"“']?([A-Z]\w{1,40})")
_ASKED_COUNT = re.compile(r"\b(\d{1,3})\s+forms?\b")
_USUAL_NAME = "NewCorp"


@scripts.register(NAME)
def answer(prompt: Prompt, *, error_rate: Share = 0.0, seed: int = 0) -> LLMOutput:
    """Answer as the node that asks, identified by the kind that it writes.

    `error_rate` is the share of forms that nobody could fill in when they are written for the first
    time; `seed` decides which ones.
    """
    asked = next((one.text for one in prompt.messages if one.role == "user"), "")
    name = next(iter(_ASKED_NAME.findall(asked)), _USUAL_NAME)
    company = _draw_company(name)
    instruction = prompt.messages[0].text
    if _kind_of(CompanyThought) in instruction:
        return _write(_dump(_describe(company, name)))
    if _kind_of(FormListThought) in instruction:
        wanted = max(1, int(next(iter(_ASKED_COUNT.findall(asked)), len(company.forms))))
        listed = [
            ListedForm(name=form.name, description=form.title) for form in company.forms[:wanted]
        ]
        return _write(_dump(FormListThought(forms=tuple(listed))))
    return _write_next(prompt, company, name, error_rate, seed)


def _draw_company(name: str) -> Company:
    """Return the company whose words stand for a name: the same for each name."""
    number = int(digest_json(name).hex()[:8], 16) % 900_000 + 1
    return make_company(f"MadeUp{number}")


def _describe(company: Company, name: str) -> CompanyThought:
    things = ", ".join(dict.fromkeys(form.request.thing for form in company.forms[:3]))
    words = company.words
    return CompanyThought(
        company=name,
        description=f"{name} is about {things}. The {words.desk} answers its customers, and the "
        f"{words.approver} decides on requests.",
    )


def _write_next(
    prompt: Prompt, company: Company, name: str, error_rate: float, seed: int
) -> LLMOutput:
    texts = [message.text for message in prompt.messages]
    named = [place for place, text in enumerate(texts) if _kind_of(NextFormThought) in text]
    meant = next(
        (form for form in company.forms if named and f'"{form.name}"' in texts[named[-1]]),
        company.forms[0],
    )
    description = meant.schema.description.replace(company.name, name)
    form = meant.schema.model_copy(update={"description": description})
    body = _dump(FormThought(form=form))
    since = texts[named[-1] :] if named else texts
    is_first = not any("Your answer could not be used" in text for text in since)
    chance = Random(f"{seed} {name} {meant.name}")  # noqa: S311 - to repeat, no secret
    if is_first and chance.random() < error_rate:
        body["form"]["parameters"]["required"] = ["approval"]  # which is not among its slots
    return _write(body)


def _kind_of(cls: type[Step]) -> str:
    return str(cls.model_fields["kind"].default)


def _dump(step: Step) -> dict[str, Any]:
    body: dict[str, Any] = dump_json_data(
        step, exclude=set(step.hidden_fields), by_alias=True, round_trip=True
    )
    return body


def _write(body: dict[str, Any]) -> LLMOutput:
    return LLMOutput(content=dump_json_text({"steps": [body]}))
