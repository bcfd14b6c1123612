import { render, screen } from "@testing-library/react";
import { expect, test } from "vitest";

import { readTokens } from "@/features/tape-editor/inspector/Logprobs";
import { PriceTable } from "@/features/tape-editor/inspector/PriceTable";

test("recorded tokens tell how likely each was, and odd ones are left out", () => {
  const tokens = readTokens({ texts: ["a", "b", 3], logprobs: [0, Math.log(0.5), -1] });

  expect(tokens.map(({ token, chance }) => [token, chance])).toEqual([
    ["a", 1],
    ["b", 0.5],
  ]);
  expect(readTokens(null)).toEqual([]);
  expect(readTokens({ ids: [1] })).toEqual([]);
});

test("tokens that a library guessed are called an estimate", () => {
  const table = { lines: [], cost: 3, isCached: false };
  const { rerender } = render(<PriceTable {...table} isEstimate />);
  expect(screen.getByRole("columnheader", { name: "Estimate" })).toBeVisible();
  expect(screen.getByText("Total, estimate")).toBeVisible();

  rerender(<PriceTable {...table} isEstimate={false} />);

  expect(screen.queryByText(/estimate/i)).toBeNull();
});
