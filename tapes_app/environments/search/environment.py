"""The environment `search`, and the two tools that it answers."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from contextvars import ContextVar
from typing import Annotated, Any

from pydantic import Field, StringConstraints

from tapes_app.engine.environment.actions import PendingAction, UnknownActionError
from tapes_app.engine.environment.environment import Environment
from tapes_app.engine.environment.opening import RunContext
from tapes_app.engine.environment.spec import EnvironmentSettings, environments
from tapes_app.engine.environment.tool_environment import ToolEnvironment
from tapes_app.engine.environment.tool_functions import tool
from tapes_app.engine.errors import AgentConfigError, NotFoundError
from tapes_app.engine.tape.steps import Step
from tapes_app.engine.tape.tape import Tape
from tapes_app.environments.search.folders import folders
from tapes_app.environments.search.index import DocumentIndex, Hit, open_index
from tapes_app.environments.search.reading import Document

SEARCH = "search"
MOST_HITS = 20
LONGEST_QUERY = 500
"""Characters."""

_MOST_NAMED = 20

_open: ContextVar[DocumentIndex | None] = ContextVar("open_documents", default=None)
"""The documents of the environment that is answering a call."""


@tool
def search(
    query: Annotated[str, StringConstraints(min_length=1, max_length=LONGEST_QUERY)],
    limit: Annotated[int, Field(ge=1, le=MOST_HITS)] = 5,
) -> dict[str, Any]:
    """Search the documents. Get the best passages, each with its document and page.

    Args:
        query: the words to look for, not a question
        limit: how many passages to get at most
    """
    index = _read_open()
    hits = index.search(query, limit)
    if hits:
        return {"passages": [_show(hit) for hit in hits]}
    if not index.passages:
        return {"passages": [], "note": "There are no documents with text to search."}
    return {
        "passages": [],
        "note": "No passage has any of these words; try others that the documents may use.",
    }


@tool
def read_document(document: str, page: Annotated[int, Field(ge=1)] = 1) -> str:
    """Read a page of a document.

    Args:
        document: the document, as search names it
        page: which page, counted from 1
    """
    found = _find(_read_open(), document)
    if found.text is None:
        raise ValueError(f"{document!r} cannot be read: {found.problem}")
    pages = found.text.pages
    if page > len(pages):
        raise ValueError(f"{document!r} has {len(pages)} pages; there is no page {page}")
    head = f"{found.id}: {found.text.title}\nPage {page} of {len(pages)}"
    note = f" ({found.text.note})" if found.text.note else ""
    return f"{head}{note}\n\n{pages[page - 1] or '[This page has no text.]'}"


def _read_open() -> DocumentIndex:
    index = _open.get()
    if index is None:
        raise RuntimeError(
            f"no documents are open; give the agent the environment {SEARCH!r} with a folder"
        )
    return index


def _find(index: DocumentIndex, name: str) -> Document:
    found = index.documents.get(name)
    if found is None:
        known = sorted(index.documents)
        more = f" and {len(known) - _MOST_NAMED} more" if len(known) > _MOST_NAMED else ""
        raise ValueError(
            f"there is no document {name[:200]!r}; take one that search names. There are: "
            f"{', '.join(known[:_MOST_NAMED])}{more}"
        )
    return found


def _show(hit: Hit) -> dict[str, Any]:
    document = hit.passage.document
    return {
        "document": document.id,
        "title": document.text.title if document.text else "",
        "page": hit.passage.page,
        "snippet": hit.snippet,
        "score": hit.score,
    }


def _offer_names(schema: dict[str, Any]) -> None:
    """Let a form offer the folders that there are now."""
    if names := folders.list_names():
        schema["enum"] = names


class SearchSettings(EnvironmentSettings):
    """Which documents are searched."""

    folder: Annotated[
        str, StringConstraints(min_length=1, max_length=64), Field(json_schema_extra=_offer_names)
    ]
    """The name of a folder in `documents` of the data folder, or of one that a plugin brings."""


class SearchEnvironment(ToolEnvironment):
    """Searches and reads the documents of a folder, for nodes with its two tools."""

    name = SEARCH
    isolation = (
        "Documents are read by a process of their own, which can change nothing and reach no "
        "network; agents see one named folder."
    )
    offers = (search, read_document)

    def __init__(self, settings: SearchSettings, index: DocumentIndex | None = None) -> None:
        super().__init__([search, read_document])
        self._settings = settings
        self._index = index
        if index is None:
            try:
                folders.find(settings.folder)
            except NotFoundError as error:
                raise AgentConfigError(error.message, folder=settings.folder) from error

    @asynccontextmanager
    async def open(self, run: RunContext) -> AsyncIterator[Environment]:
        """Yield the tools with the documents as they are now.

        Raises:
            NotFoundError: the folder is gone.
            AgentRunError: there is too much to be read at once.
        """
        del run
        index = await asyncio.to_thread(open_index, folders, self._settings.folder)
        yield SearchEnvironment(self._settings, index)

    async def observe(self, pending: PendingAction, tape: Tape) -> Sequence[Step]:
        if self._find(pending) is None:
            raise UnknownActionError(
                f"The environment {SEARCH!r} has no tool {pending.name!r}.",
                kind=pending.action.kind,
            )
        token = _open.set(self._index)
        try:
            return await super().observe(pending, tape)
        finally:
            _open.reset(token)


environments.add(SEARCH, SearchEnvironment)
