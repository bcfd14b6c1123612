"""What is wrong with a spec, each with its place in it."""

from typing import Any

import pytest

from tapes_app.authoring.domain.agent_graph import MOST_EDGES
from tapes_app.authoring.domain.rows import Problem
from tapes_app.authoring.domain.spec_problems import Reading, Surroundings, read_spec
from tapes_app.engine.agent.registration import gallery_agents
from tapes_app.gallery.orders.agent import NAME as ORDERS
from tests.builders.nodes import SayNode
from tests.http.worlds import spec

SAY = {"type": SayNode.type_name, "settings": {"name": "say"}}
TALK = {"type": "engine.TalkNode", "settings": {"name": "talk"}}
FUNCTION = {"desc": "Sum.", "inputs": [{"type": "input", "name": "a"}],
            "outputs": [{"type": "thought", "name": "b"}]}  # fmt: skip


VERDICT = {
    "name": "Verdict",
    "fields": [{"name": "label", "type": "text", "description": "Whether it holds."}],
}


def node(type_: str, **settings: Any) -> dict[str, Any]:
    return {"type": type_, "settings": settings}


def read(*nodes: Any, **changes: Any) -> Reading:
    whole = {**spec().model_dump(mode="json"), "templates": {"system": "Help."}, **changes}
    if nodes:
        whole["nodes"] = list(nodes)
    return read_spec(whole, Surroundings("talker", frozenset({"tiny"})))


def places(reading: Reading, severity: str = "error") -> list[str]:
    return [one.path for one in reading.problems if one.severity == severity]


def test_an_agent_that_works_has_no_problems() -> None:
    reading = read(TALK)

    assert reading.problems == ()
    assert not reading.has_errors


CONDITION = {"type": "last_step_is", "kinds": ["user"]}


@pytest.mark.parametrize(
    ("nodes", "path", "message"),
    [
        ([node("os.system")], "/nodes/0/type", "no node type 'os.system'"),
        ([node("builders.ControlNode")], "/nodes/0/type", "no node type"),
        ([node("tests.SayNode", colour=1)], "/nodes/0/settings/colour", "Extra inputs"),
        ([node("engine.TalkNode", sampling={"top_p": 7})], "/nodes/0/settings/sampling/top_p", "1"),
        ([SAY, SAY], "/nodes/1/settings/name", "Another node is named 'say'"),
        ([node("builders.GoToNode", next_node="x"), SAY], "/nodes/0/settings/next_node", "'say'"),
        ([node("builders.GoToNode", next_node="")], "/nodes/0", "No node follows"),
        ([node("builders.GoToNode")], "/nodes/0/settings/next_node", "Field required"),
        (
            [node("builders.IfNode", condition=CONDITION, then="say", otherwise="x"), SAY],
            "/nodes/0/settings/otherwise",
            "no node 'x'",
        ),
        (
            [node("builders.IfNode", condition={"type": "last_step_is"}), SAY],
            "/nodes/0/settings/condition/kinds",
            "Field required",
        ),
        (
            [node("builders.ObservationNode", routes={"user": "x"}), SAY],
            "/nodes/0/settings/routes/user",
            "no node 'x'",
        ),
        (
            [node("engine.TalkNode", after_answer=4)],
            "/nodes/0/settings/after_answer",
            "node '4'",
        ),
        ([node("builders.CallNode", subagent="x"), SAY], "/nodes/0/settings/subagent", "'x'"),
        (
            [node("builders.CallTogetherNode", calls=[{"subagent": "x"}]), SAY],
            "/nodes/0/settings/calls/0/subagent",
            "'x'",
        ),
        (
            [node("builders.CallTogetherNode", calls=[{"subagent": "x"}], join=2), SAY],
            "/nodes/0/settings",
            "waits for 2 responses",
        ),
        ([node("engine.TalkNode", template="x")], "/nodes/0/settings/template", "['system']"),
        ([node("engine.TalkNode", guidance="x")], "/nodes/0/settings/guidance", "no template 'x'"),
        (
            [node("builders.LLMFunctionNode", template_name="x")],
            "/nodes/0/settings/template_name",
            "no template 'x'",
        ),
        (
            [node("builders.LLMFunctionNode", template_name="system")],
            "/nodes/0/settings/template_name",
            "is not a function",
        ),
        (
            [node("engine.TalkNode", tools=["os.system"])],
            "/nodes/0/settings/tools/0",
            "no tool named 'os.system'",
        ),
        (
            [node("engine.TalkNode", tool_choice="x")],
            "/nodes/0/settings/tool_choice",
            "no tool 'x'",
        ),
        (
            [node("builders.MonoNode", steps=["assistant", "unheard_of"])],
            "/nodes/0/settings/steps/1",
            "no step of kind 'unheard_of'",
        ),
        ([node("builders.StepsNode", steps=7)], "/nodes/0/settings", "list of steps"),
        ([node("tests.SayNode", llm="other")], "/nodes/0/settings/llm", "['default']"),
        (
            [node("builders.SpeakerNode", rules=[{"condition": CONDITION, "member": "x"}]), SAY],
            "/nodes/0/settings/rules/0/member",
            "no member 'x'",
        ),
    ],
)
def test_a_problem_of_a_node_has_its_place(nodes: list[Any], path: str, message: str) -> None:
    found = [one for one in read(*nodes).problems if one.path == path]

    assert found, read(*nodes).problems
    assert message in found[0].message
    assert found[0].severity == "error"


@pytest.mark.parametrize(
    ("changes", "path", "message"),
    [
        ({"name": "other"}, "/name", "its versions keep that name"),
        ({"nodes": []}, "/nodes", "has no nodes"),
        ({"nodes": 7}, "/nodes", "valid tuple"),
        ({"type": "os.system"}, "/type", "no agent type 'os.system'"),
        ({"llms": {"default": {"model": "gone"}}}, "/llms/default/model", "LLM model named 'gone'"),
        ({"llms": {"default": {"model": "script:x"}}}, "/llms/default/model", "script named 'x'"),
        (
            {"llms": {"a/b": {"model": "tiny", "parameters": {"api_key": "sk"}}}},
            "/llms/a~1b/parameters",
            "'api_key' is not allowed",
        ),
        ({"llms": {}}, "/nodes/0/settings/llm", "the agent has none"),
        ({"environment": "nowhere"}, "/environment", "no environment named 'nowhere'"),
        ({"environment": ["", "nowhere"]}, "/environment/1", "no environment named 'nowhere'"),
        (
            {"environment": {"type": "chat", "settings": {"x": 1}}},
            "/environment/type",
            "no settings",
        ),
        (
            {"subagents": [spec("a").model_dump(mode="json")] * 2},
            "/subagents/1/name",
            "Another subagent is named 'a'",
        ),
        ({"subagents": [{"name": "a/b", "nodes": [SAY]}]}, "/subagents/0/name", "without '/'"),
        (
            {"subagents": [{"name": "a", "nodes": [node("os.system")]}]},
            "/subagents/0/nodes/0/type",
            "no node type",
        ),
        ({"subagents": [{"name": "a", "nodes": "b"}]}, "/subagents/0/nodes", "valid tuple"),
        (
            {"subagents": [{"name": "a", "nodes": [node("builders.CallNode", subagent="talker")]}]},
            "/subagents/0/nodes/0/settings/subagent",
            "no subagent 'talker'; there is none yet",
        ),
        ({"templates": {"f": {**FUNCTION, "outputs": []}}}, "/templates/f", "at least one output"),
        (
            {"templates": {"f": {**FUNCTION, "inputs": [{"type": "input"}]}}},
            "/templates/f/inputs/0/name",
            "Field required",
        ),
        ({"max_iterations": 0}, "/max_iterations", "greater than 0"),
        ({"__class__": 1}, "/__class__", "Extra inputs"),
    ],
)
def test_a_problem_of_an_agent_has_its_place(changes: Any, path: str, message: str) -> None:
    problems = read(**changes).problems

    found = [one for one in problems if one.path == path]
    assert found, problems
    assert message in found[0].message


def test_every_input_of_a_function_needs_a_step() -> None:
    asks = node("builders.LLMFunctionNode", template_name="f")

    reading = read(asks, templates={"f": FUNCTION})

    assert places(reading) == ["/nodes/0/settings/input_refs"]


def test_a_node_whose_settings_are_wrong_is_still_there_for_others() -> None:
    goes = node("builders.GoToNode", name="go", next_node="say")
    wrong = node(SayNode.type_name, name="say", colour="red")

    reading = read(goes, wrong)

    assert places(reading) == ["/nodes/1/settings/colour"]
    assert reading.graph is not None
    assert [(one.source, one.target) for one in reading.graph.edges] == [("/nodes/0", "/nodes/1")]


def test_what_is_only_doubtful_is_a_warning() -> None:
    goes = node("builders.GoToNode", name="go", next_node="end")
    skipped = node("builders.StopNode", name="skipped")
    end = node("builders.StopNode", name="end")
    asks = {"f": {**FUNCTION, "demos": [{"a": 1, "c": 2}]}, "system": "Hello {name}, {0.x}."}

    reading = read(goes, skipped, end, templates=asks)

    assert set(places(reading, "warning")) == {
        "/nodes/1", "/templates/f/demos/0/c", "/templates/system"
    }  # fmt: skip
    assert not reading.has_errors


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{{ plan.formula }}", "no kind of step 'plan', so {{ plan.formula }} stays empty"),
        ("{{ user.contents }}", "no field 'contents', so {{ user.contents }} stays empty; choose"),
        ("{{ Verdict.why }}", "choose one of ['label']"),
        ("{{ user.content | shout }}", "no filter 'shout', so {{ user.content }} is sent as it is"),
        ("{{ user }}{name}", "{name} is sent as it is written"),
        ("{{ respond.content }}", "Nothing in this agent gives a step of kind 'respond'"),
        ("{{ user.content }}" * 101, "at most 100 variables"),
    ],
)
def test_a_variable_that_nothing_fills_in_is_a_warning(text: str, message: str) -> None:
    [problem] = read(TALK, templates={"system": text}, kinds=[VERDICT]).problems[-1:]

    assert (problem.path, problem.severity) == ("/templates/system", "warning")
    assert message in problem.message


def test_what_is_offered_for_a_text_is_what_it_is_filled_in_with() -> None:
    judge = node("builders.MonoNode", name="judge", steps=["Verdict"])
    reading = read(judge, kinds=[VERDICT])
    names = [one.name for one in reading.variables]
    text = " ".join(f"{{{{ {name} }}}}" for name in names)

    again = read(judge, templates={"system": text}, kinds=[VERDICT])

    assert names[:2] == ["Verdict.label", "user.content"]
    assert "metadata" not in text
    assert reading.variables[0].holds == "Whether it holds (newest Verdict step)"
    assert [one for one in again.problems if one.path == "/templates/system"] == []


def test_kinds_of_steps_that_are_unknown_here_are_a_warning() -> None:
    condition = {"type": "last_step_is", "kinds": ["user", "unheard_of"]}
    asks = node("builders.IfNode", condition=condition, then="say", otherwise="say")

    reading = read(asks, SAY)

    assert places(reading, "warning") == ["/nodes/0/settings/condition/kinds/1"]


def if_last_is(*kinds: str) -> dict[str, Any]:
    condition = {"type": "last_step_is", "kinds": list(kinds)}
    return node("builders.IfNode", name="if", condition=condition, then="end", otherwise="end")


END = node("builders.StopNode", name="end")


def test_a_step_that_nothing_in_the_agent_gives_is_a_warning_at_its_place() -> None:
    by_field = {"type": "field_compares", "step": {"kind": "respond"}, "value": 1}
    chosen = {"name": "compare", "condition": by_field, "then": "end", "otherwise": "end"}
    observed = {"tool": "end", "assistant": "end", "page": "end"}
    looks = node("builders.ObservationNode", name="look", routes=observed, otherwise="end")

    reading = read(if_last_is("assistant", "call"), node("builders.IfNode", **chosen), looks, END)

    assert places(reading, "warning") == [
        "/nodes/0/settings/condition/kinds/0",
        "/nodes/0/settings/condition/kinds/1",
        "/nodes/1/settings/condition/step/kind",
        "/nodes/2/settings/routes/assistant",
        "/nodes/2/settings/routes/page",
        "/nodes/1",  # nothing leads to these two
        "/nodes/2",
    ]
    assert "Nothing in this agent gives a step of kind 'assistant'" in reading.problems[0].message


def test_a_kind_of_its_own_must_be_written_by_a_node_to_be_waited_for() -> None:
    reason = {"name": "reason", "type": "text"}
    kinds = [
        {"name": "verdict", "family": "thought", "fields": [reason]},
        {"name": "ruling", "family": "observation", "fields": [reason]},
    ]
    judges = node("builders.MonoNode", name="judge", steps=["verdict"])
    waits = if_last_is("verdict", "ruling")

    assert places(read(judges, waits, END, kinds=kinds), "warning") == []
    reading = read(SILENT, waits, END, kinds=kinds)
    assert "/nodes/1/settings/condition/kinds/0" in places(reading, "warning")


SILENT = node("builders.GoToNode", name="go", next_node="if")


CALCULATES = node("builders.MonoNode", name="sum", steps=["math_calculation"])


@pytest.mark.parametrize(
    "changes",
    [
        {"nodes": [SAY, if_last_is("call"), END]},  # its code may write anything
        {"nodes": [node("builders.RespondNode", name="r"), if_last_is("assistant"), END]},
        {"nodes": [TALK, if_last_is("tool_calls", "tool", "user"), END]},
        {"nodes": [if_last_is("assistant"), END], "subagents": [{"name": "w", "nodes": [TALK]}]},
        {"nodes": [node("os.system"), if_last_is("call"), END]},
        {"nodes": [if_last_is("math_result"), END], "environment": "math"},
        {"nodes": [CALCULATES, if_last_is("math_result"), END], "environment": ORDERS},
    ],
)
def test_a_step_that_something_may_give_is_no_problem(changes: dict[str, Any]) -> None:
    assert not find_ungiven(read(**changes))


def test_observations_of_a_bundled_agent_are_for_those_who_use_its_steps_or_environment() -> None:
    reading = read(TALK, if_last_is("math_result"), END, environment=ORDERS)
    kinds = {one.name.partition(".")[0] for one in reading.variables}

    assert len(find_ungiven(reading)) == 1
    assert "tool" in kinds
    assert not {"math_result", "function_candidates", "improver_refusal"} & kinds

    # Its nodes are code, which writes no steps of other bundled agents.
    analyst = gallery_agents.get("analyst")().model_dump(mode="json")
    reading = read_spec(analyst, Surroundings("analyst", frozenset()))
    kinds = {one.name.partition(".")[0] for one in reading.variables}
    assert {"user", "tool", "assistant_thought", "respond"} <= kinds
    assert not {kind for kind in kinds if kind.startswith(("form_", "function_", "improver_"))}


def test_bundled_agents_wait_for_nothing_that_they_cannot_give() -> None:
    specs = {name: gallery_agents.get(name)() for name in gallery_agents}

    found = {
        name: find_ungiven(read_spec(made.model_dump(mode="json"), Surroundings(name, frozenset())))
        for name, made in specs.items()
    }

    assert len(found) > 10
    assert [name for name, problems in found.items() if problems] == []


def find_ungiven(reading: Reading) -> list[Problem]:
    return [one for one in reading.problems if "Nothing in this agent gives" in one.message]


def test_a_team_is_drawn_with_its_calls() -> None:
    calls = node("builders.CallNode", name="ask", subagent="worker")
    says = node("builders.RespondNode", name="say")
    worker = {"name": "worker", "nodes": [node("builders.RespondNode", name="answer")]}
    stranger = {"name": "stranger", "nodes": [node("builders.RespondNode", name="answer")]}

    reading = read(calls, says, subagents=[worker, stranger])

    graph = reading.graph
    assert graph is not None
    assert [(one.path, one.agent, one.is_reachable) for one in graph.nodes] == [
        ("/nodes/0", "talker", True),
        ("/nodes/1", "talker", True),
        ("/subagents/0/nodes/0", "talker/worker", True),
        ("/subagents/1/nodes/0", "talker/stranger", False),
    ]
    assert [(one.source, one.target, one.label) for one in graph.edges] == [
        ("/nodes/0", "/subagents/0/nodes/0", "calls worker"),
        ("/nodes/0", "/nodes/1", "when worker has responded"),
    ]


def test_very_many_routes_are_not_all_drawn() -> None:
    routes = {f"kind {at}": f"node {at}" for at in range(100)}
    many = [node("builders.ObservationNode", name=f"node {at}", routes=routes) for at in range(100)]

    reading = read(*many)

    assert reading.graph is not None
    assert len(reading.graph.edges) == MOST_EDGES
    assert all(one.is_reachable for one in reading.graph.nodes)


def test_a_member_uses_the_models_of_its_manager() -> None:
    reading = read(SAY, subagents=[{"name": "worker", "nodes": [SAY]}])

    assert reading.problems == ()


def test_a_secret_in_the_settings_of_an_environment_is_not_repeated() -> None:
    reading = read(environment={"type": "nowhere", "settings": {"key": "sk-secret"}})

    assert not any("sk-secret" in one.message for one in reading.problems)
    assert Problem("/environment/type", reading.problems[0].message) == reading.problems[0]


def test_tool_rules_have_their_problems_at_their_place() -> None:
    rules = [
        {"action": "deny", "tool": "show_order", "arguments": "amount > 1000"},
        {"action": "replace", "tool": "show_o*r"},
        {"action": "deny", "tool": "missing"},
        {"action": "allow", "tool": "show_order", "after_calls": 2},
        {"action": "deny"},
        {"action": "ask", "tool": "show_order"},
        {"action": "ask", "tool": "assistant"},
    ]

    reading = read(TALK, environment=ORDERS, tool_rules=rules)

    assert places(reading) == ["/tool_rules/0/arguments", "/tool_rules/1/answer"]
    assert places(reading, "warning") == [
        "/tool_rules/2/tool",
        "/tool_rules/3/action",
        "/tool_rules/5/action",
    ]
    assert "rule 2 decides all of these calls" in reading.problems[-2].message


def test_rules_of_a_subagent_do_not_count() -> None:
    inner = {**spec("helper").model_dump(mode="json"), "tool_rules": [{"action": "deny"}]}

    reading = read(SAY, subagents=[inner])

    assert "/subagents/0/tool_rules" in places(reading, "warning")


def test_a_rule_that_hides_only_a_part_of_a_later_one_is_no_problem() -> None:
    rules = [
        {"action": "deny", "arguments": "amount > `9`"},
        {"action": "allow", "arguments": "amount > `9`"},
        {"action": "deny", "agent": "team"},
        {"action": "deny", "after_calls": 3},
        {"action": "ask", "tool": "a*", "after_calls": 5},
        {"action": "deny"},
    ]

    assert [one for one in places(read(SAY, tool_rules=rules), "warning") if "action" in one] == []
