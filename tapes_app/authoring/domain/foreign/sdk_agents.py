"""Reads one agent of the OpenAI Agents SDK: the arguments of a call of `Agent`, never executed."""

import ast
from collections.abc import Container, Iterator, Mapping
from typing import Any

from tapes_app.authoring.domain.agent_from_tape import find_tool
from tapes_app.authoring.domain.foreign.agents import Difference, ForeignAgent
from tapes_app.authoring.domain.foreign.sdk_code import (
    Code,
    line_of,
    name_of,
    read_form,
    read_text,
    read_value,
)
from tapes_app.engine.tape.defined_kinds import DefinedKind

_PARAMETERS = frozenset(
    {"temperature", "top_p", "max_tokens", "frequency_penalty", "presence_penalty"}
    | {"parallel_tool_calls"}
)
_MEANINGLESS = frozenset({"store", "include_usage"})
_ARGUMENTS = frozenset(
    {"name", "instructions", "handoff_description", "model", "model_settings"}
    | {"tools", "output_type", "handoffs"}
)


class AgentReader:
    """Reads agents of one file."""

    def __init__(self, code: Code, differences: list[Difference]) -> None:
        self.used: set[str] = set()
        """Names at the top level that were read, or whose use was reported."""

        self._code = code
        self._differences = differences

    def read(self, variable: str, call: ast.Call) -> ForeignAgent:
        """Return an agent without those that it hands over to."""
        given = {one.arg: one.value for one in call.keywords if one.arg is not None}
        if len(given) < len(call.keywords) or len(call.args) > 1:
            self._note(call, "Arguments without a name are left out.")
        if call.args:
            given = {"name": call.args[0], **given}
        self._tell_arguments(given)
        instruction = self._text(given, "instructions")
        name = self._text(given, "name") or variable
        return ForeignAgent(
            name=name.replace("/", " ").strip(),
            description=self._text(given, "handoff_description"),
            instruction=instruction.strip(),
            model=self._read_model(given.get("model")),
            parameters=dict(self._read_parameters(given.get("model_settings"))),
            tools=tuple(dict.fromkeys(self._read_tools(given.get("tools")))),
            form=self._read_output(given.get("output_type")),
        )

    def _tell_arguments(self, given: Mapping[str, ast.expr]) -> None:
        for name in given.keys() - _ARGUMENTS:
            why = "it has no equivalent"
            if name.endswith("_guardrails"):
                why = "guardrails are code; a tool rule can check calls"
            self._note(given[name], f"{name!r} is left out: {why}.")

    def _text(self, given: Mapping[str, ast.expr], argument: str) -> str:
        node = given.get(argument)
        if node is None:
            return ""
        if isinstance(node, ast.Name):
            self.used.add(node.id)
        text = read_text(self._code, node)
        if text is None:
            self._note(node, f"{argument!r} is made by code; write the text in the editor.")
            return ""
        if text.variables:
            shown = ", ".join(text.variables[:10])
            self._note(node, f"Nothing fills in {shown}: no step has it.")
        return text.text

    def _read_model(self, node: ast.expr | None) -> str:
        if isinstance(node, ast.Call):  # a class that wraps a model's name
            named = {one.arg: one.value for one in node.keywords}
            self._note(node, f"Only the model's name is read of {name_of(node)}.")
            node = named.get("model", node)
        return self._text({"model": node}, "model") if node is not None else ""

    def _read_parameters(self, node: ast.expr | None) -> Iterator[tuple[str, Any]]:
        if node is None:
            return
        if not isinstance(node, ast.Call):
            self._note(node, "The settings of the model are made by code; they are left out.")
            return
        for one in node.keywords:
            if one.arg == "reasoning" and isinstance(one.value, ast.Call):
                effort = {each.arg: each.value for each in one.value.keywords}.get("effort")
                if isinstance(effort, ast.Constant) and isinstance(effort.value, str):
                    yield "reasoning_effort", effort.value
            elif one.arg in _PARAMETERS:
                try:
                    yield one.arg, read_value(one.value)
                except ValueError:
                    self._note(one.value, f"{one.arg!r} is made by code; it is left out.")
            elif one.arg not in _MEANINGLESS:
                self._note(one.value, f"{one.arg!r} is no parameter of models here.")

    def _read_tools(self, node: ast.expr | None) -> Iterator[str]:
        for one in self._items(node, "tools"):
            name = name_of(one)
            self.used.add(name)
            known = find_tool(name)
            if known:
                yield known
                continue
            made = name_of(self._code.assigned.get(name))
            what = f"{name!r}, a {made}," if made else repr(name or "It")
            message = f"{what} is no tool here; write it as a plugin, or add its MCP server."
            self._note(one, message)

    def _read_output(self, node: ast.expr | None) -> DefinedKind | None:
        if node is None or (isinstance(node, ast.Name) and node.id == "str"):
            return None
        name = node.id if isinstance(node, ast.Name) else ""
        self.used.add(name)
        if name not in self._code.classes:
            self._note(node, "The form of its answers is code; its agent answers with text.")
            return None
        return read_form(self._code, name, self._differences)

    def _items(self, node: ast.expr | None, argument: str) -> list[ast.expr]:
        if node is None or isinstance(node, ast.List | ast.Tuple):
            return node.elts if node is not None else []
        self._note(node, f"{argument!r} is made by code; it is left out.")
        return []

    def list_handoffs(self, call: ast.Call, known: Container[str]) -> list[str]:
        """Return the variables of the agents that an agent may hand over to."""
        node = next((one.value for one in call.keywords if one.arg == "handoffs"), None)
        names = []
        for one in self._items(node, "handoffs"):
            target = one
            if isinstance(one, ast.Call):  # handoff(agent, …)
                named = {each.arg: each.value for each in one.keywords}
                target = one.args[0] if one.args else named.get("agent", one)
            if isinstance(target, ast.Name) and target.id in known:
                names.append(target.id)
            else:
                self._note(one, "It hands over to something that is not read; it is left out.")
        return names

    def _note(self, node: ast.AST, message: str) -> None:
        self._differences.append(Difference(line_of(node), message))
