"""Secrets are found wherever they are in a long text, which is read in pieces."""

from hypothesis import given
from hypothesis import strategies as st

from tapes_app.engine.redaction import redact

KEY = "sk-" + "a1" * 20
SECRETS = [
    (KEY, "[redacted]"),
    (f"Bearer {KEY}", "Bearer [redacted]"),
    ("Basic \n\t dXNlcjpwYXNzd29yZA==", "Basic \n\t [redacted]"),
    ("postgres://me:hunter2@db", "postgres://me:[redacted]@db"),
    ("Bearer of bad news", "Bearer of bad news"),
]


@given(
    st.sampled_from(SECRETS), st.integers(16_300, 16_500), st.sampled_from(["word ", "a\n", "ü"])
)
def test_a_secret_is_found_wherever_a_long_text_is_cut(
    secret: tuple[str, str], length: int, filler: str
) -> None:
    text, cleaned = secret
    before = (filler * length)[:length] + "\n"
    after = " and more" * 3_000

    assert redact(before + text + after) == before + cleaned + after
