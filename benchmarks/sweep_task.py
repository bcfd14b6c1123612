"""The task of the sweeps that are measured: sums, of which the model gets every third one wrong.

Loaded as a plugin by our workers, and imported by the peer, which knows nothing of our code.
"""

RIGHT_SHARE = 2 / 3


def question(number: int) -> str:
    return f"What is {number} plus {number + 1}?"


def expected(number: int) -> str:
    return str(2 * number + 1)


def answer(asked: str) -> str:
    """Return what the model says to a question, in one word."""
    first, _, second = asked.removeprefix("What is ").removesuffix("?").partition(" plus ")
    total = int(first) + int(second)
    return str(total if int(first) % 3 else total + 1)
