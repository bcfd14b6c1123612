import { Menu } from "@mantine/core";
import { screen, waitFor } from "@testing-library/react";
import { expect, test } from "vitest";

import { FamilyItems } from "@/features/tape-editor/cards/FamilyItems";
import { answer, record } from "@/testing/answers";
import { session } from "@/testing/builders";
import { renderScreen } from "@/testing/render";
import { server } from "@/testing/server";

const KNOWN = [{ kind: "user", family: "observation", description: "" }];

function StepMenu({ kind }: { kind: string }) {
  return (
    <Menu hideDetached={false}>
      <Menu.Target>
        <button type="button">More</button>
      </Menu.Target>
      <Menu.Dropdown>
        <FamilyItems kind={kind} family="thought" />
        <Menu.Item>Copy link</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

async function openMenu(kind: string) {
  const asked = record("get", "/step-kinds", KNOWN);
  server.use(
    asked.handler,
    answer("get", "/session", session()),
    answer("get", "/step-kinds/families", {
      items: [{ kind: "land", family: "stop", is_told: true, step_count: 2 }],
    }),
  );
  const { user } = renderScreen({ path: "/", element: <StepMenu kind={kind} /> });
  await user.click(await screen.findByRole("button", { name: "More" }));
  await waitFor(() => expect(asked.requests).toHaveLength(1));
  return user;
}

test("the family of an unknown kind is set by keys, and a toast takes it back", async () => {
  const change = { kind: "hover", family: "action", before: null, changed_count: 3 };
  const put = record("put", "/step-kinds/families", change);
  server.use(put.handler);
  const user = await openMenu("hover");

  (await screen.findByRole("menuitem", { name: "Family of this kind" })).focus();
  await user.keyboard("{ArrowRight}");
  expect(await screen.findByRole("menuitemradio", { name: "Thought" })).toBeChecked();
  screen.getByRole("menuitemradio", { name: "Action" }).focus();
  await user.keyboard("{Enter}");

  expect(
    await screen.findByText("The family of hover is action now; 3 steps changed"),
  ).toBeVisible();
  await user.click(screen.getByRole("button", { name: "Undo" }));
  await waitFor(() =>
    expect(put.requests.map(({ body }) => body)).toEqual([
      { kind: "hover", family: "action" },
      { kind: "hover", family: null },
    ]),
  );
});

test("a kind that ends its tape is shown so, and another one is made so", async () => {
  const change = { kind: "land", family: "stop", before: null, changed_count: 2 };
  const put = record("put", "/step-kinds/families", change);
  server.use(put.handler);
  const user = await openMenu("land");

  (await screen.findByRole("menuitem", { name: "Family of this kind" })).focus();
  await user.keyboard("{ArrowRight}");
  const stop = await screen.findByRole("menuitemradio", { name: "Action that ends the tape" });
  await waitFor(() => expect(stop).toBeChecked());
  await user.click(stop);

  expect(
    await screen.findByText(
      "The family of land is an action that ends the tape now; 2 steps changed",
    ),
  ).toBeVisible();
  expect(put.requests.map(({ body }) => body)).toEqual([{ kind: "land", family: "stop" }]);
});

test("a kind that the studio knows keeps its family", async () => {
  await openMenu("user");

  expect(await screen.findByRole("menuitem", { name: "Copy link" })).toBeVisible();
  expect(screen.queryByRole("menuitem", { name: "Family of this kind" })).not.toBeInTheDocument();
});
