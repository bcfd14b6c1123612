import { expect, test } from "vitest";

import type { ServerMessage } from "@/api/protocol";
import { writingOfCall } from "@/features/tape-editor/live/cutOff";
import {
  applyMessage,
  emptyLiveTape,
  isUnfinished,
  type LiveTape,
  reduceLive,
  secondsWorked,
  tokensPerSecond,
} from "@/features/tape-editor/live/liveTape";
import {
  buildAdded,
  buildDelta,
  buildFinished,
  buildHello,
  buildRunStarted,
  buildStarted,
  buildState,
} from "@/features/tape-editor/testing/builders";

function play(messages: readonly ServerMessage[], tape = emptyLiveTape("tape")): LiveTape {
  return messages.reduce((now, message, at) => applyMessage(now, message, at * 40), tape);
}

test("pieces of text join to what is being written", () => {
  const tape = play([buildStarted(), buildDelta("Hel"), buildDelta("lo")]);

  expect(tape.writing).toMatchObject({ agent: "chat", node: "answer", text: "Hello" });
});

test("pieces of several tool calls are kept apart", () => {
  const tape = play([
    buildStarted(),
    buildDelta("", { tool_index: 0, tool_name: "add", tool_arguments: '{"a"' }),
    buildDelta("", { tool_index: 1, tool_name: "mul", tool_arguments: "{}" }),
    buildDelta("", { tool_index: 0, tool_arguments: ":1}" }),
  ]);

  expect(tape.writing?.tools).toEqual([
    { name: "add", arguments: '{"a":1}' },
    { name: "mul", arguments: "{}" },
  ]);
});

test("what agents write at the same time is never mixed, and is shown in turn", () => {
  const both = [
    buildStarted("p", "1"),
    buildStarted("q", "2"),
    buildDelta("He", { prompt_id: "p" }),
    buildDelta("Wor", { prompt_id: "q" }),
    buildDelta("llo", { prompt_id: "p" }),
    buildDelta("ld", { prompt_id: "q" }),
  ];

  const during = play(both);
  const after = play([...both, buildFinished({ prompt_id: "p" })]);
  const other = play([...both, buildFinished({ prompt_id: "q" })]);

  expect(during.writing?.text).toBe("Hello");
  expect(after).toMatchObject({ writing: { text: "World" }, beside: [] });
  expect(other).toMatchObject({ writing: { text: "Hello" }, beside: [] });
});

test("a piece of a node run whose start was missed begins one", () => {
  expect(play([buildDelta("late")]).writing?.text).toBe("late");
});

test("a step takes the place of the text that became it", () => {
  const tape = play([buildStarted(), buildDelta("Hello"), buildAdded(3)]);

  expect(tape.steps.get(3)?.kind).toBe("assistant");
  expect(tape.writing?.text).toBe("");
});

test("a step that comes twice is there once", () => {
  const tape = play([buildAdded(3), buildAdded(4), buildAdded(3, { gist: "again" })]);

  expect([...tape.steps.keys()]).toEqual([3, 4]);
  expect(tape.steps.get(3)?.gist).toBe("again");
});

test("a step of another tape is not this tape's", () => {
  expect(play([buildAdded(0)], emptyLiveTape("other")).steps.size).toBe(0);
});

test("the end of a node run tells what its steps took", () => {
  const tape = play([buildStarted(), buildAdded(3), buildFinished()]);

  expect(tape.writing).toBeNull();
  expect(tape.steps.get(3)).toMatchObject({ input_tokens: 10, output_tokens: 5, call_id: "call" });
});

test("a new attempt forgets what was still being written, but no step", () => {
  const tape = play([
    buildAdded(3),
    buildStarted(),
    buildDelta("half"),
    buildRunStarted({ attempt: 2 }),
  ]);

  expect(tape.writing).toBeNull();
  expect(tape.steps.size).toBe(1);
});

test("a cancelled run keeps what was written and tells who stopped it", () => {
  const tape = play([
    buildStarted(),
    buildDelta("half"),
    buildState("cancelled", { cancelled_by: "ada" }),
  ]);

  expect(tape).toMatchObject({ state: "cancelled", cancelledBy: "ada", writing: null });
  expect(tape.cutShort?.text).toBe("half");
});

test("a failed run tells why", () => {
  const tape = play([buildState("failed", { message: "The model is gone." })]);

  expect(tape.message).toBe("The model is gone.");
  expect(isUnfinished(tape.state)).toBe(false);
});

test("a run that waits for a person is not over", () => {
  expect(isUnfinished(play([buildState("waiting")]).state)).toBe(true);
});

test("a run that was retried is not over when its log tells of the end before", () => {
  const hello = buildHello({ state: "queued" });

  const retried = play([hello, buildState("queued"), buildState("failed")]);
  const ended = play([hello, buildState("failed", { seq: 9 })]);

  expect(retried.state).toBe("queued");
  expect(ended.state).toBe("failed");
});

test("a pruned log asks for the tape itself", () => {
  const cut = play([buildHello({ pruned_seq: 5 })]);
  const over = play([buildHello({ state: "succeeded", pruned_seq: 9 })]);
  const whole = play([buildHello({ state: "succeeded" })]);

  expect([cut.missed, cut.state]).toEqual([1, "running"]);
  expect([over.missed, over.state]).toEqual([1, "succeeded"]);
  expect([whole.missed, whole.state]).toEqual([0, null]);
});

test("watching another run keeps the steps of the one before", () => {
  const before = play([buildAdded(3), buildState("succeeded")]);

  const tape = reduceLive(before, {
    type: "run.watched",
    jobId: "next",
    state: "queued",
    message: "",
    cancelledBy: "",
  });

  expect(tape.steps.size).toBe(1);
  expect(tape.state).toBe("queued");
});

test("only pieces that came apart in time tell how fast a model writes", () => {
  const live = play(Array.from({ length: 26 }, () => buildDelta("four")));
  const replayed = Array.from({ length: 26 }, () => buildDelta("four")).reduce(
    (tape, message) => applyMessage(tape, message, 0),
    emptyLiveTape("tape"),
  );

  expect(live.writing && tokensPerSecond(live.writing.pace, 1040)).toBe(25);
  expect(live.writing && tokensPerSecond(live.writing.pace, 3100)).toBeNull();
  expect(replayed.writing && tokensPerSecond(replayed.writing.pace, 0)).toBeNull();
});

test("what a node makes of the answer shows in its place, and goes with it", () => {
  const partial = (text: string, toolName = ""): ServerMessage => ({
    type: "step.partial",
    seq: 1,
    prompt_id: "p",
    text,
    tool_name: toolName,
  });
  const raw = buildDelta('{"thought": "hm", "query": "moon"}');

  const tape = play([buildStarted(), raw, partial("h"), partial("m"), partial("mo", "search")]);
  const more = play([partial("on", "search")], tape);

  expect(tape.writing?.made).toEqual({ text: "hm", tools: [{ name: "search", arguments: "mo" }] });
  expect(more.writing?.made?.tools).toEqual([{ name: "search", arguments: "moon" }]);
  expect(play([buildAdded(3)], more).writing?.made).toBeNull();
});

test("text that broke off is shown from the store only when the run is over and no more is known", () => {
  const writing = writingOfCall("c", "chat", "answer", { content: "Half an ans" });
  const over = play([buildState("failed")]);
  const going = play([buildState("running")]);

  const shown = reduceLive(over, { type: "run.cutOff", writing });

  expect(shown.cutShort?.text).toBe("Half an ans");
  expect(reduceLive(going, { type: "run.cutOff", writing }).cutShort).toBeNull();
  const later = writingOfCall("d", "chat", "answer", { content: "Another" });
  expect(reduceLive(shown, { type: "run.cutOff", writing: later })).toBe(shown);
});

test("an output that cannot be read is no text, and breaks nothing", () => {
  expect(writingOfCall("c", "a", "n", { content: null, tool_calls: "x" })).toMatchObject({
    text: "",
    tools: [],
  });
  expect(writingOfCall("c", "a", "n", null).text).toBe("");
});

test("time worked is counted by the server's clock, also by a page that comes later", () => {
  const started = buildRunStarted({ began_at: "2026-01-02T12:00:00Z", seconds_before: 5 });
  const late = buildHello({ sent_at: "2026-01-02T12:01:00Z" });

  const opened = applyMessage(applyMessage(emptyLiveTape("tape"), late, 1000), started, 1200);
  const early = applyMessage(emptyLiveTape("tape"), buildHello(), 1000);

  expect(secondsWorked(opened, 3000)).toBe(67);
  expect(secondsWorked(applyMessage(early, started, 1000), 500)).toBe(5);
  expect(secondsWorked(early, 3000)).toBeNull();
});

test("what is started or answered on this page is counted, what others start is not", () => {
  const run = { type: "run.watched", state: "queued", message: "", cancelledBy: "" } as const;

  const theirs = reduceLive(emptyLiveTape("tape"), { ...run, jobId: "theirs" });
  const mine = reduceLive(theirs, { ...run, jobId: "mine", isStartedHere: true });
  const answered = reduceLive(mine, { type: "run.answered" });

  expect([theirs, mine, answered].map(({ startCount }) => startCount)).toEqual([0, 1, 2]);
});
