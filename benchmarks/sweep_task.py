"""The task of the measured sweeps: sums, of which the model gets every third one wrong.

Our workers load it as a plugin, and the peer imports it, which knows nothing of our code.
"""

RIGHT_SHARE = 2 / 3


def question(number: int) -> str:
    return f"What is {number} plus {number + 1}?"


def expected(number: int) -> str:
    return str(2 * number + 1)


def answer(asked: str) -> str:
    """Return the model's one-word answer to a question."""
    first, _, second = asked.removeprefix("What is ").removesuffix("?").partition(" plus ")
    total = int(first) + int(second)
    return str(total if int(first) % 3 else total + 1)
