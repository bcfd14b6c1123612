import { expect, test } from "vitest";

import { isAccessibilityTree, readAccessibilityTree } from "@/lib/accessibilityTree";

const PAGE = `=== ACCESSIBILITY TREE ===
RootWebArea Knowledge Home, focused
  generic, live='assertive', atomic, relevant='additions text'
    BID:78 button All, expanded=False
      All
  list
    -
      BID:218 link Donate
  BID:a190 textbox Search value='how many, and when', focused
  From Wikipedia, the free encyclopedia`;

const drawn = (text: string) =>
  readAccessibilityTree(text).map(({ depth, ...parts }) => [depth, ...Object.values(parts)]);

test("lines are told by what they are, and what only held others is left out", () => {
  expect(isAccessibilityTree(PAGE)).toBe(true);
  expect(drawn(PAGE).slice(1)).toEqual([
    [0, "", "RootWebArea", "Knowledge Home", "focused"],
    [1, "BID:78", "button", "All", "expanded=False"],
    [2, "", "", "All", ""],
    [1, "", "list", "", ""],
    [2, "BID:218", "link", "Donate", ""],
    [1, "BID:a190", "textbox", "Search", "value='how many, and when', focused"],
    [1, "", "", "From Wikipedia, the free encyclopedia", ""],
  ]);
});

test.each([
  ["RootWebArea 'Shop'\n\t[7] link 'Home', clickable", [1, "[7]", "link", "Home", "clickable"]],
  [
    '- main [ref=e1]:\n  - link "Home" [ref=e2]:\n    - text: Go\n  - button "Buy" [disabled]',
    [1, "", "link", "Home", "[ref=e2]"],
  ],
  ['uid=1_0 RootWebArea "Shop"\n  uid=1_1 link "Home"', [1, "uid=1_1", "link", "Home", ""]],
])("other forms of %j are read too", (text, second) => {
  expect(isAccessibilityTree(text)).toBe(true);
  expect(drawn(text)[1]).toEqual(second);
});

test("words and lists of people are no tree", () => {
  expect(isAccessibilityTree("The main button\nlink it\nA list\nof things")).toBe(false);
  expect(isAccessibilityTree("- text\n- list\n- table\n- note\n- main")).toBe(false);
  expect(isAccessibilityTree("")).toBe(false);
});

test("the longest line is read at once", () => {
  const line = `RootWebArea ${"a=".repeat(100_000)}`;

  expect(readAccessibilityTree(line)).toHaveLength(1);
});
