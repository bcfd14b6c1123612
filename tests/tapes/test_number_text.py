"""Numbers are read exactly in every usual way of writing them, and nothing else is a number."""

import time
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tapes_app.tapes.domain.answer_match import compare_answers, last_number, read_number
from tapes_app.tapes.domain.number_text import numbers_in, read_quantity

SUPERSCRIPTS = str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻")
whole_numbers = st.integers(0, 10**12)
decimals = st.tuples(st.integers(0, 10**9), st.integers(0, 6)).map(
    lambda pair: Fraction(pair[0], 10 ** pair[1])
)
fractions = st.fractions(0, 1000, max_denominator=999)
signs = st.sampled_from(["", "-", "\u2212", "+"])
FRAMES = (
    "{}", " {} ", "{}.", "**{}**", "`{}`", '"{}"', "({})", "= {}", "${}$", "$${}$$", r"\({}\)",
    r"\boxed{{{}}}", r"$\boxed{{{}}}$", r"\text{{{}}}", "{} %", "{}%", "{} km", "{} €", "{} USD",
)  # fmt: skip
EXPONENTS = ("{}e{}", "{}E{}", "{} \u00d7 10^{}", "{} x 10^{}", "{}*10^{}", "{}·10^{{{}}}")
SEPARATORS = ("", ",", " ", "\u2009", "\u202f", "\xa0", "'", "\u2019")
NO_NUMBERS = (
    "", "-", "$", "9/0", "0^0", "10:7", "20-24", "3 - 5", "1, 2", "1,5", "1,1", "6 4", "3/5/2024",
    "1.2.3", "-$-5", "5!", "5 dozen", "5k", "5 M", "5 apples", "2^10^2", "1e99999", "9^999999",
    "2 5/3", "0,500", "12 34", "NaN", "inf", "0x10", "1_000", r"\sqrt{4}", "9" * 1001,
)  # fmt: skip
around = st.sampled_from(FRAMES)


def write_decimal(value: Fraction, separator: str = "") -> str:
    """Write a value that has at most six decimals."""
    whole, rest = divmod(value * 10**6, 10**6)
    digits = f"{int(whole):,}".replace(",", separator)
    places = f"{int(rest):06}".rstrip("0")
    return f"{digits}.{places}" if places else digits


def signed(sign: str, value: Fraction) -> Fraction:
    return -value if sign in {"-", "\u2212"} else value


@given(
    signs,
    decimals,
    st.sampled_from(["", ",", " ", "\u2009", "\u202f", "\xa0", "'", "\u2019"]),
    around,
)
def test_grouped_decimals_are_read_exactly(
    sign: str, value: Fraction, separator: str, frame: str
) -> None:
    text = frame.format(sign + write_decimal(value, separator))

    found = read_quantity(text)

    assert found is not None, text
    assert found.value == signed(sign, value), text


@given(
    signs,
    st.integers(0, 10**6),
    st.integers(0, 3),
    st.integers(-30, 30),
    st.sampled_from(
        ["{}e{}", "{}E{}", "{} \u00d7 10^{}", "{} x 10^{}", "{}*10^{}", "{}·10^{{{}}}"]
    ),
    around,
)
def test_exponents_are_read_exactly(
    sign: str, digits: int, places: int, exponent: int, writing: str, frame: str
) -> None:
    mantissa = Fraction(digits, 10**places)
    text = frame.format(sign + writing.format(write_decimal(mantissa), exponent))
    raised = frame.format(
        f"{sign}{write_decimal(mantissa)}·10{str(exponent).translate(SUPERSCRIPTS)}"
    )

    for written in (text, raised):
        found = read_quantity(written)
        assert found is not None, written
        assert found.value == signed(sign, mantissa * Fraction(10) ** exponent), written


@given(signs, fractions, around)
def test_fractions_are_read_exactly(sign: str, value: Fraction, frame: str) -> None:
    over, under = value.numerator, value.denominator
    whole, rest = divmod(over, under)
    writings = [f"{over}/{under}", f"{over} / {under}", rf"\frac{{{over}}}{{{under}}}"]
    if whole and rest:
        writings += [f"{whole} {rest}/{under}", rf"{whole}\frac{{{rest}}}{{{under}}}"]

    for writing in writings:
        found = read_quantity(frame.format(sign + writing))
        assert found is not None, writing
        assert found.value == signed(sign, value), writing


@given(decimals | fractions, decimals | fractions, signs, signs)
def test_answers_pass_if_their_numbers_are_equal_and_never_otherwise(
    one: Fraction, other: Fraction, sign: str, other_sign: str
) -> None:
    left, right = signed(sign, one), signed(other_sign, other)
    # Closer than a billionth, a decimal may be the other one rounded.
    is_close = abs(left - right) <= max(abs(left), abs(right)) / 10**9

    verdict = compare_answers(f"{sign}{one}", f"{other_sign}{other}")

    assert verdict == ("pass" if left == right or (is_close and verdict == "pass") else "fail")
    assert compare_answers(f"{sign}{one}", str(left)) == "pass"


@given(st.integers(), st.integers(1, 10**6))
def test_whole_numbers_must_be_the_same_to_the_last_digit(number: int, more: int) -> None:
    assert compare_answers(str(number), str(number + more)) == "fail"


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("½", Fraction(1, 2)),
        ("1½", Fraction(3, 2)),
        ("10^6", 10**6),
        ("2^10", 1024),
        ("1,00,000", 100_000),
        ("-$5", -5),
        ("$-5", -5),
        (r"-\$5.50", Fraction(-11, 2)),
        ("US$ 5", 5),
        ("17 percent", 17),
        ("90^\\circ", 90),
        ("12 m²", 12),
        ("1.5 million", 1_500_000),
        (r"10{,}000", 10_000),
        (r"3.2 \times 10^{-3}", Fraction(32, 10_000)),
    ],
)
def test_a_number_is_read_in_its_usual_writing(text: str, value: Fraction | int) -> None:
    found = read_quantity(text)

    assert found is not None
    assert found.value == value


@pytest.mark.parametrize("text", NO_NUMBERS)
def test_anything_else_is_no_number(text: str) -> None:
    assert read_quantity(text) is None


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("It is 1,200.", 1200),
        ("It is 1 000.", 1000),
        ("The area is 25 m².", 25),
        ("It takes 12 m^-2.", 12),
        ("So it is 1.5 \u00d7 10³.", 1500),
        ("As GPT-4", 4),
        ("Pages 10-15", 15),
        ("Pages 10\u201315", 15),
        ("On 2024-01-05", 5),
        ("It is -5 now", -5),
        ("It is \u22125 now", -5),
        ("A loss of -$1,200", -1200),
        ("Exactly 3/5 of it", 0.6),
        ("On 3/5/2024", 2024),
        (r"Therefore \boxed{421}", 421),
        (r"Therefore $\frac{1}{4}$", 0.25),
        ("42 with x₁ and y^12", 42),
        ("7, and then 1e999999999", 7),
        ("no number", None),
    ],
)
def test_the_last_number_of_a_text_has_its_sign_and_not_an_exponents_digits(
    text: str, number: float | None
) -> None:
    assert last_number(text) == number


@given(st.text(max_size=60))
def test_reading_numbers_survives_any_text(text: str) -> None:
    list(numbers_in(text))
    read_number(text)


@pytest.mark.parametrize(
    "piece", ["1", "1,111", "1 ", "1/", "-", "2^4000 ", "{", r"\frac{", "²", " ", "9e9", "1 1/1 "]
)
def test_a_long_text_takes_time_in_proportion_to_its_length(piece: str) -> None:
    text = piece * (300_000 // len(piece))
    began = time.process_time()

    last_number(text)

    assert time.process_time() - began < 5
