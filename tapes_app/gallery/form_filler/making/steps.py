"""What the maker of forms writes: a company, a list of its forms, and one form after the other."""

from typing import Annotated, Literal, Self

from pydantic import Field, StringConstraints, model_validator

from tapes_app.engine.frozen_model import FrozenModel
from tapes_app.engine.tape.steps import StopAction, Thought
from tapes_app.gallery.form_filler.forms import FunctionSchema, Name

MOST_FORMS = 20
_Words = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=2000)]


class CompanyThought(Thought):
    """What the company does, and for whom."""

    kind: Literal["form_maker_company"] = "form_maker_company"
    company: Name
    description: _Words


class ListedForm(FrozenModel):
    name: Name
    description: _Words


class FormListThought(Thought):
    """The forms that people often fill in there."""

    kind: Literal["form_maker_list"] = "form_maker_list"
    forms: tuple[ListedForm, ...] = Field(min_length=1, max_length=MOST_FORMS)

    @model_validator(mode="after")
    def _check(self) -> Self:
        names = [form.name.casefold() for form in self.forms]
        twice = next((name for name in names if names.count(name) > 1), None)
        if twice is not None:
            raise ValueError(f"two forms are named {twice!r}; give each a name of its own")
        return self


class NextFormThought(Thought):
    """Which form of the list is written next."""

    kind: Literal["form_maker_next"] = "form_maker_next"
    form: ListedForm


class FormThought(Thought):
    """A form that can be filled in: one that nobody could fill in is refused, with the reason."""

    kind: Literal["form_maker_form"] = "form_maker_form"
    form: FunctionSchema


class FormsMadeAction(StopAction):
    """All forms of the list are written; they fit the settings of an assistant's environment."""

    kind: Literal["form_maker_done"] = "form_maker_done"
    company: Name
    forms: tuple[FunctionSchema, ...]
