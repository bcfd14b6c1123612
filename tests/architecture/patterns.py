"""The regular expressions in our modules, and the texts that would slow each down most."""

import ast
import builtins
import importlib
import itertools
import re
from collections.abc import Iterable, Iterator
from functools import cached_property
from pathlib import Path
from re import _parser as parser
from types import ModuleType
from typing import Any, NamedTuple

from tests.architecture.naming import ROOT

APPS = ("studio", "tapes_app", "optimize_app")
_ASKS = {"match", "fullmatch", "search", "findall", "finditer", "sub", "subn", "split"}
_SIGNS = "\x00!"  # after the repetition, so that a pattern must backtrack
_MOST_SIGNS = 24
_MOST_BEFORE = 10


class Pattern(NamedTuple):
    """A regular expression of ours, with one of the ways in which it is used."""

    place: str
    compiled: re.Pattern[Any]
    asked: str

    def run(self, text: str) -> None:
        """Apply it as its module does, until it has found everything."""
        given: Any = text if isinstance(self.compiled.pattern, str) else text.encode()
        if self.asked in {"match", "fullmatch", "search"}:
            getattr(self.compiled, self.asked)(given)
        else:
            for _ in self.compiled.finditer(given):
                pass


def find_patterns() -> tuple[list[Pattern], list[str]]:
    """Return the patterns of all modules, and the places where one cannot be read from the code."""
    modules = [_Module(path) for app in APPS for path in sorted((ROOT / app).rglob("*.py"))]
    patterns: list[Pattern] = []
    hidden: list[str] = []
    for module in modules:
        if not module.names_the_library:
            continue
        hidden += module.hidden
        for place, call in module.calls:
            compiled = module.compile(call)
            if compiled is None:
                hidden.append(place)
                continue
            patterns += [
                Pattern(place, compiled, asked) for asked in sorted(_asked(module, call, modules))
            ]
    return patterns, hidden


class _Module:
    def __init__(self, path: Path) -> None:
        self.path = path
        self.text = path.read_text("utf-8")

    @cached_property
    def tree(self) -> ast.Module:
        return ast.parse(self.text)

    @cached_property
    def parents(self) -> dict[ast.AST, ast.AST]:
        return {child: node for node in ast.walk(self.tree) for child in ast.iter_child_nodes(node)}

    @property
    def names_the_library(self) -> bool:
        """Whether it is worth parsing: few modules are, and every run of tests starts here."""
        return re.search(r"\bre\b", self.text) is not None

    @property
    def calls(self) -> Iterator[tuple[str, ast.Call]]:
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Call) and _library(node) == "re" and node.args:
                yield f"{self.path.relative_to(ROOT)}:{node.lineno}", node

    @property
    def hidden(self) -> Iterator[str]:
        """Yield the places that import the library under a name that `calls` does not know."""
        for node in ast.walk(self.tree):
            if not isinstance(node, ast.Import | ast.ImportFrom):
                continue
            renamed = any(one.name == "re" and one.asname for one in node.names)
            if renamed or (isinstance(node, ast.ImportFrom) and node.module == "re"):
                yield f"{self.path.relative_to(ROOT)}:{node.lineno}"

    @cached_property
    def loaded(self) -> ModuleType:
        return importlib.import_module(".".join(self.path.relative_to(ROOT).with_suffix("").parts))

    def compile(self, call: ast.Call) -> re.Pattern[Any] | None:
        """Return a call's pattern, with a placeholder word for parts known only at run time."""
        pattern, *rest = call.args
        if isinstance(pattern, ast.Name) and not hasattr(self.loaded, pattern.id):
            return None
        names = dict.fromkeys(_names(call), "word") | vars(self.loaded)
        flags = [word.value for word in call.keywords if word.arg == "flags"]
        if _method(call) == "compile":
            flags += rest
        values = [
            eval(compile(ast.Expression(part), "<pattern>", "eval"), names)
            for part in (pattern, *flags)
        ]
        return re.compile(*values)

    def uses(self, name: str) -> set[str]:
        """Return the methods that are called on a name."""
        if name not in self.text:
            return set()
        return {
            node.attr
            for node in ast.walk(self.tree)
            if isinstance(node, ast.Attribute)
            and isinstance(node.value, ast.Name)
            and node.value.id == name
            and node.attr in _ASKS
        }


def _names(call: ast.Call) -> set[str]:
    nodes = ast.walk(call)
    return {node.id for node in nodes if isinstance(node, ast.Name)} - {*vars(builtins)}


def _library(call: ast.Call) -> str:
    function = call.func
    if isinstance(function, ast.Attribute) and isinstance(function.value, ast.Name):
        return function.value.id if function.attr in {*_ASKS, "compile"} else ""
    return ""


def _method(call: ast.Call) -> str:
    assert isinstance(call.func, ast.Attribute)
    return call.func.attr


def _asked(module: _Module, call: ast.Call, modules: Iterable[_Module]) -> set[str]:
    if _method(call) != "compile":
        return {_method(call)}
    parent = module.parents[call]
    if isinstance(parent, ast.Attribute):
        return {parent.attr}
    if isinstance(parent, ast.Assign) and isinstance(parent.targets[0], ast.Name):
        name = parent.targets[0].id
        askers = [module] if name.startswith("_") else modules
        found = set().union(*(asker.uses(name) for asker in askers))
        if found:
            return found
    return {"finditer"}


class Repetition(NamedTuple):
    """A text that repeats something: `of` writes it with a given length."""

    start: str
    body: str
    end: str

    def of(self, size: int) -> str:
        """Return it with about this many characters."""
        return self.start + (self.body * (size // len(self.body) + 1))[:size] + self.end


def list_repetitions(compiled: re.Pattern[Any]) -> list[Repetition]:
    """Return texts that repeat the parts of a pattern, after what must come before them."""
    source = compiled.pattern
    text = source if isinstance(source, str) else source.decode("latin-1")
    read = _Reader()
    shortest = read.walk(parser.parse(text, compiled.flags), "")
    signs = _some(read.signs, _MOST_SIGNS, " ", "\n", "a", "0", "`")
    before = _some(read.before, _MOST_BEFORE, "", shortest)
    bodies = _some((*signs, *read.bodies), _MOST_SIGNS * 2)
    repeated = list(itertools.product(before, bodies))
    repeated += [("", "".join(pair)) for pair in itertools.permutations(signs, 2)]
    repeated += [("", start + body * 3) for start, body in repeated]
    return [
        Repetition(start, body, end)
        for start, body in dict.fromkeys(repeated)
        for end in ("", _SIGNS)
        if body
    ]


def _some(texts: Iterable[str], most: int, *always: str) -> list[str]:
    return list(dict.fromkeys((*always, *texts)))[:most]


class _Reader:
    """Walks a parsed pattern: what it repeats, what must come before, the characters it names."""

    def __init__(self) -> None:
        self.signs: list[str] = []
        self.before: list[str] = []
        self.bodies: list[str] = []

    def walk(self, parsed: Any, before: str) -> str:
        """Return a short text that the pattern matches."""
        text = ""
        for operation, argument in parsed:
            text += self._write(str(operation), argument, before + text)
        return text

    def _write(self, operation: str, argument: Any, before: str) -> str:
        match operation:
            case "LITERAL":
                return self._note(chr(argument))
            case "NOT_LITERAL":
                return self._note("b" if argument == ord("a") else "a")
            case "ANY":
                return self._note("a")
            case "IN":
                return self._choose(argument)
            case "BRANCH":
                text, *_ = [self.walk(branch, before) for branch in argument[1]]
                return text
            case "SUBPATTERN":
                return self.walk(argument[-1], before)
            case "ATOMIC_GROUP":
                return self.walk(argument, before)
            case "MAX_REPEAT" | "MIN_REPEAT" | "POSSESSIVE_REPEAT":
                least, most, body = argument
                text = self.walk(body, before)
                if most > 100:
                    self.before.append(before)
                    self.bodies.append(text)
                return text * int(least)
            case _:
                return ""

    def _note(self, sign: str) -> str:
        self.signs.append(sign)
        return sign

    def _choose(self, members: Any) -> str:
        samples = "aA0 \n_-.`'\"\\,é!\x01"
        named = "".join(chr(value) for kind, value in members if str(kind) == "LITERAL")
        inside = re.compile("[" + _spell(members) + "]")
        taken = [sign for sign in samples + named if inside.match(sign)]
        self.signs += taken
        return taken[0] if taken else self._range(members)

    def _range(self, members: Any) -> str:
        for kind, value in members:
            if str(kind) == "RANGE":
                return self._note(chr(value[0]))
        return "a"


_CATEGORIES = {
    "CATEGORY_DIGIT": r"\d", "CATEGORY_NOT_DIGIT": r"\D", "CATEGORY_SPACE": r"\s",
    "CATEGORY_NOT_SPACE": r"\S", "CATEGORY_WORD": r"\w", "CATEGORY_NOT_WORD": r"\W",
}  # fmt: skip


def _spell(members: Any) -> str:
    text = ""
    for kind, value in members:
        match str(kind):
            case "NEGATE":
                text += "^"
            case "LITERAL":
                text += re.escape(chr(value))
            case "RANGE":
                text += f"{re.escape(chr(value[0]))}-{re.escape(chr(value[1]))}"
            case "CATEGORY":
                text += _CATEGORIES[str(value)]
            case _:
                pass
    return text
