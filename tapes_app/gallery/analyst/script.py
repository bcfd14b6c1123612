"""The analyst's script: what its agents answer without a model, from the prompt alone.

It knows the companies of the sample project and says so when asked for more.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from tapes_app.engine.model.llm import LLMOutput, Prompt
from tapes_app.engine.model.messages import Message
from tapes_app.gallery.analyst.library import words_of
from tapes_app.gallery.analyst.stocks import load_companies
from tapes_app.gallery.gullible import Gullibility, answer_gullibly
from tapes_app.gallery.scripting import ScriptedResult, call_tools, list_results

_START, _END = "2023-09-17", "2024-09-17"
_HELPER = "search_agent answers: "
_NUMBERS = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5}
_SENTENCE_COUNT = re.compile(r"\bin (\d|one|two|three|four|five) sentences?\b", re.IGNORECASE)
_NAME = re.compile(r"(?<![.!?] )(?<!^)\b[A-Z][\w&-]+(?: [A-Z][\w&-]+)*")
_FOLLOW_UP = re.compile(r"\b(it|its|they|their|share|price|news|company|more)\b", re.IGNORECASE)
_NO_NAMES = frozenset({"I", "US", "USD", "CEO", "Please"})
_COMMON_WORDS = frozenset({"company", "overview", "new"})


def answer(prompt: Prompt, *, gullibility: Gullibility = 0.0, seed: int = 0) -> LLMOutput:
    """Answer as whichever agent of the team asks, identified by its tools.

    `gullibility` is the share of the instructions in tool results that it follows; `seed` decides
    which ones.
    """
    return answer_gullibly(prompt, gullibility, seed, _answer)


def _answer(prompt: Prompt) -> LLMOutput:
    names = {tool["function"]["name"] for tool in prompt.tools or ()}
    if "get_search_results" in names:
        return _search(prompt.messages)
    # The first message is the system's, the last one is the node's guidance.
    talk = _read_talk(prompt.messages[1:-1])
    return LLMOutput(content=_plan(talk)) if not talk.has_plan else _act(talk, prompt.messages)


@dataclass(frozen=True)
class _Talk:
    """What has happened since the person's last message."""

    question: str
    company: str
    """As the person wrote it; empty if no name was found."""

    has_plan: bool
    results: list[ScriptedResult]
    found: str | None
    """What the search agent answered."""

    def last(self, tool: str) -> ScriptedResult | None:
        return next((item for item in reversed(self.results) if item.name == tool), None)


def _read_talk(messages: Sequence[Message]) -> _Talk:
    questions = [number for number, item in enumerate(messages) if _is_question(item)]
    start = questions[-1] if questions else 0
    since = messages[start + 1 :]
    asked = [messages[number].text for number in questions]
    company = find_company(asked[-1]) if asked else ""
    if not company and asked and _FOLLOW_UP.search(asked[-1]):
        company = next((name for text in reversed(asked) if (name := find_company(text))), "")
    found = [item.text for item in since if item.role == "user" and item.text.startswith(_HELPER)]
    return _Talk(
        question=asked[-1] if asked else "",
        company=company,
        has_plan=any(item.role == "assistant" for item in since),
        results=list_results(since),
        found=found[-1].removeprefix(_HELPER) if found else None,
    )


def _is_question(message: Message) -> bool:
    text = message.text
    return message.role == "user" and not text.startswith((_HELPER, "{"))


def find_company(text: str) -> str:
    """Return the company that a text is about, as written there; empty if there is none."""
    for name in load_companies().values():
        first = name.split()[0]
        match = re.search(rf"\b{name}\b|\b{first}\b", text, re.IGNORECASE)
        if match:
            return match[0]
    names = [match[0] for match in _NAME.finditer(text) if match[0] not in _NO_NAMES]
    return names[0] if names else ""


def _plan(talk: _Talk) -> str:
    if not talk.company:
        return "1. Say which companies I can tell about."
    return (
        f"1. Use get_stock_ticker to find the ticker symbol of {talk.company}.\n"
        "2. Use get_stock_data to see how its share price moved over the last twelve months.\n"
        "3. Ask the search agent what the company does and what is new.\n"
        "4. Answer the person."
    )


def _act(talk: _Talk, messages: Sequence[Message]) -> LLMOutput:
    if not talk.company:
        return LLMOutput(content=_describe_limits())
    ticker = talk.last("get_stock_ticker")
    if ticker is None:
        return call_tools(messages, ("get_stock_ticker", {"company_name": talk.company}))
    prices = talk.last("get_stock_data")
    if prices is None and not ticker.is_error:
        arguments = {"symbol": ticker.text.strip(), "start_date": _START, "end_date": _END}
        return call_tools(messages, ("get_stock_data", arguments))
    if talk.found is None:
        name = load_companies().get(ticker.text.strip(), talk.company)
        query = f"{name} company overview and recent news"
        return call_tools(messages, ("call_search_agent", {"query": query}))
    return LLMOutput(content=_tell(talk, ticker, prices, talk.found))


def _tell(talk: _Talk, ticker: ScriptedResult, prices: ScriptedResult | None, found: str) -> str:
    about, news = _read_findings(found)
    price = _describe_prices(ticker.text.strip(), prices) if prices else ""
    sentences = [*about[:1], *([price] if price else []), *news[:1], *about[1:], *news[1:]]
    if not sentences:
        return f"I found nothing on {talk.company!r}. {_describe_limits()}"
    if ticker.is_error:
        sentences.insert(0, f"No listed company is named {talk.company!r}.")
    return " ".join(sentences[: _sentence_count(talk.question)])


def _describe_prices(symbol: str, prices: ScriptedResult) -> str:
    rows = [row for row in prices.parse_list() if isinstance(row, list) and len(row) == 2]  # noqa: PLR2004
    values = [row[1] for row in rows if isinstance(row[1], int | float)]
    if not values or prices.is_error:
        return f"I could not read the prices of {symbol}."
    first, last = values[0], values[-1]
    change = (last - first) / first * 100 if first else 0
    return (
        f"Over the last twelve months its share ({symbol}) went from {first:.2f} to {last:.2f} "
        f"US dollars, {'up' if change >= 0 else 'down'} {abs(change):.1f} %, with a low of "
        f"{min(values):.2f} and a high of {max(values):.2f}."
    )


def _read_findings(found: str) -> tuple[list[str], list[str]]:
    """Return the sentences of the search result: about the company, and the news."""
    about: list[str] = []
    news: list[str] = []
    for line in found.splitlines():
        text = line.strip()
        if text.startswith("- "):
            news += _sentences(text.removeprefix("- "))
        elif text and not text.startswith(("#", "Source", "I found no")):
            about += _sentences(text)
    return about, news


def _sentences(text: str) -> list[str]:
    return [part for part in re.split(r"(?<=[.!?])\s+(?=[A-Z])", text) if part.endswith((".", "!"))]


def _sentence_count(question: str) -> int:
    match = _SENTENCE_COUNT.search(question)
    if match is None:
        return 3
    return _NUMBERS.get(match[1].lower()) or int(match[1])


def _describe_limits() -> str:
    companies = ", ".join(sorted(load_companies().values()))
    return (
        "I am a script, not a language model: I only know the made-up prices and pages of the "
        f"sample project. Ask me about {companies}, or choose a model for anything else."
    )


def _search(messages: Sequence[Message]) -> LLMOutput:
    task = next((item.text for item in messages if item.role == "user"), "")
    results = list_results(messages)
    if not results:
        return call_tools(messages, ("get_search_results", {"query": task}))
    hits = _relevant_hits(results[0], task)
    if not hits:
        return LLMOutput(content=f"I found no page about {task!r}.")
    pages = [item for item in results if item.name == "get_page"]
    if not pages:
        best = next((hit for hit in hits if hit["title"].startswith("About ")), hits[0])
        subject = best["title"].removeprefix("About ")
        return call_tools(
            messages,
            ("get_page", {"url": best["url"]}),
            ("get_search_results", {"query": f"{subject} news"}),
        )
    sound = [page for page in pages if not page.is_error]
    searches = [item for item in results if item.name == "get_search_results"]
    return LLMOutput(content=_respond((sound or pages)[-1], searches[-1]))


def _relevant_hits(result: ScriptedResult, task: str) -> list[dict[str, str]]:
    """Return the hits that share more than common words with the task."""
    wanted = set(words_of(task)) - _COMMON_WORDS
    hits = [
        {key: str(value) for key, value in hit.items()}
        for hit in result.parse_list()
        if isinstance(hit, dict) and "title" in hit and "url" in hit
    ]
    return [hit for hit in hits if wanted & set(words_of(hit["title"]))]


def _respond(page: ScriptedResult, more: ScriptedResult) -> str:
    heading, _, text = page.text.partition("\n\n")
    title = heading.splitlines()[0].removeprefix("Title: ") if heading else "Page"
    paragraphs = [part for part in text.split("\n\n") if part and not part.startswith("#")]
    news = [
        hit
        for hit in _relevant_hits(more, title.removeprefix("About "))
        if hit["title"].startswith("News")
    ]
    lines = [f"### {title}", "", *paragraphs[:1]]
    if news:
        lines += ["", "### News", "", f"- {news[0].get('snippet', '')}"]
    sources = [str(page.arguments.get("url", "")), *(hit["url"] for hit in news[:1])]
    return "\n".join([*lines, "", f"Sources: {', '.join(sources)}"])
