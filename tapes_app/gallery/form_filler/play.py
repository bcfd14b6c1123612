"""Lets an assistant talk to simulated users, and compares what comes out with what they wanted."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tapes_app.engine.agent.agent import Agent
from tapes_app.engine.agent.orchestrator import run_to_end
from tapes_app.engine.environment.environment import EnvironmentGroup
from tapes_app.engine.tape.steps import Step
from tapes_app.engine.tape.tape import Tape
from tapes_app.gallery.form_filler.companies.environment import CompanyForms, CompanySettings
from tapes_app.gallery.form_filler.companies.generator import make_company
from tapes_app.gallery.form_filler.form_state import FormState, read_state
from tapes_app.gallery.form_filler.users.environment import FormUser, UserSettings
from tapes_app.gallery.form_filler.users.goals import draw_goal, follow_goal
from tapes_app.gallery.form_filler.users.labels import read_label

MOST_LOOPS = 60
"""Turns of assistant and environment in a dialogue."""


@dataclass(frozen=True)
class Dialogue:
    """A dialogue, and whether its user got what they wanted."""

    tape: Tape
    state: FormState
    behaviours: tuple[str, ...]
    succeeds: bool


async def play(agent: Agent, user: UserSettings) -> Dialogue:
    """Let an agent talk to one user until the dialogue ends."""
    forms = CompanySettings(company=user.company, company_seed=user.company_seed)
    environment = EnvironmentGroup(CompanyForms(forms), FormUser(user))
    finished = await run_to_end(agent, Tape(), environment, max_loops=MOST_LOOPS)
    return judge(finished.tape, user)


def judge(tape: Tape, user: UserSettings) -> Dialogue:
    """Return a dialogue with its result: the submitted form has all values that were wanted."""
    company = make_company(user.company, user.company_seed)
    goal = follow_goal(draw_goal(company, user.seed), tape.steps)
    state = read_state(tape.steps)
    succeeds = (
        state.end == "submitted"
        and state.form == goal.form.schema
        and state.assigned == goal.values
    )
    return Dialogue(tape, state, list_behaviours(tape.steps), succeeds)


def list_behaviours(steps: Iterable[Step]) -> tuple[str, ...]:
    labels = (read_label(step) for step in steps)
    return tuple(label.behaviour for label in labels if label is not None)


@dataclass(frozen=True)
class Rate:
    count: int
    """How often it happened."""

    success_count: int
    """How many of the dialogues with it succeeded, each counted as often as it happened."""

    @property
    def share(self) -> float:
        return self.success_count / self.count if self.count else 0.0


def rate_behaviours(dialogues: Sequence[Dialogue]) -> dict[str, Rate]:
    """Return for each behaviour how often it happened and how often that went well."""
    all_, good = Counter[str](), Counter[str]()
    for dialogue in dialogues:
        all_.update(dialogue.behaviours)
        if dialogue.succeeds:
            good.update(dialogue.behaviours)
    return {name: Rate(all_[name], good[name]) for name in sorted(all_)}
