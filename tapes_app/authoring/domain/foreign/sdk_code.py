"""The syntax tree of a Python file that makes agents: its texts and forms, never executed."""

import ast
import re
import warnings
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeAlias

from tapes_app.authoring.domain.foreign.agents import Difference
from tapes_app.engine.errors import ImportRefusedError
from tapes_app.engine.tape.defined_kinds import DefinedKind, FieldType, KindField, check_kind

Function: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef
_LONGEST_TEXT = 200_000
_MOST_STATEMENTS = 5_000
_QUOTED = re.compile(r'\{\w+(?:\["\w+"\])+\}')
_TYPES: dict[str, FieldType] = {
    "str": "text",
    "float": "number",
    "int": "whole_number",
    "bool": "yes_no",
}


class Text(NamedTuple):
    """A text of the code; what it would fill in stands in braces."""

    text: str
    variables: tuple[str, ...] = ()


@dataclass(frozen=True)
class Code:
    """What stands at the top level of a file, by name."""

    body: tuple[ast.stmt, ...]
    assigned: dict[str, ast.expr] = field(default_factory=dict)
    functions: dict[str, Function] = field(default_factory=dict)
    classes: dict[str, ast.ClassDef] = field(default_factory=dict)
    texts: dict[str, Text | None] = field(default_factory=dict)
    """Those that were read, since a text may be part of many others."""


def parse_code(text: str) -> Code:
    """Return the top level of a Python file.

    Raises:
        ImportRefusedError: it is not Python, nested too deep, or too long.
    """
    try:
        tree = _parse(text)
    except SyntaxError as error:
        raise ImportRefusedError(
            f"This is not valid Python: {error.msg} (line {error.lineno or 1}).",
            position=f"line {error.lineno or 1}",
        ) from error
    except (ValueError, RecursionError, MemoryError) as error:
        raise ImportRefusedError("This Python is nested too deep to be read.") from error
    count = sum(isinstance(one, ast.stmt) for one in ast.walk(tree))
    if count > _MOST_STATEMENTS:
        raise ImportRefusedError(
            f"This code has {count:,} statements; at most {_MOST_STATEMENTS:,} are read. Remove "
            "what makes no agents."
        )
    code = Code(tuple(tree.body))
    for statement in tree.body:
        match statement:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                code.assigned[name] = value
            case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value):
                code.assigned[name] = value
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                code.functions[statement.name] = statement
            case ast.ClassDef():
                code.classes[statement.name] = statement
            case _:
                pass
    return code


def _parse(text: str) -> ast.Module:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # such as an odd escape in a text of the file
        try:
            return ast.parse(text)
        except SyntaxError as error:
            if "f-string" not in error.msg:
                raise
        # Agent Builder writes f"{result["text"]}", which is valid from Python 3.12 on.
        lines = (_mend(one) if 'f"' in one else one for one in text.split("\n"))
        return ast.parse("\n".join(lines))


def _mend(line: str) -> str:
    return _QUOTED.sub(lambda found: found[0].replace('"', "'"), line)


def line_of(node: ast.AST) -> str:
    return f"line {getattr(node, 'lineno', 0)}"


def name_of(node: ast.AST | None) -> str:
    """Return the last name of what is called or named, such as `run` of `Runner.run`."""
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
        case ast.Subscript(value=inner) | ast.Call(func=inner):
            return name_of(inner)
        case _:
            return ""


def read_text(code: Code, node: ast.expr | None) -> Text | None:
    """Return a text that stands in the code; `None` if it is made in another way, or too long."""
    match node:
        case ast.Constant(value=str() as text):
            return Text(text)
        case ast.JoinedStr(values=values):
            return _join([_read_piece(code, one) for one in values])
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            return _join([read_text(code, one) for one in (left, right)])
        case ast.Name(id=name) if name in code.texts:
            return code.texts[name]
        case ast.Name(id=name) if name in code.assigned or name in code.functions:
            code.texts[name] = None  # while it is read: it may refer to itself
            made = code.assigned.get(name) or _find_returned(code.functions[name])
            code.texts[name] = read_text(code, made)
            return code.texts[name]
        case _:
            return None


def _read_piece(code: Code, node: ast.expr) -> Text | None:
    if not isinstance(node, ast.FormattedValue):
        return read_text(code, node)
    known = read_text(code, node.value)
    if known is not None:
        return known
    variable = "{" + (name_of(node.value) or "…") + "}"
    return Text(variable, (variable,))


def _find_returned(function: Function) -> ast.expr | None:
    """Return what a function returns, if it does nothing else."""
    *before, last = function.body
    plain = all(isinstance(one, ast.Assign | ast.AnnAssign | ast.Expr) for one in before)
    return last.value if plain and isinstance(last, ast.Return) else None


def _join(parts: list[Text | None]) -> Text | None:
    known = [one for one in parts if one is not None]
    if len(known) < len(parts) or sum(len(one.text) for one in known) > _LONGEST_TEXT:
        return None
    variables = tuple(dict.fromkeys(name for one in known for name in one.variables))
    return Text("".join(one.text for one in known), variables)


def read_value(node: ast.expr) -> Any:
    """Return a number, text, list or the like.

    Raises:
        ValueError: it is made in another way.
    """
    try:
        return ast.literal_eval(node)
    except (ValueError, TypeError, MemoryError, RecursionError) as error:
        raise ValueError("not a plain value") from error


def read_form(code: Code, name: str, differences: list[Difference]) -> DefinedKind | None:
    """Return the kind of steps that a class of pydantic describes; `None` if it is not one."""
    cls = code.classes.get(name)
    if cls is None or "BaseModel" not in map(name_of, cls.bases):
        return None
    fields = tuple(_read_fields(code, cls, differences))
    made = DefinedKind(name=name, description=(ast.get_docstring(cls) or "")[:1000], fields=fields)
    problem = next(check_kind(made), None)
    if problem is not None or not fields:
        message = problem.message if problem is not None else f"{name} has no fields."
        differences.append(Difference(line_of(cls), f"{message} Its agent answers with text."))
        return None
    return made


def _read_fields(
    code: Code, cls: ast.ClassDef, differences: list[Difference]
) -> Iterator[KindField]:
    for one in cls.body:
        if not (isinstance(one, ast.AnnAssign) and isinstance(one.target, ast.Name)):
            continue
        type_, choices = _read_type(code, one.annotation)
        if type_ is None:
            message = f"{one.target.id!r} has a type that kinds of steps lack; it is a text."
            differences.append(Difference(line_of(one), message))
        described = one.value.keywords if isinstance(one.value, ast.Call) else []
        about = next((read_text(code, each.value) for each in described
                      if each.arg == "description"), None)  # fmt: skip
        yield KindField(
            name=one.target.id,
            type=type_ or "text",
            description=about.text[:1000] if about else "",
            choices=choices,
        )


def _read_type(code: Code, node: ast.expr) -> tuple[FieldType | None, tuple[str, ...]]:
    match node:
        case ast.Name(id=name) if name in _TYPES:
            return _TYPES[name], ()
        case ast.Name(id=name) if name in code.classes:
            choices = tuple(_read_members(code.classes[name]))
            return ("choice", choices) if choices else (None, ())
        case ast.Subscript(value=ast.Name(id="Literal"), slice=inside):
            items = inside.elts if isinstance(inside, ast.Tuple) else [inside]
            texts = [one.value for one in items if isinstance(one, ast.Constant)]
            choices = tuple(one for one in texts if isinstance(one, str))
            return ("choice", choices) if len(choices) == len(items) else (None, ())
        case ast.Subscript(value=ast.Name(id="list" | "List"), slice=ast.Name(id="str")):
            return "texts", ()
        case _:
            return None, ()


def _read_members(cls: ast.ClassDef) -> Iterator[str]:
    """Yield the texts of an enumeration."""
    if "Enum" in map(name_of, cls.bases) or "StrEnum" in map(name_of, cls.bases):
        for one in cls.body:
            match one:
                case ast.Assign(value=ast.Constant(value=str() as text)):
                    yield text
                case _:
                    pass
