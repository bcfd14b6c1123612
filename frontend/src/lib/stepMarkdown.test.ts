import { expect, test } from "vitest";

import { stepMarkdown } from "@/lib/stepMarkdown";

test("a step becomes a heading, short values in code, long ones in fences", () => {
  const text = stepMarkdown(3, {
    kind: "assistant",
    content: "Hi\n<b>there</b>",
    count: 2,
    metadata: { id: "x" },
  });

  expect(text).toBe(
    "## 3 · `assistant`\n\n`content`:\n\n```text\nHi\n<b>there</b>\n```\n\n`count`: `2`\n",
  );
});

test("backticks in a text cannot end its fence", () => {
  const text = stepMarkdown(0, { kind: "a", content: "````\n# Title" });

  expect(text).toContain("`````text\n````\n# Title\n`````");
});

test("an odd kind stays one piece of code", () => {
  expect(stepMarkdown(0, { kind: "`x`\n# y" })).toBe("## 0 · `` `x` # y ``\n");
});
