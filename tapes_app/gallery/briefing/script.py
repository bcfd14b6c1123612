"""The briefing's script: what its members answer without a model, from their prompts alone."""

import random
import re
from collections.abc import Mapping, Sequence
from itertools import takewhile

from tapes_app.engine.model.llm import LLMOutput, Prompt
from tapes_app.engine.model.messages import Message
from tapes_app.gallery.analyst.library import words_of
from tapes_app.gallery.analyst.stocks import find_companies, load_companies
from tapes_app.gallery.scripting import ScriptedResult, Share, call_tools, list_results

_START, _END = "2023-09-17", "2024-09-17"
_SENTENCE_END = re.compile(r"(?<=[.!?])\s")
_ANSWER = re.compile(r"\S+ answers: ")
_NOTHING = "I found nothing about it."


def answer(prompt: Prompt, *, error_rate: Share = 0.0, seed: int = 0) -> LLMOutput:
    """Answer as whichever member asks, identified by its tools.

    `error_rate` is the share of companies whose price is read from the wrong week; `seed` decides
    which ones.
    """
    names = {tool["function"]["name"] for tool in prompt.tools or ()}
    if not names:
        return LLMOutput(content=_sum_up(prompt.messages))
    since = _since_the_task(prompt.messages)
    companies = find_companies(since[0].text) if since else []
    if not companies:
        return LLMOutput(content=_NOTHING)
    if "get_stock_data" in names:
        chance = random.Random(f"{seed} {companies[0]}")  # noqa: S311 - to repeat, not a secret
        return _price(since, companies[0], is_wrong=chance.random() < error_rate)
    return _profile(since, companies[0]) if "get_page" in names else _news(since, companies[0])


def _since_the_task(messages: Sequence[Message]) -> Sequence[Message]:
    asked = [at for at, message in enumerate(messages) if message.role == "user"]
    return messages[asked[-1] :] if asked else ()


def _price(messages: Sequence[Message], company: str, *, is_wrong: bool) -> LLMOutput:
    results = list_results(messages)
    symbol = _last(results, "get_stock_ticker")
    if symbol is None:
        return call_tools(messages, ("get_stock_ticker", {"company_name": company}))
    if symbol.is_error:
        return LLMOutput(content=_NOTHING)
    found = _last(results, "get_stock_data")
    if found is None:
        wanted = {"symbol": symbol.text.strip(), "start_date": _START, "end_date": _END}
        return call_tools(messages, ("get_stock_data", wanted))
    rows = [row for row in found.parse_list() if isinstance(row, list) and len(row) == 2]  # noqa: PLR2004
    prices = [row[1] for row in rows if isinstance(row[1], int | float) and row[1] > 0]
    if not prices:
        return LLMOutput(content=_NOTHING)
    first, last = prices[0], prices[len(prices) // 2 if is_wrong else -1]
    change = 100 * (last / first - 1)
    return LLMOutput(
        content=f"The share went from {first:.2f} to {last:.2f} USD ({change:+.1f} %)."
    )


def _profile(messages: Sequence[Message], company: str) -> LLMOutput:
    results = list_results(messages)
    hits = _last(results, "get_search_results")
    if hits is None:
        return call_tools(messages, ("get_search_results", {"query": f"about {company}"}))
    page = _last(results, "get_page")
    if page is None:
        found = _hit_of(hits, "About", company)
        if found is None:
            return LLMOutput(content=_NOTHING)
        return call_tools(messages, ("get_page", {"url": found.get("url", "")}))
    return LLMOutput(content=_first_sentence(page.text.partition("\n\n")[2]))


def _news(messages: Sequence[Message], company: str) -> LLMOutput:
    hits = _last(list_results(messages), "get_search_results")
    if hits is None:
        return call_tools(messages, ("get_search_results", {"query": f"{company} news"}))
    found = _hit_of(hits, "News", company)
    return LLMOutput(content=_first_sentence(found.get("snippet", "")) if found else _NOTHING)


def _last(results: Sequence[ScriptedResult], tool: str) -> ScriptedResult | None:
    return next((one for one in reversed(results) if one.name == tool), None)


def _hit_of(hits: ScriptedResult, sort: str, company: str) -> Mapping[str, str] | None:
    """Return the search result of a sort of page about a company."""
    wanted = set(words_of(company))
    for hit in hits.parse_list():
        title = str(hit.get("title", "")) if isinstance(hit, dict) else ""
        if title.startswith(sort) and wanted <= set(words_of(title)):
            return {name: str(value) for name, value in hit.items()}
    return None


def _first_sentence(text: str) -> str:
    return _SENTENCE_END.split(text.strip(), 1)[0] or _NOTHING


def _sum_up(messages: Sequence[Message]) -> str:
    """Return what the members say to the last question, or what one can ask."""
    found = takewhile(bool, (_ANSWER.match(message.text) for message in reversed(messages)))
    answers = [one.string[one.end() :] for one in found if one]
    return "\n".join(text for text in reversed(answers) if text != _NOTHING) or (
        "I am a script, not a language model, and know the made-up companies of the sample "
        f"project: {', '.join(sorted(load_companies().values()))}. Choose a model for others."
    )
