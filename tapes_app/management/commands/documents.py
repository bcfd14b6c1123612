"""See which folders of documents agents can search, read them, and try a search."""

from math import inf
from typing import Any

from tapes_app.environments.search.environment import MOST_HITS
from tapes_app.environments.search.folders import folders, list_documents
from tapes_app.environments.search.index import Hit, open_index
from tapes_app.environments.search.reading import Document, read_folder
from tapes_app.management.arguments import NAME, option
from tapes_app.management.command import ActionCommand, Answer
from tapes_app.projects.domain.wording import count_of
from tapes_app.projects.services.people import Person


class Command(ActionCommand):
    help = "See which folders of documents agents can search, read them, and try a search."

    def add_actions(self) -> None:
        self.add_action("list", self._list, "list the folders")
        self.add_action(
            "read", self._read, "read all documents of a folder, and say which have no text", NAME
        )
        query = option("query", metavar="QUERY", help="words to look for")
        limit = option(
            "--limit",
            type=int,
            default=5,
            choices=range(1, MOST_HITS + 1),
            metavar="N",
            help="how many passages to print at most",
        )
        self.add_action("search", self._search, "print what agents would find", NAME, query, limit)

    def _list(self, person: Person, options: dict[str, Any]) -> Answer:
        counts = {name: len(list_documents(folders.find(name))) for name in folders.list_names()}
        return self.print_rows(
            list(counts.items()),
            "folder",
            lambda row: f"{row[0]}  {count_of(row[1], 'document')}",
            lambda row: {"name": row[0], "document_count": row[1]},
        )

    def _read(self, person: Person, options: dict[str, Any]) -> Answer:
        name = options["name"]
        found = list_documents(folders.find(name))
        rows = read_folder(folders, name, found, seconds=inf, is_again=True)
        for row in rows:
            self.print_line(_show_document(row))
        unread = sum(row.text is None for row in rows)
        return Answer(
            f"{count_of(len(rows), 'document')}, {unread} without text.",
            {"documents": [_describe(row) for row in rows]},
            is_done=not unread,
        )

    def _search(self, person: Person, options: dict[str, Any]) -> Answer:
        hits = open_index(folders, options["name"]).search(options["query"], options["limit"])
        return self.print_rows(hits, "passage", _show_hit, _describe_hit)


def _show_document(row: Document) -> str:
    if row.text is None:
        return f"{row.id}  NOT READ: {row.problem}"
    note = f"  ({row.text.note})" if row.text.note else ""
    return f"{row.id}  {row.text.title}  {count_of(len(row.text.pages), 'page')}{note}"


def _describe(row: Document) -> dict[str, Any]:
    pages = len(row.text.pages) if row.text else 0
    title, note = (row.text.title, row.text.note) if row.text else ("", "")
    return {"id": row.id, "title": title, "pages": pages, "note": note, "problem": row.problem}


def _show_hit(hit: Hit) -> str:
    return f"{hit.score:.2f}  {hit.passage.document.id} page {hit.passage.page}  {hit.snippet}"


def _describe_hit(hit: Hit) -> dict[str, Any]:
    passage = hit.passage
    return {
        "document": passage.document.id,
        "page": passage.page,
        "snippet": hit.snippet,
        "score": hit.score,
    }
