"""The process that interprets code: started for the first call of a run, ended with the run."""

import asyncio
import json
import subprocess
import sys
from contextlib import AsyncExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, ValidationError

from tapes_app.engine.environment.process_groups import process_group

if TYPE_CHECKING:
    from tapes_app.environments.code.program import Limits

COMMAND = (sys.executable, "-I", str(Path(__file__).with_name("program.py")))
"""The program, which sees neither the studio's modules nor variables of the environment."""

_START_SECONDS = 60.0
_PATIENCE_SECONDS = 20.0
"""How much longer than its code a call may take: values are shown, and the state is written."""

_LONGEST_ANSWER_BYTES = 16 * 2**20


class Interpreted(BaseModel):
    """What became of a call; the fields are those of the program's answer."""

    output: str
    error: str
    state: str
    is_lost: bool


class Interpreter:
    """Interprets code in a process that is started when it is first needed, or has ended."""

    def __init__(self, limits: "Limits", *, notes: Path | None = None) -> None:
        """`notes` is `RunContext.process_notes`."""
        self._limits = limits
        self._notes = notes
        self._stack = AsyncExitStack()
        self._process: asyncio.subprocess.Process | None = None
        self._state = ""
        """Where the process is."""

    async def run(self, code: str, state: str) -> Interpreted:
        """Interpret code from a state, which is empty or what an earlier call left.

        Whatever happens to the process is an answer, and the next call starts another one.
        """
        try:
            process = await self._running()
            call = {"code": code, "state": None if state == self._state else state}
            answer = await self._exchange(process, call)
        except (OSError, EOFError, ValueError) as error:
            await self.close()
            reason = "it did not answer" if isinstance(error, TimeoutError) else "it ended"
            return Interpreted(
                output="",
                error=f"The interpreter was lost: {reason} in the middle of the call.",
                state="",
                is_lost=False,
            )
        except BaseException:
            await self.close()
            raise
        # After a failure the process goes back to where the call began.
        self._state = answer.state or ("" if answer.is_lost else state)
        return answer

    async def close(self) -> None:
        self._process, self._state = None, ""
        await self._stack.aclose()

    async def _running(self) -> asyncio.subprocess.Process:
        if self._process is not None and self._process.returncode is None:
            return self._process
        await self.close()
        group = process_group(
            COMMAND,
            notes=self._notes,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
            limit=_LONGEST_ANSWER_BYTES,
            env={},
            cwd="/",
        )
        self._process = await self._stack.enter_async_context(group)
        await self._write(self._process, self._limits)
        return self._process

    async def _exchange(self, process: asyncio.subprocess.Process, call: Any) -> Interpreted:
        assert process.stdout is not None
        seconds = self._limits["seconds"] + _PATIENCE_SECONDS + _START_SECONDS
        async with asyncio.timeout(seconds):
            await self._write(process, call)
            line = await process.stdout.readline()
        if not line:
            raise EOFError
        return Interpreted.model_validate_json(line)

    async def _write(self, process: asyncio.subprocess.Process, data: Any) -> None:
        assert process.stdin is not None
        process.stdin.write(json.dumps(data).encode() + b"\n")
        await process.stdin.drain()


def explain_interpreter() -> str | None:
    """Return why code cannot be interpreted on this machine; `None` if it can."""
    limits = {"seconds": 5, "memory_mb": 64, "output_characters": 100, "state_characters": 9_999}
    lines = (limits, {"code": "40 + 2", "state": ""})
    try:
        done = subprocess.run(  # noqa: S603 - our own program
            COMMAND,
            input="".join(json.dumps(line) + "\n" for line in lines),
            capture_output=True,
            check=False,
            cwd="/",
            env={},
            text=True,
            timeout=_START_SECONDS,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return str(error)
    try:
        answer = Interpreted.model_validate_json(done.stdout)
    except ValidationError:
        return done.stderr.strip().rpartition("\n")[2] or f"it ended with status {done.returncode}"
    return None if answer.output == "42" else answer.error or "it gave a wrong answer"
