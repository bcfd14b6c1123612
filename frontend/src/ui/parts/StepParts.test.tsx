import { render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";

import { partsOf } from "@/lib/stepParts";
import { splitError } from "@/ui/parts/ErrorText";
import { LookProvider } from "@/ui/parts/folds";
import { StepParts } from "@/ui/parts/StepParts";

function draw(body: Record<string, unknown>, isRendered = true) {
  const user = userEvent.setup();
  const view = render(
    <LookProvider value={{ isRendered }}>
      <StepParts slot="s" parts={partsOf(body)} />
    </LookProvider>,
  );
  return { user, container: view.container };
}

test("Markdown shows as meant; its links say where they lead and open elsewhere", async () => {
  draw({ kind: "assistant", content: "Some **bold** and [a link](https://evil.example/x)" });

  expect((await screen.findByText("bold")).tagName).toBe("STRONG");
  const link = screen.getByRole("link", { name: "a link" });
  expect(link).toHaveAttribute("href", "https://evil.example/x");
  expect(link).toHaveAttribute("target", "_blank");
  expect(link).toHaveAttribute("rel", expect.stringContaining("noopener noreferrer"));
  expect(screen.getByText(/\(evil\.example\)/)).toBeVisible();
});

test("Markdown shows as written where that was chosen", () => {
  draw({ kind: "assistant", content: "Some **bold**" }, false);

  expect(screen.getByText("Some **bold**")).toBeVisible();
});

test.each([true, false])("colors of a terminal are left out where text is rendered: %s", (look) => {
  draw({ kind: "tool", content: "\u001b[1;31mFAILED\u001b[0m 2 of 3\u001b]8;;x" }, look);

  const shown = look ? "FAILED 2 of 3␛]8;;x" : "␛[1;31mFAILED␛[0m 2 of 3␛]8;;x";
  expect(screen.getByText(shown)).toBeVisible();
});

test("hostile Markdown stays text: no tags, no pictures, no scripts behind links", async () => {
  const { container } = draw({
    kind: "assistant",
    content: [
      "**x** <script>own()</script> <img src=x onerror=own()>",
      "![alt](https://evil.example/i.png) [a](javascript:own()) [b](data:text/html,x)",
      "[c](vbscript:own) <javascript:own()> [d](//evil.example) [e](file:///etc/passwd)",
      "Hidden &#8238; direction",
      "",
      "# Title",
      "",
      "[^1]: <b id=root>note</b>",
    ].join("\n"),
  });
  await screen.findByText("x");

  expect(container.querySelector("script, img, b, [id], iframe, h1")).toBeNull();
  expect(container.textContent).toContain("<script>own()</script>");
  expect(container.textContent).toContain("Hidden [U+202E] direction");
  const addresses = [...container.querySelectorAll("a")].map((link) => link.getAttribute("href"));
  expect(addresses).toEqual(["https://evil.example/i.png"]);
});

test("reasoning is folded and says about how long it is", async () => {
  const { user } = draw({ kind: "assistant", content: "3", reasoning_content: "Add 1 and 2." });
  expect(screen.queryByText("Add 1 and 2.")).toBeNull();

  await user.click(screen.getByText("Reasoning, ≈ 3 tokens"));

  expect(screen.getByText("Add 1 and 2.")).toBeVisible();
});

test("a table shows its rows a few at a time", async () => {
  const items = Array.from({ length: 30 }, (_, at) => ({ name: `Row ${at}`, size: at }));
  const { user } = draw({ kind: "search_results_observation", items });

  expect(screen.getByRole("columnheader", { name: "size" })).toBeVisible();
  expect(screen.getAllByRole("row")).toHaveLength(13);
  await user.click(screen.getByRole("button", { name: "Show all 30 rows" }));

  expect(screen.getByRole("cell", { name: "Row 29" })).toBeVisible();
  await user.click(screen.getByRole("button", { name: "Show less" }));
  expect(screen.queryByRole("cell", { name: "Row 29" })).toBeNull();
});

test("rows without names are a table too, and fold like one", async () => {
  const prices = Array.from({ length: 52 }, (_, week) => [`week ${week}`, week]);
  const { user } = draw({ kind: "tool", content: prices });

  expect(screen.getAllByRole("row")).toHaveLength(12);
  expect(screen.queryByRole("columnheader")).toBeNull();
  await user.click(screen.getByRole("button", { name: "Show all 52 rows" }));

  expect(screen.getByRole("cell", { name: "week 51" })).toBeVisible();
});

test("a long list of anything folds", async () => {
  const items = Array.from({ length: 40 }, (_, at) => (at === 0 ? "one" : at));
  const { user } = draw({ kind: "tool", content: items });

  expect(screen.getAllByRole("listitem").length).toBeLessThan(15);
  await user.click(screen.getByRole("button", { name: "Show all 40 items" }));

  expect(screen.getAllByRole("listitem").length).toBeGreaterThan(39);
});

test("deep JSON is drawn level by level, as it is opened", async () => {
  const many = Array.from({ length: 400 }, (_, at) => `value ${at}`);
  const { user } = draw({ kind: "tool", content: { first: { second: many } } });

  expect(screen.queryByText('"value 0"')).toBeNull();
  await user.click(screen.getByRole("button", { name: /second.*400 items/ }));

  expect(screen.getByText('"value 99"')).toBeVisible();
  expect(screen.queryByText('"value 100"')).toBeNull();
  await user.click(screen.getByRole("button", { name: "Show 200 of 400 items" }));
  await user.click(screen.getByRole("button", { name: "Show more (200 left)" }));
  expect(screen.getByText('"value 399"')).toBeVisible();
});

test("arguments of a tool call read as names and values, and keep what cannot be read", () => {
  const call = (id: string, given: string) => ({ id, function: { name: id, arguments: given } });
  draw({
    kind: "assistant",
    tool_calls: [
      call("save", '{"path": "a.py", "code": "x = 1\\ny = 2", "tags": ["a"]}'),
      call("broken", '{"path": '),
    ],
  });

  const value = screen.getByText("path").closest("div");
  expect(value).toHaveTextContent("a.py");
  expect(screen.getByText(/x = 1/).tagName).toBe("CODE");
  expect(screen.getByText('{"path":')).toBeVisible();
});

test("code gets its colours and stays the same text", async () => {
  const { container } = draw({ kind: "python_code_action", code: "def f():\n    return '<b>'" });

  const word = await screen.findByText("def");
  expect(word).toHaveAttribute("data-sort", "keyword");
  expect(container.querySelector("code")?.textContent).toBe("def f():\n    return '<b>'");
});

test("an error says what happened first and where on demand", async () => {
  const trace = [
    "Traceback (most recent call last):",
    '  File "a.py", line 1, in <module>',
    "    1 / 0",
    "ZeroDivisionError: division by zero",
  ].join("\n");
  const { user } = draw({ kind: "tool", is_error: true, content: trace });

  expect(screen.getByRole("img", { name: "Error" })).toBeVisible();
  expect(screen.getByText("ZeroDivisionError: division by zero")).toBeVisible();
  expect(screen.queryByText(/a\.py/)).toBeNull();
  await user.click(screen.getByRole("button", { name: "Traceback, 3 lines" }));
  expect(screen.getByText(/a\.py/)).toBeVisible();
});

test("an error without a traceback is all message", () => {
  expect(splitError("No such file: a.py")).toEqual({ message: "No such file: a.py", trace: "" });
});

test("a long text folds after twelve lines and opens in parts", async () => {
  const text = Array.from({ length: 40 }, (_, at) => `line ${at}`).join("\n");
  const { user } = draw({ kind: "page_observation", text, current_page: 1, total_pages: 3 });

  expect(screen.getByText("Page 1 of 3")).toBeVisible();
  expect(screen.queryByText(/line 12/)).toBeNull();
  await user.click(screen.getByRole("button", { name: "Show all 40 lines" }));

  expect(screen.getByText(/line 39/)).toBeVisible();
});

test("a picture in the tape is drawn, one from elsewhere is a link that says where to", () => {
  const { container } = draw({
    kind: "user",
    content: [
      {
        type: "image_url",
        image_url: {
          url: "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg==",
        },
      },
      { type: "image_url", image_url: { url: "https://evil.example/a.png" } },
    ],
  });

  expect(container.querySelectorAll("img")).toHaveLength(1);
  const link = screen.getByRole("link", { name: /evil\.example/ });
  expect(within(link).queryByRole("img", { name: "From the tape" })).toBeNull();
});

test("a plan is numbered", () => {
  draw({ kind: "plan_thought", plan: ["Find the page of the moon", "Read its closest approach"] });

  expect(screen.getByText("Find the page of the moon").closest("ol")).not.toBeNull();
});
