"""The variables that the texts of an agent may use, and what is wrong with those that they use."""

import re
from collections.abc import Iterator, Mapping
from itertools import islice

from tapes_app.authoring.domain.rows import Problem, TextVariable
from tapes_app.engine.prompts.variables import FILTERS, MOST_PLACES, list_places, remove_places
from tapes_app.engine.tape.defined_steps import StepClassesByName
from tapes_app.engine.tape.steps import Step, list_step_classes, list_step_kinds

_MOST_VARIABLES = 400
_MOST_PROBLEMS = 10
_BRACED = re.compile(r"\{([A-Za-z_][A-Za-z0-9_.]{0,60})\}")
_USUAL = ("user", "tool", "assistant")
"""Kinds that come before the others: most tapes have them."""


def list_filters() -> tuple[TextVariable, ...]:
    """Return the ways to write a value."""
    return tuple(TextVariable(name, one.description) for name, one in FILTERS.items())


def list_variables(
    given: frozenset[str] | None, own: StepClassesByName
) -> tuple[TextVariable, ...]:
    """Return what texts can be filled in with: the fields of the steps that an agent may see.

    `given` are the kinds of steps that may be on its tapes, `None` any; `own` are those of them
    that its team defines. What comes first is its own, then what is on most tapes.
    """
    kinds = list_step_kinds() if given is None else sorted(given - own.keys())
    usual = [kind for kind in _USUAL if kind in kinds]
    ordered = [*own, *usual, *(kind for kind in kinds if kind not in {*own, *usual})]
    found = (
        TextVariable(f"{kind}.{name}", holds)
        for kind in ordered
        for name, holds in _list_fields(kind, own).items()
    )
    return tuple(islice(found, _MOST_VARIABLES))


def check_text(
    text: str, path: str, given: frozenset[str] | None, own: StepClassesByName
) -> Iterator[Problem]:
    """Warn of what a text is not filled in with."""
    yield from islice(_check_text(text, path, given, own), _MOST_PROBLEMS)


def _check_text(
    text: str, path: str, given: frozenset[str] | None, own: StepClassesByName
) -> Iterator[Problem]:
    places = list(list_places(text))
    if len(places) > MOST_PLACES:
        message = f"A text has at most {MOST_PLACES} variables; the others are sent as written."
        yield Problem(path, message, severity="warning")
    for place in dict.fromkeys(places):
        message = _find_mistake(place.kind, place.path[0], given, own)
        if place.filter and place.filter not in FILTERS:
            message = (
                f"There is no filter {place.filter!r}, so {{{{ {place.name} }}}} is sent as it is "
                f"written; choose one of {list(FILTERS)}."
            )
        if message:
            yield Problem(path, message, severity="warning")
    for name in dict.fromkeys(_BRACED.findall(remove_places(text))):
        message = (
            f"{{{name}}} is sent as it is written: no variable has that form. "
            "{{ user.content }} is one."
        )
        yield Problem(path, message, severity="warning")


def _find_mistake(
    kind: str, field: str, given: frozenset[str] | None, own: StepClassesByName
) -> str:
    """Return why a variable is always empty; an empty text if it need not be."""
    if kind not in own and not list_step_classes(kind):
        return f"There is no kind of step {kind!r}, so {{{{ {kind}.{field} }}}} stays empty."
    fields = _list_fields(kind, own)
    if fields and field not in fields:
        return (
            f"A step of kind {kind!r} has no field {field!r}, so {{{{ {kind}.{field} }}}} stays "
            f"empty; choose one of {list(fields)}."
        )
    if given is not None and kind not in own and kind not in given:
        return (
            f"Nothing in this agent gives a step of kind {kind!r}, so on its own tapes "
            f"{{{{ {kind}.{field} }}}} stays empty."
        )
    return ""


def _list_fields(kind: str, own: StepClassesByName) -> Mapping[str, str]:
    """Return the fields of a kind that a model may see, each with what it holds."""
    cls = own.get(kind) or next(iter(list_step_classes(kind)), None)
    if cls is None:
        return {}
    hidden = {"kind", *cls.hidden_fields}
    described = _describe_fields(cls)
    names = [name for name in cls.model_fields if name not in hidden]
    return {name: _say(kind, name, described.get(name, "")) for name in names}


def _describe_fields(cls: type[Step]) -> dict[str, str]:
    return {name: one.description or "" for name, one in cls.model_fields.items()}


def _say(kind: str, name: str, description: str) -> str:
    first: str = description.replace("\n", " ").partition(". ")[0].removesuffix(".")
    newest = f"newest {kind}" if kind.endswith("step") else f"newest {kind} step"
    return f"{first} ({newest})" if first else f"The field {name} of the {newest}"
