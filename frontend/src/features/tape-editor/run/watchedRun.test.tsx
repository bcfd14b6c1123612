/** A run that others order about, and what a person has typed when it ends. */
import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { http, HttpResponse } from "msw";
import { beforeEach, expect, test } from "vitest";

import type { MessageOf, ServerMessage } from "@/api/protocol";
import type { Job } from "@/api/types";
import { buildHello, buildRunStarted, buildState } from "@/features/tape-editor/testing/builders";
import { openRunBar as open, TAPE } from "@/features/tape-editor/testing/runBar";
import { answer, record, refuse } from "@/testing/answers";
import { job, runResult, uuid } from "@/testing/builders";
import { FakeSocket } from "@/testing/FakeSocket";
import { server } from "@/testing/server";

beforeEach(() => FakeSocket.install());

/** Every time the job is read over HTTP. */
function countReads(run: Job) {
  const { handler, requests } = record("get", `/jobs/${uuid(100)}`, run);
  server.use(handler);
  return requests;
}

const WISHES = {
  pause_asked_by: "",
  is_stepping: false,
  breakpoints: [],
  messages: [],
  approvals: [],
};

function told(part: Partial<MessageOf<"job.control">> = {}): ServerMessage {
  return {
    type: "job.control",
    seq: 5,
    control: WISHES,
    is_cancel_requested: false,
    cancelled_by: "",
    ...part,
  };
}

function connect(...messages: ServerMessage[]): FakeSocket {
  const socket = FakeSocket.newest();
  act(() => {
    socket.accept();
    for (const message of messages) socket.send(message);
  });
  return socket;
}

test("what others order shows by the socket alone, and the job is read once", async () => {
  const run = job({ last_seq: 4 });
  open({ run });
  const reads = countReads(run);
  expect(await screen.findByRole("button", { name: "Pause" })).toBeEnabled();
  const socket = connect(buildHello({ last_seq: 4 }));

  const attachments = [{ type: "image_url" }, { type: "image_url" }];
  const message = { id: "m", text: "look again", attachments, by: "bob", user_id: 2 };
  const breakpoints = [{ kind: "tool" as const, value: "look" }];
  act(() =>
    socket.send(
      told({ control: { ...WISHES, pause_asked_by: "bob", breakpoints, messages: [message] } }),
    ),
  );
  expect(await screen.findByRole("button", { name: "Pausing; click to continue" })).toBeVisible();
  expect(screen.getByRole("button", { name: "Breakpoints, 1 set" })).toBeVisible();
  expect(screen.getByRole("list", { name: "Queued messages" })).toHaveTextContent(
    "look again2 attachments",
  );

  act(() => socket.send(told({ seq: 6, is_cancel_requested: true })));
  expect(await screen.findByRole("button", { name: "Stopping" })).toBeDisabled();
  expect(screen.queryByRole("list", { name: "Queued messages" })).toBeNull();

  const hit = { kind: "tool", value: "look", position: 1 } as const;
  const result = { ...runResult({ status: "paused", hit }) };
  act(() => socket.send(buildState("paused", { seq: 7, result })));
  expect(await screen.findByText(/Before tool look/)).toBeVisible();
  expect(reads).toHaveLength(1);
});

test("history of the log does not take back what the job was read with", async () => {
  const stepping = { ...job().control, pause_asked_by: "ada" };
  open({ run: job({ last_seq: 9, control: stepping }) });
  expect(await screen.findByRole("button", { name: "Pausing; click to continue" })).toBeVisible();

  connect(buildHello({ last_seq: 9 }), told({ seq: 5 }));

  expect(screen.getByRole("button", { name: "Pausing; click to continue" })).toBeVisible();
});

test("time worked counts from the server's start of the run", async () => {
  open({ run: job() });
  await screen.findByRole("button", { name: "Pause" });

  connect(
    buildHello({ sent_at: "2026-01-02T12:05:00Z" }),
    buildRunStarted({ tape_id: TAPE, began_at: "2026-01-02T12:00:00Z", seconds_before: 60 }),
  );

  expect(await screen.findByText(/^worked 6 min/)).toBeVisible();
});

test("what was typed when the run ended is offered as a step", async () => {
  const run = job({ last_seq: 4 });
  const { user } = open({ run });
  await user.click(await screen.findByRole("button", { name: "Steer" }));
  await user.type(screen.getByLabelText("Message to the agent"), "be brief");

  server.use(answer("get", `/jobs/${uuid(100)}`, job({ state: "succeeded", run: runResult() })));
  connect(buildHello({ last_seq: 4 }), buildState("succeeded", { seq: 5, result: runResult() }));

  const unread = await screen.findByRole("list", { name: /has not read/ });
  expect(unread).toHaveTextContent("Not sent:be brief");
  await user.click(within(unread).getByRole("button", { name: "Add as a step" }));
  expect(screen.getByRole("status", { name: "Draft" })).toHaveTextContent(
    '{"op":"insert","position":2,"step":{"kind":"user","content":"be brief"}}',
  );
  expect(screen.queryByRole("list", { name: /has not read/ })).toBeNull();
  expect(window.localStorage.getItem(`studio.steer.${TAPE}`)).toBeNull();
});

test("a message that came too late is taken out of the run when it becomes a step", async () => {
  const image = { type: "image_url", image_url: { url: "data:image/gif;base64,R0lG" } };
  const message = { id: "m", text: "too late?", attachments: [image], by: "ada", user_id: 1 };
  const ended = job({ state: "succeeded", run: runResult(), finished_at: "2026-01-02T12:00:00Z" });
  const { user } = open({
    run: { ...ended, control: { ...ended.control, messages: [message] } },
  });
  const { handler, requests } = record("delete", `/jobs/${uuid(100)}/messages/m`, ended);
  server.use(handler);

  const unread = await screen.findByRole("list", { name: /has not read/ });
  expect(unread).toHaveTextContent("Not read:too late?1 attachment");
  await user.click(within(unread).getByRole("button", { name: "Add as a step" }));
  expect(screen.getByRole("status", { name: "Draft" })).toHaveTextContent(
    `"content":"too late?","attachments":[${JSON.stringify(image)}]`,
  );

  await waitFor(() => expect(unread).not.toBeInTheDocument());
  expect(requests).toHaveLength(1);
});

test("what is typed while a message is being queued stays in the box", async () => {
  const run = job({ last_seq: 4 });
  const { user } = open({ run });
  let queue: () => void = () => undefined;
  const queued = new Promise<void>((resolve) => (queue = resolve));
  server.use(
    http.post(`http://studio.test/api/v1/jobs/${uuid(100)}/steer`, async () => {
      await queued;
      return HttpResponse.json(run);
    }),
  );
  await user.click(await screen.findByRole("button", { name: "Steer" }));
  const box = screen.getByLabelText("Message to the agent");

  await user.type(box, "first{Enter}");
  await user.type(box, " second");
  queue();

  await waitFor(() => expect(box).toHaveValue(" second"));
});

test("an image that is pasted is queued with the message, and kept where that is refused", async () => {
  const { user } = open({ run: job({ last_seq: 4 }) });
  await user.click(await screen.findByRole("button", { name: "Steer" }));
  const box = screen.getByLabelText("Message to the agent");
  const png =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg==";
  const bytes = Uint8Array.from(atob(png), (letter) => letter.charCodeAt(0));
  const image = new File([bytes], "dot.png", { type: "image/png" });

  fireEvent.paste(box, { clipboardData: { files: [image] } });
  expect(await screen.findByRole("img", { name: "dot.png" })).toBeVisible();
  server.use(refuse("post", `/jobs/${uuid(100)}/steer`, "Attachment 1: The image is broken."));
  await user.type(box, "Look:{Enter}");
  expect(await screen.findByText("Attachment 1: The image is broken.")).toBeVisible();
  expect(screen.getByRole("img", { name: "dot.png" })).toBeVisible();

  const { handler, requests } = record("post", `/jobs/${uuid(100)}/steer`, job({ last_seq: 4 }));
  server.use(handler);
  await user.type(box, "{Enter}");

  await waitFor(() => expect(screen.queryByRole("img", { name: "dot.png" })).toBeNull());
  const url = `data:image/png;base64,${png}`;
  const attachments = [{ type: "image_url", image_url: { url } }];
  expect(requests[0]?.body).toEqual({ text: "Look:", attachments });
});

test("an answer that was refused is still there", async () => {
  const asks = {
    position: 1,
    kind: "assistant",
    tool: "",
    call_id: "",
    message: "Well?",
    data_schema: null,
    answer_kind: "",
    can_approve: false,
  };
  const { user } = open({ run: job({ state: "waiting", run: runResult({ asks }) }) });
  server.use(refuse("post", `/jobs/${uuid(100)}/reply`, "No run of this tape waits."));

  await user.type(
    await screen.findByLabelText("The agent is waiting for your answer"),
    "yes{Enter}",
  );

  expect(await screen.findByText("No run of this tape waits.")).toBeVisible();
  expect(window.localStorage.getItem(`studio.reply.${TAPE}`)).toBe("yes");
});

test("the history of the log leaves the field where somebody types", async () => {
  const { user } = open({ run: job({ state: "waiting", last_seq: 6, run: runResult() }) });
  const field = await screen.findByLabelText("The agent is waiting for your answer");
  await user.type(field, "Thank ");
  const socket = connect(buildHello({ state: "waiting", last_seq: 6 }));

  const history = [buildState("running", { seq: 1 }), buildRunStarted({ seq: 2, tape_id: TAPE })];
  for (const message of history) {
    act(() => socket.send(message));
    expect(field).toHaveFocus();
  }
  await user.keyboard("you");

  act(() => socket.send(buildState("waiting", { seq: 6, result: runResult() })));
  expect(field).toHaveValue("Thank you");
  act(() => socket.send(buildRunStarted({ seq: 7, tape_id: TAPE })));
  expect(field).not.toBeInTheDocument();
});
