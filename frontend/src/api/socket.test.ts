import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { openJobSocket } from "@/api/jobSocket";
import type { ServerMessage } from "@/api/protocol";
import { backoff } from "@/api/socket";
import { useConnection } from "@/lib/connection";
import { FakeSocket } from "@/testing/FakeSocket";

beforeEach(() => {
  vi.useFakeTimers();
  FakeSocket.install();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function watchJob(after = 0) {
  const messages: ServerMessage[] = [];
  const statuses: string[] = [];
  const socket = openJobSocket({
    jobId: "j1",
    after,
    onMessage: (message) => messages.push(message),
    onStatus: (status, reason) => statuses.push(reason === "" ? status : `${status}: ${reason}`),
  });
  return { socket, messages, statuses };
}

const progress = (seq: number): ServerMessage => ({
  seq,
  type: "job.progress",
  done: seq,
  total: null,
  message: "",
});
const failed = (seq: number): ServerMessage => ({
  seq,
  type: "job.state",
  state: "failed",
  message: "No.",
  error_code: "",
  cancelled_by: "",
  result: null,
});

test("it asks for what comes after the last known number", () => {
  watchJob(41);

  expect(FakeSocket.newest().url).toBe("ws://studio.test/ws/jobs/j1?after=41");
});

test("a dropped socket comes back with its last number and hands nothing over twice", () => {
  const { messages, statuses } = watchJob();
  FakeSocket.newest().accept();
  FakeSocket.newest().send(progress(1));
  FakeSocket.newest().send(progress(2));

  FakeSocket.newest().drop();
  expect(useConnection.getState().lost.has("job j1")).toBe(true);
  vi.advanceTimersByTime(400);
  expect(FakeSocket.newest().url).toContain("after=2");
  FakeSocket.newest().accept();
  FakeSocket.newest().send(progress(2));
  FakeSocket.newest().send(progress(3));

  expect(messages.map((message) => "seq" in message && message.seq)).toEqual([1, 2, 3]);
  expect(statuses).toEqual([
    "connecting",
    "connected",
    "reconnecting",
    "reconnecting",
    "connected",
  ]);
  expect(useConnection.getState().lost.has("job j1")).toBe(false);
});

test("the last message closes it for good", () => {
  const { statuses } = watchJob();
  FakeSocket.newest().accept();

  FakeSocket.newest().send(failed(1));
  vi.advanceTimersByTime(60_000);

  expect(FakeSocket.opened).toHaveLength(1);
  expect(statuses.at(-1)).toBe("closed");
});

test("a refusal is told and not tried again", () => {
  const { statuses } = watchJob();

  FakeSocket.newest().drop(4404);
  vi.advanceTimersByTime(60_000);

  expect(FakeSocket.opened).toHaveLength(1);
  expect(statuses.at(-1)).toBe("closed: Job not found.");
});

test("a silent connection is told within two seconds, and well again with the next word", () => {
  const { statuses } = watchJob();
  FakeSocket.newest().accept();

  vi.advanceTimersByTime(1_999);
  expect(useConnection.getState().lost.has("job j1")).toBe(true);
  FakeSocket.newest().send({ type: "ping" });

  expect(useConnection.getState().lost.has("job j1")).toBe(false);
  expect(statuses).toEqual(["connecting", "connected", "silent", "connected"]);
  expect(FakeSocket.opened).toHaveLength(1);
});

test("a connection that stays silent is replaced, and known to be lost all the while", () => {
  watchJob();
  FakeSocket.newest().accept();
  vi.advanceTimersByTime(2_000);
  const since = useConnection.getState().lost.get("job j1");

  vi.advanceTimersByTime(16_000);

  expect(FakeSocket.opened).toHaveLength(2);
  expect(useConnection.getState().lost.get("job j1")).toBe(since);
});

test("closing stops the attempts to come back", () => {
  const { socket } = watchJob();
  FakeSocket.newest().drop();

  socket.close();
  vi.advanceTimersByTime(60_000);

  expect(FakeSocket.opened).toHaveLength(1);
});

test("waits double up to ten seconds", () => {
  const waits = [1, 2, 3, 10].map((failures) => backoff(failures, () => 0.5));

  expect(waits).toEqual([250, 500, 1000, 10_000]);
});
