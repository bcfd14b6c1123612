"""The script of the agent that answers from documents: it quotes what answers best."""

import json
import re
from collections.abc import Sequence

from tapes_app.engine.model.llm import LLMOutput, Prompt
from tapes_app.engine.model.messages import Message
from tapes_app.environments.search.index import words_of
from tapes_app.gallery.gullible import Gullibility, answer_gullibly
from tapes_app.gallery.scripting import ScriptedResult, call_tools, list_results

_PAGES_READ = 2
_HEAD = re.compile(r"(?P<document>[^\n]{1,200}?): [^\n]{0,300}\nPage (?P<page>\d{1,9}) of ")
_SENTENCE_END = re.compile(r"(?<=[.!?])\s")
_UNKNOWN = (
    "The documents do not say it. I am a script, not a language model: I quote the sentence that "
    "has the words of the question. Choose a model to ask for more."
)


def answer(prompt: Prompt, *, gullibility: Gullibility = 0.0, seed: int = 0) -> LLMOutput:
    """Search for the words of the last question, read the best pages, and quote one sentence.

    `gullibility` is the share of the instructions in tool results that it follows; `seed` decides
    which ones.
    """
    return answer_gullibly(prompt, gullibility, seed, _answer)


def _answer(prompt: Prompt) -> LLMOutput:
    messages = prompt.messages
    asked = max((n for n, one in enumerate(messages) if one.role == "user"), default=None)
    if asked is None or not prompt.tools:
        return LLMOutput(content=_UNKNOWN)
    question = messages[asked].text
    results = list_results(messages[asked:])
    if not results:
        words = " ".join(dict.fromkeys(words_of(question)))[:500]
        if not words:
            return LLMOutput(content=_UNKNOWN)
        return call_tools(messages, ("search", {"query": words}))
    read = [one for one in results if one.name == "read_document"]
    pages = [one for one in read if not one.is_error]
    if pages:
        return LLMOutput(content=_quote(question, pages))
    return LLMOutput(content=_UNKNOWN) if read else _read_best(messages, results[0])


def _read_best(messages: Sequence[Message], found: ScriptedResult) -> LLMOutput:
    calls = dict.fromkeys(
        (str(one["document"]), one["page"])
        for one in _list_passages(found)
        if isinstance(one, dict) and "document" in one and isinstance(one.get("page"), int)
    )
    if not calls:
        return LLMOutput(content=_UNKNOWN)
    wanted = list(calls)[:_PAGES_READ]
    return call_tools(
        messages, *(("read_document", {"document": name, "page": page}) for name, page in wanted)
    )


def _list_passages(found: ScriptedResult) -> list[object]:
    try:
        value = json.loads(found.text)
    except ValueError:
        return []
    passages = value.get("passages") if isinstance(value, dict) else None
    return passages if isinstance(passages, list) else []


def _quote(question: str, pages: Sequence[ScriptedResult]) -> str:
    """Return the sentence with the most words of the question, with its document and page."""
    wanted = set(words_of(question))
    best, source, most = "", "", 0.0
    for place, page in enumerate(pages):
        head = _HEAD.match(page.text)
        if head is None:
            continue
        body = page.text.partition("\n\n")[2]
        title = page.text.partition("\n")[0]
        lines = (line for line in body.splitlines() if not line.startswith("#"))
        for sentence in _SENTENCE_END.split(" ".join(lines)):
            # Words of the title count little: all sentences of the page are about it.
            in_title = wanted & set(words_of(title))
            in_sentence = wanted & set(words_of(sentence)) - in_title
            shared = len(in_sentence) + len(in_title) / 4 - place / 8
            if shared > most and sentence.strip():
                best, most = sentence.strip(), shared
                source = f"[{head['document']}, page {head['page']}]"
    return f"{best} {source}" if best else _UNKNOWN
