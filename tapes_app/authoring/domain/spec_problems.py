"""What is wrong with the spec of an agent, each with its place; and its drawing."""

from collections import Counter
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain, islice
from typing import Any

from pydantic import ValidationError

from tapes_app.agents.domain.llm_parameters import check_parameters
from tapes_app.authoring.domain.agent_graph import Member, Team, draw_graph, point_to
from tapes_app.authoring.domain.given_kinds import check_wanted_kinds, list_given_kinds
from tapes_app.authoring.domain.kind_problems import (
    build_sound_kinds,
    check_defined_kinds,
    check_kind_names,
)
from tapes_app.authoring.domain.node_problems import (
    ReadNode,
    check_node,
    list_misfits,
    place_error,
    read_node,
)
from tapes_app.authoring.domain.rows import Graph, Problem, TextVariable
from tapes_app.authoring.domain.rule_problems import check_rules
from tapes_app.authoring.domain.text_variables import check_text, list_variables
from tapes_app.builders.llm_function import LLMFunctionTemplate
from tapes_app.engine.agent.agent import AGENT_CLASSES, Agent
from tapes_app.engine.agent.spec import AgentSpec, LLMSpec, build_environment, make_environment
from tapes_app.engine.environment.spec import (
    EnvironmentSpec,
    build_registered,
    list_chosen,
    list_type_modules,
)
from tapes_app.engine.errors import StudioError
from tapes_app.engine.model.llm import SCRIPT_PREFIX, scripts
from tapes_app.engine.tape.defined_steps import StepClassesByName

_MOST_PROBLEMS = 200


@dataclass(frozen=True)
class Surroundings:
    """What the spec of an agent may refer to in its project."""

    name: str
    """The name that the agent must keep."""

    models: frozenset[str]


@dataclass(frozen=True)
class Reading:
    """A spec as it was read: `None` where it is not that of an agent."""

    spec: AgentSpec | None
    problems: tuple[Problem, ...]
    graph: Graph | None
    variables: tuple[TextVariable, ...] = ()
    """What its prompt texts can be filled in with."""

    @property
    def has_errors(self) -> bool:
        return any(problem.severity == "error" for problem in self.problems)


@dataclass(frozen=True)
class _Part:
    spec: AgentSpec
    nodes: tuple[ReadNode, ...]
    llms: Mapping[str, LLMSpec]
    """Its own LLMs, or those of its manager if it has none."""


def read_spec(spec: Any, surroundings: Surroundings) -> Reading:
    """Return a spec with everything that is wrong with it."""
    try:
        made = AgentSpec.model_validate(spec)
    except ValidationError as error:
        return Reading(None, tuple(list_misfits(error, spec, "")), None)
    kinds = build_sound_kinds(made.kinds)
    parts = dict(_walk(made, "", {}, kinds))
    team = _make_team(parts)
    types = {read.path: read.spec.type for part in parts.values() for read in part.nodes}
    graph = draw_graph(team, types)
    modules = list_type_modules(made.environment)
    given = list_given_kinds(team, made.kinds, environment_modules=modules)
    found = chain(
        _check_name(made, surroundings.name),
        *(_check_part(part, team[pointer], surroundings, kinds) for pointer, part in parts.items()),
        _check_kinds(made, parts),
        _check_wanted_kinds(team, given, kinds),
        _check_texts(parts, given, kinds),
        _check_environment(made, parts),
        _check_tool_rules(made, parts),
        _find_unreached(graph),
    )
    problems = tuple(islice(found, _MOST_PROBLEMS))
    return Reading(made, problems, graph, list_variables(given, kinds))


def _walk(
    spec: AgentSpec, pointer: str, inherited: Mapping[str, LLMSpec], kinds: StepClassesByName
) -> Iterator[tuple[str, _Part]]:
    llms = spec.llms or inherited
    nodes = tuple(
        read_node(node, point_to(pointer, "nodes", at), kinds) for at, node in enumerate(spec.nodes)
    )
    yield pointer, _Part(spec, nodes, llms)
    for at, member in enumerate(spec.subagents):
        yield from _walk(member, point_to(pointer, "subagents", at), llms, kinds)


def _make_team(parts: Mapping[str, _Part]) -> Team:
    """Return the agents, unlike those that run unchecked; unreadable nodes have stand-ins."""
    made: dict[str, Agent] = {}
    for pointer, part in reversed(list(parts.items())):  # subagents come after their manager
        below = [point_to(pointer, "subagents", at) for at in range(len(part.spec.subagents))]
        made[pointer] = AGENT_CLASSES.get(part.spec.type, Agent).model_construct(
            name=part.spec.name,
            templates=dict(part.spec.templates),
            nodes=tuple(read.stand_in for read in part.nodes),
            subagents=tuple(made[one] for one in below),
        )
    team: dict[str, Member] = {}
    for pointer in parts:
        manager = team.get(pointer.rpartition("/subagents/")[0]) if pointer else None
        name = made[pointer].name
        path = f"{manager.path}/{name}" if manager is not None else name
        team[pointer] = Member(pointer, path, made[pointer])
    return team


def _check_name(spec: AgentSpec, name: str) -> Iterator[Problem]:
    if spec.name != name:
        yield Problem("/name", f"This is agent {name!r}; its versions keep that name.")


def _check_part(
    part: _Part, member: Member, surroundings: Surroundings, kinds: Container[str]
) -> Iterator[Problem]:
    spec, pointer = part.spec, member.pointer
    if not spec.name or "/" in spec.name:
        yield Problem(point_to(pointer, "name"), "An agent needs a name without '/'.")
    if spec.type and spec.type not in AGENT_CLASSES:
        message = f"There is no agent type {spec.type[:100]!r}; its plugin is not loaded."
        yield Problem(point_to(pointer, "type"), message)
    if not spec.nodes:
        message = f"Agent {spec.name!r} has no nodes, so it cannot run; add one."
        yield Problem(point_to(pointer, "nodes"), message)
    names = [node.name for node in member.agent.nodes]
    for at in _list_repeated(names):
        place = point_to(pointer, "nodes", at, "settings", "name")
        yield Problem(place, f"Another node is named {names[at]!r}; rename one of them.")
    names = [one.name for one in spec.subagents]
    for at in _list_repeated(names):
        place = point_to(pointer, "subagents", at, "name")
        yield Problem(place, f"Another subagent is named {names[at]!r}; rename one of them.")
    for name, llm in spec.llms.items():
        yield from _check_llm(llm, point_to(pointer, "llms", name), surroundings.models)
    for name, template in spec.templates.items():
        yield from _check_template(template, point_to(pointer, "templates", name))
    for at, read in enumerate(part.nodes):
        yield from read.problems
        yield from check_node(read, member, at, part.llms)
        yield from check_kind_names(read.settings, f"{read.path}/settings", kinds)


def _list_repeated(names: Sequence[str]) -> Iterator[int]:
    seen: Counter[str] = Counter()
    for at, name in enumerate(names):
        seen[name] += 1
        if name and seen[name] > 1:
            yield at


def _check_llm(llm: LLMSpec, path: str, models: frozenset[str]) -> Iterator[Problem]:
    is_script = llm.model.startswith(SCRIPT_PREFIX)
    name = llm.model.removeprefix(SCRIPT_PREFIX)
    if name not in scripts if is_script else name not in models:
        what = "script" if is_script else "LLM model"
        message = f"There is no {what} named {name[:100]!r}; add it, or choose another."
        yield Problem(f"{path}/model", message)
    yield from _report(partial(check_parameters, llm.parameters), f"{path}/parameters")


def _check_template(template: Any, path: str) -> Iterator[Problem]:
    if isinstance(template, str):
        return
    try:
        function = LLMFunctionTemplate.model_validate(template)
    except ValidationError as error:
        if isinstance(template, dict) and "outputs" in template:
            yield from list_misfits(error, template, path)
        return
    except StudioError as error:
        yield Problem(path, error.message)
        return
    known = {one.name for one in (*function.inputs, *function.outputs)}
    for field in ("demos", "partial_demos"):
        for at, demo in enumerate(getattr(function, field)):
            for name in demo.keys() - known:
                message = f"The function has no variable {name[:100]!r}; this is not shown."
                yield Problem(point_to(path, field, at, name), message, severity="warning")


def _check_environment(spec: AgentSpec, parts: Mapping[str, _Part]) -> Iterator[Problem]:
    nodes = [read.node for part in parts.values() for read in part.nodes]
    for at, one in enumerate(list_chosen(spec.environment)):
        path = f"/environment/{at}" if isinstance(spec.environment, tuple) else "/environment"
        if one == "":
            known = [node for node in nodes if node is not None]
            yield from _report(partial(make_environment, known), path)
        elif isinstance(one, str):
            yield from _report(partial(build_registered, EnvironmentSpec(type=one)), path)
        else:
            yield from _report(partial(build_registered, one), path, one.model_dump())


def _check_tool_rules(spec: AgentSpec, parts: Mapping[str, _Part]) -> Iterator[Problem]:
    if spec.tool_rules:
        yield from check_rules(spec.tool_rules, _list_tools(spec))
    for pointer, part in parts.items():
        if pointer and part.spec.tool_rules:
            message = f"Only the rules of {spec.name!r} count, for its subagents too; move them."
            yield Problem(point_to(pointer, "tool_rules"), message, severity="warning")


def _check_kinds(spec: AgentSpec, parts: Mapping[str, _Part]) -> Iterator[Problem]:
    nodes = [read.node for part in parts.values() for read in part.nodes]
    # Nobody knows what a node that cannot be read would write.
    known = None if None in nodes else [node for node in nodes if node is not None]
    yield from check_defined_kinds(spec.kinds, known)
    for pointer, part in parts.items():
        if pointer and part.spec.kinds:
            message = f"Only the kinds of {spec.name!r} count, for its subagents too; move them."
            yield Problem(point_to(pointer, "kinds"), message, severity="warning")


def _check_wanted_kinds(
    team: Team, given: frozenset[str] | None, own: StepClassesByName
) -> Iterator[Problem]:
    if given is not None:
        for member in team.values():
            yield from check_wanted_kinds(member, given, own)


def _check_texts(
    parts: Mapping[str, _Part], given: frozenset[str] | None, own: StepClassesByName
) -> Iterator[Problem]:
    for pointer, part in parts.items():
        for name, template in part.spec.templates.items():
            if isinstance(template, str):
                yield from check_text(template, point_to(pointer, "templates", name), given, own)


def _list_tools(spec: AgentSpec) -> frozenset[str] | None:
    """Return the names of a team's tools, and of its own kinds of actions, which rules name too.

    `None` if there may be more, or the rest has errors.
    """
    try:
        without_rules = build_environment(spec.model_copy(update={"tool_rules": ()}))
        schemas = without_rules.tool_schemas()
    except Exception:  # noqa: BLE001 - a plugin's environment; what is wrong is reported elsewhere
        return None
    functions = [schema.get("function") for schema in schemas]
    named = {str(one.get("name")) for one in functions if isinstance(one, dict)}
    named |= {kind.name for kind in spec.kinds}
    is_open = without_rules.answers_anything or (spec.environment != "" and not schemas)
    return None if is_open else frozenset(named)


def _report(check: Callable[[], object], path: str, value: Any = None) -> Iterator[Problem]:
    """Yield why a check fails; `value` is what is at the path, in which the place is looked up."""
    try:
        check()
    except StudioError as error:
        cause = error.__cause__
        if isinstance(cause, ValidationError) and isinstance(value, dict):
            yield from list_misfits(cause, value["settings"], f"{path}/settings")
        else:
            yield Problem(place_error(error, value, path), error.message)
    except Exception as error:  # noqa: BLE001 - a plugin's environment, with settings of a draft
        yield Problem(path, f"The environment cannot be made: {type(error).__name__}.")


def _find_unreached(graph: Graph) -> Iterator[Problem]:
    for node in graph.nodes:
        if not node.is_reachable:
            message = f"Nothing leads to node {node.name!r}, so it never runs."
            yield Problem(node.path, message, severity="warning")
