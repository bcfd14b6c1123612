"""Numbers with their nouns, for sentences that people read."""


def count_of(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
