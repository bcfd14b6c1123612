"""Mathematical text in plain characters: LaTeX and typography are replaced, and quotes removed."""

import re
import unicodedata

_SUPERSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺"
_SUBSCRIPTS = "₀₁₂₃₄₅₆₇₈₉"
_PLAIN_SUPERSCRIPTS = str.maketrans(_SUPERSCRIPTS, "0123456789-+")
_PLAIN_SUBSCRIPTS = str.maketrans(_SUBSCRIPTS, "0123456789")
_PLAIN_SIGNS = str.maketrans(
    {
        **dict.fromkeys("\u2212\u2010\u2011\u2012\u2013", "-"),
        **dict.fromkeys("\u00d7\u2715\u22c5\u00b7\u2219\u2217", "*"),
        **dict.fromkeys("\u2044\u2215", "/"),
        **dict.fromkeys("\u2018\u2019\u02bc", "'"),
        **dict.fromkeys("\u201c\u201d\u00ab\u00bb", '"'),
    }
)
_SUPERSCRIPT = re.compile(f"[{_SUPERSCRIPTS}]+")
_SUBSCRIPT = re.compile(f"[{_SUBSCRIPTS}]+")
_MIXED = re.compile(r"(?<=\d)(?=[\u00bc-\u00be\u2150-\u215e])")
_SIMPLE = r"[-+]?[\d.,]{1,400}"
_LATEX = (
    (re.compile(r"\\[,;: ]|~|\\quad\b").sub, " "),
    (re.compile(r"\\!|\\(?:left|right)\b").sub, ""),
    (re.compile(r"\{,\}").sub, ","),
    (re.compile(r"\\%").sub, "%"),
    (re.compile(r"\\\$").sub, "USD "),  # a bare dollar sign could be the mark of mathematics
    (re.compile(r"\\(?:times|cdot)\b").sub, "*"),
    (re.compile(r"\^ ?\{? ?\\circ ?\}?").sub, "°"),
    (re.compile(r"\\(?:deg|degree)\b").sub, "°"),
    (re.compile(rf"(?<=\d)\\[dtc]?frac ?\{{({_SIMPLE})\}} ?\{{({_SIMPLE})\}}").sub, r" \1/\2"),
    (re.compile(rf"\\[dtc]?frac ?\{{({_SIMPLE})\}} ?\{{({_SIMPLE})\}}").sub, r"\1/\2"),
    (re.compile(r"(?<=\d)\\[dtc]?frac ?(\d) ?(\d)").sub, r" \1/\2"),
    (re.compile(r"\\[dtc]?frac ?(\d) ?(\d)").sub, r"\1/\2"),
    (re.compile(r"\^ ?[{(] ?([-+]?\d+) ?[})]").sub, r"^\1"),
    (re.compile(r"\\(?:text|textbf|mathrm|mathbf|mbox|operatorname) ?\{([^{}]*)\}").sub, r"\1"),
    (re.compile(r"(?<=\d) ?\*\* ?(?=[-+]?\d)").sub, "^"),
)
_BLANKS = re.compile(r"\s+")
_QUOTES = "\"'`*_ "
_ENCLOSED = (
    re.compile(r"\\(?:boxed|fbox) ?\{(.*)\}", re.DOTALL).fullmatch,
    re.compile(r"\$\$(.+)\$\$", re.DOTALL).fullmatch,
    re.compile(r"\$(.+)\$", re.DOTALL).fullmatch,
    re.compile(r"\\\((.*)\\\)", re.DOTALL).fullmatch,
    re.compile(r"\\\[(.*)\\\]", re.DOTALL).fullmatch,
    re.compile(r"\(([^()]*)\)").fullmatch,
    re.compile(r"\[([^\[\]]*)\]").fullmatch,
    re.compile(r"\{([^{}]*)\}").fullmatch,
)
_DEEPEST = 10


def fold_powers(text: str) -> str:
    """Return a text in compatible characters, with superscripts as `^2` and not as digits."""
    text = _MIXED.sub(" ", text)
    text = _SUPERSCRIPT.sub(lambda one: f"^{one.group().translate(_PLAIN_SUPERSCRIPTS)}", text)
    text = _SUBSCRIPT.sub(lambda one: f"_{one.group().translate(_PLAIN_SUBSCRIPTS)}", text)
    return unicodedata.normalize("NFKC", text).translate(_PLAIN_SIGNS)


def fold_math(text: str) -> str:
    """Return a text with simple LaTeX in plain characters, and single blanks."""
    text = fold_powers(text)
    if "\\" in text or "^" in text or "~" in text or "**" in text or "{" in text:
        for replace, replacement in _LATEX:
            text = replace(replacement, text)
    return _BLANKS.sub(" ", text)


def unwrap_math(text: str) -> str:
    """Return a text without quotes, brackets, a box or a full stop around all of it."""
    for _ in range(_DEEPEST):
        inner = text.strip(_QUOTES).removeprefix("=").strip(_QUOTES)
        inner = inner.rstrip(".").rstrip()
        for match in _ENCLOSED:
            if found := match(inner):
                inner = found.group(1)
                break
        if inner == text:
            break
        text = inner
    return text
