"""From a Python function to a tool: its schema, the check of its arguments, the call."""

from __future__ import annotations

import asyncio
import contextvars
import inspect
import re
import threading
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any, TypeVar, get_type_hints

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    PydanticUserError,
    TypeAdapter,
    ValidationError,
    create_model,
)
from pydantic.errors import PydanticInvalidForJsonSchema
from pydantic_core import PydanticUndefined, to_jsonable_python

from tapes_app.engine.errors import AgentConfigError
from tapes_app.engine.steps import first_reason

_SECTION = re.compile(r"^(Args|Arguments|Parameters|Returns|Raises|Yields|Examples?)\s*:\s*$")
_ARGUMENT_SECTIONS = ("Args", "Arguments", "Parameters")
_ARGUMENT_FIELDS = ("param", "parameter", "arg")
_ARGUMENT = re.compile(r"^\s*\*{0,2}(?P<name>\w+)\s*(\([^)]*\))?\s*:\s*(?P<text>.*)$")
_FIELD_LIST = re.compile(r"^\s*:(?P<what>\w+)\s*(?P<name>\w*)\s*:\s*(?P<text>.*)$")


class ToolArgumentsError(ValueError):
    """The arguments do not fit the tool; the model should see why."""


Function = TypeVar("Function", bound=Callable[..., Any])


def irreversible(function: Function) -> Function:
    """Mark a function whose effects nobody can take back: a run asks before it calls it."""
    vars(function)[_IRREVERSIBLE] = True
    return function


_IRREVERSIBLE = "is_irreversible"


class Tool:
    """A Python function, plain or asynchronous, that a model may call by name.

    `is_irreversible`: nobody can take back what it does; `None` = as its function is marked.
    """

    def __init__(
        self, function: Callable[..., Any], *, is_irreversible: bool | None = None
    ) -> None:
        self.name: str = function.__name__
        self.is_irreversible = (
            bool(getattr(function, _IRREVERSIBLE, False))
            if is_irreversible is None
            else is_irreversible
        )
        self._function = function
        self.description, about = read_docstring(inspect.getdoc(function) or "")
        self._names: dict[str, str] = {}
        self._arguments = self._arguments_model(about)

    @property
    def can_be_stopped(self) -> bool:
        """Whether cancelling a call ends it; nobody can end the thread of a plain function."""
        return inspect.iscoroutinefunction(self._function)

    def _arguments_model(self, about: dict[str, str]) -> type[BaseModel]:
        """Return a model of the arguments; its own field names cannot clash with pydantic's."""
        try:
            hints = get_type_hints(self._function, include_extras=True)
        except NameError as error:
            raise AgentConfigError(
                f"A type in the signature of tool {self.name!r} cannot be found ({error}); "
                "define it at the top of its module.",
                tool=self.name,
            ) from error
        fields: dict[str, Any] = {}
        for number, parameter in enumerate(inspect.signature(self._function).parameters.values()):
            if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
                raise AgentConfigError(
                    f"Tool {self.name!r} takes '*{parameter.name}'; "
                    "a model can only fill arguments that have names of their own.",
                    tool=self.name,
                )
            field = f"argument_{number}"
            self._names[field] = parameter.name
            is_required = parameter.default is parameter.empty
            default = PydanticUndefined if is_required else parameter.default
            fields[field] = (
                hints.get(parameter.name, Any),
                Field(default, alias=parameter.name, description=about.get(parameter.name)),
            )
        config = ConfigDict(extra="forbid", arbitrary_types_allowed=True)
        return create_model(self.name, __config__=config, **fields)

    def schema(self) -> dict[str, Any]:
        """Return the tool in chat-completions form."""
        parameters = _without_titles(self._arguments.model_json_schema(by_alias=True))
        parameters.setdefault("properties", {})
        return {
            "type": "function",
            "function": {
                "name": self.name,
                "description": self.description,
                "parameters": parameters,
            },
        }

    def result_schema(self) -> dict[str, Any] | None:
        """Return the JSON schema of what the function returns; `None` if it does not say."""
        try:
            wanted = get_type_hints(self._function, include_extras=True).get("return", Any)
            if wanted in (Any, type(None), object):
                return None
            schema = TypeAdapter(wanted).json_schema()
        except (NameError, PydanticUserError, PydanticInvalidForJsonSchema):
            return None
        return _without_titles(schema) or None

    async def call(self, arguments: dict[str, Any]) -> Any:
        """Call the function and return its result as JSON data.

        Plain functions run in a thread each, so that a slow one holds nobody up.

        Raises:
            ToolArgumentsError: the arguments do not fit.
            Exception: whatever the function raises.
        """
        try:
            checked = self._arguments.model_validate(arguments)
        except ValidationError as error:
            raise ToolArgumentsError(first_reason(error)) from error
        given = {
            name: getattr(checked, field)
            for field, name in self._names.items()
            if field in checked.model_fields_set
        }
        if inspect.iscoroutinefunction(self._function):
            result = await self._function(**given)
        else:
            result = await _call_in_thread(partial(self._function, **given), name=self.name)
            if inspect.isawaitable(result):
                result = await result
        return to_jsonable_python(result, fallback=str, inf_nan_mode="strings")


async def _call_in_thread(function: Callable[[], Any], *, name: str) -> Any:
    """Call a function in a thread of its own that dies with the process.

    Threads of a pool would be used up by calls that were given up and never end, and hold up
    the end of the process.
    """
    loop = asyncio.get_running_loop()
    ended: asyncio.Future[tuple[Any, BaseException | None]] = loop.create_future()
    context = contextvars.copy_context()

    def settle(result: Any, error: BaseException | None) -> None:
        if not ended.done():
            ended.set_result((result, error))

    def run() -> None:
        result, failure = None, None
        try:
            result = context.run(function)
        except BaseException as error:  # noqa: BLE001 - raised again where the call is awaited
            failure = error
        with suppress(RuntimeError):  # the call was given up and its loop is closed
            loop.call_soon_threadsafe(settle, result, failure)

    threading.Thread(target=run, name=f"tool-{name}", daemon=True).start()
    result, failure = await ended
    if isinstance(failure, Exception):
        raise failure
    if failure is not None:  # a tool that calls `exit` ends itself, not the worker
        raise RuntimeError(f"{type(failure).__name__}: {failure}") from failure
    return result


def read_docstring(text: str) -> tuple[str, dict[str, str]]:
    """Return what a docstring says of a function and of each argument.

    Understands Google sections and reST fields; returns and errors are left out, because a
    model cannot do anything with them.
    """
    description: list[str] = []
    about: dict[str, str] = {}
    section = argument = ""
    depth: int | None = None
    for line in text.splitlines():
        heading = _SECTION.match(line)
        field = _FIELD_LIST.match(line)
        named = _ARGUMENT.match(line)
        indent = len(line) - len(line.lstrip())
        if heading:
            section, argument, depth = heading[1], "", None
        elif field:
            section = "fields"
            argument = field["name"] if field["what"] in _ARGUMENT_FIELDS else ""
            if argument:
                about[argument] = field["text"].strip()
        elif not section:
            description.append(line)
        elif section in _ARGUMENT_SECTIONS and named and indent == (depth or indent):
            depth, argument = indent, named["name"]
            about[argument] = named["text"].strip()
        elif argument and line.strip():
            about[argument] = f"{about[argument]} {line.strip()}".strip()
    return "\n".join(description).strip(), about


def _without_titles(schema: Any, *, is_properties: bool = False) -> Any:
    """Leave out the titles that pydantic makes up: they cost tokens and say nothing."""
    if isinstance(schema, dict):
        return {
            key: _without_titles(value, is_properties=key in ("properties", "$defs"))
            for key, value in schema.items()
            if is_properties or key != "title" or not isinstance(value, str)
        }
    if isinstance(schema, list):
        return [_without_titles(item) for item in schema]
    return schema
