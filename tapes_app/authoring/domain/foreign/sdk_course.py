"""Reads the function that runs agents one after the other, and chooses by what they answered."""

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from tapes_app.authoring.domain.foreign.agents import (
    Act,
    Ask,
    Choose,
    Course,
    Difference,
    End,
    FieldIs,
    ForeignAgent,
    Say,
    SaysYes,
)
from tapes_app.authoring.domain.foreign.sdk_code import (
    Code,
    Function,
    Text,
    line_of,
    name_of,
    read_text,
)

_RUNS = frozenset({"run", "run_sync", "run_streamed"})
_PASSED_ON = frozenset({"workflow", "conversation_history"})
_GUARDRAILS = "Guardrails are left out; a tool rule can check calls."
APPROVAL = "approval_request"
"""What Agent Builder calls the function that asks a person."""


@dataclass(frozen=True)
class _Known:
    """What the names in a function stand for at one of its lines."""

    asked: tuple[str, ...] = ()
    """The members that have surely answered."""

    answers: Mapping[str, str] = field(default_factory=dict)
    """Members by the names of variables that hold their answers."""

    fields: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    """Members and fields of their answers by the names of variables."""

    texts: Mapping[str, Text] = field(default_factory=dict)


@dataclass(frozen=True)
class _Read:
    course: Course
    known: _Known
    has_ended: bool = False


def runs_agents(node: ast.AST) -> bool:
    return any(map(_is_run, ast.walk(node)))


def _is_run(node: ast.AST) -> bool:
    match node:
        case ast.Call(func=ast.Attribute(value=ast.Name(id="Runner"), attr=name)):
            return name in _RUNS
        case _:
            return False


def read_course(
    code: Code,
    function: Function,
    agents: Mapping[str, ForeignAgent],
    differences: list[Difference],
) -> Course:
    """Return who acts after whom in a function; `agents` by the names of their variables.

    What cannot be read ends the course, and is among the differences.
    """
    return _Reader(code, agents, differences).read(function.body, _Known()).course


class _Reader:
    def __init__(
        self, code: Code, agents: Mapping[str, ForeignAgent], differences: list[Difference]
    ) -> None:
        self._code = code
        self._agents = agents
        self._forms = {one.name: one.form for one in agents.values()}
        self._differences = differences

    def read(self, block: Sequence[ast.stmt], known: _Known) -> _Read:
        course: list[Act] = []
        for statement in block:
            part = self._read_statement(statement, known)
            course += part.course
            known = part.known
            if part.has_ended:
                return _Read(tuple(course), known, has_ended=True)
        return _Read(tuple(course), known)

    def _read_statement(self, statement: ast.stmt, known: _Known) -> _Read:
        match statement:
            case ast.With(body=body) | ast.AsyncWith(body=body):
                return self.read(body, known)
            case ast.If():
                return self._read_choice(statement, known)
            case ast.Return(value=value):
                return _Read((self._read_end(value, known),), known, has_ended=True)
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                return self._read_assigned(statement, name, value, known)
            case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value):
                return self._read_assigned(statement, name, value, known)
            case ast.Expr(value=ast.Constant()) | ast.Pass():
                return _Read((), known)
            case ast.Expr(value=value):
                return self._read_assigned(statement, "", value, known)
            case _:
                return self._skip(statement, known)

    def _skip(self, statement: ast.stmt, known: _Known) -> _Read:
        """Leave out a statement; without what it may run, the rest would not make sense."""
        if runs_agents(statement):
            names = sorted(set(self._list_run(statement)))
            named = f" {', '.join(names)} can be called from the editor." if names else ""
            message = f"It runs agents in a way that is not read; the course ends here.{named}"
            self._note(statement, message)
            return _Read((End(),), known, has_ended=True)
        self._note(statement, "It is code, which is never run; it is left out.")
        return _Read((), known)

    def _list_run(self, node: ast.AST) -> Iterator[str]:
        for one in ast.walk(node):
            if isinstance(one, ast.Call) and _is_run(one):
                agent = self._agents.get(_name_of_run(one))
                if agent is not None:
                    yield repr(agent.name)

    def _read_assigned(
        self, statement: ast.stmt, name: str, value: ast.expr, known: _Known
    ) -> _Read:
        called = value.value if isinstance(value, ast.Await) else value
        if isinstance(called, ast.Call) and _is_run(called):
            agent = self._agents.get(_name_of_run(called))
            if agent is None:
                return self._skip(statement, known)
            asked = Ask(agent.name, known.asked)
            names = tuple(dict.fromkeys((*known.asked, agent.name)))
            answers = {**known.answers, **({name: agent.name} if name else {})}
            return _Read((asked,), replace(known, asked=names, answers=answers))
        if runs_agents(value):
            return self._skip(statement, known)
        if "guardrail" in name and isinstance(value, ast.Await):
            self._note(statement, _GUARDRAILS)
        if name in _PASSED_ON or _is_passing(value) or "guardrail" in name:
            return _Read((), known)
        return self._keep(statement, name, value, known)

    def _keep(self, statement: ast.stmt, name: str, value: ast.expr, known: _Known) -> _Read:
        """Return what a variable stands for from now on."""
        place = self._read_place(value, known)
        text = self._read_message(value, known)
        source = next((one.id for one in ast.walk(value)
                       if isinstance(one, ast.Name) and one.id in known.answers), None)  # fmt: skip
        if place is not None:
            return _Read((), replace(known, fields={**known.fields, name: place}))
        if source is not None and text is None:
            answers = {**known.answers, name: known.answers[source]}
            return _Read((), replace(known, answers=answers))
        if text is not None:
            return _Read((), replace(known, texts={**known.texts, name: text}))
        if name != "state" or not (isinstance(value, ast.Dict) and not value.keys):
            self._note(statement, "It is code, which is never run; it is left out.")
        return _Read((), known)

    def _read_choice(self, statement: ast.If, known: _Known) -> _Read:
        test, yes, no = statement.test, statement.body, statement.orelse
        if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
            test, yes, no = test.operand, no, yes
        condition = self._read_condition(test, known)
        if condition is None:
            return self._read_odd_choice(statement, known)
        then, otherwise = self.read(yes, known), self.read(no, known)
        course = (Choose(condition, then.course, otherwise.course),)
        if then.has_ended or otherwise.has_ended:
            rest = otherwise.known if then.has_ended else then.known
            return _Read(course, rest, has_ended=then.has_ended and otherwise.has_ended)
        both = tuple(one for one in then.known.asked if one in otherwise.known.asked)
        answers = then.known.answers.items() & otherwise.known.answers.items()
        return _Read(course, replace(known, asked=both, answers=dict(answers)))

    def _read_odd_choice(self, statement: ast.If, known: _Known) -> _Read:
        condition = ast.unparse(statement.test)
        if "guardrail" in condition or "tripwire" in condition:
            self._note(statement, _GUARDRAILS)
            return self.read(statement.orelse, known)
        return self._skip(statement, known)

    def _read_condition(self, test: ast.expr, known: _Known) -> FieldIs | SaysYes | None:
        match test:
            case ast.Compare(left=left, ops=[op], comparators=[ast.Constant(value=value)]):
                place = self._read_place(left, known)
                if place is None or not isinstance(value, str | int | float):
                    return None
                match op:
                    case ast.Eq():
                        return FieldIs(*place, "equals", value)
                    case ast.NotEq():
                        return FieldIs(*place, "differs", value)
                    case _:
                        return None
            case ast.Call(func=ast.Name(id=name), args=[asked]) if name == APPROVAL:
                text = self._read_message(asked, known)
                if text is None:
                    return None
                self._note(test, "The person is asked in a message, and answers yes or no.")
                return SaysYes(f"{text.text} Answer yes or no.")
            case _:
                return None

    def _read_place(self, node: ast.expr, known: _Known) -> tuple[str, str] | None:
        """Return a member and a field of its answer."""
        match node:
            case ast.Name(id=name):
                return known.fields.get(name)
            case (
                ast.Subscript(
                    value=ast.Subscript(
                        value=ast.Name(id=name), slice=ast.Constant(value="output_parsed")
                    ),
                    slice=ast.Constant(value=str() as wanted),
                )
                | ast.Attribute(
                    value=ast.Attribute(value=ast.Name(id=name), attr="final_output"),
                    attr=wanted,
                )
            ):
                member = known.answers.get(name, "")
                form = self._forms.get(member)
                has_field = form is not None and any(one.name == wanted for one in form.fields)
                return (member, wanted) if has_field else None
            case _:
                return None

    def _read_end(self, value: ast.expr | None, known: _Known) -> Act:
        text = self._read_message(value, known) if value is not None else None
        return End() if text is None else Say(text.text)

    def _read_message(self, value: ast.expr, known: _Known) -> Text | None:
        """Return a text of the function, also if it is the only value of an object."""
        if isinstance(value, ast.Name) and value.id in known.texts:
            return known.texts[value.id]
        if isinstance(value, ast.Dict):
            return self._read_message(value.values[0], known) if len(value.values) == 1 else None
        text = read_text(self._code, value)
        if text is not None and text.variables:
            shown = ", ".join(text.variables[:10])
            self._note(value, f"Nothing fills in {shown}: no step has it.")
        return text

    def _note(self, node: ast.AST, message: str) -> None:
        self._differences.append(Difference(line_of(node), message))


def _name_of_run(call: ast.Call) -> str:
    named = next((one.value for one in call.keywords if one.arg == "starting_agent"), None)
    first = call.args[0] if call.args else named
    return first.id if isinstance(first, ast.Name) else ""


def _is_passing(value: ast.expr) -> bool:
    """Return whether a call only hands the conversation on, as teams here do by themselves."""
    match value:
        case ast.Call(func=ast.Attribute(value=ast.Name(id=name))):
            return name in _PASSED_ON
        case ast.Call():
            return name_of(value) == "print"
        case _:
            return False
