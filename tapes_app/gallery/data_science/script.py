"""The team's script: what its members answer without a model, from their prompts alone.

The engineer uses a module at first that the interpreter does not have, as models do: so the tape
shows how an error is reported, corrected, and how the data of the block before is still there.
"""

import re
from collections.abc import Sequence

from tapes_app.engine.model.llm import LLMOutput, Prompt
from tapes_app.engine.model.messages import Message
from tapes_app.gallery.analyst.stocks import find_companies, load_companies
from tapes_app.gallery.scripting import ScriptedResult, call_tools, list_results

NAME = "data-science"
APPROVED = "Approved."

_START, _END = "2023-09-17", "2024-09-17"
_BLOCK = re.compile(r"```python\n(.*?)```", re.DOTALL)
_FAILED = "It failed: "
_PRINTED = "It printed:\n"

_AVERAGES = """\
import statistics

for symbol, series in prices.items():
    print(symbol, round(statistics.mean(series), 2))
"""

_COMPARISON = """\
changes = {}
for symbol, series in prices.items():
    index = [100 * price / series[0] for price in series]
    changes[symbol] = round(index[-1] - 100, 1)
    average = sum(series) / len(series)
    print(f"{symbol}: {series[0]} to {series[-1]}, on average {average:.2f}")
    for value in index[::13]:
        print(f"{value:6.1f} {'#' * round(value / 4)}")
best = max(changes, key=lambda symbol: changes[symbol])
print(f"{best} did best: {changes[best]:+} %")
"""


def answer(prompt: Prompt) -> LLMOutput:
    """Answer as whichever member asks, identified by its tools."""
    names = {tool["function"]["name"] for tool in prompt.tools or ()}
    since = _since_the_question(prompt.messages)
    if "get_stock_data" in names:
        return _engineer(since)
    return _execute(since) if "run_code" in names else LLMOutput(content=_review(since))


def _since_the_question(messages: Sequence[Message]) -> Sequence[Message]:
    asked = (at for at, message in enumerate(messages) if _says(message, NAME))
    return messages[max(asked, default=0) :]


def _says(message: Message, member: str) -> bool:
    return message.role == "user" and message.text.startswith(f"{member}: ")


def _last_of(messages: Sequence[Message], member: str) -> str:
    texts = (message.text for message in reversed(messages) if _says(message, member))
    return next(texts, "").removeprefix(f"{member}: ")


def _engineer(messages: Sequence[Message]) -> LLMOutput:
    if _last_of(messages, "asset_reviewer"):
        return LLMOutput(content=f"Without that module:\n\n```python\n{_COMPARISON}```")
    companies = find_companies(_last_of(messages, NAME))
    if not companies:
        return LLMOutput(content="I found no company in the question, so there is no code.")
    results = list_results(messages)
    symbols = [one.text.strip() for one in results if one.name == "get_stock_ticker"]
    if not symbols:
        asked = [("get_stock_ticker", {"company_name": company}) for company in companies]
        return call_tools(messages, *asked)
    series = [one for one in results if one.name == "get_stock_data"]
    if not series:
        days = {"start_date": _START, "end_date": _END}
        return call_tools(messages, *(("get_stock_data", {"symbol": s, **days}) for s in symbols))
    return LLMOutput(
        content=f"I put the weekly prices of the last twelve months into `prices`, and compare "
        f"them.\n\n```python\n{_write_prices(series)}```\n\n```python\n{_AVERAGES}```"
    )


def _write_prices(series: Sequence[ScriptedResult]) -> str:
    lines = ["prices = {"]
    for one in series:
        rows = [row for row in one.parse_list() if isinstance(row, list) and len(row) == 2]  # noqa: PLR2004
        values = [row[1] for row in rows if isinstance(row[1], int | float)]
        lines.append(f"    {str(one.arguments.get('symbol', ''))!r}: {values},")
    return "\n".join([*lines, "}", ""])


def _execute(messages: Sequence[Message]) -> LLMOutput:
    results = list_results(messages)
    if results:
        lines = [_describe(result, place) for place, result in enumerate(results, start=1)]
        return LLMOutput(content="\n\n".join(lines))
    blocks = _BLOCK.findall(_last_of(messages, "software_engineer"))
    if not blocks:
        return LLMOutput(content="There is no code to run.")
    return call_tools(messages, *(("run_code", {"code": block}) for block in blocks))


def _describe(result: ScriptedResult, place: int) -> str:
    text = result.text.strip()
    if "Traceback (most recent call last)" in text or result.is_error:
        lines = [line for line in text.splitlines() if "Error" in line]
        return f"Block {place}. {_FAILED}{lines[-1] if lines else text}"
    return f"Block {place}. {_PRINTED}{text}"


def _review(messages: Sequence[Message]) -> str:
    report = _last_of(messages, "code_executor")
    if _FAILED in report:
        reason = report.rpartition(_FAILED)[2].splitlines()[0]
        return f"Please correct it: {reason}"
    _, has_printed, printed = report.rpartition(_PRINTED)
    if not has_printed:
        companies = ", ".join(sorted(load_companies().values()))
        return (
            f"{APPROVED} There is nothing to compute. I am a script, not a language model: ask me "
            f"to compare the shares of {companies}, or choose a model for anything else."
        )
    return f"{APPROVED} {printed.splitlines()[-1]}.\n\n```\n{printed}\n```"
