import { act, screen, waitFor } from "@testing-library/react";
import { http, HttpResponse } from "msw";
import { useState } from "react";
import { expect, test } from "vitest";

import { QueryBar } from "@/features/tapes/query/QueryBar";
import { answer } from "@/testing/answers";
import { renderScreen } from "@/testing/render";
import { server } from "@/testing/server";

/** A bar whose words come back only when the test says so, as on a busy machine. */
function openBar() {
  const sent: string[] = [];
  let comeBack: (value: string) => void = () => undefined;
  function Slow() {
    const [value, setValue] = useState("");
    comeBack = setValue;
    return <QueryBar value={value} mistake={null} onChange={(query) => sent.push(query)} />;
  }
  server.use(answer("get", "/tapes/completion", { start: 0, end: 0, options: [] }));
  const { user } = renderScreen({ path: "/", element: <Slow /> });
  return { user, sent, comeBack: (value: string) => act(() => comeBack(value)) };
}

test("what is typed while the words before are under way stays", async () => {
  const { user, sent, comeBack } = openBar();
  const field = await screen.findByRole("combobox", { name: "Search tapes" });

  await user.type(field, "s");
  await expect.poll(() => sent).toEqual(["s"]);
  await user.type(field, "y");
  comeBack("s");
  expect(field).toHaveValue("sy");

  await expect.poll(() => sent).toEqual(["s", "sy"]);
  comeBack("sy");
  expect(field).toHaveValue("sy");
});

test("words from elsewhere take the place of what was typed", async () => {
  const { user, sent, comeBack } = openBar();
  const field = await screen.findByRole("combobox", { name: "Search tapes" });
  await user.type(field, "moon");
  await expect.poll(() => sent).toEqual(["moon"]);

  comeBack("moon");
  comeBack("tag:mars");
  expect(field).toHaveValue("tag:mars");
  comeBack("moon");
  expect(field).toHaveValue("moon");
});

test("an option is taken although its answer for the last letter is under way", async () => {
  const agent = { text: "agent:", help: "agent that made the tape" };
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  server.use(
    http.get("http://studio.test/api/v1/tapes/completion", async ({ request }) => {
      const { length } = new URL(request.url).searchParams.get("q") ?? "";
      if (length > 1) await held;
      return HttpResponse.json({ start: 0, end: length, options: [agent] });
    }),
  );
  const bar = <QueryBar value="" mistake={null} onChange={() => undefined} />;
  const { user } = renderScreen({ path: "/", element: bar });
  const field = await screen.findByRole("combobox", { name: "Search tapes" });

  await user.type(field, "a");
  await screen.findByRole("option", { name: /agent:/, hidden: true });
  await user.keyboard("g{ArrowDown}{Enter}");
  release();

  await waitFor(() => expect(field).toHaveValue("agent:"));
});
