"""The three prompts that make a company (paper, appendix E.1) as an agent; registered on import."""

from collections.abc import Sequence

from tapes_app.builders.control_flow import ControlNode
from tapes_app.builders.mono import MonoNode
from tapes_app.engine.agent.agent import Agent
from tapes_app.engine.agent.nodes import Route
from tapes_app.engine.agent.registration import register
from tapes_app.engine.errors import AgentConfigError
from tapes_app.engine.tape.steps import Step
from tapes_app.engine.tape.tape import Tape
from tapes_app.gallery.form_filler.making import script
from tapes_app.gallery.form_filler.making.steps import (
    CompanyThought,
    FormListThought,
    FormsMadeAction,
    FormThought,
    NextFormThought,
)

NAME = "form_maker"

TEMPLATES = {
    "system": """\
You make up companies and their request forms, as data for assistants that help people fill in \
forms. Use no name of a real company.""",
    "describe": "Describe the company that the user asks for, under the name that the user gives.",
    "list": "List the forms, as many as the user asks for. Each is about something that only this "
    "kind of company does. Names are words without spaces, such as ReserveRentalCar.",
    "write": """\
Write the form that was named last, with its name. Its description says who may use it, who \
decides on it and when, which rules and deadlines there are, and how the allowed values differ. It \
has 5 to 12 slots, some of them required and some not, and at least one with allowed values. Slots \
are not nested.""",
}


class NextFormNode(ControlNode):
    """Names the first form of the list that is not written yet, or ends when all are."""

    type_name = "form_filler.NextFormNode"

    def write_steps(self, agent: Agent, tape: Tape) -> Sequence[Step]:
        """Return the next form, or the end.

        Raises:
            AgentConfigError: no list of forms is on the tape, as it may have been edited.
        """
        seen = agent.compute_view(tape).top.steps
        companies = [step for step in seen if isinstance(step, CompanyThought)]
        lists = [step for step in seen if isinstance(step, FormListThought)]
        if not companies or not lists:
            raise AgentConfigError(
                f"Node {self.name!r} finds no company with a list of forms on the tape. Go on from "
                "a step before them.",
                node=self.name,
            )
        written = [step.form for step in seen if isinstance(step, FormThought)]
        wanted = lists[-1].forms
        if len(written) >= len(wanted):
            return [FormsMadeAction(company=companies[-1].company, forms=tuple(written))]
        return [NextFormThought(form=wanted[len(written)])]

    def list_routes(self, agent: Agent) -> tuple[Route, ...]:
        return (Route(self.following(agent), "a form is left"), Route(label="all are written"))


agent = register(
    Agent.create(
        NAME,
        templates=TEMPLATES,
        nodes=[
            MonoNode(name="describe", guidance="describe", steps=[CompanyThought]),
            MonoNode(name="list", guidance="list", steps=[FormListThought]),
            NextFormNode(name="next"),
            # Providers cannot enforce the schema of a form: its slots have names of their own.
            MonoNode(
                name="write",
                guidance="write",
                steps=[FormThought],
                answers="json",
                after_answer="next",
            ),
        ],
    ),
    description="Makes a company and its forms for the form filler. Each form is checked, and "
    "written again if nobody could fill it in. Ask for “a bicycle rental named PedalCorp with 3 "
    "forms”.",
    llms={"default": script.MODEL},
)
