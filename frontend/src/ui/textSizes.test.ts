// The style sheets name four sizes of text, and no fifth.
import { readdirSync, readFileSync } from "node:fs";

import { expect, test } from "vitest";

import { theme } from "@/ui/theme";

const SIZES = ["11px", "12px", "13px", "15px"];
test("text has one of four sizes, in every style sheet and in the theme", () => {
  const sheets = readdirSync("src", { recursive: true, encoding: "utf8" }).filter((file) =>
    file.endsWith(".css"),
  );
  const named = sheets.flatMap((sheet) =>
    [...readFileSync(`src/${sheet}`, "utf8").matchAll(/font-size:\s*([^;]+);/g)].map(
      ([, size]) => size,
    ),
  );
  const { fontSizes = {}, headings } = theme;
  const headingSizes = Object.values(headings?.sizes ?? {}).map(({ fontSize }) => fontSize);

  const used = new Set([...named, ...Object.values(fontSizes), ...headingSizes]);

  expect([...used].sort()).toEqual(SIZES);
});
