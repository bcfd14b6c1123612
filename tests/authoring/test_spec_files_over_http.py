"""Agents as YAML files: what is written is read back, and nothing but plain data is read."""

from pathlib import Path
from typing import Any

import jsonschema
import pytest
from django.contrib.auth.models import User
from django.test import Client
from hypothesis import given
from hypothesis import strategies as st
from pytest_django.fixtures import Settings

from tapes_app.authoring.domain.spec_yaml import read_yaml_spec, write_yaml_spec
from tapes_app.engine.agent.registration import gallery_agents
from tapes_app.models import MembershipRecord, ProjectRecord
from tests.commands.running import fail, run
from tests.http.asking import call
from tests.http.worlds import World

pytestmark = pytest.mark.django_db

AGENT = """
name: greeter
llms: {default: {model: "script:echo"}}
templates:
  system: |
    Be kind.
    Be brief.
nodes:
- type: engine.TalkNode
  settings: {name: talk}
"""


def send(client: Client, text: str, expect: int = 201) -> Any:
    return call(client, "POST", "agents/import", {"text": text}, expect=expect)


def test_an_agent_is_written_and_read_again(studio: Client, world: World) -> None:
    agent = send(studio, AGENT)
    version = agent["latest_version_id"]

    file = studio.get(f"/api/v1/agents/versions/{version}/yaml")
    again = send(studio, file.content.decode())

    assert file["Content-Type"] == "text/yaml; charset=utf-8"
    assert file["Content-Disposition"] == 'attachment; filename="greeter-v1.yaml"'
    assert "  system: |\n    Be kind.\n    Be brief.\n" in file.content.decode()
    assert (agent["name"], agent["version_count"]) == ("greeter", 1)
    assert (again["id"], again["version_count"]) == (agent["id"], 1)


def test_a_name_of_several_lines_does_not_break_the_header(studio: Client, world: World) -> None:
    agent = send(studio, AGENT.replace("greeter", '"a\\r\\nb: \\" c"'))

    file = studio.get(f"/api/v1/agents/versions/{agent['latest_version_id']}/yaml")

    assert file["Content-Disposition"].startswith('attachment; filename="a b')


def test_the_file_of_a_known_agent_is_its_next_version(studio: Client, world: World) -> None:
    send(studio, AGENT)

    agent = send(studio, AGENT.replace("kind", "blunt"))

    first = agent["versions"][0]
    assert (first["number"], first["note"], first["saved_by"]) == (2, "Imported from YAML.", "ada")


def test_the_file_of_the_guide_is_an_agent(studio: Client, world: World) -> None:
    guide = Path(__file__).parents[2] / "docs" / "builders.md"
    file = guide.read_text("utf-8").rpartition("```yaml\n")[2].partition("```")[0]

    assert send(studio, file)["name"] == "greeter"


def test_json_is_yaml_too(studio: Client, world: World) -> None:
    text = '{"name": "greeter", "llms": {"default": {"model": "script:echo"}}, "nodes": [{"type": "tests.SayNode"}]}'  # noqa: E501

    assert send(studio, text)["name"] == "greeter"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (AGENT + "x: &a [1]\ny: *a\n", "an anchor or an alias"),
        ("a: &a [x, x]\nb: &b [*a, *a]\nc: &c [*b, *b]\n", "an anchor or an alias"),
        ("&a a: *a\n", "an anchor or an alias"),
        ("&root\nname: greeter\nsubagents: [*root]\n", "an anchor or an alias"),
        ("!!python/object/apply:os.system ['echo']\n", "it has a tag"),
        ("name: !!python/name:os.system\n", "it has a tag"),
        ("name: !!binary aGk=\n", "it has a tag"),
        ("base: {a: 1}\n<<: {b: 1}\n", "merge keys"),
        ("a: 1\na: 2\n", "the same field twice"),
        ("a: 1\n---\nb: 2\n", "one document"),
        ("- a\n- b\n", "one document"),
        ("just text", "one document"),
        ("a: [1, 2\n", "YAML"),
        ("a: b: c\n", "YAML"),
        ("\x07", "YAML"),
        ("{" * 500, "YAML"),
        ("[" * 200 + "]" * 200, "nested deeper"),
    ],
)
def test_what_is_not_plain_data_is_refused(
    studio: Client, world: World, text: str, reason: str
) -> None:
    refused = send(studio, text, expect=422)

    assert refused["code"] == "import_refused"
    assert reason in refused["message"]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (AGENT.replace("engine.TalkNode", "os.system"), "draft_invalid"),
        ("name: a\nnodes: 7\n", "draft_invalid"),
        ("name: 7\n", "draft_invalid"),
        ("nodes: []\n", "draft_invalid"),
        ("name: a\nnodes:\n" + "- {type: tests.SayNode}\n" * 5_000, "spec_too_large"),
    ],
)
def test_what_is_no_agent_is_refused(studio: Client, world: World, text: str, code: str) -> None:
    before = call(studio, "GET", "agents")

    refused = send(studio, text, expect=422)

    assert refused["code"] == code
    assert call(studio, "GET", "agents") == before


def test_a_version_of_another_project_is_not_written(studio: Client, elsewhere: World) -> None:
    call(studio, "GET", f"agents/versions/{elsewhere.version}/yaml", expect=404)


def test_every_shipped_agent_fits_the_schema_and_comes_back(studio: Client, world: World) -> None:
    schema = call(studio, "GET", "agents/spec-schema")

    jsonschema.Draft202012Validator.check_schema(schema)
    for name in gallery_agents:
        spec = gallery_agents.get(name)().model_dump(mode="json")
        jsonschema.validate(spec, schema)
        assert read_yaml_spec(write_yaml_spec(spec)) == spec


def test_the_schema_knows_the_settings_of_each_node_type(studio: Client, world: World) -> None:
    schema = call(studio, "GET", "agents/spec-schema")
    wrong = {"name": "a", "nodes": [{"type": "builders.GoToNode", "settings": {"colour": 1}}]}

    mistakes = list(jsonschema.Draft202012Validator(schema).iter_errors(wrong))

    assert mistakes


def test_node_types_have_forms(studio: Client, world: World) -> None:
    types = {one["type"]: one for one in call(studio, "GET", "agents/node-types")}

    talk, stop = types["engine.TalkNode"], types["builders.StopNode"]
    assert (talk["title"], talk["has_prompt"], stop["has_prompt"]) == ("Talk", True, False)
    assert types["builders.LLMFunctionNode"]["title"] == "LLM function"
    assert {"template", "guidance", "tools"} <= talk["settings_schema"]["properties"].keys()
    assert "name" not in talk["settings_schema"]["properties"]
    assert list(types) == sorted(types)
    assert not {"builders.ControlNode", "engine.StructuredNode"} & types.keys()


def test_a_node_type_of_a_plugin_says_in_which_file_and_line_its_code_is(
    studio: Client, world: World
) -> None:
    types = {one["type"]: one for one in call(studio, "GET", "agents/node-types")}

    file, _, line = types["tests.SayNode"]["written_in"].partition(", line ")
    code = (Path(__file__).parents[2] / file).read_text("utf-8").splitlines()
    assert code[int(line) - 1].startswith("class SayNode")
    assert types["engine.TalkNode"]["written_in"] == ""


def test_the_tools_that_a_node_can_name_are_described(studio: Client, world: World) -> None:
    tools = {one["name"]: one for one in call(studio, "GET", "agents/tools")}

    calculate = tools["tapes_app.gallery.chat.tools.calculate"]
    assert calculate["description"]
    assert calculate["parameters"]["properties"]
    assert list(tools) == sorted(tools)


def test_the_environments_that_an_agent_can_name_are_described(
    studio: Client, world: World
) -> None:
    types = {one["name"]: one for one in call(studio, "GET", "agents/environments")}

    assert types["math"]["description"] == (
        "Answers an expression with its value, or with what is wrong with it."
    )
    assert types["math"]["settings_schema"] is None
    assert "company" in types["company-forms"]["settings_schema"]["properties"]
    assert list(types) == sorted(types)


def test_an_agent_goes_through_a_file_from_the_command_line(
    studio: Client, project: ProjectRecord, world: World, settings: Settings, tmp_path: Path
) -> None:
    operator = User.objects.create_user(settings.STUDIO_OWNER_NAME)
    MembershipRecord.objects.create(project=project, user=operator, role="owner")
    file = tmp_path / "talker.yaml"

    assert run("agents", "export", "talker", "--out", str(file)) == f"Written to {file}."
    file.write_text(file.read_text().replace("Says something back.", "Repeats."))
    assert run("agents", "import", str(file)) == "v2 of 'talker' is imported."

    versions = call(studio, "GET", f"agents/{world.agent}")["versions"]
    assert [one["spec"]["description"] for one in versions] == ["Repeats.", "Says something back."]
    file.write_text("name: &a b\n")
    assert "an anchor" in fail("agents", "import", str(file))
    assert "cannot be read" in fail("agents", "import", str(tmp_path / "nothing.yaml"))


TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=60)
TRICKY = ["no", "1e3", "0x1F", "2024-01-01", "<<", "~", " a", "a\n", "\n a", "a: b", "\ta", "\x85"]
NUMBER = st.integers() | st.floats(allow_nan=False, allow_infinity=False)
VALUE = TEXT | st.sampled_from(TRICKY) | NUMBER | st.booleans() | st.none()


@given(st.dictionaries(TEXT, VALUE | st.lists(VALUE, max_size=3), max_size=5))
def test_any_data_comes_back_from_yaml(data: dict[str, Any]) -> None:
    value = {"name": "a", "templates": data}

    assert read_yaml_spec(write_yaml_spec(value)) == value


def test_half_a_character_is_written_as_an_escape() -> None:
    assert "\\uD800" in write_yaml_spec({"name": "\ud800"})
