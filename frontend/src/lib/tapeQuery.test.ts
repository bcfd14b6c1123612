import { expect, test } from "vitest";

import { datasetAddress, datasetsIn, quoteValue } from "@/lib/tapeQuery";

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
