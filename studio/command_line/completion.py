"""Completion scripts for shells: all commands with their options, as a static list.

The script never calls the studio while the user types, so it is fast; it has to be made again after
an upgrade.
"""

import argparse
from collections.abc import Iterator
from string import Template

from django.core.management.base import BaseCommand

from studio.command_line.subjects import list_others, load_ours

SHELLS = ("bash", "zsh")

_ZSH = """\
autoload -U +X compinit && compinit
autoload -U +X bashcompinit && bashcompinit
"""

_SCRIPT = Template("""\
# Completion of Tape Studio's manage.py; made by `manage.py completion $shell`.
${beginning}_tape_studio_words() {
    case "$$1" in
$cases
    esac
}

_tape_studio() {
    local current="$${COMP_WORDS[COMP_CWORD]}" place key word words at
    COMPREPLY=()
    for ((at = 0; at < COMP_CWORD; at++)); do
        case "$${COMP_WORDS[at]}" in manage.py | */manage.py) break ;; esac
    done
    ((at == COMP_CWORD)) && return  # another program
    key=""
    for ((place = at + 1; place < COMP_CWORD; place++)); do
        word="$${COMP_WORDS[place]}"
        if [ -z "$$key" ] || [ -n "$$(_tape_studio_words "$$key $$word")" ]; then
            case "$$word" in -*) ;; *) key="$${key:+$$key }$$word" ;; esac
        fi
    done
    word="$${COMP_WORDS[COMP_CWORD - 1]}"
    case "$$word" in
        -*)
            words="$$(_tape_studio_words "$$key $$word")"
            [ "$$words" = "?" ] && return  # any name, number or file
            ;;
    esac
    [ -n "$$words" ] || words="$$(_tape_studio_words "$$key")"
    COMPREPLY=($$(compgen -W "$$words" -- "$$current"))
}

complete -o default -F _tape_studio manage.py python python3
""")


def write_script(shell: str) -> str:
    """Return the script that a shell reads at its start."""
    cases = "\n".join(
        f"        '{key}') echo '{' '.join(words)}' ;;" for key, words in _list_words() if words
    )
    beginning = _ZSH if shell == "zsh" else ""
    return _SCRIPT.substitute(shell=shell, cases=cases, beginning=beginning)


def _list_words() -> Iterator[tuple[str, list[str]]]:
    """Yield what may follow a command, its action or its option; `?`: anything."""
    commands = list(load_ours())
    names = [name for name, _ in commands]
    yield "", sorted({*names, *list_others(), "help"})
    yield "help", names
    for name, command in commands:
        yield from _list_words_of(name, command.create_parser("manage.py", name))


_STANDARD = {
    (*action.option_strings, action.help)
    for action in BaseCommand().create_parser("manage.py", "")._actions
    if "--help" not in action.option_strings
}
"""Options that every Django command has and that people rarely type."""


def _list_words_of(key: str, parser: argparse.ArgumentParser) -> Iterator[tuple[str, list[str]]]:
    words: list[str] = []
    for action in parser._actions:
        if (*action.option_strings, action.help) in _STANDARD:
            continue
        if isinstance(action, argparse._SubParsersAction):
            words += action.choices
            for name, part in action.choices.items():
                yield from _list_words_of(f"{key} {name}", part)
        elif not action.option_strings:
            words += [str(choice) for choice in action.choices or ()]
        elif action.help != argparse.SUPPRESS:
            words += [option for option in action.option_strings if option.startswith("--")]
            taken = [str(choice) for choice in action.choices or ()] or ["?"]
            if action.nargs != 0:
                for option in action.option_strings:
                    yield f"{key} {option}", taken
    yield key, words
