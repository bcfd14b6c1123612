"""The pages of `docs` that are written from the code, and their writers."""

from collections.abc import Callable, Mapping

from studio.reference.commands import write_commands
from studio.reference.queries import write_queries
from studio.reference.requests import write_requests
from studio.reference.variables import write_variables

PAGES: Mapping[str, Callable[[], str]] = {
    "commands": write_commands,
    "queries": write_queries,
    "requests": write_requests,
    "settings": write_variables,
}
"""By the name of the document, without `.md`."""
