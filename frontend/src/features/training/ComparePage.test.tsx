import { screen, within } from "@testing-library/react";
import { http, HttpResponse } from "msw";
import { beforeEach, expect, test } from "vitest";

import { ComparePage } from "@/features/training/ComparePage";
import { FINETUNE, serveTraining } from "@/features/training/testing";
import { answer } from "@/testing/answers";
import { uuid } from "@/testing/builders";
import { renderScreen } from "@/testing/render";
import { server } from "@/testing/server";

const OTHER = { ...FINETUNE, job_id: uuid(72), name: "other", loss: 0.5 };

function step(number: number, loss: number) {
  return {
    event: "step",
    step: number,
    loss,
    learning_rate: 0.001,
    tokens_per_second: 900,
    seconds: number,
    seconds_left: 1,
    memory: 1,
    examples: {},
  };
}

beforeEach(() => {
  serveTraining();
  for (const [finetune, rank, loss] of [
    [FINETUNE, 8, 3],
    [OTHER, 16, 2],
  ] as const) {
    const path = `/finetunes/${finetune.job_id}`;
    server.use(
      answer("get", path, finetune),
      answer("get", `${path}/config`, { seed: 0, lora: { rank, alpha: 64 } }),
      http.get(`http://studio.test/api/v1${path}/metrics`, ({ request }) => {
        const start = Number(new URL(request.url).searchParams.get("start"));
        return HttpResponse.json({ events: [step(1, 4), step(2, loss)].slice(start), next: 2 });
      }),
    );
  }
});

test("finetunes are compared by their losses and by the options that differ", async () => {
  const { user } = renderScreen({
    path: "/training/compare",
    element: <ComparePage />,
    at: `/training/compare?run=${FINETUNE.job_id}&run=${OTHER.job_id}`,
  });

  expect(
    await screen.findByRole("figure", { name: /^Loss step 2 keeper 3 other 2/ }),
  ).toBeVisible();
  const table = within(screen.getByRole("table", { name: "What differs" }));
  const rank = within(await table.findByRole("row", { name: /lora.rank/ }));
  expect(rank.getAllByRole("cell").map(({ textContent }) => textContent)).toEqual(["8", "16"]);
  expect(table.queryByRole("row", { name: /lora.alpha/ })).toBeNull();
  await user.click(screen.getByRole("button", { name: "Show 2 equal options" }));

  expect(table.getByRole("row", { name: /lora.alpha/ })).toBeVisible();
});
