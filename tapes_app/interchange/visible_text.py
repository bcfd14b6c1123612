"""Text of tapes as others may see it: characters that hide or reorder others are made visible."""

import re

# The same characters as in the page: controls, marks and changes of direction, zero widths,
# invisible letters, and halves of pairs, which no encoding can carry.
_HIDDEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f"
    "\ufeff\ufff9-\ufffb\ud800-\udfff\U000e0000-\U000e007f]"
)
_PICTURES = 0x2400
"""Where Unicode has pictures of the first 32 controls."""


def visible_text(text: str) -> str:
    """Return a text in which every character shows; a carriage return is dropped."""
    return _HIDDEN.sub(_show, text)


def _show(match: re.Match[str]) -> str:
    code = ord(match[0])
    if code == ord("\r"):
        return ""
    return chr(_PICTURES + code) if code < ord(" ") else f"[U+{code:04X}]"
