"""The page of all commands, written from the commands themselves."""

import argparse
from collections.abc import Iterator

from django.core.management.base import BaseCommand

from studio.command_line.subjects import SUBJECTS, load_ours
from studio.reference.tables import write_table

_SHARED_OPTIONS = frozenset(
    {"--json", "--project"}.union(BaseCommand().create_parser("", "")._option_string_actions)
)
_BEGINNING = (
    "# Commands\n\nWritten by `make generate` from the commands themselves. Each is "
    "`.venv/bin/python manage.py NAME …`. `--json` prints one JSON object instead of text, and "
    "`--project NAME` chooses a project other than the first; where a command has them, they "
    "are not repeated below. An id may be shortened to its first six digits where that is "
    "unambiguous. The exit status is 0 when it did what you asked, 1 when the answer is no, and 2 "
    "when it refused."
)


def write_commands() -> str:
    """Return the page as Markdown."""
    return "\n".join([_BEGINNING, *_describe_subjects(), ""])


def _describe_subjects() -> Iterator[str]:
    commands = dict(load_ours())
    for subject, names in SUBJECTS.items():
        yield f"\n## {subject}"
        for name in names:
            command = commands[name]
            yield f"\n### {name}\n\n{command.help}"
            yield from _describe(command.create_parser("manage.py", name), name)


def _describe(parser: argparse.ArgumentParser, name: str) -> Iterator[str]:
    """Yield the arguments of a command, or each of its actions."""
    rows = []
    for part in parser._actions:
        is_listed = not _SHARED_OPTIONS.intersection(part.option_strings)
        if is_listed and not isinstance(part, argparse._SubParsersAction):
            rows.append((f"`{_write_option(part)}`", _explain(parser, part)))
    if rows:
        yield from write_table(("argument", "meaning"), rows)
    for action in parser._actions:
        if not isinstance(action, argparse._SubParsersAction):
            continue
        words = {choice.dest: choice.help or "" for choice in action._choices_actions}
        for choice, below in action.choices.items():
            yield f"\n**{name} {choice}**: {words.get(choice, '')}."
            yield from _describe(below, f"{name} {choice}")


def _write_option(part: argparse.Action) -> str:
    value = part.metavar if isinstance(part.metavar, str) else part.dest.upper()
    if part.choices is not None and part.metavar is None:
        value = ", ".join(map(str, part.choices))
    if not part.option_strings:
        return value
    taken = "" if part.nargs == 0 else f" {value}"
    return ", ".join(part.option_strings) + taken


def _explain(parser: argparse.ArgumentParser, part: argparse.Action) -> str:
    text = parser._get_formatter()._expand_help(part) if part.help else ""
    needed = "; needed" if part.option_strings and part.required else ""
    return f"{text}{needed}".removeprefix("; ")
