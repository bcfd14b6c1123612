"""Form-filling dialogues as a tree: users with many goals, and all that each might do next."""

from functools import reduce

from pydantic import Field

from tapes_app.engine.agent.agent import Agent
from tapes_app.engine.agent.orchestrator import main_loop
from tapes_app.engine.environment.environment import EnvironmentGroup
from tapes_app.engine.environment.events import LoopFinished
from tapes_app.engine.environment.human import HumanEnvironment
from tapes_app.engine.environment.opening import RunContext, open_for_run
from tapes_app.engine.environment.supervision import (
    ActionAnswered,
    Halt,
    NodeRan,
    SafePoint,
    Supervisor,
)
from tapes_app.engine.frozen_model import FrozenModel
from tapes_app.engine.model.llm import LLMCall
from tapes_app.engine.tape.dialog_steps import UserStep
from tapes_app.engine.tape.tape import Tape
from tapes_app.gallery.form_filler.companies.environment import CompanyForms, CompanySettings
from tapes_app.gallery.form_filler.companies.generator import SHIPPED_SEED, make_company
from tapes_app.gallery.form_filler.form_state import advance, read_state
from tapes_app.gallery.form_filler.steps import PromptUserForTextMessageAction
from tapes_app.gallery.form_filler.users.behaviours import BEHAVIOURS
from tapes_app.gallery.form_filler.users.choosing import act, list_next
from tapes_app.gallery.form_filler.users.environment import PhraseSet, find_situation
from tapes_app.gallery.form_filler.users.goals import draw_goal
from tapes_app.gallery.form_filler.users.labels import with_label
from tapes_app.gallery.form_filler.users.situations import Situation
from tapes_app.gallery.scripting import Share

MOST_LOOPS = 6
"""Turns of assistant and company in one continuation; some models go in circles."""

WEIGHTS = {"UserHappyPath": 4.0}
"""As in the paper's test set, four times as many plain answers as of each other behaviour."""


class TreeSettings(FrozenModel):
    """Whose dialogues they are."""

    company: str = "FlyCorp"
    company_seed: int = SHIPPED_SEED
    seed: int = 0
    """Decides what the users want, and everything that they say."""

    phrases: PhraseSet = "train"
    users: int = Field(default=500, ge=1, le=100_000)
    """Users with goals of their own, who may all begin a dialogue."""

    slips: Share = 0.2


class FormDialogues:
    """The world of a tree: an assistant, and the users of one company."""

    def __init__(self, agent: Agent, settings: TreeSettings) -> None:
        self._agent = agent
        self._settings = settings
        self._company = make_company(settings.company, settings.company_seed)

    def list_roots(self) -> dict[str, str]:
        """Return the users, each with the form that they want."""
        users = (f"{self._settings.seed}/{number}" for number in range(self._settings.users))
        return {user: draw_goal(self._company, user).form.name for user in users}

    async def begin(self) -> Tape:
        return await continue_turn(self._agent, Tape(), self._settings)

    def list_tags(self, root: str, tape: Tape) -> list[str]:
        return list_next(self._find_situation(root, tape, root), frozenset(BEHAVIOURS))

    async def grow(self, root: str, tape: Tape, tag: str, seed: str) -> tuple[Tape, bool]:
        turn = act(self._find_situation(root, tape, seed), tag)
        asked = tape.append(with_label(UserStep(content=turn.text), turn.label))
        continued = await continue_turn(self._agent, asked, self._settings)
        return continued, is_open(continued)

    def _find_situation(self, root: str, tape: Tape, seed: str) -> Situation:
        settings = self._settings
        goal = draw_goal(self._company, root)
        return find_situation(goal, tape, seed, phrases=settings.phrases, slips=settings.slips)


class TurnWatch(Supervisor):
    """Keeps the calls of a continuation, and stops it at a step that may not come next."""

    def __init__(self, tape: Tape) -> None:
        self.calls: list[LLMCall] = []
        self._state = read_state(tape.steps)

    def check(self, point: SafePoint) -> Halt | None:
        if isinstance(point, NodeRan | ActionAnswered):
            self._state = reduce(advance, point.steps, self._state)
        if isinstance(point, NodeRan) and point.call is not None:
            self.calls.append(point.call)
        reason = self._state.reason
        return Halt("until", f"The dialogue is over: {reason}.") if reason else None


async def continue_turn(
    agent: Agent, tape: Tape, settings: TreeSettings, watch: TurnWatch | None = None
) -> Tape:
    """Let an assistant go on until it says something to its user, or ends the dialogue."""
    company = CompanySettings(company=settings.company, company_seed=settings.company_seed)
    person = HumanEnvironment([PromptUserForTextMessageAction])
    environment = EnvironmentGroup(CompanyForms(company), person)
    watch = watch or TurnWatch(tape)
    async with open_for_run(environment, RunContext(tape)) as opened:
        async for event in main_loop(agent, tape, opened, max_loops=MOST_LOOPS, supervisor=watch):
            if isinstance(event, LoopFinished):
                return event.tape
    raise AssertionError("the main loop always ends with LoopFinished")


def is_open(tape: Tape) -> bool:
    """Return whether the user may answer."""
    state = read_state(tape.steps)
    return not state.end and isinstance(state.action, PromptUserForTextMessageAction)
