import { expect, test } from "vitest";

import {
  applyOperations,
  editedContext,
  editedMetadata,
  firstEdited,
  type Operation,
  parseOperations,
  removedBefore,
  resumePoint,
} from "@/features/tape-editor/draft/operations";
// The server is tested on the same.
import cases from "../../../../../tests/engine/splice_cases.json";

const step = { kind: "user", content: "new" };
const origins = (operations: readonly Operation[], stepCount = 5) =>
  applyOperations(stepCount, operations).map(({ origin }) => origin);

test("operations act on the steps as those before left them", () => {
  expect(
    origins([
      { op: "delete", position: 1 },
      { op: "delete", position: 1 },
    ]),
  ).toEqual([0, 3, 4]);
  expect(
    origins([
      { op: "insert", position: 1, step },
      { op: "cut", position: 3 },
    ]),
  ).toEqual([0, null, 1]);
  expect(origins([{ op: "insert", position: 5, step }])).toEqual([0, 1, 2, 3, 4, null]);
});

test("an operation outside the tape is left out", () => {
  expect(origins([{ op: "replace", position: 9, step }])).toEqual([0, 1, 2, 3, 4]);
});

test("a place keeps its key while others come and go", () => {
  const keys = applyOperations(3, [{ op: "insert", position: 0, step }]).map(({ key }) => key);

  expect(keys).toEqual(["new-0", "step-0", "step-1", "step-2"]);
});

test.each(cases)("after $name it is stale from the edit on and goes on behind it", (given) => {
  const operations = parseOperations(given.operations);
  const opening = editedContext(operations) === undefined ? null : given.opening_count;

  const slots = applyOperations(given.step_count, operations);

  expect(slots.map(({ origin }) => origin)).toEqual(given.origins);
  const written = slots.flatMap(({ written }, at) => (written === null ? [] : [at]));
  expect(written).toEqual(given.written);
  expect(firstEdited(slots, given.step_count, opening)).toBe(given.edited_at);
  expect(resumePoint(slots, given.step_count, opening)).toBe(given.resume_at);
});

test("what is gone is told where it was", () => {
  const slots = applyOperations(6, [
    { op: "delete", position: 1 },
    { op: "delete", position: 1 },
    { op: "cut", position: 3 },
  ]);

  const gone = [0, 1, 2, 3].map((index) => removedBefore(slots, index, 6));

  expect(gone).toEqual([null, { from: 1, to: 2 }, null, { from: 5, to: 5 }]);
});

test("a step that moved is not told as gone", () => {
  const slots = applyOperations(4, [
    { op: "move", position: 1, to: 3 },
    { op: "delete", position: 0 },
  ]);

  const gone = [0, 1, 2, 3].map((index) => removedBefore(slots, index, 4));

  expect(slots.map(({ origin }) => origin)).toEqual([2, 3, 1]);
  expect(gone).toEqual([null, null, { from: 0, to: 0 }, null]);
});

test("the last edit of context and metadata counts", () => {
  const operations = parseOperations([
    { op: "context", value: 1 },
    { op: "metadata", values: {} },
    { op: "context", value: 2 },
  ]);

  expect(editedContext(operations)?.value).toBe(2);
  expect(editedMetadata(operations)).toEqual({ op: "metadata", title: null, values: {} });
  expect(editedMetadata([])).toBeUndefined();
});

test("operations from the server are checked", () => {
  expect(parseOperations([{ op: "cut", position: 2 }])).toEqual([{ op: "cut", position: 2 }]);
  expect(() => parseOperations([{ op: "burn", position: 2 }])).toThrow();
});
