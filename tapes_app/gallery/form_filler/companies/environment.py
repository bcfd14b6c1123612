"""A company as an environment: it lists its forms, shows one, and takes it once filled in."""

from collections.abc import Sequence

from tapes_app.engine.environment.actions import PendingAction
from tapes_app.engine.environment.environment import Environment
from tapes_app.engine.environment.spec import EnvironmentSettings, environments
from tapes_app.engine.model.messages import digest_json
from tapes_app.engine.tape.steps import Step
from tapes_app.engine.tape.tape import Tape
from tapes_app.gallery.form_filler.companies.generator import SHIPPED_SEED, make_company
from tapes_app.gallery.form_filler.form_state import read_state
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


class CompanySettings(EnvironmentSettings):
    """Whose forms they are."""

    company: str = "FlyCorp"
    """One of FlyCorp, BigBankCorp and CoffeeCorp, or for tests, DriveCorp, LuxuryCorp and
    ShopCorp."""

    company_seed: int = SHIPPED_SEED
    """0: the forms that ship; any other number makes others of the same company."""


class CompanyForms(Environment):
    """Answers what an assistant asks of a company."""

    name = "forms"

    def __init__(self, settings: CompanySettings) -> None:
        self._company = make_company(settings.company, settings.company_seed)

    async def observe(self, pending: PendingAction, tape: Tape) -> Sequence[Step]:
        match pending.action:
            case ResolveFunctionAction():
                return [self._list_forms()]
            case InspectFunctionAction(function=name):
                form = self._company.find_form(name)
                if form is None:
                    return [self._list_forms()]
                return [FunctionSchemaObservation.from_form(form.schema)]
            case CallFunctionAction(function=name):
                request = digest_json([name, read_state(tape.steps).assigned]).hex()[:8]
                return [FunctionResult(result={"request_id": request})]
            case _:
                return await super().observe(pending, tape)

    def _list_forms(self) -> Step:
        return FunctionCandidates(
            candidates=[
                FunctionCandidate(function=form.name, short_description=form.title)
                for form in self._company.forms
            ]
        )


environments.add(FORMS, CompanyForms)
