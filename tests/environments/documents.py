"""Documents in each format, good ones and hostile ones, as bytes."""

import io
import zipfile
import zlib

from docx import Document
from openpyxl import Workbook
from pptx import Presentation
from pptx.util import Inches
from pypdf import PdfReader, PdfWriter


def make_pdf(*pages: str, title: str = "") -> bytes:
    """Return a PDF with a line of text on each page."""
    streams = [f"BT /F1 12 Tf 72 720 Td ({text}) Tj ET".encode() for text in pages]
    return make_pdf_of(streams, title=title)


def make_pdf_of(streams: list[bytes], *, filters: str = "", title: str = "") -> bytes:
    """Return a PDF whose pages have these content streams, encoded with `filters`."""
    count = len(streams)
    kids = " ".join(f"{5 + 2 * number} 0 R" for number in range(count))
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {count} >>".encode(),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
        f"<< /Title ({title}) >>".encode(),
    ]
    for number, stream in enumerate(streams):
        objects += [
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents {6 + 2 * number} 0 R "
            "/Resources << /Font << /F1 3 0 R >> >> >>".encode(),
            f"<< /Length {len(stream)} {filters} >>\nstream\n".encode() + stream + b"\nendstream",
        ]
    made = io.BytesIO()
    made.write(b"%PDF-1.4\n")
    places = []
    for number, body in enumerate(objects, start=1):
        places.append(made.tell())
        made.write(b"%d 0 obj\n" % number + body + b"\nendobj\n")
    start = made.tell()
    made.write(b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1))
    made.writelines(b"%010d 00000 n \n" % place for place in places)
    made.write(b"trailer\n<< /Size %d /Root 1 0 R /Info 4 0 R >>\n" % (len(objects) + 1))
    made.write(b"startxref\n%d\n%%%%EOF\n" % start)
    return made.getvalue()


def make_docx() -> bytes:
    document = Document()
    document.core_properties.title = "Leave rules"
    document.add_heading("Leave", 1)
    document.add_paragraph("Everybody has 30 days of leave.")
    table = document.add_table(rows=2, cols=2)
    for row, words in zip(table.rows, (("who", "days"), ("apprentices", "32")), strict=True):
        for cell, word in zip(row.cells, words, strict=True):
            cell.text = word
    made = io.BytesIO()
    document.save(made)
    return made.getvalue()


def make_xlsx() -> bytes:
    book = Workbook()
    sheet = book.active
    assert sheet is not None
    sheet.title = "Prices"
    for row in (("item", "price"), ("lamp", 17), (None, None), ("chair", 42.5)):
        sheet.append(row)
    book.create_sheet("Empty")
    made = io.BytesIO()
    book.save(made)
    return made.getvalue()


def make_pptx() -> bytes:
    slides = Presentation()
    for title in ("Our harbour", "Our ferries"):
        slide = slides.slides.add_slide(slides.slide_layouts[5])
        assert slide.shapes.title is not None
        slide.shapes.title.text = title
        box = slide.shapes.add_textbox(Inches(1), Inches(2), Inches(4), Inches(1))
        box.text_frame.text = f"{title} in figures"
    notes = slides.slides[1].notes_slide.notes_text_frame
    assert notes is not None
    notes.text = "Say that there are three."
    made = io.BytesIO()
    slides.save(made)
    return made.getvalue()


def encrypt_pdf(data: bytes) -> bytes:
    writer = PdfWriter(clone_from=PdfReader(io.BytesIO(data)))
    writer.encrypt("secret")
    made = io.BytesIO()
    writer.write(made)
    return made.getvalue()


def replace_packed(data: bytes, name: str, content: bytes) -> bytes:
    """Return an archive in which one file has another content."""
    made = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(made, "w") as new:
        for file in old.infolist():
            packed = content if file.filename == name else old.read(file)
            new.writestr(file.filename, packed, zipfile.ZIP_DEFLATED)
    return made.getvalue()


def bomb_docx(megabytes: int, *, declared_bytes: int | None = None) -> bytes:
    """Return a DOCX that unpacks to this size, and may say another one."""
    made = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(make_docx())) as old, zipfile.ZipFile(made, "w") as new:
        for file in old.infolist():
            if file.filename != "word/document.xml":
                new.writestr(file.filename, old.read(file))
        bomb = zipfile.ZipInfo("word/document.xml")
        bomb.compress_type = zipfile.ZIP_DEFLATED
        with new.open(bomb, "w") as part:
            part.write(WORD_BEGINNING)
            for _ in range(megabytes):
                part.write(b"lol</w:t></w:r></w:p><w:p><w:r><w:t>" * 25_000)
            part.write(WORD_END)
        size = bomb.file_size
    declared = size if declared_bytes is None else declared_bytes
    return made.getvalue().replace(size.to_bytes(4, "little"), declared.to_bytes(4, "little"))


WORD_BEGINNING = (
    b'<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main">'
    b"<w:body><w:p><w:r><w:t>"
)
WORD_END = b"</w:t></w:r></w:p></w:body></w:document>"
SHEET_BEGINNING = (
    b'<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>'
    b'<row r="1"><c r="A1" t="inlineStr"><is><t>'
)
SHEET_END = b"</t></is></c></row></sheetData></worksheet>"


def laugh(before: bytes, after: bytes) -> bytes:
    """Return an XML file whose one word would be a billion words long."""
    entities = b'<!ENTITY l0 "lol">' + b"".join(
        b'<!ENTITY l%d "%s">' % (number, b"&l%d;" % (number - 1) * 10) for number in range(1, 10)
    )
    return b'<?xml version="1.0"?><!DOCTYPE x [' + entities + b"]>" + before + b"&l9;" + after


def bomb_pdf() -> bytes:
    """Return a PDF of 2 KB whose page unpacks twice, to 500 MB."""
    squeeze = zlib.compressobj(1)
    once = b"".join(squeeze.compress(bytes(10_000_000)) for _ in range(50)) + squeeze.flush()
    return make_pdf_of([zlib.compress(once, 9)], filters="/Filter [/FlateDecode /FlateDecode]")
