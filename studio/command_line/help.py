"""`manage.py help`: the studio's commands by subject, one line each, separate from Django's."""

import re
import shutil
import textwrap
from collections.abc import Iterator

from django.core.management import ManagementUtility

from studio.command_line.subjects import SUBJECTS, list_others, load_ours

_INDENT = 22
_SENTENCE_END = re.compile(r"[.;:] ")


class StudioUtility(ManagementUtility):
    """Django's command line, whose `help` without a name describes the studio."""

    def main_help_text(self, commands_only: bool = False) -> str:  # noqa: FBT001, FBT002
        if commands_only:
            return str(super().main_help_text(commands_only))
        return "\n".join(describe_commands(shutil.get_terminal_size().columns))


def describe_commands(columns: int) -> Iterator[str]:
    """Yield the lines of the help."""
    words = {name: _SENTENCE_END.split(command.help)[0] for name, command in load_ours()}
    yield "Usage: manage.py COMMAND …; `manage.py help COMMAND` shows its options."
    for subject, names in SUBJECTS.items():
        yield ""
        yield subject
        for name in names:
            yield from textwrap.wrap(
                f"{words[name].rstrip('.')}.",
                width=max(columns, 60),
                initial_indent=f"  {name}".ljust(_INDENT),
                subsequent_indent=" " * _INDENT,
            )
    yield ""
    yield "Django's own"
    yield from textwrap.wrap(
        ", ".join(list_others()),
        width=max(columns, 60),
        initial_indent="  ",
        subsequent_indent="  ",
    )
