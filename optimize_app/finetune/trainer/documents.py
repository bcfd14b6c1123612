"""Documents that a base model learns from, as conversations."""

from dataclasses import dataclass

END = "<|end|>"
ROLES = ("<|system|>", "<|user|>", "<|assistant|>", "<|tool|>")


@dataclass(frozen=True)
class Turn:
    """One message of a document; only the assistant's count."""

    role: str
    text: str


Document = tuple[Turn, ...]


def write_document(document: Document) -> tuple[str, list[tuple[int, int]]]:
    """Return a document as text, and the spans of the assistant's words with their end marks."""
    text, spans = "", []
    for turn in document:
        text += f"<|{turn.role}|>"
        start = len(text)
        text += turn.text + END
        if turn.role == "assistant":
            spans.append((start, len(text)))
        text += "\n"
    return text, spans
