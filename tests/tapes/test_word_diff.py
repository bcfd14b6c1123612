"""Word by word differences of texts."""

from hypothesis import given
from hypothesis import strategies as st

from tapes_app.tapes.domain.word_diff import MAX_TEXT_LENGTH, WordChange, diff_words


def test_only_the_changed_words_are_marked() -> None:
    assert diff_words("the old man sat", "the young man sat") == [
        WordChange("equal", "the "),
        WordChange("delete", "old"),
        WordChange("insert", "young"),
        WordChange("equal", " man sat"),
    ]


def test_texts_that_share_nothing_get_no_word_diff() -> None:
    assert diff_words("alpha beta gamma", "1 + 2 = 3;") is None
    assert diff_words("text", {"not": "text"}) is None


def test_texts_that_share_blanks_and_little_words_get_no_word_diff() -> None:
    old = "Perform a search for the paper to locate the summaries."
    new = "Identify a count for albums between two dates to find her discography."

    assert diff_words(old, new) is None


def test_a_little_word_between_longer_edits_is_read_with_them() -> None:
    kept = "The report says what is known. "

    changes = diff_words(kept + "yesterday the garden", kept + "tomorrow the station")

    assert changes == [
        WordChange("equal", kept),
        WordChange("delete", "yesterday the garden"),
        WordChange("insert", "tomorrow the station"),
    ]


def test_very_long_texts_get_no_word_diff() -> None:
    assert diff_words("a " * MAX_TEXT_LENGTH, "a " * MAX_TEXT_LENGTH + "b") is None


@given(st.text(max_size=60), st.text(max_size=60))
def test_a_word_diff_holds_both_texts(old: str, new: str) -> None:
    changes = diff_words(old, new)

    if changes is not None:
        assert "".join(c.text for c in changes if c.op != "insert") == old
        assert "".join(c.text for c in changes if c.op != "delete") == new
