"""List lenses, save a search as one, and delete them."""

from dataclasses import asdict
from typing import Any

from tapes_app.library.services import lenses
from tapes_app.library.services.lenses import Lens
from tapes_app.library.store.order import SORT_NAMES
from tapes_app.management.arguments import ANY_QUERY, NAME, one_of, option
from tapes_app.management.command import ActionCommand, Answer
from tapes_app.projects.services.people import Person


class Command(ActionCommand):
    help = "List lenses, save a search as a lens, or delete one. list_tapes --lens NAME uses one."

    def add_actions(self) -> None:
        self.add_action("list", self._list, "list the lenses you can see: your own and shared ones")
        search = (
            option(
                "name",
                metavar="NAME",
                help="name of the lens; an existing lens of yours is updated",
            ),
            ANY_QUERY,
            option("--sort", metavar="COLUMN", default="", help=", ".join(SORT_NAMES)),
            one_of(
                option("--share", dest="is_shared", action="store_true", default=None),
                option("--unshare", dest="is_shared", action="store_false"),
            ),
        )
        self.add_action("save", self._save, "save a query and a sort order under a name", *search)
        self.add_action("delete", self._delete, "delete a lens", NAME)

    def _list(self, person: Person, options: dict[str, Any]) -> Answer:
        return self.print_rows(lenses.list_lenses(person), "lens", _show, asdict)

    def _save(self, person: Person, options: dict[str, Any]) -> Answer:
        saved = lenses.save_search(
            person,
            options["name"],
            q=options["query"],
            sort=options["sort"],
            is_shared=options["is_shared"],
        )
        return _answer(saved, "saved")

    def _delete(self, person: Person, options: dict[str, Any]) -> Answer:
        lens = lenses.load_lens_named(person, options["name"])
        lenses.delete_lens(person, lens.id)
        return _answer(lens, "deleted")


def _show(lens: Lens) -> str:
    shared = f"  shared by {lens.owner or 'nobody'}" if lens.is_shared else ""
    return f"{lens.name}  {lens.look.get('query') or 'all tapes'}{shared}"


def _answer(lens: Lens, done: str) -> Answer:
    return Answer(f"Lens {lens.name!r} {done}.", asdict(lens))
