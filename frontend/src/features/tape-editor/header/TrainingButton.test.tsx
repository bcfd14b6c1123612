import { fireEvent, screen, waitFor } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";

import { TapePage } from "@/features/tape-editor/TapePage";
import { buildTape, serveTape, TAPE } from "@/features/tape-editor/testing/page";
import { record } from "@/testing/answers";
import { FakeSocket } from "@/testing/FakeSocket";
import { renderScreen } from "@/testing/render";
import { server } from "@/testing/server";

beforeEach(() => FakeSocket.install());

test("the open tape says what it may be trained for, and changes it", async () => {
  const kept = buildTape({ is_kept_from_training: true, split: "test" });
  serveTape(kept);
  const changed = record("patch", `/tapes/${TAPE}`, { ...kept, is_kept_from_training: false });
  server.use(changed.handler);
  const { user } = renderScreen({ path: "/t/:tapeId", element: <TapePage />, at: `/t/${TAPE}` });

  const button = await screen.findByRole("button", { name: "Training" });
  expect(button).toHaveAttribute("aria-pressed", "true");
  await user.click(button);
  expect(await screen.findByLabelText("Selected")).toBeInTheDocument();
  fireEvent.click(await screen.findByRole("menuitem", { name: "Allow training", hidden: true }));

  await waitFor(() => expect(changed.requests[0]?.body).toEqual({ is_kept_from_training: false }));
  await waitFor(() => expect(button).toHaveAttribute("aria-pressed", "false"));
});
