"""Tapes as a page and as Markdown: whatever a tape says is text there, all of it and only text."""

import re
from html.parser import HTMLParser
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tapes_app.exchange.services.share_page import POLICY, write_html
from tapes_app.interchange.markdown import write_markdown
from tapes_app.interchange.shared_tape import SharedCall, SharedStep, SharedTape, visible_text
from tests.engine.strategies import json_values

HOSTILE = [
    "<script>own()</script>",
    "<img src=x onerror=own()>",
    '"><svg onload=own()>',
    "</pre></details></article><h1>gone</h1>",
    "&lt;b&gt; &amp;",
    "]]> <!-- x --> <![CDATA[",
    "```\n# Title\n![p](http://evil.example/i.png)",
    "\n\nstarts with lines",
    "zero\u200bwidth \u202eright to left \x00 \ud800",
]
texts = st.one_of(
    st.text(max_size=40), st.sampled_from(HOSTILE), st.text("`<>&\"'#\n\\", max_size=9)
)
values: st.SearchStrategy[Any] = st.one_of(texts, json_values, st.lists(texts, max_size=3))
fields = st.dictionaries(texts, values, max_size=4)
messages = st.lists(fields.map(lambda given: {"role": "user", **given}), max_size=2).map(tuple)
calls = st.builds(
    SharedCall,
    model=texts,
    facts=st.just((("cost", "$1"),)),
    messages=messages,
    shared_count=st.integers(0, 3),
    previous=st.none() | st.integers(0, 3),
    tools=st.just(()),
    output=fields,
    parameters=fields,
    error=texts,
)
steps = st.builds(
    SharedStep,
    position=st.integers(0, 9),
    kind=texts,
    family=st.sampled_from(["thought", "action", "observation", "control", "error"]),
    agent=texts,
    node=texts,
    fields=fields,
    call=st.none() | calls,
)
tapes = st.builds(
    SharedTape,
    title=texts,
    facts=st.lists(st.tuples(texts, texts), max_size=2).map(tuple),
    steps=st.lists(steps, max_size=3),
    context=values,
    metadata=fields,
)
OURS = {
    "html", "head", "meta", "title", "style", "body", "main", "header", "h1", "h2", "h3", "dl",
    "div", "dt", "dd", "p", "details", "summary", "small", "article", "section", "a", "span",
    "code", "pre", "img",
}  # fmt: skip
VOID = {"meta", "img"}


class Reader(HTMLParser):
    """Reads a page as a browser would, and notes what it is made of."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: set[str] = set()
        self.attributes: list[tuple[str, str]] = []
        self.open: list[str] = []
        self.words: list[str] = []
        self.others: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes += [(name, value or "") for name, value in attrs]
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open, f"</{tag}> closes nothing"
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.words.append(data)

    def handle_comment(self, data: str) -> None:
        self.others.append(data)

    def unknown_decl(self, data: str) -> None:
        self.others.append(data)


def read(tape: SharedTape) -> Reader:
    reader = Reader()
    reader.feed("".join(write_html(tape)))
    reader.close()
    assert reader.open == []
    return reader


@given(tapes)
def test_any_tape_is_a_sound_page_of_our_elements_only(tape: SharedTape) -> None:
    page = read(tape)

    assert page.tags <= OURS
    assert page.others == []
    for name, value in page.attributes:
        assert not name.startswith("on")
        if name in {"href", "src"}:
            assert re.match(r"#step-\d+$|data:image/(png|jpeg|gif|webp);base64,", value)


@given(st.lists(texts.filter(lambda text: len(text) > 0), min_size=1, max_size=4))
def test_every_text_of_a_tape_is_on_the_page_as_text(said: list[str]) -> None:
    tape = SharedTape(
        title="T", facts=(), steps=[build_step(at, content=text) for at, text in enumerate(said)]
    )

    words = "".join(read(tape).words)

    for text in said:
        assert visible_text(text) in words


def test_the_page_forbids_scripts_and_anything_from_elsewhere() -> None:
    page = "".join(write_html(SharedTape(title="T", facts=(), steps=[build_step(0, content="x")])))

    assert "default-src 'none'" in POLICY
    assert f'content="{POLICY}"' in page
    assert "<script" not in page
    assert not re.search(r"https?://", page)


def test_long_values_fold_and_pictures_show_only_when_they_are_safe() -> None:
    picture = "data:image/png;base64,iVBORw0KGgo="
    drawing = "data:image/svg+xml;base64,PHN2Zz4="
    step = build_step(0, text="line\n" * 40, picture=picture, drawing=drawing)

    page = read(SharedTape(title="T", facts=(), steps=[step]))

    assert "41 lines" in "".join(page.words)
    assert [value for name, value in page.attributes if name == "src"] == [picture]


def test_what_a_person_attached_is_shown_in_the_page_and_nothing_is_fetched() -> None:
    picture = "data:image/png;base64,iVBORw0KGgo="
    urls = (picture, "https://example.org/a.png", "data:image/svg+xml;base64,PHN2Zz4=")
    attachments = [{"type": "image_url", "image_url": {"url": url}} for url in urls]

    page = read(SharedTape(title="T", facts=(), steps=[build_step(0, attachments=attachments)]))

    assert [value for name, value in page.attributes if name == "src"] == [picture]
    assert "https://example.org/a.png" in "".join(page.words)


def test_messages_that_an_earlier_call_had_are_a_link_to_it() -> None:
    call = SharedCall("m", (), ({"role": "user", "content": "new"},), 7, 2, (), {}, {})
    step = SharedStep(5, "assistant", "action", "chat", "say", {"content": "x"}, call)

    page = read(SharedTape(title="T", facts=(), steps=[step]))

    assert "The first 7 messages are those of the call at step 2." in "".join(page.words)
    assert ("href", "#step-2") in page.attributes


@given(tapes)
def test_what_a_tape_says_is_never_markdown_of_its_own(tape: SharedTape) -> None:
    outside = outside_of_code("".join(write_markdown(tape)))

    assert "<" not in outside.replace("\\<", "")
    assert not re.search(r"(?<!\\)!\[|(?<!\\)\]\(", outside)
    headings = [line for line in outside.splitlines() if line.startswith("#")]
    known = re.compile(r"# |## Context$|## \d+ · (Thought|Action|Observation|Control|Error) ")
    assert all(known.match(line) for line in headings), headings


@given(texts.filter(lambda text: "\n" in text))
def test_markdown_keeps_a_text_of_several_lines_exactly(text: str) -> None:
    markdown = "".join(
        write_markdown(SharedTape(title="T", facts=(), steps=[build_step(0, content=text)]))
    )

    fence, language = re.findall(r"^(`{3,})(\w+)$", markdown, re.MULTILINE)[0]
    body = markdown.split(f"{fence}{language}\n", 1)[1]
    assert body.split(f"\n{fence}\n", 1)[0] == visible_text(text)


def build_step(position: int, **given: Any) -> SharedStep:
    return SharedStep(position, "assistant", "action", "chat", "say", given)


def outside_of_code(markdown: str) -> str:
    """Return Markdown without its fences and its code spans, as a reader of it would cut them."""
    lines: list[str] = []
    fence = ""
    for line in markdown.split("\n"):
        if fence:
            fence = "" if line == fence else fence
        elif match := re.match(r"(`{3,})\w*$", line):
            fence = match[1]
        else:
            lines.append(re.sub(r"(?<![`\\])(`+)(?!`).*?(?<!`)\1(?!`)", "", line))
    return "\n".join(lines)
