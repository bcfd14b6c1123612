"""The solver as data, and its calculator; registered on import."""

from tapes_app.engine.environment import Environment
from tapes_app.engine.registry import environments, gallery_agents
from tapes_app.engine.spec import AgentSpec, LLMSpec, NodeSpec
from tapes_app.gallery.math import nodes, script
from tapes_app.gallery.math.calculator import Calculator

NAME = "math"

ERROR_RATE = 0.035
"""Of the teacher, for a sentence: about 93 of 100 tapes are worth learning, as in the report
(paper 4.4)."""

TEMPLATES = {
    nodes.REASON: "Say what the sentence asks for.",
    nodes.CALCULATE: "Write the expression.",
    nodes.ANSWER: "Answer the question.",
}


@gallery_agents.register(NAME)
def build_math_spec() -> AgentSpec:
    teacher = LLMSpec(
        model=script.MODEL, parameters={"script": {"error_rate": ERROR_RATE, "seed": 0}}
    )
    return AgentSpec(
        name=NAME,
        description="Solves word problems: reads them sentence by sentence and uses a calculator.",
        llms={"default": teacher},
        templates=TEMPLATES,
        nodes=(
            NodeSpec(type=nodes.ReasonNode.type_name, settings={"name": nodes.REASON}),
            NodeSpec(
                type=nodes.CalculateNode.type_name,
                settings={"name": nodes.CALCULATE, "after_answer": nodes.REASON},
            ),
            NodeSpec(
                type=nodes.AnswerNode.type_name,
                settings={"name": nodes.ANSWER, "after_answer": nodes.REASON},
            ),
        ),
        environment=NAME,
    )


@environments.register(NAME)
def build_math_environment() -> Environment:
    return Calculator()
