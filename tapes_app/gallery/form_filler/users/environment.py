"""A simulated user as an environment: it answers the assistant's messages."""

from collections.abc import Sequence
from random import Random
from typing import Annotated, Literal

from pydantic import Field

from tapes_app.engine.environment.actions import ExternalInputNeeded, PendingAction
from tapes_app.engine.environment.environment import Environment
from tapes_app.engine.environment.spec import EnvironmentSettings, environments
from tapes_app.engine.errors import AgentConfigError
from tapes_app.engine.tape.dialog_steps import UserStep
from tapes_app.engine.tape.steps import Step
from tapes_app.engine.tape.tape import Tape
from tapes_app.gallery.form_filler.companies.generator import SHIPPED_SEED, make_company
from tapes_app.gallery.form_filler.form_state import read_state
from tapes_app.gallery.form_filler.steps import PromptUserForTextMessageAction
from tapes_app.gallery.form_filler.users.behaviours import BEHAVIOURS
from tapes_app.gallery.form_filler.users.choosing import take_turn
from tapes_app.gallery.form_filler.users.goals import Goal, draw_goal, follow_goal
from tapes_app.gallery.form_filler.users.held_out_phrases import HELD_OUT
from tapes_app.gallery.form_filler.users.labels import read_label, with_label
from tapes_app.gallery.form_filler.users.situations import Situation
from tapes_app.gallery.form_filler.users.train_phrases import TRAIN
from tapes_app.gallery.scripting import Share

USER = "form-user"

PhraseSet = Literal["train", "held_out"]


class UserSettings(EnvironmentSettings):
    """Who the user is, and how they behave."""

    company: str = "FlyCorp"
    company_seed: int = SHIPPED_SEED
    seed: int = 0
    """Decides what the user wants, and everything that they say."""

    phrases: PhraseSet = "train"
    behaviours: tuple[str, ...] = tuple(BEHAVIOURS)
    """What may happen beside answering and skipping."""

    detour_share: Share = 0.5
    """The share of turns in which the user does not answer, where that is possible."""

    most_detours: Annotated[int, Field(ge=0, le=19)] = 6
    slips: Share = 0.2
    """The share of sentences with a typing error."""


class FormUser(Environment):
    """Answers as a user with a goal; it has no state but the tape."""

    name = "user"

    def __init__(self, settings: UserSettings) -> None:
        if strangers := sorted(set(settings.behaviours) - BEHAVIOURS.keys()):
            raise AgentConfigError(
                f"There is no behaviour {strangers[0]!r}; choose among {sorted(BEHAVIOURS)}.",
                behaviour=strangers[0],
            )
        self._settings = settings
        self._company = make_company(settings.company, settings.company_seed)

    async def observe(self, pending: PendingAction, tape: Tape) -> Sequence[Step]:
        if not isinstance(pending.action, PromptUserForTextMessageAction):
            return await super().observe(pending, tape)
        settings = self._settings
        goal = draw_goal(self._company, settings.seed)
        now = find_situation(
            goal,
            tape,
            f"turn {settings.seed}",
            phrases=settings.phrases,
            slips=settings.slips,
        )
        if now.state.end == "invalid":
            raise ExternalInputNeeded(
                f"The dialogue is over, since {now.state.reason}; edit that step to continue."
            )
        turn = take_turn(
            now,
            allowed=frozenset(settings.behaviours),
            detour_share=settings.detour_share,
            most_detours=settings.most_detours,
        )
        return [with_label(UserStep(content=turn.text), turn.label)]


def find_situation(
    goal: Goal, tape: Tape, seed: str, *, phrases: PhraseSet, slips: float
) -> Situation:
    """Return where a user stands on a tape; the same again whenever it is continued from there."""
    labels = [label for step in tape.steps if (label := read_label(step)) is not None]
    return Situation(
        goal=follow_goal(goal, tape.steps),
        state=read_state(tape.steps),
        phrases=TRAIN if phrases == "train" else HELD_OUT,
        chance=Random(f"{seed} {len(labels)}"),  # noqa: S311 - to repeat, no secret
        slips=slips,
        past=tuple(label.behaviour for label in labels),
    )


environments.add(USER, FormUser)
