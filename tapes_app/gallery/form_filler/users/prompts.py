"""Users played by a model: one prompt for each behaviour, and the node that asks it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar, Self

from pydantic import model_validator

from tapes_app.engine.agent.agent import Agent
from tapes_app.engine.agent.talk_node import TalkNode
from tapes_app.engine.errors import AgentConfigError
from tapes_app.engine.model.llm import Prompt
from tapes_app.engine.model.messages import system_message, user_message
from tapes_app.engine.tape.tape import Tape
from tapes_app.gallery.form_filler.companies.generator import SHIPPED_SEED, make_company
from tapes_app.gallery.form_filler.form_state import read_state
from tapes_app.gallery.form_filler.reading.briefs import list_dialogue, write_sections
from tapes_app.gallery.form_filler.users.goals import draw_goal, follow_goal

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tapes_app.engine.tape.steps import Step

PERSONA = """\
You play somebody who wants a request form filled in and talks to an assistant about it. You are \
shown the form you need, the values you want in it, what the assistant has filled in so far, and \
the conversation. Write only your next message: one to three plain sentences, as people type them \
in a chat, without quotation marks around them. Never speak for the assistant, and never mention \
that you play a part. In this message: """

PROMPTS: Mapping[str, str] = {
    "UserInitMessageAmazing": "say what you need, and give some of the values right away.",
    "UserInitMessageShort": "say in a few words what you need, and give no values.",
    "UserInitMessageAsk": "ask what the assistant can do for you.",
    "UserBadInitMessage": "ask for something that no company's form could do.",
    "UserHappyPath": "give the answer to what the assistant asked, and nothing else.",
    "UserMultislotInstruct": "answer the question, and give the values of other open slots, too.",
    "UserMultislotFuture": "leave the question aside and give the values of other open slots.",
    "UserChangesSlot": "change the value of a slot that is filled in.",
    "UserAdjectiveOrPosition": "choose an allowed value by a quality of it or by its place in the "
    "list, without its name.",
    "UserSkipsOptional": "ask to leave out the optional slot that you were asked for.",
    "UserAsksAboutDocs": "ask something that the form's description answers, and do not answer.",
    "UserAsksAboutFilledParameters": "ask what is filled in so far, or what is still missing.",
    "UserAsksForHelp": "describe your situation and ask which of the allowed values suits it.",
    "UserCorrectValueInvalidValue": "answer the question correctly, and also give another choice, "
    "which is still open, a value that is not allowed.",
    "UserInvalidValue": "answer with a value that is not among the allowed ones.",
    "UserChangesTopic": "do not answer, and talk about something that has nothing to do with it.",
    "UserSkipsUnskipable": "ask to leave out the required slot that you were asked for.",
    "UserIncorrectDate": "answer with a date or time that does not exist.",
    "UserIncorrectWeb": "answer with something that is no e-mail address or web address.",
}


class UserNode(TalkNode):
    """Writes the next message of a user with one behaviour, on the tape of any assistant.

    Raises:
        AgentConfigError: there is no such behaviour or company.
    """

    type_name = "form_filler.UserNode"
    reads_whole_tape: ClassVar[bool] = True

    behaviour: str
    company: str
    company_seed: int = SHIPPED_SEED
    seed: int = 0
    """Decides what the user wants, as for `form-user`."""

    @model_validator(mode="after")
    def _check_behaviour(self) -> Self:
        if self.behaviour not in PROMPTS:
            raise AgentConfigError(
                f"There is no behaviour {self.behaviour!r}; choose one of {sorted(PROMPTS)}.",
                behaviour=self.behaviour,
            )
        make_company(self.company, self.company_seed)
        return self

    def make_prompt(self, agent: Agent, tape: Tape) -> Prompt:
        text = agent.read_template(self.template) + agent.read_template(self.behaviour)
        sections = self._list_sections(tape.steps)
        return Prompt(messages=(system_message(text), user_message(write_sections(sections))))

    def _list_sections(self, steps: Sequence[Step]) -> dict[str, object]:
        company = make_company(self.company, self.company_seed)
        goal = follow_goal(draw_goal(company, self.seed), steps)
        state = read_state(steps)
        return {
            "Form": goal.form.schema.model_dump(mode="json", by_alias=True, exclude_defaults=True),
            "Wanted values": goal.values,
            "Filled in": state.assigned,
            "Asked for": state.requested,
            "Conversation": list_dialogue(steps),
        }


def build_user(behaviour: str, company: str, *, seed: int = 0) -> Agent:
    """Return an agent that plays a user; what it says is the user's message."""
    node = UserNode(behaviour=behaviour, company=company, seed=seed)
    return Agent.create("form_user", templates={"system": PERSONA, **PROMPTS}, nodes=[node])
