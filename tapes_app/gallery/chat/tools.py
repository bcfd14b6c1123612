"""A calculator and a unit converter that are safe to give to anybody."""

import ast
import math
import operator
from collections.abc import Callable

from tapes_app.engine.environment.tool_functions import tool

LONGEST_EXPRESSION = 200
_LARGEST_POWER = 1_000
_LARGEST_NUMBER = 10**100

_BINARY: dict[type[ast.operator], Callable[[float, float], float]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.Pow: operator.pow,
}
_FUNCTIONS: dict[str, Callable[..., float]] = {
    "abs": abs,
    "ceil": math.ceil,
    "cos": math.cos,
    "floor": math.floor,
    "log": math.log,
    "log10": math.log10,
    "max": max,
    "min": min,
    "round": round,
    "sin": math.sin,
    "sqrt": math.sqrt,
    "tan": math.tan,
}
_CONSTANTS = {"pi": math.pi, "e": math.e}

_SCALES: dict[str, dict[str, float]] = {
    "length": {
        "mm": 0.001, "cm": 0.01, "m": 1, "km": 1_000,
        "in": 0.0254, "ft": 0.3048, "yd": 0.9144, "mi": 1_609.344,
    },
    "mass": {"mg": 1e-6, "g": 0.001, "kg": 1, "t": 1_000, "oz": 0.028349523125, "lb": 0.45359237},
    "time": {"s": 1, "min": 60, "h": 3_600, "day": 86_400, "week": 604_800},
    "volume": {"ml": 0.001, "l": 1, "m3": 1_000, "gal": 3.785411784, "cup": 0.2365882365},
    "speed": {"m/s": 1, "km/h": 1 / 3.6, "mph": 0.44704, "kn": 1_852 / 3_600},
    "data": {"B": 1, "kB": 1e3, "MB": 1e6, "GB": 1e9, "KiB": 1024, "MiB": 1024**2, "GiB": 1024**3},
}  # fmt: skip
_TEMPERATURES = ("C", "F", "K")
UNITS = tuple(unit for units in _SCALES.values() for unit in units) + _TEMPERATURES


@tool
def calculate(expression: str) -> float:
    """Work out an arithmetic expression.

    Args:
        expression: numbers, + - * / // % **, parentheses, pi, e, and functions such as sqrt(2)
    """
    if len(expression) > LONGEST_EXPRESSION:
        raise ValueError(f"the expression has more than {LONGEST_EXPRESSION} characters")
    try:
        tree = ast.parse(expression.strip(), mode="eval")
    except SyntaxError:
        raise ValueError(f"{expression!r} is no arithmetic expression") from None
    return _shorten(_evaluate(tree.body))


@tool
def convert_units(value: float, from_unit: str, to_unit: str) -> float:
    """Convert a value from one unit to another of the same kind.

    Args:
        value: how many of `from_unit`
        from_unit: mm cm m km in ft yd mi, mg g kg t oz lb, s min h day week, ml l m3 gal cup,
            m/s km/h mph kn, B kB MB GB KiB MiB GiB, or C F K
        to_unit: likewise
    """
    if from_unit in _TEMPERATURES and to_unit in _TEMPERATURES:
        return _shorten(_from_kelvin(_to_kelvin(value, from_unit), to_unit))
    for units in _SCALES.values():
        if from_unit in units and to_unit in units:
            return _shorten(value * units[from_unit] / units[to_unit])
    unknown = [unit for unit in (from_unit, to_unit) if unit not in UNITS]
    if unknown:
        raise ValueError(f"there is no unit {unknown[0]!r}; known are {', '.join(UNITS)}")
    raise ValueError(f"{from_unit!r} and {to_unit!r} measure different things")


def _evaluate(node: ast.expr) -> float:
    match node:
        case ast.Constant(value=int() | float() as value) if not isinstance(value, bool):
            result: float = value
        case ast.Name(id=name) if name in _CONSTANTS:
            result = _CONSTANTS[name]
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            result = -_evaluate(operand)
        case ast.UnaryOp(op=ast.UAdd(), operand=operand):
            result = _evaluate(operand)
        case ast.BinOp(left=left, op=operation, right=right) if type(operation) in _BINARY:
            result = _apply(operation, _evaluate(left), _evaluate(right))
        case ast.Call(func=ast.Name(id=name), args=arguments, keywords=[]) if name in _FUNCTIONS:
            result = _FUNCTIONS[name](*(_evaluate(argument) for argument in arguments))
        case _:
            raise ValueError(f"{ast.unparse(node)!r} is not allowed in an expression")
    if isinstance(result, complex) or abs(result) > _LARGEST_NUMBER:
        raise ValueError("the result is too large, or no real number")
    return result


def _apply(operation: ast.operator, left: float, right: float) -> float:
    if isinstance(operation, ast.Pow) and abs(right) > _LARGEST_POWER:
        raise ValueError(f"powers above {_LARGEST_POWER} are not worked out")
    return _BINARY[type(operation)](left, right)


def _shorten(value: float) -> float:
    """Drop the digits that only come from binary fractions."""
    shorter = float(f"{value:.12g}")
    return int(shorter) if shorter.is_integer() else shorter


def _to_kelvin(value: float, unit: str) -> float:
    if unit == "C":
        return value + 273.15
    return (value - 32) / 1.8 + 273.15 if unit == "F" else value


def _from_kelvin(value: float, unit: str) -> float:
    if unit == "C":
        return value - 273.15
    return (value - 273.15) * 1.8 + 32 if unit == "F" else value
