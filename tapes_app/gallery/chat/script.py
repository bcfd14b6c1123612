"""The chat agent's script: it calculates and converts, and explains that it can do no more."""

import ast
import re
from collections.abc import Sequence
from typing import Any

from tapes_app.engine.model.llm import LLMOutput, Prompt
from tapes_app.engine.model.messages import Message
from tapes_app.gallery.chat.tools import UNITS
from tapes_app.gallery.scripting import ScriptedResult, call_tools, list_results

_NUMBER = r"(?:-|(?<!\d))\d++(?:[.,]\d++)?"
_CONVERSION = re.compile(
    rf"(?P<value>{_NUMBER})\s*+(?:°\s*+)?(?P<from>[A-Za-z][A-Za-z/]*+\d?)\s++"
    r"(?:in|to|into|as)\s++(?:°\s*+)?(?P<to>[A-Za-z][A-Za-z/]*\d?)"
)
_ARITHMETIC = re.compile(
    r"(?:\b(?:sqrt|log10|log|sin|cos|tan|abs|round|floor|ceil|min|max|pi|e)\b|\d+(?:\.\d+)?"
    r"|[-+*/%^(),\u00d7\u00f7]|\s)+"
)
_WORDS = {
    "plus": "+", "minus": "-", "times": "*", "multiplied by": "*", "divided by": "/",
    "to the power of": "**",
}  # fmt: skip
_UNIT_WORDS = {
    "meter": "m", "metre": "m", "kilometer": "km", "kilometre": "km", "mile": "mi", "inch": "in",
    "inche": "in", "foot": "ft", "feet": "ft", "yard": "yd", "centimeter": "cm",
    "centimetre": "cm", "gram": "g", "kilogram": "kg", "kilo": "kg", "pound": "lb", "lbs": "lb",
    "ounce": "oz", "ton": "t", "tonne": "t", "second": "s", "minute": "min", "hour": "h",
    "days": "day", "weeks": "week", "liter": "l", "litre": "l", "gallon": "gal", "cups": "cup",
    "celsius": "C", "fahrenheit": "F", "kelvin": "K", "kmh": "km/h", "knot": "kn",
}  # fmt: skip
_GREETING = re.compile(r"\b(hi|hello|hey|good (morning|evening|day))\b", re.IGNORECASE)
_THANKS = re.compile(r"\b(thanks|thank you|bye)\b", re.IGNORECASE)
_LIMITS = (
    "I am a script, not a language model: I can calculate, as in 12 * (3 + 4), and convert "
    "units, as in 5 km to mi. Choose a model to talk about anything else."
)


def answer(prompt: Prompt) -> LLMOutput:
    """Answer the last message: tool results in words, a question by calling tools."""
    messages = prompt.messages
    last = messages[-1] if messages else Message(role="user", content="")
    if last.role == "tool":
        return LLMOutput(content=_describe_results(messages))
    calls = find_calls(last.text)
    if calls and prompt.tools:
        return call_tools(messages, *calls)
    return LLMOutput(content=_answer_without_tools(last.text))


def find_calls(text: str) -> list[tuple[str, dict[str, Any]]]:
    """Return the tool calls that a question asks for: every conversion and expression in it."""
    calls: list[tuple[str, dict[str, Any]]] = []

    def take(match: re.Match[str]) -> str:
        source, target = _unit(match["from"]), _unit(match["to"])
        if source not in UNITS or target not in UNITS:
            return match[0]
        value = float(match["value"].replace(",", "."))
        arguments = {"value": value, "from_unit": source, "to_unit": target}
        calls.append(("convert_units", arguments))
        return " ; "

    text = _CONVERSION.sub(take, text)
    for words, sign in _WORDS.items():
        text = re.sub(rf"\b{words}\b", sign, text, flags=re.IGNORECASE)
    found = (_clean_expression(match[0]) for match in _ARITHMETIC.finditer(text))
    calls += [("calculate", {"expression": expression}) for expression in found if expression]
    return calls


def _clean_expression(text: str) -> str:
    """Return an expression in the calculator's syntax; empty if there is nothing to calculate."""
    plain = text.replace("^", "**").replace("\u00d7", "*").replace("\u00f7", "/").strip(" \n\t,+*/")
    try:
        tree = ast.parse(plain, mode="eval")
    except (
        SyntaxError,
        ValueError,
        RecursionError,
        MemoryError,
    ):  # the last two: nested too deeply
        return ""
    return plain if isinstance(tree.body, ast.BinOp | ast.Call) else ""


def _unit(word: str) -> str:
    if word in UNITS:
        return word
    lower = word.lower()
    for spelling in (lower, lower.removesuffix("s")):
        if spelling in _UNIT_WORDS:
            return _UNIT_WORDS[spelling]
        if spelling in UNITS:
            return spelling
    return word


def _describe_results(messages: Sequence[Message]) -> str:
    asked = max((n for n, item in enumerate(messages) if item.role == "user"), default=0)
    return (
        " ".join(_describe_result(result) for result in list_results(messages[asked:])) or _LIMITS
    )


def _describe_result(result: ScriptedResult) -> str:
    arguments = result.arguments
    if result.is_error:
        return f"That did not work. {result.text}"
    if result.name == "calculate":
        return f"{arguments.get('expression')} = {result.text}."
    if result.name == "convert_units":
        value = arguments.get("value")
        shown = f"{value:g}" if isinstance(value, int | float) else str(value)
        return f"{shown} {arguments.get('from_unit')} are {result.text} {arguments.get('to_unit')}."
    return f"The tool answered: {result.text}"


def _answer_without_tools(text: str) -> str:
    if _THANKS.search(text):
        return "You are welcome."
    if _GREETING.search(text):
        return f"Hello! {_LIMITS}"
    return _LIMITS
