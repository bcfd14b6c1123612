"""From the bytes of a document to pages of text; each format by its library.

Files are hostile: this runs in a walled process of its own, see `reading_program`.
"""

import csv
import io
import zipfile
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import Any

from tapes_app.environments.search.pages import DocumentText, Unreadable, make_text, split_text

MOST_UNPACKED_BYTES = 300 * 1024**2
"""Of all files in a DOCX, XLSX or PPTX, as it says itself; what lies meets the limit of memory."""

MOST_PACKED_FILES = 10_000
MOST_PDF_PAGES = 2_000
MOST_ROWS = 200_000
MOST_SLIDES = 1_000

_OLD_OFFICE = b"\xd0\xcf\x11\xe0"
_PDF_HEAD_BYTES = 1_024
_GAP = " | "


def read_document(suffix: str, data: bytes, name: str) -> DocumentText:
    """Return the text of a document; `name` is its title if it has none of its own.

    Raises:
        Unreadable: there is no text to be had; it says why.
        Exception: whatever a library raises for a damaged file.
    """
    if not data:
        raise Unreadable("it is empty")
    return READERS[suffix](data, name)


def _read_pdf(data: bytes, name: str) -> DocumentText:
    if b"%PDF-" not in data[:_PDF_HEAD_BYTES]:
        raise Unreadable("it is named .pdf and is no PDF")
    from pypdf import PdfReader

    reader = PdfReader(io.BytesIO(data))
    if reader.is_encrypted and not reader.decrypt(""):
        raise Unreadable("it is encrypted; save it without a password")
    texts, problems = [], []
    for number, page in enumerate(islice(reader.pages, MOST_PDF_PAGES), start=1):
        try:
            texts.append(page.extract_text())
        except MemoryError:
            raise
        except Exception:  # noqa: BLE001 - damaged in any way; the other pages are good
            texts.append("")
            problems.append(number)
    if len(problems) == len(texts):
        raise Unreadable("its pages cannot be read; it may be damaged")
    if not any(text.strip() for text in texts):
        raise Unreadable("it has no text; if its pages are images, recognize their text first")
    notes = [f"page {number} could not be read" for number in problems[:3]]
    if (count := len(reader.pages)) > MOST_PDF_PAGES:
        notes.append(f"it has {count:,} pages, of which the first {MOST_PDF_PAGES:,} are read")
    title = reader.metadata.title if reader.metadata else None
    return make_text(title or name, texts, notes)


def _read_docx(data: bytes, name: str) -> DocumentText:
    _check_archive(data, "docx", "word/")
    from docx import Document
    from docx.table import Table

    document = Document(io.BytesIO(data))
    blocks = (
        _join_rows([cell.text for cell in row.cells] for row in block.rows)
        if isinstance(block, Table)
        else block.text
        for block in document.iter_inner_content()
    )
    return make_text(document.core_properties.title or name, split_text("\n\n".join(blocks)))


def _read_xlsx(data: bytes, name: str) -> DocumentText:
    _check_archive(data, "xlsx", "xl/")
    from openpyxl import load_workbook

    book = load_workbook(io.BytesIO(data), read_only=True, data_only=True)
    pages: list[str] = []
    notes: list[str] = []
    for sheet in book.worksheets:
        sheet.reset_dimensions()  # they may be wrong, or a lie
        rows = sheet.iter_rows(values_only=True)
        lines = _join_rows(islice(rows, MOST_ROWS))
        if next(rows, None) is not None:
            notes.append(f"of sheet {sheet.title!r}, the first {MOST_ROWS:,} rows are read")
        if lines:
            pages += split_text(lines, f"Sheet {sheet.title}")
    if not pages:
        raise Unreadable("its sheets are empty")
    return make_text(book.properties.title or name, pages, notes)


def _read_pptx(data: bytes, name: str) -> DocumentText:
    _check_archive(data, "pptx", "ppt/")
    from pptx import Presentation

    slides = Presentation(io.BytesIO(data))
    pages = ["\n".join(_list_shown(slide)) for slide in islice(slides.slides, MOST_SLIDES)]
    if not any(page.strip() for page in pages):
        raise Unreadable("its slides have no text")
    notes = []
    if (count := len(slides.slides)) > MOST_SLIDES:
        notes.append(f"it has {count:,} slides, of which the first {MOST_SLIDES:,} are read")
    return make_text(slides.core_properties.title or name, pages, notes)


def _list_shown(slide: Any) -> Iterator[str]:
    """Yield the texts of a slide, then the speaker's notes."""
    shapes = list(slide.shapes)[::-1]
    while shapes:
        shape = shapes.pop()
        if hasattr(shape, "shapes"):
            shapes += list(shape.shapes)[::-1]
        elif shape.has_text_frame:
            yield shape.text_frame.text
        elif getattr(shape, "has_table", False):
            yield _join_rows([cell.text for cell in row.cells] for row in shape.table.rows)
    if slide.has_notes_slide and slide.notes_slide.notes_text_frame is not None:
        yield f"Notes: {slide.notes_slide.notes_text_frame.text}"


_BLOCKS = frozenset({
    "address", "article", "aside", "blockquote", "br", "dd", "div", "dl", "dt", "figcaption",
    "figure", "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hr", "li",
    "main", "nav", "ol", "p", "pre", "section", "table", "td", "th", "tr", "ul",
})  # fmt: skip
_UNSEEN = ("script", "style", "noscript", "template", "svg", "head")


def _read_html(data: bytes, name: str) -> DocumentText:
    from lxml import etree, html

    _refuse_binary(data, "HTML")
    try:
        data.decode("utf-8")
        encoding = "utf-8"
    except UnicodeDecodeError:
        encoding = None  # as the page says
    parser = html.HTMLParser(no_network=True, remove_comments=True, encoding=encoding)
    try:
        root = html.document_fromstring(data, parser=parser)
    except etree.ParserError as error:
        raise Unreadable("it has no text") from error
    title = " ".join((root.findtext(".//title") or "").split())
    etree.strip_elements(root, *_UNSEEN, with_tail=False)
    for element in root.iter(*_BLOCKS):
        gap = "\n\n" if element.tag in {"p", "h1", "h2", "h3", "ul", "ol", "table"} else "\n"
        element.text = f"{gap}{element.text or ''}"
        element.tail = f"{gap}{element.tail or ''}"
    lines = (" ".join(line.split()) for line in root.text_content().splitlines())
    return make_text(title or name, split_text("\n".join(lines)))


def _read_csv(data: bytes, name: str) -> DocumentText:
    text = _decode(data, "CSV")
    try:
        dialect: Any = csv.Sniffer().sniff(text[:10_000], delimiters=",;\t|")
    except csv.Error:
        dialect = csv.excel
    rows = csv.reader(io.StringIO(text, newline=""), dialect)
    head = _join_rows(islice(rows, 1))
    lines = _join_rows(islice(rows, MOST_ROWS))
    notes = [] if next(rows, None) is None else [f"the first {MOST_ROWS:,} rows are read"]
    return make_text(name, split_text(lines, head) or [head], notes)


def _read_plain(data: bytes, name: str) -> DocumentText:
    text = _decode(data, "text")
    first = text.lstrip().partition("\n")[0]
    title = first.removeprefix("# ").strip() if first.startswith("# ") else ""
    return make_text(title or name, split_text(text))


def _join_rows(rows: Iterable[Iterable[Any]]) -> str:
    """Return rows as lines, without those that are empty."""
    found = ([" ".join(str(cell).split()) for cell in row if cell is not None] for row in rows)
    return "\n".join(_GAP.join(cells) for cells in found if any(cells))


def _check_archive(data: bytes, suffix: str, folder: str) -> None:
    """Refuse what is no document of Office, and what unpacks to too much.

    Raises:
        Unreadable: it says why.
    """
    if data.startswith(_OLD_OFFICE):
        raise Unreadable(
            f"it is encrypted, or an old Office file; save it as .{suffix} without a password"
        )
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            files = archive.infolist()
    except zipfile.BadZipFile as error:
        raise Unreadable(f"it is named .{suffix} and is none, or it is damaged") from error
    if not any(file.filename.startswith(folder) for file in files):
        raise Unreadable(f"it is named .{suffix} and is none")
    if len(files) > MOST_PACKED_FILES:
        raise Unreadable(f"it holds more than {MOST_PACKED_FILES:,} files")
    if sum(file.file_size for file in files) > MOST_UNPACKED_BYTES:
        raise Unreadable(f"it unpacks to more than {MOST_UNPACKED_BYTES // 1024**2} MiB")


def _decode(data: bytes, what: str) -> str:
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return data.decode("utf-16", errors="replace")
    _refuse_binary(data, what)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("cp1252", errors="replace")


def _refuse_binary(data: bytes, what: str) -> None:
    if b"\0" in data:
        raise Unreadable(f"it is named as {what} and is none")


READERS: dict[str, Callable[[bytes, str], DocumentText]] = {
    ".pdf": _read_pdf,
    ".docx": _read_docx,
    ".xlsx": _read_xlsx,
    ".pptx": _read_pptx,
    ".html": _read_html,
    ".htm": _read_html,
    ".csv": _read_csv,
    ".md": _read_plain,
    ".txt": _read_plain,
}
"""How each kind of file is read, by its suffix."""

LIBRARIES = {
    ".pdf": ("pypdf",),
    ".docx": ("docx",),
    ".xlsx": ("openpyxl",),
    ".pptx": ("pptx",),
    ".html": ("lxml.html",),
    ".htm": ("lxml.html",),
}
"""What is loaded once, before the processes are forked that read the files."""
