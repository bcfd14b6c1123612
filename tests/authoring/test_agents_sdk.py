"""Agents SDK code: what becomes of agents and of their order, what is said of the rest, refused."""

import json
from textwrap import dedent

import pytest

from tapes_app.authoring.domain.foreign.agents import ForeignReading
from tapes_app.authoring.domain.foreign.agents_sdk import (
    is_sdk_code,
    read_sdk_code,
    refuse_typescript,
)
from tapes_app.engine.errors import ImportRefusedError
from tests.authoring.foreign import build, note_of, run

HEAD = """\
from agents import Agent, ModelSettings, Runner, trace
from pydantic import BaseModel
"""

DESK = """
class KindSchema(BaseModel):
    sort: str
    sureness: float


sorter = Agent(
    name="Sorter", instructions="Say what it is.", model="gpt-4.1", output_type=KindSchema
)
returns = Agent(name="Returns", instructions="Take it back.", model="gpt-4.1")
helper = Agent(name="Helper", instructions="Help.", model="gpt-4.1")


class WorkflowInput(BaseModel):
    input_as_text: str


async def run_workflow(workflow_input: WorkflowInput):
    with trace("Help desk"):
        state = {}
        workflow = workflow_input.model_dump()
        conversation_history = [{"role": "user", "content": workflow["input_as_text"]}]
        sorter_result_temp = await Runner.run(sorter, input=[*conversation_history])
        conversation_history.extend([one.to_input_item() for one in sorter_result_temp.new_items])
        sorter_result = {
            "output_text": sorter_result_temp.final_output.json(),
            "output_parsed": sorter_result_temp.final_output.model_dump(),
        }
        if sorter_result["output_parsed"]["sort"] == "return":
            returns_result_temp = await Runner.run(returns, input=[*conversation_history])
            message = "Shall I send a label?"
            if approval_request(message):
                end_result = {"message": "It is on its way."}
                return end_result
            else:
                return {"message": "As you like."}
        elif sorter_result["output_parsed"]["sort"] == "spam":
            return None
        else:
            helper_result_temp = await Runner.run(helper, input=[*conversation_history])
        return {"output_text": helper_result_temp.final_output_as(str)}
"""


def read(code: str) -> ForeignReading:
    return read_sdk_code(HEAD + dedent(code))


def answer(kind: str) -> str:
    return json.dumps({"kind": "KindSchema", "sort": kind, "sureness": 0.9})


def test_one_agent_that_a_workflow_runs_is_that_agent() -> None:
    reading = read(
        '''
        @function_tool
        def find_my_parcel(order: str) -> str:
            return order

        helper = Agent(
          name="Order helper",
          instructions="""You help with
        orders.""",
          model="gpt-4.1",
          tools=[find_my_parcel, calculate],
          model_settings=ModelSettings(
            temperature=0.5, store=True, reasoning=Reasoning(effort="low", summary="auto")
          ),
        )

        async def run_workflow(workflow_input):
          with trace("Orders"):
            helper_result_temp = await Runner.run(helper, input=[])
            return {"output_text": helper_result_temp.final_output_as(str)}
        '''
    )

    spec = build(reading)

    assert (spec.name, spec.templates["system"]) == ("Order helper", "You help with\norders.")
    assert spec.llms["default"].model == "big"
    assert spec.llms["default"].parameters == {"temperature": 0.5, "reasoning_effort": "low"}
    assert spec.nodes[0].settings["tools"] == ["tapes_app.gallery.chat.tools.calculate"]
    assert note_of(reading).splitlines()[1:] == [
        "- line 13: 'find_my_parcel' is no tool here; write it as a plugin, or add its MCP server."
    ]


async def test_agents_one_after_the_other_read_what_was_said() -> None:
    spec = build(
        read(
            """
            a = Agent(name="A", instructions="Say a.")
            b = Agent(name="B", instructions="Say b.")
            async def main():
                first = await Runner.run(a, "x")
                second = await Runner.run(b, first.to_input_list())
                return second.final_output
            """
        )
    )

    assert spec.name == "main"
    assert await run(spec, ["one", "two"]) == ["A: one", "B: two", "main: two"]


async def test_a_choice_by_a_field_of_an_answer_becomes_a_condition() -> None:
    spec = build(read(DESK))

    assert spec.name == "Help desk"
    assert [kind.name for kind in spec.kinds] == ["KindSchema"]
    assert await run(spec, [answer("other"), "Hello."]) == [
        "Sorter: {'sort': 'other', 'sureness': 0.9}",
        "Helper: Hello.",
        "Help desk: Hello.",
    ]
    assert (await run(spec, [answer("spam")]))[1].startswith("Help desk: ")


@pytest.mark.parametrize(
    ("says", "end"), [("yes", "It is on its way."), ("rather not", "As you like.")]
)
async def test_an_approval_is_a_question_to_the_person(says: str, end: str) -> None:
    spec = build(read(DESK))
    first = await run(spec, [answer("return"), "Send it back."])
    assert first[-1] == "Help desk: Shall I send a label? Answer yes or no."

    both = await run(spec, [answer("return"), "Send it back."], says=says)

    assert both[-1] == f"Help desk: {end}"


def test_what_an_agent_hands_over_to_are_its_members() -> None:
    reading = read(
        """
        billing = Agent(name="Billing", instructions="Bills.", handoff_description="For bills.")
        refunds = Agent(name="Refunds", instructions="Refunds.", handoffs=[billing])
        triage = Agent(name="Triage", instructions="Sort.", handoffs=[billing, handoff(refunds)])
        """
    )

    spec = build(reading)

    assert [one.name for one in spec.subagents] == ["Triage_itself", "Billing", "Refunds"]
    assert [one.name for one in spec.subagents[2].subagents] == ["Refunds_itself", "Billing"]
    assert "- Billing: For bills." in spec.templates["system"]


def test_agents_that_hand_back_to_each_other_do_so_once() -> None:
    reading = read(
        """
        a = Agent(name="A", instructions="A.", handoffs=[b])
        b = Agent(name="B", instructions="B.", handoffs=[a])
        """
    )

    assert "'B' does not hand back to 'A'." in note_of(reading)
    assert build(reading).name == "A"


def test_agents_of_one_name_are_told_apart_by_their_variables() -> None:
    code = DESK.replace('"Returns"', '"Helper"')

    assert [one.name for one in build(read(code)).subagents] == [
        "Sorter", "Helper", "Helper (helper)",
    ]  # fmt: skip


def test_an_instruction_that_is_filled_in_stays_as_it_is_written() -> None:
    reading = read(
        '''
        PREFIX = "Be brief. "
        def instructions_of(run_context, _agent):
            name = run_context.context.name
            return f"""{PREFIX}Greet {name}."""
        greeter = Agent(name="Greeter", instructions=instructions_of)
        '''
    )

    assert build(reading).templates["system"] == "Be brief. Greet {name}."
    assert "- line 8: Nothing fills in {name}: no step has it." in note_of(reading)


def test_a_text_with_the_same_quotes_inside_is_read_whichever_python_runs() -> None:
    reading = read("""a = Agent(name="A", instructions=f"Answer {result["text"]}.")""")

    assert build(reading).templates["system"] == "Answer {result}."


@pytest.mark.parametrize(
    ("code", "told"),
    [
        (
            "for n in '12':\n    Agent(name=n)",
            "line 4: An agent made in a function, a class, a loop",
        ),
        ("def make():\n    return Agent(name='b')", "line 4: An agent made in a function, a class"),
        (
            "b = [Agent(name=n) for n in '12']",
            "line 4: An agent made in a function, a class, a loop",
        ),
        ("a.handoffs = [a]", "line 4: It is code, which is never run"),
        ("def other():\n    return 1", "line 4: The function 'other' is code"),
        ("print(open('/etc/passwd').read())", "line 4: It is code, which is never run"),
        ("c = Agent(name='C', instructions=input())", "'instructions' is made by code"),
        ("c = Agent(name='C', input_guardrails=[check])", "guardrails are code"),
        ("c = Agent(name='C', mcp_servers=[x])", "'mcp_servers' is left out"),
        ("c = Agent(**settings)", "Arguments without a name are left out"),
        ("c = Agent(name='C', tools=make())", "'tools' is made by code"),
        ("c = Agent(name='C', handoffs=[x.y()])", "It hands over to something that is not read"),
        ("c = Agent(name='C', model=Model('m'))", "Only the model's name is read"),
        ("c = Agent(name='C', model_settings=ModelSettings(truncation='auto'))", "'truncation'"),
        ("c = Agent(name='C', model_settings=x)", "The settings of the model are made by code"),
        ("c = Agent(name='C', output_type=list[str])", "The form of its answers is code"),
        ("c = Agent(name='C', tools=[HostedMCPTool()])", "'HostedMCPTool' is no tool here"),
    ],
)
def test_what_is_not_read_is_named_with_its_line(code: str, told: str) -> None:
    note = note_of(read_sdk_code(f"{HEAD}a = Agent(name='A', instructions='A.')\n{code}\n"))

    assert told in note


@pytest.mark.parametrize(
    ("inside", "told"),
    [
        ("    while x:\n        await Runner.run(b, y)", "the course ends here. 'B' can be called"),
        (
            "    if x > 1:\n        await Runner.run(b, y)",
            "the course ends here. 'B' can be called",
        ),
        ("    await asyncio.gather(Runner.run(b, x))", "the course ends here. 'B' can be called"),
        ("    await Runner.run(self.b, x)", "the course ends here."),
        ("    if guardrails_has_tripwire(x):\n        return x", "Guardrails are left out"),
        ("    os.remove('x')", "line 7: It is code, which is never run"),
    ],
)
def test_a_part_of_a_workflow_that_is_not_read_is_named_with_its_line(
    inside: str, told: str
) -> None:
    agents = "a = Agent(name='A', instructions='A.')\nb = Agent(name='B', instructions='B.')\n"

    reading = read_sdk_code(
        f"{HEAD}{agents}async def main(x):\n    await Runner.run(a, x)\n{inside}\n"
    )

    assert told in note_of(reading)


def test_code_after_a_guardrail_is_read() -> None:
    reading = read(
        """
        a = Agent(name="A", instructions="A.")
        async def run_workflow(x):
            guardrails_result = await run_and_apply_guardrails(x)
            if guardrails_result["has_tripwire"]:
                return guardrails_result
            else:
                await Runner.run(a, x)
        """
    )

    assert build(reading).name == "A"


def test_a_form_keeps_its_types_and_descriptions() -> None:
    reading = read(
        """
        class Mood(str, Enum):
            GOOD = "good"
            BAD = "bad"
        class Report(BaseModel):
            '''How it went.'''
            title: str = Field(description="A few words.")
            mood: Mood
            stars: Literal["one", "two"]
            count: int
            is_done: bool
            points: list[str]
            parts: dict[str, int]
        a = Agent(name="A", instructions="A.", output_type=Report)
        """
    )

    kind = build(reading).kinds[0]

    assert (kind.name, kind.description) == ("Report", "How it went.")
    assert [(one.name, one.type, one.choices) for one in kind.fields] == [
        ("title", "text", ()),
        ("mood", "choice", ("good", "bad")),
        ("stars", "choice", ("one", "two")),
        ("count", "whole_number", ()),
        ("is_done", "yes_no", ()),
        ("points", "texts", ()),
        ("parts", "text", ()),
    ]
    assert kind.fields[0].description == "A few words."
    assert "'parts' has a type that kinds of steps lack; it is a text." in note_of(reading)


def test_a_form_with_a_field_that_no_step_can_have_is_text() -> None:
    reading = read(
        """
        class Odd(BaseModel):
            __class__: str
        a = Agent(name="__class__", instructions="A.", output_type=Odd)
        """
    )

    assert (build(reading).name, build(reading).kinds) == ("__class__", ())
    assert "Its agent answers with text." in note_of(reading)


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        ("a = Agent(name=", "not valid Python: .* \\(line 3\\)"),
        ("x = 1", "makes no agent that can be read"),
        ("def make():\n    return Agent(name='A')", "makes no agent that can be read"),
        ("a = Agent(name=" + "(" * 500 + ")" * 500 + ")", "too many nested parentheses|too deep"),
        ("a = Agent(name='A', instructions=" + "-" * 20_000 + "1)", "too deep"),
        ("a = Agent(name='A', instructions=" + "'a'+" * 20_000 + "'a')", "too deep"),
        ("a = 1\0", "null bytes"),
        ("x = 1\n" * 5_001, "has 5,003 statements"),
        (
            "".join(
                f"a{n} = Agent(name='{n}', handoffs=[{', '.join(f'a{m}' for m in range(9))}])\n"
                for n in range(9)
            ),
            "more than 200 others",
        ),
    ],
)
def test_code_that_cannot_be_read_is_refused(code: str, reason: str) -> None:
    with pytest.raises(ImportRefusedError, match=reason):
        read_sdk_code(HEAD + code)


def test_a_text_that_repeats_others_to_no_end_is_not_read() -> None:
    bomb = "".join(f"t{n} = f'{{t{n + 1}}}' + t{n + 1} + t{n + 1}\n" for n in range(100))
    code = f"{HEAD}{bomb}t100 = 'boom'\nc = c + c\n"

    note = note_of(read_sdk_code(f"{code}a = Agent(name='A', instructions=t0, model=c)\n"))

    assert "'instructions' is made by code" in note
    assert "'model' is made by code" in note


def test_nothing_of_the_code_is_executed(tmp_path_factory: pytest.TempPathFactory) -> None:
    made = tmp_path_factory.mktemp("run") / "made"
    trick = f"a = Agent(name='A', instructions=open({str(made)!r}, 'w').name)\n"

    read_sdk_code(f"{HEAD}{trick}open({str(made)!r}, 'w')\n")

    assert not made.exists()


def test_typescript_is_refused_and_yaml_is_no_code() -> None:
    with pytest.raises(ImportRefusedError, match="choose Python"):
        refuse_typescript('import { Agent } from "@openai/agents";\n')

    assert not is_sdk_code("name: a\ninstruction: |\n  from agents import Agent\n")
    assert is_sdk_code("import os\nfrom agents.extensions import x\n")
