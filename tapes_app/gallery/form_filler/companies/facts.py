"""What a form's description says about its handling: a few facts, one sentence each."""

from collections.abc import Iterator
from random import Random

from tapes_app.gallery.form_filler.companies.vocabulary import Vocabulary

TOPICS = ("review", "cancelling", "approval", "contact", "fee", "archive")
_TOPICS_OF_A_FORM = 4


def write_facts(words: Vocabulary, chance: Random) -> Iterator[tuple[str, str]]:
    """Yield topics with their sentences."""
    topics = chance.sample(TOPICS, _TOPICS_OF_A_FORM)
    for topic in sorted(topics, key=TOPICS.index):
        yield topic, _write(topic, words, chance)


def _write(topic: str, words: Vocabulary, chance: Random) -> str:
    sentences = {
        "review": f"A request is reviewed within {chance.randint(2, 20)} working days.",
        "cancelling": "It can be cancelled free of charge up to "
        f"{chance.randint(1, 9) * 12} hours in advance.",
        "approval": f"The {words.approver} has to approve it.",
        "contact": f"The {words.desk} answers calls at extension {chance.randint(1000, 9999)}.",
        "fee": f"A service fee of {chance.randint(2, 45)} credits is charged.",
        "archive": f"Copies stay in the archive for {chance.randint(3, 60)} months.",
    }
    return sentences[topic]
