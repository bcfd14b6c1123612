"""Documents to text: each format, and what is damaged, hostile or not what its name says."""

import re
from pathlib import Path

import pytest

from tapes_app.environments.search import formats, reading
from tapes_app.environments.search.folders import DocumentFolders, list_documents
from tapes_app.environments.search.pages import (
    LONGEST_PAGE,
    MOST_CHARACTERS,
    PAGE_CHARACTERS,
    Unreadable,
    list_passages,
    make_text,
    split_text,
)
from tapes_app.environments.search.reading import Document, read_folder
from tests.environments import documents
from tests.sandbox.apart import run_apart
from tests.sandbox.bare_system import take_walls_away


@pytest.fixture
def folders(tmp_path: Path) -> DocumentFolders:
    (tmp_path / "documents" / "town").mkdir(parents=True)
    made = DocumentFolders()
    made.use_data_folder(tmp_path)
    return made


def put(folders: DocumentFolders, name: str, data: bytes) -> Path:
    path = folders.find("town") / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return path


def read(folders: DocumentFolders, *, is_again: bool = False) -> dict[str, Document]:
    found = list_documents(folders.find("town"))
    read_now = read_folder(folders, "town", found, seconds=60, is_again=is_again)
    return {one.id: one for one in read_now}


@pytest.mark.parametrize(
    ("suffix", "data", "title", "pages"),
    [
        (".pdf", documents.make_pdf("One.", "Two.", title="Rules"), "Rules", ("One.", "Two.")),
        (
            ".docx",
            documents.make_docx(),
            "Leave rules",
            ("Leave\n\nEverybody has 30 days of leave.\n\nwho | days\napprentices | 32",),
        ),
        (
            ".xlsx",
            documents.make_xlsx(),
            "it",
            ("Sheet Prices\nitem | price\nlamp | 17\nchair | 42.5",),
        ),
        (
            ".pptx",
            documents.make_pptx(),
            "it",
            (
                "Our harbour\nOur harbour in figures",
                "Our ferries\nOur ferries in figures\nNotes: Say that there are three.",
            ),
        ),
        (
            ".html",
            b"<title>A  title</title><script>x()</script><h1>Caf&eacute;</h1><p>Two <b>cups</b>"
            b"<!-- no --><ul><li>a<li>b</ul>",
            "A title",
            ("Café\n\nTwo cups\n\na\n\nb",),
        ),
        (".html", "<p>Größe".encode(), "it", ("Größe",)),
        (".csv", b"item;price\nlamp;17\n", "it", ("item | price\nlamp | 17",)),
        (".csv", b"item,price\n", "it", ("item | price",)),
        (".md", b"# Rules\r\n\r\n\r\n\r\nBe kind.", "Rules", ("# Rules\n\nBe kind.",)),
        (".txt", "Größe".encode("cp1252"), "it", ("Größe",)),
        (".txt", "Größe".encode("utf-16"), "it", ("Größe",)),
        (".txt", b"a\x01\x1b[31mb", "it", ("a  [31mb",)),
    ],
)
def test_a_document_becomes_pages_of_text(
    suffix: str, data: bytes, title: str, pages: tuple[str, ...]
) -> None:
    text = formats.read_document(suffix, data, "it")

    assert (text.title, text.pages, text.note) == (title, pages, "")


@pytest.mark.parametrize(
    ("suffix", "data", "why"),
    [
        (".txt", b"", "it is empty"),
        (".pdf", documents.make_docx(), "it is named .pdf and is no PDF"),
        (".docx", documents.make_pdf("x"), "it is named .docx and is none, or it is damaged"),
        (".xlsx", documents.make_docx(), "it is named .xlsx and is none"),
        (".html", documents.make_docx(), "it is named as HTML and is none"),
        (".md", documents.make_docx(), "it is named as text and is none"),
        (".html", b"<script>x()</script>", "it has no text"),
        (".pdf", documents.encrypt_pdf(documents.make_pdf("x")), "it is encrypted"),
        (".docx", b"\xd0\xcf\x11\xe0 and more", "it is encrypted, or an old Office file"),
        (".pdf", documents.make_pdf(""), "recognize their text first"),
    ],
)
def test_what_gives_no_text_says_why(suffix: str, data: bytes, why: str) -> None:
    with pytest.raises(Unreadable, match=why):
        formats.read_document(suffix, data, "it")


def test_long_texts_are_cut_into_pages_and_passages_that_lose_nothing() -> None:
    paragraphs = [f"{number} " + "word " * 90 for number in range(40)]
    text = "\n\n".join([*paragraphs, "x" * 10_000])

    pages = split_text(text)
    passages = [passage for page in pages for passage in list_passages(page)]

    assert max(map(len, pages)) <= PAGE_CHARACTERS
    assert all(page[0].isdigit() for page in pages[:5])  # cut between paragraphs
    for parts in (pages, passages):
        assert "".join("".join(parts).split()) == "".join(text.split())


def test_what_is_too_long_is_left_out_and_that_is_told() -> None:
    text = make_text("it", ["x" * (LONGEST_PAGE + 7), *["y" * LONGEST_PAGE] * 300])

    assert text.pages[0].endswith("[7 more characters of this page are left out]")
    assert sum(map(len, text.pages)) <= MOST_CHARACTERS
    assert text.note.startswith(f"what follows page {len(text.pages)} is left out")


def test_a_folder_with_too_much_text_says_which_documents_are_left_out(
    folders: DocumentFolders, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("a.txt", "b.txt"):
        put(folders, name, b"The harbour opens at six.")
    monkeypatch.setattr(reading, "MOST_FOLDER_CHARACTERS", 30)

    assert [one.text is None for one in read(folders).values()] == [False, True]


@pytest.mark.slow
def test_hostile_documents_are_told_and_harm_no_other(folders: DocumentFolders) -> None:
    docx, xlsx = documents.make_docx(), documents.make_xlsx()
    laugh = documents.laugh(documents.WORD_BEGINNING, documents.WORD_END)
    laughing_sheet = documents.laugh(documents.SHEET_BEGINNING, documents.SHEET_END)
    sheet = "xl/worksheets/sheet1.xml"
    hostile = {
        "bomb.pdf": (documents.bomb_pdf(), "its pages cannot be read"),
        "bomb.docx": (
            documents.bomb_docx(1, declared_bytes=4 * 10**8),
            "unpacks to more than 300 MiB",
        ),
        "liar.docx": (documents.bomb_docx(5, declared_bytes=10), "damaged"),
        "large.docx": (documents.bomb_docx(100), "too large"),
        "laugh.docx": (documents.replace_packed(docx, "word/document.xml", laugh), "damaged"),
        "laugh.xlsx": (documents.replace_packed(xlsx, sheet, laughing_sheet), "damaged"),
        "half.docx": (docx[: len(docx) // 2], "damaged"),
    }
    for name, (data, _) in hostile.items():
        put(folders, name, data)
    put(folders, "good.txt", b"The harbour opens at six.")

    found = read(folders)

    assert found["good.txt"].text is not None
    for name, (_, why) in hostile.items():
        assert found[name].text is None
        assert re.search(why, found[name].problem), found[name]


def test_links_and_what_is_no_document_are_not_opened(
    folders: DocumentFolders, tmp_path: Path
) -> None:
    (tmp_path / "secret.txt").write_text("secret")
    place = put(folders, "deep/er/good.txt", b"Good.").parent
    (place / "link.txt").symlink_to(tmp_path / "secret.txt")
    (place / "folder").symlink_to(tmp_path)
    put(folders, ".hidden.txt", b"no")
    put(folders, "program.exe", b"no")

    found = read(folders)

    problems = {name: one.problem for name, one in found.items()}
    assert problems.pop("deep/er/good.txt") == ""
    assert problems.pop("program.exe").startswith("its format is not known; save it as one of .pdf")
    assert set(problems) == {"deep/er/link.txt", "deep/er/folder"}
    assert all("links are not followed" in problem for problem in problems.values())


def test_a_folder_that_is_a_link_is_none(folders: DocumentFolders, tmp_path: Path) -> None:
    (tmp_path / "documents" / "elsewhere").symlink_to("/etc")

    assert folders.list_names() == ["town"]


def test_a_text_is_read_once_for_its_contents(
    folders: DocumentFolders, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = put(folders, "a.txt", b"One.")
    put(folders, "b.txt", b"")
    first = read(folders)
    assert folders.texts is not None
    assert len(list((folders.texts / "town").iterdir())) == 2

    monkeypatch.setattr(reading, "_PROGRAM", "no.such.program")
    assert read(folders) == first

    place.write_bytes(b"Two.")
    changed = read(folders)
    assert changed["a.txt"].problem == "the program that reads it ended or hung"
    assert changed["b.txt"] == first["b.txt"]
    assert len(list((folders.texts / "town").iterdir())) == 1  # what was read of a.txt is gone

    monkeypatch.undo()
    assert read(folders, is_again=True)["a.txt"].text is not None


def test_without_walls_nothing_is_opened_unless_that_is_allowed(folders: DocumentFolders) -> None:
    put(folders, "a.txt", b"One.")

    def ask(*, may_be_unwalled: bool) -> str:
        take_walls_away()
        folders.may_be_unwalled = may_be_unwalled
        return read(folders)["a.txt"].problem

    assert "This system cannot wall code in" in run_apart(lambda: ask(may_be_unwalled=False))
    assert run_apart(lambda: ask(may_be_unwalled=True)) == ""
