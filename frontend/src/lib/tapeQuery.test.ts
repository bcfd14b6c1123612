import { expect, test } from "vitest";

import { datasetAddress, datasetsIn, narrowQuery, quoteValue, wordsQuery } from "@/lib/tapeQuery";

test("a name is quoted as the server reads it", () => {
  expect(quoteValue('the "hard" ones \\')).toBe('"the \\"hard\\" ones \\\\"');
  expect(datasetAddress("a b", "split:train")).toBe("/tapes?q=dataset%3A%22a+b%22+split%3Atrain");
});

test.each([
  ["dataset:one", ["one"]],
  ['errors>0 (dataset:"the \\"hard\\" ones" OR x)', ['the "hard" ones']],
  ['dataset:one,"two three",four tag:a', ["one", "two three", "four"]],
  ['Dataset:a dataset:"b c"', ["a", "b c"]],
  ['-dataset:a NOT dataset:b "dataset:c" title:"dataset:d"', []],
  ['dataset:"" dataset: has:dataset', []],
])("the datasets of which %s wants the tapes", (query, names) => {
  expect(datasetsIn(query).filter((name) => name !== "")).toEqual(names);
});

test.each([
  ["pritzker", "text:pritzker"],
  ['say "OR" (agent:x, -y)', "text:say text:OR text:agent:x text:-y"],
  [' ( "" ) ', ""],
])("the words of %s are searched for, whatever signs are among them", (text, query) => {
  expect(wordsQuery(text)).toBe(query);
});

test.each([
  ["", "is:pinned has:error", 0],
  ["steps>3", "is:pinned has:error steps>3", 20],
  ['"OR" seq: error', 'is:pinned has:error "OR" seq: error', 20],
  ["a OR -b", "is:pinned has:error (a OR -b)", 21],
  ['a OR "seq: b" seq: error -> c', 'is:pinned has:error (a OR "seq: b")seq: error -> c', 21],
  ["a) OR (b", "is:pinned has:error a) OR (b", 20],
  ["(a OR b", "is:pinned has:error (a OR b", 20],
])("conditions that hold beside %s come before it", (query, whole, start) => {
  expect(narrowQuery(query, ["is:pinned", "has:error"])).toEqual({ q: whole, start });
  expect(narrowQuery(query, [])).toEqual({ q: query, start: 0 });
});
