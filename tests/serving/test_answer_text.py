"""Tokens as text: every cut of it gives the same, whole characters, nothing of a stop string."""

from hypothesis import given
from hypothesis import strategies as st

from optimize_app.serving.server.texts import AnswerText
from tests.finetune.folders import make_tokenizer

TOKENIZER = make_tokenizer()
BYTES = [
    TOKENIZER.convert_tokens_to_ids(token)
    for token in TOKENIZER.get_vocab()
    if not token.startswith("<|")
]
SAID = st.text(st.sampled_from("ab é🙂\n"), max_size=30)


def decode(ids: object) -> str:
    return str(TOKENIZER.decode(list(ids), skip_special_tokens=True))  # type: ignore[call-overload]


def write(ids: list[int], *stops: str) -> tuple[list[str], bool]:
    text = AnswerText(decode, stops)
    pieces = []
    for token in ids:
        text.add(token)
        pieces.append(text.take())
        if text.is_stopped:
            break
    text.end()
    return [*pieces, text.take()], text.is_stopped


@given(ids=st.lists(st.sampled_from(BYTES), max_size=30))
def test_pieces_are_the_whole_text_whatever_the_tokens(ids: list[int]) -> None:
    assert "".join(write(ids)[0]) == decode(ids)


@given(said=SAID, stops=st.lists(st.text(st.sampled_from("ab é"), min_size=1, max_size=3)))
def test_text_ends_before_its_first_stop_string(said: str, stops: list[str]) -> None:
    # One character after the other: how tokens cut the text must not matter.
    ids = [token for letter in said for token in TOKENIZER(letter)["input_ids"]]

    pieces, stopped = write(ids, *stops)

    places = [place for stop in stops if (place := said.find(stop)) >= 0]
    first_end = min(
        (said.find(stop) + len(stop) for stop in stops if stop in said), default=len(said)
    )
    reached = [place for place in places if place < first_end]
    assert stopped == bool(places)
    assert "".join(pieces) == (said[: min(reached)] if reached else said)


def test_characters_wait_for_their_bytes_and_beginnings_of_stops_for_the_rest() -> None:
    ids = TOKENIZER("🙂x##y")["input_ids"]

    pieces, stopped = write(ids, "##!")

    assert [piece for piece in pieces if piece] == ["🙂", "x", "##y"]
    assert not stopped
