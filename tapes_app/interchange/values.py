"""What a JSON value must satisfy to be kept: finite numbers, bounded size and depth."""

import math
from typing import Any

from tapes_app.interchange.refusals import FormatProblem, ImportLimits

_DIGITS_PER_BIT = 0.30103
_PATH_LENGTH = 120


def plain_number(number: float) -> float | str | None:
    """Return a number as JSON can hold it: NaN as null, which is missing, infinity by its name.

    Python and other languages write both into files that they call JSON.
    """
    if math.isfinite(number):
        return number
    return None if math.isnan(number) else "Infinity" if number > 0 else "-Infinity"


def check_value(value: Any, limits: ImportLimits) -> None:
    """Refuse a value that is too deep, too large, or not JSON.

    Raises:
        FormatProblem: with the path of the value inside the tape.
    """
    if not _is_sound(value, limits):
        _find_problem(value, limits)


def _is_sound(value: Any, limits: ImportLimits) -> bool:
    """Check quickly whether a value has no problems: every value of a file goes through here."""
    most_bits = int(limits.max_integer_digits / _DIGITS_PER_BIT)
    level: list[Any] = [value]
    count = 0
    for _ in range(limits.max_depth + 1):
        deeper: list[Any] = []
        for item in level:
            kind = type(item)
            if kind is dict:
                if not all(map(_is_plain_name, item)):
                    return False
                deeper.extend(item.values())
            elif kind is list:
                deeper.extend(item)
            elif kind is float:
                if not math.isfinite(item):
                    return False
            elif kind is int:
                if item.bit_length() > most_bits:
                    return False
            elif kind is not str and item is not None and kind is not bool:
                return False
        count += len(level)
        if not deeper:
            return count <= limits.max_values
        level = deeper
    return False


def _is_plain_name(key: object) -> bool:
    return type(key) is str and key.isascii()


def _find_problem(value: Any, limits: ImportLimits) -> None:
    stack: list[tuple[Any, int, tuple[Any, ...]]] = [(value, 1, ())]
    count = 0
    while stack:
        item, depth, path = stack.pop()
        count += 1
        if count > limits.max_values:
            raise FormatProblem(f"one tape has more than {limits.max_values:,} values")
        # `path` is a linked list: building text for every value would cost more than the check.
        if isinstance(item, str):
            continue  # any text is kept, including U+0000 and lone surrogates
        if isinstance(item, dict):
            _check_depth(depth, path, limits)
            for key, inner in item.items():
                if not isinstance(key, str):
                    raise FormatProblem("a field name is not text", position=_name(path))
                if not key.isascii():
                    _check_name(key, path)
                stack.append((inner, depth + 1, (path, key)))
        elif isinstance(item, list):
            _check_depth(depth, path, limits)
            stack.extend((inner, depth + 1, (path, i)) for i, inner in enumerate(item))
        else:
            _check_scalar(item, path, limits)


def _check_depth(depth: int, path: tuple[Any, ...], limits: ImportLimits) -> None:
    if depth > limits.max_depth:
        raise FormatProblem(
            f"lists and objects are nested deeper than {limits.max_depth} levels",
            position=_name(path),
        )


def _check_name(key: str, path: tuple[Any, ...]) -> None:
    try:
        key.encode()
    except UnicodeEncodeError as error:
        raise FormatProblem(
            "a field name contains an unpaired UTF-16 surrogate", position=_name(path)
        ) from error


def _check_scalar(item: Any, path: tuple[Any, ...], limits: ImportLimits) -> None:
    if isinstance(item, float):
        if not math.isfinite(item):
            raise FormatProblem("a number is not finite (NaN or infinity)", position=_name(path))
    elif isinstance(item, int):
        if item.bit_length() * _DIGITS_PER_BIT > limits.max_integer_digits:
            raise FormatProblem(
                f"a whole number has more than {limits.max_integer_digits} digits",
                position=_name(path),
            )
    elif item is not None:
        raise FormatProblem("a value is not valid JSON", position=_name(path))


def _name(path: tuple[Any, ...]) -> str:
    parts: list[str] = []
    while path:
        path, key = path
        parts.append(str(key)[:_PATH_LENGTH])
    name = ".".join(reversed(parts))
    # A name that the file chose is shown without line breaks, controls or excessive length.
    shown = "".join(sign if sign.isprintable() else "?" for sign in name)
    return shown if len(shown) <= _PATH_LENGTH else shown[: _PATH_LENGTH - 1] + "…"
