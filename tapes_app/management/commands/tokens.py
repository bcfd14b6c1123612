"""List, create and revoke access tokens."""

from dataclasses import asdict
from typing import Any, get_args

from tapes_app.engine.errors import NotFoundError
from tapes_app.management.arguments import NAME, option
from tapes_app.management.command import ActionCommand, Answer
from tapes_app.projects.services import tokens
from tapes_app.projects.services.people import Person
from tapes_app.projects.store.tokens import Access, TokenRow

_DAYS = 90


class Command(ActionCommand):
    help = "List your access tokens, make one for a script, or revoke one."

    def add_actions(self) -> None:
        self.add_action("list", self._list, "list your tokens in this project")
        new = (
            NAME,
            option(
                "--access",
                choices=get_args(Access),
                default="read",
                help="read (the default) or write",
            ),
            option(
                "--days",
                type=int,
                default=_DAYS,
                help=f"days until it expires (default: {_DAYS}); 0 for never",
            ),
        )
        self.add_action(
            "make", self._make, "make a token and print it; it is shown only once", *new
        )
        self.add_action("revoke", self._revoke, "revoke a token", NAME)

    def _list(self, person: Person, options: dict[str, Any]) -> Answer:
        return self.print_rows(tokens.list_tokens(person), "token", _show, asdict)

    def _make(self, person: Person, options: dict[str, Any]) -> Answer:
        made = tokens.make_token(
            person,
            name=options["name"],
            access=options["access"],
            days=options["days"] or None,
        )
        return Answer(made.token, {"token": made.token, **asdict(made.row)})

    def _revoke(self, person: Person, options: dict[str, Any]) -> Answer:
        name = options["name"]
        found = [token for token in tokens.list_tokens(person) if token.name == name]
        if not found:
            raise NotFoundError(f"You have no token {name!r} in project {person.project!r}.")
        revoked = tokens.revoke_token(person, found[0].id)
        return Answer(f"Token {revoked.name!r} revoked.", asdict(revoked))


def _show(token: TokenRow) -> str:
    ends = f"until {token.expires_at:%Y-%m-%d}" if token.expires_at else "until revoked"
    used = f"last used {token.last_used_at:%Y-%m-%d %H:%M}" if token.last_used_at else "never used"
    return f"{token.name}  {token.access}  {token.hint}…  {ends}  {used}"
