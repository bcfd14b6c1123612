"""The environment that interprets code, and the tool with which a model asks it to.

The variables are in the environment's state, on the step of each call that changed them, so a fork
or a resumed run begins with those of its step. They are signed, because a tape may come from
anywhere and the interpreter must load only what it wrote itself.
"""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Annotated, Any, Final

from pydantic import Field

from tapes_app.engine.environment.actions import PendingAction, UnknownActionError
from tapes_app.engine.environment.environment import Environment
from tapes_app.engine.environment.opening import RunContext
from tapes_app.engine.environment.spec import EnvironmentSettings, environments
from tapes_app.engine.environment.state import EnvironmentState, is_sealed, seal_text
from tapes_app.engine.environment.tool_environment import ToolEnvironment
from tapes_app.engine.environment.tool_functions import AnyTool, Tool, ToolFailedError, tools
from tapes_app.engine.tape.steps import Step
from tapes_app.engine.tape.tape import Tape
from tapes_app.environments.code.interpreter import Interpreter

if TYPE_CHECKING:
    from tapes_app.environments.code.program import Limits

TYPE: Final = "code"
"""The type of the environment, the key of its state, and the module in the name of its tool."""

LARGEST_STATE_CHARACTERS = 48_000
"""Of the variables, compressed and in base64; a step's whole state is limited to 64 KiB."""

LOST = (
    "[The variables of earlier calls could not be restored, so this call began without them: they "
    "were kept by another studio or another version of the interpreter.]\n"
)
NO_OUTPUT = "[No output.]"
"""Some providers refuse a result that is empty."""

NOTHING_KEPT = "Nothing that this call did to variables was kept."

Code = Annotated[str, Field(max_length=100_000)]


class CodeSettings(EnvironmentSettings):
    """What one call may take. A tape that has variables keeps the time and memory it began with."""

    seconds: float = Field(10.0, gt=0, le=600)
    """How long the code may compute."""

    memory_mb: int = Field(64, ge=16, le=512)
    """How much memory its values may take, in MiB."""

    output_characters: int = Field(20_000, ge=100, le=200_000)
    """How much of what it prints, and of its last value, the model reads."""

    def as_limits(self) -> "Limits":
        return {
            "seconds": self.seconds,
            "memory_mb": self.memory_mb,
            "output_characters": self.output_characters,
            "state_characters": LARGEST_STATE_CHARACTERS,
        }


async def run_code(code: Code, state: EnvironmentState) -> str:  # noqa: D417 - no model sees it
    """Run Python code; return what it prints and the value of its last expression.

    Variables, functions and classes stay for later calls. If a call fails, they are as they were
    before it. There are no files, no network, no packages and no inheritance of classes; of the
    standard library there are math, json, re, datetime, random, collections, itertools, functools,
    decimal, csv and a few more.

    Args:
        code: Python code of one or more lines.
    """
    del code, state
    raise ToolFailedError("Code is interpreted only in an environment that is open.")


class _CodeSource:
    """Where the tool is from: an environment with the usual limits, if the agent names no other."""

    def build_environment(self, offered: Sequence[AnyTool]) -> Environment:
        del offered
        return CodeEnvironment(CodeSettings())


class CodeTool(Tool[..., Any]):
    """`run_code`, which agents name `code.run_code`. Only one of an open environment can be called.

    `key` is `RunContext.state_key`.
    """

    def __init__(self, interpreter: Interpreter | None = None, key: bytes = b"") -> None:
        super().__init__(run_code)
        self.__module__ = TYPE
        self.source = _CodeSource()
        self._interpreter = interpreter
        self._key = key

    async def _run(self, given: dict[str, Any]) -> Any:
        if self._interpreter is None:
            return await super()._run(given)
        state: EnvironmentState = given["state"]
        kept = state.get(TYPE)
        begin = _unseal(kept, self._key)
        done = await self._interpreter.run(given["code"], begin or "")
        is_lost = done.is_lost or (kept is not None and begin is None)
        output = f"{LOST if is_lost else ''}{done.output}"
        if done.error:
            pieces = (output.rstrip("\n"), done.error, NOTHING_KEPT)
            raise ToolFailedError("\n".join(filter(None, pieces)))
        state[TYPE] = _seal(done.state, self._key)
        return output or NO_OUTPUT


RUN_CODE: AnyTool = CodeTool()
"""The tool as a node names it."""

tools.replace(RUN_CODE.type_name, RUN_CODE)


def _seal(state: str, key: bytes) -> dict[str, str]:
    return {"variables": state, "seal": seal_text(state, key)}


def _unseal(kept: Any, key: bytes) -> str | None:
    """Return the variables that a step holds; `None`: there are none, or not of this studio."""
    match kept:
        case {"variables": str(state), "seal": str(seal)} if is_sealed(state, seal, key):
            return state
        case _:
            return None


@environments.register(TYPE)
class CodeEnvironment(ToolEnvironment):
    """Interprets Python code for the tool run_code, without files, network and packages."""

    name = TYPE
    isolation = (
        "Code runs in an interpreter of its own process: it reaches no file, no network and no "
        "package, and its time and memory are limited."
    )
    offers = (RUN_CODE,)

    def __init__(self, settings: CodeSettings, tool: AnyTool | None = None) -> None:
        super().__init__([tool or RUN_CODE])
        self._settings = settings

    @asynccontextmanager
    async def open(self, run: RunContext) -> AsyncIterator[Environment]:
        interpreter = Interpreter(self._settings.as_limits(), notes=run.process_notes)
        try:
            yield CodeEnvironment(self._settings, CodeTool(interpreter, run.state_key))
        finally:
            await interpreter.close()

    async def observe(self, pending: PendingAction, tape: Tape) -> Sequence[Step]:
        if self._find(pending) is None:
            raise UnknownActionError(
                f"The code environment has no tool {pending.name!r}.", kind=pending.action.kind
            )
        return await super().observe(pending, tape)
