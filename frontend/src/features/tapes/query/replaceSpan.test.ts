import { expect, test } from "vitest";

import { codePointsBefore, replaceSpan } from "@/features/tapes/query/replaceSpan";

test("a part of a query is replaced, and the caret stands behind it", () => {
  expect(replaceSpan("😀 agnt:x", 2, 7, "agent:")).toEqual({ text: "😀 agent:x", caret: 9 });
});

test("signs outside of the first plane count once", () => {
  expect(codePointsBefore("😀a", 3)).toBe(2);
});
