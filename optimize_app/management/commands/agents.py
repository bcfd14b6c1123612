"""List agents, pin the suites that their versions must pass, publish a version; agents as files."""

from dataclasses import asdict
from itertools import islice
from pathlib import Path
from typing import Any

from optimize_app.evaluation.services.reports import version_scores
from optimize_app.evaluation.services.reports.version_scores import PinnedSuite
from optimize_app.evaluation.services.suites import publishing, suites
from optimize_app.management.suite_lines import write_file
from tapes_app.agents.domain.rows import AgentRow
from tapes_app.agents.store.agents import list_agents, load_version
from tapes_app.authoring.domain.foreign.adk_config import ROOT_FILE
from tapes_app.authoring.domain.foreign.agents import AgentFiles
from tapes_app.authoring.domain.spec_size import MOST_AGENTS
from tapes_app.authoring.services import spec_files
from tapes_app.management import named
from tapes_app.management.arguments import option, read_file
from tapes_app.management.command import ActionCommand, Answer
from tapes_app.projects.services.people import Person


class Command(ActionCommand):
    help = (
        "A published version is what new runs of an agent are offered. Publishing is refused "
        "unless the suites that the agent pins pass with that version; run them with "
        "evaluate --suite NAME --agent NAME@3."
    )

    def add_actions(self) -> None:
        agent = option("name", metavar="AGENT", help="its name")
        suite = option("suite", metavar="SUITE", help="name of the suite")
        self.add_action("list", self._list, "list agents with what is published of them")
        self.add_action("show", self._show, "show how versions score on the pinned suites", agent)
        self.add_action("pin", self._pin, "publish versions only if a suite passes", agent, suite)
        self.add_action("unpin", self._unpin, "publish versions without a suite", agent, suite)
        self.add_action(
            "publish",
            self._publish,
            "publish a version",
            option("name", metavar="AGENT", help="its newest version, AGENT@3 or AGENT@published"),
            option(
                "--anyway",
                action="store_true",
                help="even if a suite does not pass; that stays on record",
            ),
        )
        self.add_action(
            "export",
            self._export,
            "write a version as a YAML file",
            option("name", metavar="AGENT", help="its newest version, AGENT@3 or AGENT@published"),
            option("--out", metavar="FILE", type=Path, required=True),
        )
        self.add_action(
            "import",
            self._import,
            "add the agent of a file, or its next version",
            option(
                "file",
                metavar="FILE",
                type=Path,
                help=(
                    "what export wrote, code of the OpenAI Agents SDK (.py), or an agent config "
                    "of Google ADK: the folder with root_agent.yaml"
                ),
            ),
        )

    def _list(self, person: Person, options: dict[str, Any]) -> Answer:
        return self.print_rows(list_agents(person.project_id), "agent", _describe_agent, asdict)

    def _show(self, person: Person, options: dict[str, Any]) -> Answer:
        agent = named.find_agent(person, options["name"])
        pinned = version_scores.list_pinned_suites(person, agent.id)
        return self.print_rows(pinned, "pinned suite", _describe_pinned, asdict)

    def _pin(self, person: Person, options: dict[str, Any]) -> Answer:
        agent = named.find_agent(person, options["name"])
        suite = suites.find_suite(person, options["suite"])
        publishing.pin_suite(person, agent.id, suite.id)
        return Answer(
            f"{agent.name!r} is published only if {suite.name!r} passes.",
            {"agent_id": agent.id, "dataset_id": suite.id},
        )

    def _unpin(self, person: Person, options: dict[str, Any]) -> Answer:
        agent = named.find_agent(person, options["name"])
        suite = publishing.find_pin(person, agent.id, options["suite"])
        publishing.unpin_suite(person, agent.id, suite.dataset_id)
        return Answer(
            f"{agent.name!r} is published without {suite.name!r}.",
            {"agent_id": agent.id, "dataset_id": suite.dataset_id},
        )

    def _publish(self, person: Person, options: dict[str, Any]) -> Answer:
        version_id = named.read_version(person, options["name"])
        version = load_version(version_id, person.project_id)
        made = publishing.publish_version(
            person, version.agent_id, version_id, anyway=options["anyway"]
        )
        despite = f" Published anyway: {made.despite}" if made.despite else ""
        summary = f"v{made.number} of {version.agent_name!r} is published.{despite}"
        return Answer(summary, asdict(made))

    def _export(self, person: Person, options: dict[str, Any]) -> Answer:
        version_id = named.read_version(person, options["name"])
        path = options["out"]
        write_file(path, spec_files.write_version(person, version_id).text)
        return Answer(f"Written to {path}.", {"version_id": version_id, "file": str(path)})

    def _import(self, person: Person, options: dict[str, Any]) -> Answer:
        agent = spec_files.import_agent(person, _read_files(options["file"]))
        newest = agent.versions[0]
        values = {
            "agent_id": agent.id,
            "version_id": newest.id,
            "number": newest.number,
            "note": newest.note,
        }
        for line in newest.note.splitlines():
            self.print_line(line)
        return Answer(f"v{newest.number} of {agent.name!r} is imported.", values)


def _read_files(path: Path) -> AgentFiles:
    """Return a file, or the root agent of a folder with the other YAML files in it."""
    if not path.is_dir():
        return AgentFiles(read_file(path), path.name)
    found = (one for one in sorted(path.rglob("*.y*ml")) if one.is_file() and not one.is_symlink())
    others = {
        one.relative_to(path).as_posix(): read_file(one) for one in islice(found, MOST_AGENTS)
    }
    return AgentFiles(read_file(path / ROOT_FILE), ROOT_FILE, others)


def _describe_agent(row: AgentRow) -> str:
    published = f"v{row.published_version} published" if row.published_version else "not published"
    return f"{row.name}  v{row.latest_version}, {published}"


def _describe_pinned(suite: PinnedSuite) -> str:
    scores = [
        f"v{one.number} {one.score.estimate.value:.0%}"
        if one.score
        else f"v{one.number} not decided"
        for one in suite.scores
    ]
    return f"{suite.name}: {', '.join(scores) or 'no version has run'}"
