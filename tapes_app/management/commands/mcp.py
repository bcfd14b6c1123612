"""Add MCP servers, and say which of their tools agents may use."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

from tapes_app.agents.services import mcp_servers
from tapes_app.agents.services.mcp_servers import McpServerRow, McpToolRow
from tapes_app.engine.errors import InvalidInputError
from tapes_app.management.arguments import NAME, one_of, option, read_file
from tapes_app.management.command import ActionCommand, Answer
from tapes_app.projects.domain.wording import count_of
from tapes_app.projects.services.people import Person


class Command(ActionCommand):
    help = "Add MCP servers, and say which of their tools the agents of this studio may use."

    def add_actions(self) -> None:
        self.add_action("list", self._list, "list the servers of this studio")
        command = option(
            "command",
            nargs="*",
            metavar="COMMAND",
            help="program that workers start, after --, with its arguments",
        )
        url = option("--url", default="", help="address of a server that runs elsewhere")
        self.add_action("add", self._add, "add a server, or replace it", url, NAME, command)
        file = option(
            "file", metavar="FILE", help="JSON file with mcpServers, or - for standard input"
        )
        self.add_action("import", self._import, "add the servers of another program's file", file)
        self.add_action("check", self._check, "ask a server for its tools, and compare", NAME)
        chosen = (
            NAME,
            option("tools", metavar="TOOL", nargs="*", help="tools; without any, all of them"),
            option("--as", metavar="NAME", dest="renamed", default="", help="name for models"),
            one_of(
                option(
                    "--ask",
                    action="store_const",
                    const=True,
                    dest="asks",
                    help="runs ask a person before each call",
                ),
                option(
                    "--no-ask",
                    action="store_const",
                    const=False,
                    dest="asks",
                    help="runs call it without asking",
                ),
            ),
        )
        self.add_action("allow", self._allow, "let agents use tools as they are now", *chosen)
        self.add_action("remove", self._remove, "remove a server", NAME)

    def _list(self, person: Person, options: dict[str, Any]) -> Answer:
        return self.print_rows(mcp_servers.list_servers(), "server", _show_server, asdict)

    def _add(self, person: Person, options: dict[str, Any]) -> Answer:
        words = options["command"]
        if bool(words) == bool(options["url"]):
            raise InvalidInputError("Give either the --url of a server or a command to start it.")
        command, *arguments = words or [""]
        server = {"command": command, "args": arguments} if words else {"url": options["url"]}
        return self._add_all({"mcpServers": {options["name"]: server}})

    def _import(self, person: Person, options: dict[str, Any]) -> Answer:
        path = Path("/dev/stdin" if options["file"] == "-" else options["file"])
        try:
            return self._add_all(json.loads(read_file(path)))
        except (ValueError, RecursionError) as error:
            raise InvalidInputError(f"{str(path)!r} is not JSON: {error}.") from error

    def _add_all(self, data: Any) -> Answer:
        added = mcp_servers.add_servers(data)
        names = ", ".join(added)
        return Answer(
            f"Added {names}. Allow tools with `manage.py mcp allow {added[0]}`.", {"added": added}
        )

    def _check(self, person: Person, options: dict[str, Any]) -> Answer:
        rows = mcp_servers.check_server(options["name"])
        for row in rows:
            self.print_line(_show_tool(row))
        changed = [row.name for row in rows if row.changes]
        allowed = sum(row.used_as is not None for row in rows)
        return Answer(
            f"{count_of(len(rows), 'tool')}, {allowed} allowed, {len(changed)} changed.",
            {"tools": [asdict(row) for row in rows]},
            is_done=not changed,
        )

    def _allow(self, person: Person, options: dict[str, Any]) -> Answer:
        rows = mcp_servers.allow_tools(
            options["name"],
            options["tools"],
            renamed=options["renamed"],
            is_irreversible=options["asks"],
        )
        return self.print_rows(rows, "allowed tool", _show_tool, asdict)

    def _remove(self, person: Person, options: dict[str, Any]) -> Answer:
        mcp_servers.remove_server(options["name"])
        return Answer(f"Removed {options['name']}.", {"removed": options["name"]})


def _show_server(row: McpServerRow) -> str:
    return f"{row.name}  {count_of(row.allowed_count, 'allowed tool')}  {row.address}"


def _show_tool(row: McpToolRow) -> str:
    asks = "asks before each call" if row.is_irreversible else "does not ask"
    used = row.used_as or "not allowed"
    changes = f"  CHANGED: {'; '.join(row.changes)}" if row.changes else ""
    first_line = row.description.partition("\n")[0][:80]
    return f"{row.name}  {used}  {asks}  {first_line}{changes}"
