"""Reads Python code of the OpenAI Agents SDK, as Agent Builder exports it, from its syntax tree."""

import ast
import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace

from tapes_app.authoring.domain.foreign.agents import (
    Ask,
    Choose,
    Course,
    Difference,
    End,
    ForeignAgent,
    ForeignReading,
)
from tapes_app.authoring.domain.foreign.sdk_agents import AgentReader
from tapes_app.authoring.domain.foreign.sdk_code import (
    Code,
    Function,
    line_of,
    name_of,
    parse_code,
)
from tapes_app.authoring.domain.foreign.sdk_course import APPROVAL, read_course, runs_agents
from tapes_app.authoring.domain.spec_size import MOST_AGENTS
from tapes_app.engine.errors import ImportRefusedError

_PYTHON = re.compile(r"^(?:from agents(?:\.\w+)* import|import agents)\b", re.MULTILINE)
_TYPESCRIPT = re.compile(r"""from\s+["']@openai/agents["']""")
_ENTRY = "run_workflow"
_DEEPEST = 18


def is_sdk_code(text: str) -> bool:
    return _PYTHON.search(text) is not None


def refuse_typescript(text: str) -> None:
    """Refuse the other language in which Agent Builder exports code.

    Raises:
        ImportRefusedError: it is TypeScript.
    """
    if _TYPESCRIPT.search(text):
        raise ImportRefusedError(
            "This is TypeScript, which is not read; choose Python where Agent Builder exports "
            "Agents SDK code."
        )


def read_sdk_code(text: str) -> ForeignReading:
    """Return the agent that a file's code makes, as far as it is data.

    Raises:
        ImportRefusedError: it is not Python, or makes no agent at its top level.
    """
    reader = _Reader(parse_code(text))
    try:
        agent = reader.read()
    except RecursionError as error:
        raise ImportRefusedError("This code is nested too deep to be read.") from error
    return ForeignReading("code of the OpenAI Agents SDK", agent, tuple(reader.differences))


class _Reader:
    def __init__(self, code: Code) -> None:
        self.differences: list[Difference] = []
        self._code = code
        self._calls = {
            name: value
            for name, value in code.assigned.items()
            if isinstance(value, ast.Call) and name_of(value) == "Agent"
        }
        self._agents = AgentReader(code, self.differences)
        self._count = 0

    def read(self) -> ForeignAgent:
        if not self._calls:
            raise ImportRefusedError(
                "This code makes no agent that can be read; assign each one to a name at the top "
                "level, as in: helper = Agent(name=…, instructions=…)."
            )
        alone = self._read_agents()
        handed = {
            name: self._agents.list_handoffs(call, self._calls)
            for name, call in self._calls.items()
        }
        teams = {name: self._with_members(name, alone, handed, ()) for name in alone}
        function = self._find_entry()
        course: Course = ()
        if function is not None:
            self._agents.used |= {function.name, APPROVAL}
            course = read_course(self._code, function, teams, self.differences)
        targets = {target for names in handed.values() for target in names}
        agent = self._make_root(function, course, teams, targets)
        self._tell_rest()
        return agent

    def _read_agents(self) -> dict[str, ForeignAgent]:
        """Return the agents without those that they hand over to, each with a name of its own."""
        made: dict[str, ForeignAgent] = {}
        taken: set[str] = set()
        for variable, call in self._calls.items():
            agent = self._agents.read(variable, call)
            name = agent.name if agent.name not in taken else f"{agent.name} ({variable})"
            taken.add(name)
            made[variable] = replace(agent, name=name)
        return made

    def _with_members(
        self,
        variable: str,
        alone: Mapping[str, ForeignAgent],
        handed: Mapping[str, list[str]],
        above: tuple[str, ...],
    ) -> ForeignAgent:
        self._count += 1
        if self._count > MOST_AGENTS or len(above) > _DEEPEST:
            raise ImportRefusedError(
                f"These agents hand over to more than {MOST_AGENTS} others, each counted as often "
                "as it is reached; import fewer of them."
            )
        path = (*above, variable)
        back = [name for name in handed[variable] if name in path]
        for name in back:
            message = f"{alone[variable].name!r} does not hand back to {alone[name].name!r}."
            self._note(self._calls[variable], message)
        members = tuple(
            self._with_members(name, alone, handed, path)
            for name in dict.fromkeys(handed[variable])
            if name not in back
        )
        agent = alone[variable]
        if members:
            message = (
                f"The model of {agent.name!r} chooses one member for each message, the agent "
                "itself among them."
            )
            self._note(self._calls[variable], message)
        return replace(agent, members=members, form=None if members else agent.form)

    def _find_entry(self) -> Function | None:
        found = [one for one in self._code.functions.values() if runs_agents(one)]
        return next((one for one in found if one.name == _ENTRY), found[0] if found else None)

    def _make_root(
        self,
        function: Function | None,
        course: Course,
        teams: Mapping[str, ForeignAgent],
        targets: set[str],
    ) -> ForeignAgent:
        asked = set(_list_asked(course))
        roots = [one for name, one in teams.items() if name not in targets or one.name in asked]
        if function is not None and asked and not _is_plain(course):
            for one in roots:
                if one.name not in asked:
                    self._note(function, f"Nothing calls {one.name!r}; call it in the editor.")
            name = _find_trace(function) or function.name
            return ForeignAgent(
                name=name.replace("/", " ").strip() or function.name,
                members=tuple(roots),
                speaks="course",
                course=course,
            )
        first = next((one for one in roots if one.name in asked), None)
        first = first or next((one for one in roots if one.members), None)
        chosen = first or (roots or list(teams.values()))[0]
        inside = {one.name for one in chosen.walk()}
        for variable, call in self._calls.items():
            if teams[variable].name not in inside:
                self._note(call, f"Nothing runs {teams[variable].name!r}; it is left out.")
        return chosen

    def _tell_rest(self) -> None:
        """Name what else stands at the top level and does something."""
        for statement in self._code.body:
            if _makes_agent(statement, self._calls.values()):
                message = "An agent made in a function, a class, a loop or the like is not read."
                self._note(statement, message)
                continue
            match statement:
                case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                    if name not in self._agents.used:
                        self._note(statement, f"The function {name!r} is code; it is left out.")
                case ast.Import() | ast.ImportFrom() | ast.ClassDef():
                    pass
                case ast.Assign(targets=[ast.Name()]) | ast.AnnAssign(target=ast.Name()):
                    pass  # it only has an effect where it is used
                case ast.Expr(value=ast.Constant()):
                    pass
                case _:
                    self._note(statement, "It is code, which is never run; it is left out.")

    def _note(self, node: ast.AST, message: str) -> None:
        self.differences.append(Difference(line_of(node), message))


def _list_calls(node: ast.AST) -> Iterator[ast.Call]:
    return (one for one in ast.walk(node) if isinstance(one, ast.Call))


def _makes_agent(statement: ast.stmt, read: Collection[ast.Call]) -> bool:
    """Return whether a statement makes an agent besides those that were read."""
    calls = (one for one in _list_calls(statement) if name_of(one) == "Agent")
    return any(one not in read for one in calls)


def _is_plain(course: Course) -> bool:
    """Return whether a course only asks one agent once."""
    acts = [act for act in course if not isinstance(act, End)]
    return len(acts) == 1 and isinstance(acts[0], Ask)


def _list_asked(course: Course) -> Iterator[str]:
    for act in course:
        match act:
            case Ask(member=name):
                yield name
            case Choose(then=then, otherwise=otherwise):
                yield from _list_asked(then)
                yield from _list_asked(otherwise)
            case _:
                pass


def _find_trace(function: Function) -> str:
    """Return the name under which a workflow is traced; empty if it has none."""
    for call in _list_calls(function):
        if name_of(call) == "trace" and call.args and isinstance(call.args[0], ast.Constant):
            return str(call.args[0].value)
    return ""
