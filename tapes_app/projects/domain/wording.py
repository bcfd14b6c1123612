"""Numbers with their nouns, for sentences that people read."""


def count_of(count: int, noun: str) -> str:
    return f"{count} {noun if count == 1 else plural_of(noun)}"


def plural_of(noun: str) -> str:
    return f"{noun}es" if noun.endswith(("s", "ch")) else f"{noun}s"
