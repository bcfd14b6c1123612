"""A company as an environment: it lists its forms, shows one, and takes it once filled in."""

from collections.abc import Sequence

from pydantic import Field, field_validator

from tapes_app.engine.environment.actions import PendingAction
from tapes_app.engine.environment.environment import Environment
from tapes_app.engine.environment.spec import EnvironmentSettings, environments
from tapes_app.engine.model.messages import digest_json
from tapes_app.engine.tape.steps import Step
from tapes_app.engine.tape.tape import Tape
from tapes_app.gallery.form_filler.companies.generator import SHIPPED_SEED, make_company
from tapes_app.gallery.form_filler.form_state import read_state
from tapes_app.gallery.form_filler.forms import FunctionSchema
from tapes_app.gallery.form_filler.steps import (
    CallFunctionAction,
    FunctionCandidate,
    FunctionCandidates,
    FunctionResult,
    FunctionSchemaObservation,
    InspectFunctionAction,
    ResolveFunctionAction,
)

FORMS = "company-forms"
_MOST_FORMS = 100
_LONGEST_TITLE = 200


class CompanySettings(EnvironmentSettings):
    """Whose forms they are."""

    company: str = "FlyCorp"
    """One of FlyCorp, BigBankCorp and CoffeeCorp, or for tests, DriveCorp, LuxuryCorp and
    ShopCorp; or MadeUp1, MadeUp2 and so on, whose words are made up."""

    company_seed: int = SHIPPED_SEED
    """0: the forms that ship; any other number makes others of the same company."""

    forms: tuple[FunctionSchema, ...] = Field(default=(), max_length=_MOST_FORMS)
    """Forms of your own, as JSON, instead of the company's."""

    @field_validator("forms")
    @classmethod
    def _check_names(cls, forms: tuple[FunctionSchema, ...]) -> tuple[FunctionSchema, ...]:
        names = [form.name for form in forms]
        twice = next((name for name in names if names.count(name) > 1), None)
        if twice is not None:
            raise ValueError(f"two forms are named {twice!r}")
        return forms


class CompanyForms(Environment):
    """Answers what an assistant asks of a company."""

    name = "forms"

    def __init__(self, settings: CompanySettings) -> None:
        own = [(_first_sentence(form.description), form) for form in settings.forms]
        company = make_company(settings.company, settings.company_seed)
        forms = own or [(form.title, form.schema) for form in company.forms]
        self._forms = {form.name: (title, form) for title, form in forms}

    async def observe(self, pending: PendingAction, tape: Tape) -> Sequence[Step]:
        match pending.action:
            case ResolveFunctionAction():
                return [self._list_forms()]
            case InspectFunctionAction(function=name):
                if name not in self._forms:
                    return [self._list_forms()]
                return [FunctionSchemaObservation.from_form(self._forms[name][1])]
            case CallFunctionAction(function=name):
                request = digest_json([name, read_state(tape.steps).assigned]).hex()[:8]
                return [FunctionResult(result={"request_id": request})]
            case _:
                return await super().observe(pending, tape)

    def _list_forms(self) -> Step:
        return FunctionCandidates(
            candidates=[
                FunctionCandidate(function=name, short_description=title)
                for name, (title, _) in self._forms.items()
            ]
        )


def _first_sentence(description: str) -> str:
    first, _, _ = description.partition(". ")
    return f"{first.strip().removesuffix('.'):.{_LONGEST_TITLE}}."


environments.add(FORMS, CompanyForms)
