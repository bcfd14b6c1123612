import { screen, waitFor, within } from "@testing-library/react";
import { http, HttpResponse } from "msw";
import { afterEach, beforeEach, expect, test } from "vitest";

import type { Facets } from "@/api/types";
import { TapesPage } from "@/features/tapes/TapesPage";
import { listenForKeys } from "@/lib/keys";
import { answer, refuse } from "@/testing/answers";
import { tapeRow } from "@/testing/builders";
import { renderScreen } from "@/testing/render";
import { server } from "@/testing/server";

/** Facets of three agents, of which a query has some. */
function facetsOf(q: string, part: Partial<Facets> = {}): Facets {
  const [clause = "", names = ""] = /agent:(\S+)/.exec(q) ?? [];
  const on = names.replaceAll('"', "").split(",").filter(Boolean);
  const others = q.replace(clause, "").trim();
  const values = ["analyst", "chat", "coder"].map((value) => {
    const is_on = on.includes(value);
    const after = is_on ? on.filter((one) => one !== value) : [...on, value];
    const query = `${others} ${after.length === 0 ? "" : `agent:${after.join(",")}`}`.trim();
    return { value, label: value, count: 3, is_on, query };
  });
  return {
    tape_count: 3,
    is_cut: false,
    facets: [{ name: "agent", values, is_cut: false, more_count: 0 }],
    ...part,
  };
}

let stopKeys: () => void;
beforeEach(() => {
  stopKeys = listenForKeys();
  window.localStorage.clear();
  server.use(
    answer("get", "/tapes", { items: [tapeRow()], next: null }),
    http.get("http://studio.test/api/v1/tapes/facets", ({ request }) =>
      HttpResponse.json(facetsOf(new URL(request.url).searchParams.get("q") ?? "")),
    ),
  );
});
afterEach(() => stopKeys());

const open = (at = "/tapes") => renderScreen({ path: "/tapes", element: <TapesPage />, at });

test("f goes to the first facet, arrows lead on, and each check changes the query", async () => {
  const { user, address } = open();
  await screen.findByRole("link", { name: "What is 17 * 23?" });

  await user.keyboard("f");
  const first = await screen.findByRole("checkbox", { name: "analyst 3" });
  await waitFor(() => expect(first).toHaveFocus());
  // The second check comes before the first one is answered: neither is lost.
  await user.keyboard(" {ArrowDown} ");

  await waitFor(() => expect(address()).toBe("/tapes?q=agent%3Aanalyst%2Cchat"));
  await waitFor(() => expect(screen.getByRole("checkbox", { name: "chat 3" })).toBeChecked());
  await user.keyboard("{Home} ");
  await waitFor(() => expect(address()).toBe("/tapes?q=agent%3Achat"));
});

test("Shift checks all values from the one that was checked last", async () => {
  const { user, address } = open();

  await user.click(screen.getByRole("button", { name: "Facets" }));
  await user.click(await screen.findByRole("checkbox", { name: "analyst 3" }));
  await waitFor(() => expect(address()).toBe("/tapes?q=agent%3Aanalyst"));
  await user.keyboard("{Shift>}");
  await user.click(screen.getByRole("checkbox", { name: "coder 3" }));
  await user.keyboard("{/Shift}");

  await waitFor(() => expect(address()).toBe("/tapes?q=agent%3Aanalyst%2Cchat%2Ccoder"));
});

test("a facet is the query: what a link narrowed to becomes part of it", async () => {
  const { user, address } = open("/tapes?agent=chat&error=1");

  await user.click(screen.getByRole("button", { name: "Facets" }));
  await user.click(await screen.findByRole("checkbox", { name: "analyst 3" }));

  expect(address()).toBe("/tapes?q=has%3Aerror+agent%3Achat%2Canalyst");
});

test("a facet of archived tapes leaves them a list of their own", async () => {
  const { user, address } = open("/tapes?show=archived&agent=chat");

  await user.click(screen.getByRole("button", { name: "Facets" }));
  await user.click(await screen.findByRole("checkbox", { name: "analyst 3" }));

  expect(address()).toBe("/tapes?q=agent%3Achat%2Canalyst&show=archived");
  expect(screen.getByRole("radio", { name: "Archived" })).toBeChecked();
});

test("counts of a sample say so", async () => {
  const facets = facetsOf("").facets.map((facet) => ({ ...facet, is_cut: true, more_count: 4 }));
  server.use(
    answer("get", "/tapes/facets", facetsOf("", { tape_count: 10_000, is_cut: true, facets })),
  );
  const { user } = open();

  await user.click(screen.getByRole("button", { name: "Facets" }));

  const agents = within(await screen.findByRole("group", { name: "Agent" }));
  expect(agents.getByRole("checkbox", { name: "analyst 3" })).toBeVisible();
  expect(agents.getByText("4 more; name them in the query")).toBeVisible();
  expect(screen.getByText("Of the newest 10,000 tapes")).toBeVisible();
});

test("a facet that alone is counted over a sample says so itself", async () => {
  const facets = facetsOf("").facets.map((facet) => ({ ...facet, is_cut: true }));
  server.use(answer("get", "/tapes/facets", facetsOf("", { facets })));
  const { user } = open();

  await user.click(screen.getByRole("button", { name: "Facets" }));

  expect(await screen.findByRole("group", { name: "Agent, of the newest tapes" })).toBeVisible();
  expect(screen.queryByText(/^Of the newest/)).not.toBeInTheDocument();
});

test("a refusal is said and tried again; an empty list has no facets", async () => {
  server.use(refuse("get", "/tapes/facets", "The disk is full.", 500));
  const { user } = open();
  await user.click(screen.getByRole("button", { name: "Facets" }));
  expect(await screen.findByText(/The disk is full\./)).toBeVisible();

  server.use(answer("get", "/tapes/facets", facetsOf("", { facets: [] })));
  await user.click(screen.getByRole("button", { name: "Try again" }));

  expect(await screen.findByText("No tapes match this query.")).toBeVisible();
});
