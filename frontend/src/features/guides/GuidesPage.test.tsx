import { screen, within } from "@testing-library/react";
import { expect, test } from "vitest";

import { DOCUMENTS } from "@/features/guides/documents";
import { GUIDES } from "@/features/guides/guideList";
import { GuidesPage } from "@/features/guides/GuidesPage";
import { anchorOf, listHeadings, searchGuides } from "@/features/guides/searching";
import { renderScreen } from "@/testing/render";

const open = (at = "/guides") =>
  renderScreen({ path: "/guides/:name?", element: <GuidesPage />, at });

test("every document is a guide once, under its own title", () => {
  expect(GUIDES.map(({ name }) => name).sort()).toEqual([...DOCUMENTS.keys()].sort());
  for (const { name, title } of GUIDES) {
    expect(DOCUMENTS.get(name)?.split("\n")[0]).toBe(`# ${title}`);
  }
});

test("links between guides lead to a guide, and to a heading that it has", () => {
  for (const [name, text] of DOCUMENTS) {
    for (const [, target = "", hash] of text.matchAll(/\]\(([\w-]*)(?:\.md)?#([^)]+)\)/g)) {
      const headings = listHeadings(DOCUMENTS.get(target || name) ?? "").map(anchorOf);
      expect(headings, `${name} links to ${target}#${hash}`).toContain(hash);
    }
  }
});

test("a guide is read, and the next one opened by a link in it", async () => {
  const { user, address } = open();

  expect(screen.getByRole("heading", { level: 1, name: "First steps" })).toBeVisible();
  const guide = screen.getByRole("article", { name: "Guide" });
  expect(within(guide).getByRole("img", { name: /Two branches compared/ })).toHaveAttribute("src");
  await user.click(within(guide).getByRole("link", { name: "Your own agent" }));

  expect(address()).toBe("/guides/your-own-agent");
  expect(screen.getByRole("heading", { level: 1, name: "Your own agent" })).toBeVisible();
});

test("words are found in guides, with the part that holds them", async () => {
  const { user, router } = open();

  await user.type(screen.getByRole("textbox", { name: "Search the guides" }), "mixing dagger");
  const found = within(screen.getByRole("list", { name: "Found" }));
  await user.click(found.getByRole("link", { name: /^Distillation/ }));

  expect(router.state.location).toMatchObject({
    pathname: "/guides/distillation",
    hash: "#dagger",
  });
  await user.clear(screen.getByRole("textbox", { name: "Search the guides" }));
  await user.type(screen.getByRole("textbox", { name: "Search the guides" }), "xyzzy");
  expect(screen.getByText("No guide holds these words.")).toBeVisible();
});

test("words of a title come first", () => {
  expect(searchGuides("glossary")[0]?.guide.name).toBe("glossary");
});

test("an address without a guide says so and keeps the list", () => {
  open("/guides/nothing");

  expect(screen.getByText("There is no such guide")).toBeVisible();
  expect(screen.getByRole("link", { name: "Glossary" })).toBeVisible();
});
