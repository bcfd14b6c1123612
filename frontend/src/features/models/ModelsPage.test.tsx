import { screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";

import { ModelsPage } from "@/features/models/ModelsPage";
import { answer, answerNothing, record, refuse } from "@/testing/answers";
import { model, MOMENT, uuid } from "@/testing/builders";
import { renderScreen } from "@/testing/render";
import { server } from "@/testing/server";

const open = (at = "/models") => renderScreen({ path: "/models", element: <ModelsPage />, at });
const field = (name: string) => screen.getByRole("textbox", { name });

test("without a model the screen offers to add one", async () => {
  server.use(answer("get", "/models", []));
  const { address } = open();

  const heading = await screen.findByRole("heading", { name: "No models yet" });

  expect(heading).toBeVisible();
  expect(address()).toBe("/models");
});

test("models are listed with prices in dollars and without their keys", async () => {
  server.use(
    answer("get", "/models", [model(), model({ id: uuid(2), name: "b", api_key_env: "" })]),
  );
  open();

  expect(await screen.findByText("OPENAI_API_KEY")).toBeVisible();
  expect(screen.getByText("Stored, encrypted")).toBeVisible();
  expect(screen.getAllByText("0.15")).toHaveLength(2);
});

test("a model whose key was retired asks for a new one", async () => {
  const retired = model({ api_key_env: "", has_api_key: false, key_retired_at: MOMENT });
  server.use(answer("get", "/models", [retired]));
  const { user } = open();

  expect(await screen.findByText("Retired; give it a new one")).toBeVisible();
  await user.click(screen.getByRole("button", { name: "mini" }));
  await user.click(await screen.findByRole("button", { name: "Save" }));

  expect(await screen.findByText("Enter the key.")).toBeVisible();
});

test("a model behind an address is added with prices in millionths", async () => {
  const { handler, requests } = record("post", "/models", model({ name: "local" }), 201);
  server.use(answer("get", "/models", []), handler);
  const { user, address } = open("/models?add=1");

  await user.type(await screen.findByRole("textbox", { name: "Name" }), "local");
  await user.click(screen.getByRole("radio", { name: "OpenAI-compatible server" }));
  await user.type(field("Base URL"), "http://127.0.0.1:8001/v1");
  await user.type(field("Model"), "qwen");
  await user.click(screen.getByRole("radio", { name: "No key" }));
  await user.type(field("Input"), "0.15");
  await user.click(screen.getByRole("switch", { name: /^Record tokens/ }));
  await user.click(screen.getByRole("button", { name: "Save" }));

  await waitFor(() => expect(address()).toBe("/models"));
  expect(requests[0]?.body).toEqual({
    name: "local",
    litellm_model: "openai/qwen",
    base_url: "http://127.0.0.1:8001/v1",
    api_key_env: "",
    api_key: "",
    parameters: {},
    input_price: 150_000,
    cache_read_price: null,
    cache_write_price: null,
    output_price: null,
    silence_seconds: null,
    deadline_seconds: null,
    max_attempts: null,
    record_tokens: true,
  });
});

test("a new model is named after itself, asks for little, and is kept if one looks away", async () => {
  server.use(answer("get", "/models", [model()]));
  const { user } = open("/models?add=1");

  await user.type(await screen.findByRole("textbox", { name: "Model" }), "openai/gpt-4o-mini");
  expect(field("Name")).toHaveValue("gpt-4o-mini");
  const more = screen.getByText("Prices, limits, parameters").closest("details");
  expect(more).not.toHaveAttribute("open");
  await user.type(field("Name"), " at work");
  await user.type(field("Model"), "-2");
  await user.click(screen.getByRole("button", { name: "Cancel" }));
  await user.click(screen.getByRole("button", { name: "Add a model" }));

  expect(await screen.findByRole("textbox", { name: "Model" })).toHaveValue("openai/gpt-4o-mini-2");
  expect(field("Name")).toHaveValue("gpt-4o-mini at work");
});

test("what is missing is said at its field and nothing is sent", async () => {
  server.use(answer("get", "/models", []));
  const { user } = open("/models?add=1");

  await user.click(await screen.findByRole("button", { name: "Save" }));

  expect(field("Name")).toHaveAccessibleDescription(/Give the model a name/);
  expect(screen.getByText("Enter the model.")).toBeVisible();
  expect(screen.getByText("Enter the variable that holds the key.")).toBeVisible();
});

test("what the server refuses is said at its field", async () => {
  server.use(
    answer("get", "/models", [model()]),
    refuse("put", `/models/${uuid(200)}`, "The request cannot be used.", 422, {
      problems: [{ where: "body.body.name", message: "This name is taken." }],
    }),
  );
  const { user } = open(`/models?edit=${uuid(200)}`);

  await user.click(await screen.findByRole("button", { name: "Save" }));

  expect(await screen.findByText("This name is taken.")).toBeVisible();
  expect(screen.getByText("The request cannot be used.")).toBeVisible();
});

test("editing keeps a stored key that is not entered anew", async () => {
  const stored = model({ api_key_env: "" });
  const { handler, requests } = record("put", `/models/${uuid(200)}`, stored);
  server.use(answer("get", "/models", [stored]), handler);
  const { user } = open(`/models?edit=${uuid(200)}`);

  await user.click(await screen.findByRole("button", { name: "Save" }));

  await waitFor(() => expect(requests[0]?.body).toMatchObject({ api_key: null, api_key_env: "" }));
});

test("a test says what came of it", async () => {
  const result = {
    is_ok: false,
    message: "The server at 127.0.0.1:8001 cannot be reached.",
    text: "",
    duration_seconds: 0.1,
    usage: null,
    cost_micro_usd: null,
  };
  server.use(
    answer("get", "/models", [model()]),
    answer("post", `/models/${uuid(200)}/test`, result),
  );
  const { user } = open();

  await user.click(await screen.findByRole("button", { name: "Test" }));
  expect(await screen.findByText(/cannot be reached/)).toBeVisible();

  server.use(
    answer("post", `/models/${uuid(200)}/test`, { ...result, is_ok: true, text: "Hello." }),
  );
  await user.click(screen.getByRole("button", { name: "Test" }));
  expect(await screen.findByText(/Answered in 100 ms/)).toBeVisible();
});

test("a model is deleted after a question", async () => {
  server.use(answer("get", "/models", [model()]), answerNothing("delete", `/models/${uuid(200)}`));
  const { user } = open();

  await user.click(await screen.findByRole("button", { name: "Delete mini" }));
  // The layout engine that would place the question, and then show it, is a browser's.
  const question = await screen.findByRole("dialog", { hidden: true });
  server.use(answer("get", "/models", []));
  await user.click(within(question).getByText("Delete"));

  expect(await screen.findByRole("heading", { name: "No models yet" })).toBeVisible();
});
