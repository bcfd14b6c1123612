"""What a module of one's own imports: one door, and an agent that is registered through it."""

import ast
import asyncio
import subprocess
import sys
from pkgutil import iter_modules

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tapes_app.engine
from tapes_app.engine import (
    Agent,
    AgentConfigError,
    AgentRunError,
    AssistantStep,
    HumanEnvironment,
    LLMOutput,
    Node,
    NoEnvironment,
    SetNextNode,
    Step,
    TalkNode,
    Tape,
    ToolCall,
    ToolCalls,
    ToolResult,
    Tools,
    TrainingTextError,
    UserStep,
    environment_of,
    gallery_agents,
    make_training_text,
    register,
    run_to_end,
    tool,
)
from tapes_app.engine.agent.nodes import find_node_class
from tapes_app.engine.agent.spec import AgentSpec, NodeSpec, build_agent, build_environment
from tapes_app.engine.model.llm import replayed_stream
from tapes_app.engine.tape.steps import PartialStep
from tapes_app.llms.scripted import ScriptedLLM, answers_in_order
from tests.studio.running_studio import ROOT


@tool
def look_up(word: str) -> str:
    """Look a word up."""
    return word.upper()


@tool
def count(words: list[str]) -> int:
    return len(words)


class PausingNode(TalkNode):
    type_name = "tests.door.PausingNode"
    former_names = ("tests.old_door.PausingNode",)


class PlainlyNamedNode(Node):
    """Has the name that its module and class give it."""


def build_talker(name: str = "talker") -> Agent:
    nodes = [TalkNode(tools=[look_up, count])]
    return Agent.create(name, templates={"system": "Be brief."}, nodes=nodes)


def build_script(*answers: LLMOutput | str) -> ScriptedLLM:
    return ScriptedLLM(answers_in_order(answers))


# The door


def test_every_name_of_the_door_leads_somewhere_and_hides_no_module() -> None:
    modules = {module.name for module in iter_modules(tapes_app.engine.__path__)}

    found = {name: getattr(tapes_app.engine, name) for name in tapes_app.engine.__all__}

    assert all(value.__name__ == name for name, value in found.items() if isinstance(value, type))
    assert not modules & set(found)
    assert set(found) <= set(dir(tapes_app.engine))


def test_type_checkers_see_the_same_names_as_programs() -> None:
    tree = ast.parse((ROOT / "tapes_app/engine/__init__.py").read_text("utf-8"))
    imports = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]

    seen = {
        alias.name: (node.module or "").removeprefix("tapes_app.engine.")
        for node in imports
        for alias in node.names
        if (node.module or "").startswith("tapes_app.engine")
    }

    assert seen == tapes_app.engine._HOME_OF
    assert sorted(seen) == sorted(tapes_app.engine.__all__)


def test_a_name_that_is_not_there_is_refused_as_python_does() -> None:
    with pytest.raises(ImportError, match="Agnet"):
        exec("from tapes_app.engine import Agnet")


def test_coming_through_the_door_for_an_error_loads_nothing_else() -> None:
    program = (
        "import sys; from tapes_app.engine import StudioError;"
        "print(sorted(name for name in sys.modules if name.startswith('tapes_app.engine.')))"
    )

    outcome = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=False
    )

    assert outcome.stdout == "['tapes_app.engine.errors']\n", outcome.stderr


# The node that talks and calls tools


async def generate(node: Node, agent: Agent, tape: Tape, output: LLMOutput) -> list[Step]:
    prompt = node.make_prompt(agent, tape)
    steps = node.generate_steps(agent, tape, replayed_stream(prompt, output))
    return [step async for step in steps if not isinstance(step, PartialStep)]


_words = st.text(min_size=1, max_size=20)
_arguments = st.one_of(_words, st.dictionaries(_words, st.integers() | _words, max_size=3))
_calls = st.builds(
    lambda id, name, arguments: ToolCall.model_validate(
        {"id": id, "function": {"name": name, "arguments": arguments}}
    ),
    st.text(max_size=8),
    _words,
    _arguments,
)
_actions = st.one_of(
    st.builds(AssistantStep, content=_words),
    st.lists(_calls, min_size=1, max_size=4).map(lambda calls: ToolCalls(tool_calls=tuple(calls))),
    st.builds(
        lambda calls, said: ToolCalls(tool_calls=tuple(calls), content=said),
        st.lists(_calls, min_size=1, max_size=4),
        _words,
    ),
)


@given(action=_actions, after_answer=st.sampled_from(["", "plan", 0]))
def test_its_steps_come_back_from_the_answer_that_they_stand_for(
    action: AssistantStep | ToolCalls, after_answer: str | int
) -> None:
    node = TalkNode(name="talk", after_answer=after_answer)
    agent = Agent.create("a", templates={"system": "x"}, nodes=[node])
    begins_anew = isinstance(action, AssistantStep) and after_answer != ""
    turn = SetNextNode(next_node=after_answer if begins_anew else "talk")
    tape = Tape(steps=(UserStep(content="go"), turn, action))

    output = node.make_llm_output(agent, tape, 1)
    steps = asyncio.run(generate(node, agent, tape[:1], output))

    assert steps == [turn, action]


async def test_it_calls_tools_at_once_answers_and_can_be_trained_on() -> None:
    calls = tuple(
        {"id": key, "type": "function", "function": {"name": "look_up", "arguments": arguments}}
        for key, arguments in (("a", '{"word": "one"}'), ("b", '{"word": "two"}'))
    )
    llm = build_script(LLMOutput(content="Let me see.", tool_calls=calls), "ONE and TWO.")
    agent = build_talker().with_llms({"default": llm})

    end = await run_to_end(agent, Tape(steps=(UserStep(content="?"),)), environment_of(agent))

    results = [step.content for step in end.tape if isinstance(step, ToolResult)]
    assert results == ["ONE", "TWO"]
    assert end.status == "external_input_needed"
    assert len(await make_training_text(agent, end.tape)) == 2


@pytest.mark.parametrize("steps", [(AssistantStep(content="x"),), (SetNextNode(next_node=0),)])
def test_steps_that_it_would_not_write_are_named(steps: tuple[Step, ...]) -> None:
    agent = build_talker()

    with pytest.raises(TrainingTextError, match="node selection followed by an action"):
        agent.nodes[0].make_llm_output(agent, Tape(steps=steps), 0)


async def test_an_empty_answer_and_a_missing_instruction_are_told() -> None:
    agent = build_talker()

    with pytest.raises(AgentRunError, match="neither text nor tool calls"):
        await generate(agent.nodes[0], agent, Tape(), LLMOutput())
    with pytest.raises(AgentConfigError, match=r"no template 'rules'; available: \['system'\]"):
        TalkNode(template="rules").make_prompt(agent, Tape())


# Agents as data


def test_a_registered_agent_is_data_and_runs_again_from_it() -> None:
    try:
        register(build_talker("door-talker"), description="Talks.")
        spec = AgentSpec.model_validate_json(gallery_agents.get("door-talker")().model_dump_json())
    finally:
        gallery_agents._entries.pop("door-talker", None)

    agent = build_agent(spec, lambda wanted: ScriptedLLM(wanted.model.removeprefix("script:")))

    assert spec.description == "Talks."
    assert spec.nodes[0] == NodeSpec(
        type="engine.TalkNode",
        settings={
            "name": "TalkNode",
            "tools": ["tests.engine.test_door.look_up", "tests.engine.test_door.count"],
        },
    )
    assert agent.nodes == build_talker().nodes
    assert [schema["function"] for schema in build_environment(spec).tool_schemas()] == [
        look_up.schema()["function"],
        count.schema()["function"],
    ]


def test_an_agent_without_a_model_says_so_when_it_is_asked() -> None:
    spec = gallery_agents.get("continuation")()
    stand_in = ScriptedLLM("stand-in")
    agent = build_talker().with_llms({"default": stand_in})

    end = asyncio.run(
        run_to_end(agent, Tape(steps=(UserStep(content="Well?"),)), environment_of(agent))
    )

    assert spec.llms["default"].model == "script:continuation"
    said = end.tape[-1]
    assert isinstance(said, AssistantStep)
    assert said.content.startswith("I am a script, not a language model")


@pytest.mark.parametrize(
    ("agent", "complaint"),
    [
        (build_talker("taken"), "already a gallery agent named 'taken'"),
        (build_talker("owner").with_llms({"default": build_script()}), "contains LLMs"),
    ],
)
def test_what_cannot_be_registered_is_refused(agent: Agent, complaint: str) -> None:
    gallery_agents.add("taken", lambda: AgentSpec(name="taken"))
    try:
        with pytest.raises(AgentConfigError, match=complaint):
            register(agent)
    finally:
        gallery_agents._entries.pop("taken", None)


def test_two_tools_of_one_name_in_a_team_are_refused() -> None:
    def build_other() -> Tools:
        @tool
        def count(letters: str) -> int:
            return len(letters)

        return [count]

    helper = Agent.create("helper", nodes=[TalkNode(tools=build_other())])
    team = Agent.create("boss", nodes=[TalkNode(tools=[count])], subagents=[helper])

    with pytest.raises(AgentConfigError, match="Two tools in the team are named 'count'"):
        environment_of(team)


def test_a_function_that_is_no_tool_is_named() -> None:
    with pytest.raises(
        AgentConfigError, match="'len' is not a tool; decorate its function with @tool"
    ):
        TalkNode.model_validate({"tools": [len]})
    with pytest.raises(AgentConfigError, match=r"There is no tool named 'os\.system'"):
        TalkNode.model_validate({"tools": ["os.system"]})


def test_only_a_team_that_talks_or_has_tools_gets_an_environment_of_its_own() -> None:
    silent = Agent.create("silent", nodes=[PlainlyNamedNode()])

    assert isinstance(environment_of(silent), NoEnvironment)
    assert environment_of(build_talker()).tool_schemas()


@pytest.mark.parametrize(
    ("name", "cls"),
    [
        ("tests.engine.test_door.PlainlyNamedNode", PlainlyNamedNode),
        ("PlainlyNamedNode", PlainlyNamedNode),
        ("tests.door.PausingNode", PausingNode),
        ("tests.old_door.PausingNode", PausingNode),
        ("PausingNode", None),
    ],
)
def test_a_node_is_found_by_every_name_that_agents_were_stored_with(
    name: str, cls: type[Node] | None
) -> None:
    assert find_node_class(name) is cls


def test_a_former_name_that_two_nodes_share_is_refused() -> None:
    type("PlainlyNamedNode", (Node,), {"__module__": "tests.elsewhere"})
    try:
        with pytest.raises(
            AgentConfigError, match=r"is ambiguous; use one of \['tests.elsewhere.Plainly"
        ):
            find_node_class("PlainlyNamedNode")
    finally:
        from tapes_app.engine.agent.nodes import NODE_CLASSES

        del NODE_CLASSES["tests.elsewhere.PlainlyNamedNode"]


def test_something_that_is_no_llm_is_named() -> None:
    with pytest.raises(AgentConfigError, match="LLM 'default' of agent 'a' is not an LLM but str"):
        Agent.create("a", llms="gpt")  # type: ignore[arg-type]


def test_an_environment_of_ones_own_is_registered_with_the_agent() -> None:
    from tapes_app.engine.environment.spec import environments

    try:
        register(build_talker("door-person"), environment=HumanEnvironment)
        spec = gallery_agents.get("door-person")()
        assert isinstance(build_environment(spec), HumanEnvironment)
    finally:
        gallery_agents._entries.pop("door-person", None)
        environments._entries.pop("door-person", None)
