import { screen } from "@testing-library/react";
import { useState } from "react";
import { beforeEach, expect, test } from "vitest";

import { findScorerProblem, NO_SCORER, readScoring } from "@/features/evaluation/scorerDraft";
import { ScorerFields } from "@/features/evaluation/ScorerFields";
import { answer } from "@/testing/answers";
import { model, session, uuid } from "@/testing/builders";
import { renderScreen } from "@/testing/render";
import { server } from "@/testing/server";

beforeEach(() => {
  server.use(answer("get", "/session", session()));
});

function Form() {
  const [draft, setDraft] = useState({ ...NO_SCORER, kind: "judged_constraints" });
  const models = [model({ id: uuid(31), name: "strict" })];
  return (
    <>
      <ScorerFields draft={draft} onChange={setDraft} kept={[]} models={models} />
      <p role="status">{findScorerProblem(draft)}</p>
      <pre aria-label="What is sent">{JSON.stringify(readScoring(draft, [])?.scorer)}</pre>
    </>
  );
}

test("a list of constraints is typed: the judge decides one, a check what it can of another", async () => {
  const { user } = renderScreen({ path: "/", at: "/", element: <Form /> });
  const problem = () => screen.getByRole("status").textContent;
  const choose = async (label: string, option: string | RegExp) => {
    await user.click(screen.getByRole("combobox", { name: label }));
    await user.click(await screen.findByRole("option", { name: option }));
  };

  expect(problem()).toBe("Choose the judge model.");
  await choose("Judge", "strict");
  expect(problem()).toBe("Add a constraint.");
  await user.click(screen.getByRole("button", { name: "Add a constraint" }));
  await user.type(screen.getByRole("textbox", { name: "Name of constraint 1" }), "polite");
  expect(problem()).toBe("Enter what to ask the judge.");
  const asked = (place: number) => `What the judge is asked about constraint ${place}`;
  await user.type(screen.getByRole("textbox", { name: asked(1) }), "It is polite.");
  await user.click(screen.getByRole("button", { name: "Add a constraint" }));
  await user.type(screen.getByRole("textbox", { name: "Name of constraint 2" }), "right");
  await choose("Who decides constraint 2", /the judge the rest/);
  await choose("What constraint 2 checks", "The answer is the expected one");
  await choose("When the judge is asked about constraint 2", /says no/);
  await user.type(screen.getByRole("textbox", { name: asked(2) }), "It is right.");
  expect(problem()).toBe("");

  expect(JSON.parse(screen.getByLabelText("What is sent").textContent)).toEqual({
    kind: "judged_constraints",
    model_id: uuid(31),
    needs_all: false,
    constraints: [
      { name: "polite", weight: 1, by: "judge", says: "It is polite." },
      {
        name: "right",
        weight: 1,
        by: "hybrid",
        says: "It is right.",
        settles: "yes",
        check: { kind: "answer", takes_unclear_as_wrong: false, any_order: false },
      },
    ],
  });
});
