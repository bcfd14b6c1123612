"""Agent configs of Google ADK: what becomes of each class, and what is said of the rest."""

import pytest

from tapes_app.authoring.domain.foreign.adk_config import read_adk_config
from tapes_app.authoring.domain.foreign.agents import AgentFiles
from tapes_app.engine.errors import AgentConfigError, ImportRefusedError
from tests.authoring.foreign import build, note_of, run

CALCULATE = "tapes_app.gallery.chat.tools.calculate"


def member(name: str, *lines: str) -> str:
    return "\n".join((f"name: {name}", f"instruction: You are the {name}.", *lines))


def team(kind: str, *paths: str, more: str = "") -> str:
    below = "\n".join(f"- config_path: {path}" for path in paths)
    return f"name: crew\nagent_class: {kind}\nsub_agents:\n{below}\n{more}"


def files(text: str, **others: str) -> AgentFiles:
    return AgentFiles(
        text, "root_agent.yaml", {f"{name}.yaml": one for name, one in others.items()}
    )


WRITER, CRITIC = member("writer"), member("critic")


def test_an_agent_alone_talks_with_its_tools_and_its_model() -> None:
    text = member(
        "sums",
        "description: Adds.",
        "model: gemini-2.5-flash",
        "tools: [{name: calculate}, {name: google_search}, my_tools.find]",
        "generate_content_config: {temperature: 0.2, maxOutputTokens: 50, safety_settings: []}",
    )

    reading = read_adk_config(files(text))

    spec = build(reading)
    assert (spec.name, spec.description, spec.templates["system"]) == (
        "sums", "Adds.", "You are the sums.",
    )  # fmt: skip
    assert spec.llms["default"].model == "flash"
    assert spec.llms["default"].parameters == {"temperature": 0.2, "max_tokens": 50}
    assert spec.nodes[0].settings["tools"] == [CALCULATE]
    note = note_of(reading)
    assert "- root_agent.yaml, tools[1]: 'google_search' is no tool here" in note
    assert "- root_agent.yaml, tools[2]: 'my_tools.find' is no tool here" in note
    assert "generate_content_config.safety_settings" in note


def test_a_file_without_differences_has_a_short_note() -> None:
    reading = read_adk_config(files(WRITER + "\nmodel: gemini-2.5-flash"))

    assert note_of(reading) == "Imported from an ADK agent config."


async def test_members_of_a_sequence_speak_in_turn_and_the_last_one_answers() -> None:
    text = team("SequentialAgent", "writer.yaml", "critic.yaml")
    spec = build(read_adk_config(files(text, writer=WRITER, critic=CRITIC)))

    assert await run(spec, ["a rhyme", "good"]) == ["writer: a rhyme", "critic: good", "crew: good"]


async def test_a_loop_ends_after_its_rounds() -> None:
    text = team("LoopAgent", "writer.yaml", "critic.yaml", more="max_iterations: 2")
    reading = read_adk_config(files(text, writer=WRITER, critic=CRITIC))

    said = await run(build(reading), ["1", "2", "3", "4"])

    assert [one.partition(":")[0] for one in said] == [*["writer", "critic"] * 2, "crew"]
    assert "The loop ends after its rounds" in note_of(reading)


async def test_an_agent_with_members_lets_its_model_choose_one_of_them_or_itself() -> None:
    text = member("crew", "sub_agents: [{config_path: writer.yaml}]")
    spec = build(read_adk_config(files(text, writer=WRITER + "\ndescription: Writes.")))

    assert [one.name for one in spec.subagents] == ["crew_itself", "writer"]
    assert "- writer: Writes." in spec.templates["system"]
    said = await run(spec, ['{"member": "writer"}', "a rhyme"])
    assert said == ["writer: a rhyme", "crew: a rhyme"]


async def test_members_of_a_parallel_team_are_called_at_once_and_answer_together() -> None:
    text = team("ParallelAgent", "writer.yaml", "critic.yaml")
    reading = read_adk_config(files(text, writer=WRITER, critic=CRITIC))

    spec = build(reading)

    together = spec.nodes[0]
    assert together.type == "builders.CallTogetherNode"
    assert [one["subagent"] for one in together.settings["calls"]] == ["writer", "critic"]
    assert sorted(await run(spec, ["a word", "a word"])) == [
        "crew: {\"writer\": \"a word\", \"critic\": \"a word\"}",
        "critic: a word", "writer: a word",
    ]  # fmt: skip
    assert "- root_agent.yaml, agent_class: Each member reads the task alone" in note_of(reading)


def test_more_members_than_can_be_called_at_once_speak_in_turn_and_the_note_says_so() -> None:
    writers = {f"writer_{at}": member(f"writer_{at}") for at in range(33)}
    text = team("ParallelAgent", *(f"{name}.yaml" for name in writers))

    reading = read_adk_config(files(text, **writers))

    assert build(reading).nodes[0].type == "builders.TellNode"
    assert "More than 32 members cannot be called at once" in note_of(reading)


async def test_a_parallel_team_in_a_sequence_is_a_member_with_one_answer() -> None:
    text = team("SequentialAgent", "sub/both.yaml", "critic.yaml")
    both = team("ParallelAgent", "../writer.yaml", "poet.yaml").replace("crew", "both")
    others = {
        "sub/both.yaml": both,
        "sub/poet.yaml": member("poet"),
        "writer.yaml": WRITER,
        "critic.yaml": CRITIC,
    }

    reading = read_adk_config(AgentFiles(text, "root_agent.yaml", others))

    said = await run(build(reading), ["1", "1", "3"])
    assert sorted(said[:2]) == ["poet: 1", "writer: 1"]
    assert said[2:] == ["both: {'writer': '1', 'poet': '1'}", "critic: 3", "crew: 3"]
    assert "- sub/both.yaml, agent_class: Each member reads the task alone" in note_of(reading)


def test_a_file_that_was_chosen_without_its_folder_is_found_by_its_name() -> None:
    text = team("SequentialAgent", "sub_agents/writer.yaml")

    assert build(read_adk_config(files(text, writer=WRITER))).subagents[0].name == "writer"


def test_members_without_a_model_have_that_of_their_manager() -> None:
    text = member("crew", "model: gemini-2.5-flash", "sub_agents: [{config_path: writer.yaml}]")
    writer = WRITER + "\ngenerate_content_config: {temperature: 1}"

    spec = build(read_adk_config(files(text, writer=writer)))

    assert [one.llms["default"].model for one in (spec, spec.subagents[1])] == ["flash", "flash"]


def test_a_model_that_the_project_lacks_is_named() -> None:
    note = note_of(read_adk_config(files(WRITER + "\nmodel: gemini-9")))

    assert "- model 'gemini-9': The project has no such model; 'script:stand-in'" in note


def test_whatever_is_left_out_is_named_with_its_place() -> None:
    text = member(
        "crew",
        "output_key: rhyme",
        "before_model_callbacks: [{name: os.system}]",
        "colour: red",
        "description: 7",
        "sub_agents: [{code: os.system}, {config_path: theirs.yaml}]",
    )
    theirs = "name: theirs\nagent_class: os.system\n"

    note = note_of(read_adk_config(files(text + "\ntools: 7", theirs=theirs)))

    for place in ("output_key", "before_model_callbacks", "colour", "description", "tools"):
        assert f"root_agent.yaml, {place}: " in note
    assert "sub_agents[0]: It names code, which is never run" in note
    assert "theirs.yaml, agent_class: 'os.system' is code or not known" in note


def test_a_variable_of_an_instruction_stays_as_it_is_written() -> None:
    reading = read_adk_config(files("name: a\ninstruction: Review {draft}."))

    assert build(reading).templates["system"] == "Review {draft}."
    assert "Nothing fills in {draft}" in note_of(reading)


def test_a_name_is_only_a_name() -> None:
    spec = build(read_adk_config(files("name: __class__\ninstruction: '{self.__class__}'")))

    assert (spec.name, spec.templates["system"]) == ("__class__", "{self.__class__}")


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        (files(team("SequentialAgent", "../../etc/passwd")), "outside the folder of the agent"),
        (files(team("SequentialAgent", "/etc/passwd")), "outside the folder of the agent"),
        (files(team("SequentialAgent", "..")), "outside the folder of the agent"),
        (files(team("SequentialAgent", "writer.yaml")), "writer.yaml is missing"),
        (files(team("SequentialAgent", "root_agent.yaml")), "cannot be below itself"),
        (
            files(team("LoopAgent", "a.yaml"), a=team("LoopAgent", "b.yaml"),
                  b=team("LoopAgent", "a.yaml")),
            "a.yaml → b.yaml → a.yaml",
        ),
        (files(team("SequentialAgent", "a.yaml"), a="x: &a 1\ny: *a"), "a.yaml: This is not"),
        (files(team("SequentialAgent", "a.yaml"), a="x: !!python/name:os.system"), "has a tag"),
        (files(team("SequentialAgent", "a.yaml"), a="#" * 9_000_000), "larger than 8,000,000"),
        (files("agent_class: mine.Agent\nname: a"), "is code or not known"),
        (files("agent_class: LoopAgent\nname: a"), "does nothing without members"),
        (files("agent_class: LlmAgent"), "has no `name`"),
        (
            files(team("LoopAgent", *["a0.yaml"] * 2),
                  **{f"a{n}": team("LoopAgent", *[f"a{n + 1}.yaml"] * 2) for n in range(9)},
                  a9=WRITER),
            "more than 200 agents",
        ),
        (
            files(team("LoopAgent", "a0.yaml"),
                  **{f"a{n}": team("LoopAgent", f"a{n + 1}.yaml") for n in range(30)}),
            "more than 19 levels",
        ),
    ],
)  # fmt: skip
def test_a_config_that_cannot_be_read_is_refused(given: AgentFiles, reason: str) -> None:
    with pytest.raises(ImportRefusedError, match=reason):
        read_adk_config(given)


def test_two_members_of_one_name_are_refused() -> None:
    reading = read_adk_config(files(team("LoopAgent", "a.yaml", "b.yaml"), a=WRITER, b=WRITER))

    with pytest.raises(AgentConfigError, match="writer"):
        build(reading)
