import { expect, test } from "vitest";

import protocol from "../../protocol.json";
import { writeProtocolSchema } from "../../plugins/protocolSchema";
import { isLastMessage, parseMessage, sequenceOf } from "@/api/protocol";
import written from "@/api/protocolSchema.ts?raw";

test("the page knows every frame of the server with every field", async () => {
  expect(protocol.oneOf.length).toBeGreaterThan(5);
  expect(written, "Run `make generate`.").toBe(await writeProtocolSchema(protocol));
});

test("a frame of the log is read with its number", () => {
  const message = parseMessage(
    JSON.stringify({ seq: 7, type: "job.progress", done: 1, total: null, message: "" }),
  );

  expect(message).toMatchObject({ type: "job.progress", done: 1 });
  expect(message && sequenceOf(message)).toBe(7);
});

test.each(["no json", "{}", '{"type":"unheard.of","seq":1}', '{"type":"job.progress"}', "[]"])(
  "%s is no message",
  (text) => {
    expect(parseMessage(text)).toBeNull();
  },
);

test("only a final state ends the log", () => {
  const state = (name: string) =>
    parseMessage(
      JSON.stringify({
        seq: 1,
        type: "job.state",
        state: name,
        message: "",
        error_code: "",
        cancelled_by: "",
        result: null,
      }),
    );
  const waiting = state("waiting");
  const failed = state("failed");

  expect(waiting !== null && isLastMessage(waiting)).toBe(false);
  expect(failed !== null && isLastMessage(failed)).toBe(true);
});
