"""Reads Google ADK's agent configs: YAML files that name each other by `config_path`."""

import posixpath
import re
from collections.abc import Iterator, Mapping
from typing import Any

from tapes_app.authoring.domain.agent_from_tape import find_tool
from tapes_app.authoring.domain.foreign.agents import (
    AgentFiles,
    Difference,
    ForeignAgent,
    ForeignReading,
    Speaks,
)
from tapes_app.authoring.domain.spec_size import DEEPEST, MOST_AGENTS
from tapes_app.authoring.domain.spec_yaml import read_yaml_spec
from tapes_app.engine.errors import ImportRefusedError
from tapes_app.engine.tape.control_steps import MOST_TOGETHER

ROOT_FILE = "root_agent.yaml"
_TELLING = frozenset({"agent_class", "instruction", "sub_agents", "model"})
_CLASSES = ("LlmAgent", "SequentialAgent", "LoopAgent", "ParallelAgent")
_SPEAKS: Mapping[str, Speaks] = {
    "LlmAgent": "one",
    "SequentialAgent": "all",
    "LoopAgent": "all",
    "ParallelAgent": "together",
}
_DEEPEST = DEEPEST // 2 - 1  # a level is an agent in a list
_USUAL_ROUNDS, _MOST_ROUNDS = 3, 100
_READ = frozenset(
    {"agent_class", "name", "description", "instruction", "model", "tools", "sub_agents"}
    | {"generate_content_config", "max_iterations"}
)
_DIFFERENT = {
    "output_key": "there is no session state; the agents that follow read the answer as a message",
    "output_schema": "it names a class in code; give the agent a kind of step of its own",
    "input_schema": "it names a class in code; the agent reads text",
    "include_contents": "each member reads what its team said; there is no other choice",
    "model_code": "it names code; choose a model in the editor",
    "static_instruction": "only the instruction is read",
    "global_instruction": "only the instruction of each agent is read",
}
_PARAMETERS = {
    "temperature": "temperature",
    "top_p": "top_p",
    "max_output_tokens": "max_tokens",
    "stop_sequences": "stop",
    "seed": "seed",
    "presence_penalty": "presence_penalty",
    "frequency_penalty": "frequency_penalty",
}
_CAPITAL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_VARIABLE = re.compile(r"\{[A-Za-z_][A-Za-z0-9_.:]*\??\}")


def is_adk_config(value: Mapping[str, Any]) -> bool:
    """Return whether the object of a YAML file is one of ADK's agents, and none of ours."""
    return "nodes" not in value and not _TELLING.isdisjoint(value)


def read_adk_config(files: AgentFiles) -> ForeignReading:
    """Return the agent of a config, with the agents that it names by their files.

    Raises:
        ImportRefusedError: a file is not such a config, is missing or outside the folder, names
            itself by way of others, or there are too many agents.
    """
    reader = _Reader(files)
    path = posixpath.normpath(files.path or ROOT_FILE)
    agent = reader.read(path, ())
    if agent is None:
        raise ImportRefusedError(
            f"{path} cannot be imported. {reader.differences[-1].message}", file=path
        )
    return ForeignReading("an ADK agent config", agent, tuple(reader.differences))


class _Reader:
    """Reads a config and those below it; each of them is a file that was given."""

    def __init__(self, files: AgentFiles) -> None:
        self.differences: list[Difference] = []
        self._root = posixpath.normpath(files.path or ROOT_FILE)
        self._texts = {self._root: files.text} | {
            posixpath.normpath(path): text for path, text in files.others.items()
        }
        self._texts[self._root] = files.text
        self._count = 0

    def read(self, path: str, above: tuple[str, ...]) -> ForeignAgent | None:
        """Return the agent of a file; `None` if its class has no equivalent."""
        if path in above:
            way = " → ".join((*above[above.index(path) :], path))
            raise ImportRefusedError(
                f"An agent cannot be below itself: {way}. Remove one of these `config_path`s.",
                file=path,
            )
        self._count += 1
        if self._count > MOST_AGENTS or len(above) > _DEEPEST:
            raise ImportRefusedError(
                f"These files make more than {MOST_AGENTS} agents, or teams more than {_DEEPEST} "
                "levels deep; import parts of them."
            )
        value = self._load(path)
        kind = str(value.get("agent_class") or _CLASSES[0]).removeprefix("google.adk.agents.")
        if kind not in _CLASSES:
            message = f"{kind[:100]!r} is code or not known; make it one of {', '.join(_CLASSES)}."
            self._note(path, "agent_class", message)
            return None
        self._tell_differences(path, value)
        members = tuple(self._read_members(path, value, (*above, path)))
        if kind != _CLASSES[0] and not members:
            self._note(path, "sub_agents", f"A {kind} does nothing without members; give it some.")
            return None
        self._tell_order(path, kind, members)
        instruction = self._text(path, value, "instruction")
        if variables := dict.fromkeys(_VARIABLE.findall(instruction)):
            shown = ", ".join(list(variables)[:10])
            message = f"Nothing fills in {shown}: no step has it; the model reads the braces."
            self._note(path, "instruction", message)
        return ForeignAgent(
            name=self._name(path, value),
            description=self._text(path, value, "description"),
            instruction=instruction,
            model=self._text(path, value, "model"),
            parameters=dict(self._read_parameters(path, value)),
            tools=tuple(dict.fromkeys(self._read_tools(path, value))),
            members=members,
            speaks=_choose_speakers(kind, members),
            rounds=self._read_rounds(path, value) if kind == "LoopAgent" else 1,
        )

    def _load(self, path: str) -> dict[str, Any]:
        text = self._texts.get(path)
        if text is None:
            raise ImportRefusedError(
                f"{path} is missing; choose it together with {self._root}, or the folder of both.",
                file=path,
            )
        try:
            return read_yaml_spec(text)
        except ImportRefusedError as error:
            raise ImportRefusedError(f"{path}: {error.message}", file=path) from error

    def _note(self, path: str, field: str, message: str) -> None:
        self.differences.append(Difference(f"{path}, {field}", message))

    def _name(self, path: str, value: Mapping[str, Any]) -> str:
        name = value.get("name")
        if not isinstance(name, str) or not name.strip():
            raise ImportRefusedError(f"{path} has no `name`; give the agent one.", file=path)
        return name.strip()

    def _text(self, path: str, value: Mapping[str, Any], field: str) -> str:
        text = value.get(field)
        if isinstance(text, str):
            return text.strip()
        if text is not None:
            self._note(path, field, "It is not a text; it is left out.")
        return ""

    def _read_members(
        self, path: str, value: Mapping[str, Any], above: tuple[str, ...]
    ) -> Iterator[ForeignAgent]:
        for at, one in enumerate(self._items(path, value, "sub_agents")):
            place = f"sub_agents[{at}]"
            wanted = one.get("config_path") if isinstance(one, dict) else None
            if not isinstance(wanted, str) or not wanted:
                self._note(path, place, "It names code, which is never run; it is left out.")
                continue
            member = self.read(self._resolve(path, wanted), above)
            if member is not None:
                yield member

    def _resolve(self, path: str, wanted: str) -> str:
        """Return the path of a file that another one names; only given files are ever read."""
        inside = posixpath.normpath(posixpath.join(posixpath.dirname(path), wanted))
        if wanted.startswith(("/", "\\")) or inside.startswith("../") or inside == "..":
            raise ImportRefusedError(
                f"{path} names {wanted[:200]!r}, which is outside the folder of the agent; move "
                "the file into it.",
                file=path,
            )
        if inside in self._texts:
            return inside
        # A browser gives the names of chosen files without their folders.
        same = [one for one in self._texts if one == posixpath.basename(inside)]
        return same[0] if same else inside

    def _read_tools(self, path: str, value: Mapping[str, Any]) -> Iterator[str]:
        for at, one in enumerate(self._items(path, value, "tools")):
            name = one.get("name") if isinstance(one, dict) else one
            known = find_tool(name) if isinstance(name, str) else ""
            if known:
                yield known
                continue
            shown = repr(name[:100]) if isinstance(name, str) else "It"
            message = f"{shown} is no tool here; write it as a plugin, or add its MCP server."
            self._note(path, f"tools[{at}]", message)

    def _read_parameters(self, path: str, value: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
        given = value.get("generate_content_config")
        for name, one in given.items() if isinstance(given, dict) else ():
            known = _PARAMETERS.get(_CAPITAL.sub("_", name).lower())
            if known is not None and not isinstance(one, dict):
                yield known, one
            else:
                place = f"generate_content_config.{name[:100]}"
                self._note(path, place, "It is no parameter of models here; it is left out.")

    def _read_rounds(self, path: str, value: Mapping[str, Any]) -> int:
        rounds = value.get("max_iterations")
        if isinstance(rounds, int) and not isinstance(rounds, bool) and 0 < rounds <= _MOST_ROUNDS:
            return rounds
        message = f"Without a number from 1 to {_MOST_ROUNDS}, the loop ends after {_USUAL_ROUNDS}."
        self._note(path, "max_iterations", message)
        return _USUAL_ROUNDS

    def _items(self, path: str, value: Mapping[str, Any], field: str) -> list[Any]:
        items = value.get(field)
        if items is not None and not isinstance(items, list):
            self._note(path, field, "It is not a list; it is left out.")
        return items if isinstance(items, list) else []

    def _tell_differences(self, path: str, value: Mapping[str, Any]) -> None:
        for field in value.keys() - _READ:
            why = _DIFFERENT.get(field)
            if why is None and field.endswith(("_callback", "_callbacks")):
                why = "it names code, which is never run; tool rules can check calls"
            self._note(path, field[:100], f"It is left out: {why or 'it has no equivalent'}.")

    def _tell_order(self, path: str, kind: str, members: tuple[ForeignAgent, ...]) -> None:
        match kind:
            case "ParallelAgent" if len(members) > MOST_TOGETHER:
                message = (
                    f"More than {MOST_TOGETHER} members cannot be called at once; they answer one "
                    "after the other, and read each other's answers."
                )
            case "ParallelAgent":
                message = (
                    "Each member reads the task alone, not what was said before it; the answers "
                    "become one, by the members' names."
                )
            case "LoopAgent":
                message = (
                    "The loop ends after its rounds; nothing else ends it, such as a tool. Add a "
                    "rule to its node 'choose' for when to stop."
                )
            case "LlmAgent" if members:
                message = (
                    "The model chooses one member for each message, the agent itself among them; "
                    "members do not hand over to each other."
                )
            case _:
                return
        self._note(path, "agent_class", message)


def _choose_speakers(kind: str, members: tuple[ForeignAgent, ...]) -> Speaks:
    is_too_many = kind == "ParallelAgent" and len(members) > MOST_TOGETHER
    return "all" if is_too_many else _SPEAKS[kind]
