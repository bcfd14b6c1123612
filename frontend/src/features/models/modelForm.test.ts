import { expect, test } from "vitest";

import { checkForm, emptyForm, formOf, toModelIn } from "@/features/models/modelForm";
import { model } from "@/testing/builders";

test("a model goes through the form and back unchanged", () => {
  const values = {
    base_url: "http://localhost:1/v1",
    litellm_model: "openai/qwen",
    parameters: { temperature: 0 },
    input_price: 150_000,
    cache_read_price: 1,
    cache_write_price: null,
    silence_seconds: 900,
    deadline_seconds: null,
    max_attempts: 2,
    api_key_env: "SOME_KEY",
  };

  expect(toModelIn(formOf(model(values)))).toMatchObject({ ...values, api_key: "" });
});

test.each(["[1]", "7", "{", '"text"'])("%s is no set of parameters", (parameters) => {
  expect(checkForm({ ...emptyForm(), parameters })).toHaveProperty("parameters");
});

test.each(["-1", "free", "1,5"])("%s is no price", (price) => {
  const form = emptyForm();

  const errors = checkForm({ ...form, prices: { ...form.prices, input_price: price } });

  expect(errors).toHaveProperty("input_price");
});

test.each([
  ["silence_seconds", "0"],
  ["deadline_seconds", "a day"],
  ["max_attempts", "1.5"],
  ["max_attempts", "21"],
])("%s cannot be %s", (name, value) => {
  const form = emptyForm();

  const errors = checkForm({ ...form, limits: { ...form.limits, [name]: value } });

  expect(errors).toHaveProperty(name);
});

test("a chosen key must be entered, unless one is stored", () => {
  const form = { ...emptyForm(), keySource: "value" as const };

  expect(checkForm(form)).toHaveProperty("api_key");
  expect(checkForm({ ...form, hasStoredKey: true })).not.toHaveProperty("api_key");
});
