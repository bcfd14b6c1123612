/** The form of a model, and its conversion to and from the API's format. */
import * as v from "valibot";

import type { Model, ModelIn } from "@/api/types";
import { dollars, microDollars } from "@/lib/money";

export const PRICE_FIELDS = [
  { name: "input_price", label: "Input" },
  { name: "cache_read_price", label: "Cache read" },
  { name: "cache_write_price", label: "Cache write" },
  { name: "output_price", label: "Output" },
] as const;

export const LIMIT_FIELDS = [
  { name: "silence_seconds", label: "Idle timeout, s", usual: 300, least: 1, most: 86_400 },
  { name: "deadline_seconds", label: "Total timeout, s", usual: 1800, least: 1, most: 86_400 },
  { name: "max_attempts", label: "Attempts", usual: 5, least: 1, most: 20 },
] as const;

export type LimitField = (typeof LIMIT_FIELDS)[number]["name"];
export type PriceField = (typeof PRICE_FIELDS)[number]["name"];
export type Source = "litellm" | "endpoint";
export type KeySource = "none" | "env" | "value";

export interface ModelForm {
  name: string;
  source: Source;
  model: string;
  baseUrl: string;
  keySource: KeySource;
  keyEnv: string;
  keyValue: string;
  hasStoredKey: boolean;
  /** Dollars per million tokens, as typed. */
  prices: Record<PriceField, string>;
  /** As typed; empty for the default. */
  limits: Record<LimitField, string>;
  recordTokens: boolean;
  /** A JSON object, as typed. */
  parameters: string;
}

/** An endpoint with an OpenAI-compatible API is called through this litellm provider. */
const ENDPOINT_PREFIX = "openai/";
/** The server stores prices in millionths of a dollar per million tokens. */
const NO_PRICES = {
  input_price: "",
  cache_read_price: "",
  cache_write_price: "",
  output_price: "",
};

const NO_LIMITS = { silence_seconds: "", deadline_seconds: "", max_attempts: "" };

export function emptyForm(): ModelForm {
  return {
    name: "",
    source: "litellm",
    model: "",
    baseUrl: "",
    keySource: "env",
    keyEnv: "",
    keyValue: "",
    hasStoredKey: false,
    prices: NO_PRICES,
    limits: NO_LIMITS,
    recordTokens: false,
    parameters: "",
  };
}

export function formOf(model: Model): ModelForm {
  const source: Source = model.base_url === "" ? "litellm" : "endpoint";
  const isPrefixed = source === "endpoint" && model.litellm_model.startsWith(ENDPOINT_PREFIX);
  return {
    name: model.name,
    source,
    model: isPrefixed ? model.litellm_model.slice(ENDPOINT_PREFIX.length) : model.litellm_model,
    baseUrl: model.base_url,
    keySource: keySourceOf(model),
    keyEnv: model.api_key_env,
    keyValue: "",
    hasStoredKey: model.has_api_key && model.api_key_env === "",
    prices: {
      input_price: priceText(model.input_price),
      cache_read_price: priceText(model.cache_read_price),
      cache_write_price: priceText(model.cache_write_price),
      output_price: priceText(model.output_price),
    },
    limits: {
      silence_seconds: shown(model.silence_seconds),
      deadline_seconds: shown(model.deadline_seconds),
      max_attempts: shown(model.max_attempts),
    },
    recordTokens: model.record_tokens,
    parameters:
      Object.keys(model.parameters).length === 0 ? "" : JSON.stringify(model.parameters, null, 2),
  };
}

function keySourceOf(model: Model): KeySource {
  if (model.api_key_env !== "") return "env";
  // A model whose key was retired needs a new one.
  return model.has_api_key || model.key_retired_at !== null ? "value" : "none";
}

function priceText(price: number | null): string {
  return price === null ? "" : String(dollars(price));
}

function shown(limit: number | null): string {
  return limit === null ? "" : String(limit);
}

/** The form with another model, which names it until somebody types a name. */
export function withModel(form: ModelForm, model: string): Pick<ModelForm, "model" | "name"> {
  const isOwn = form.name !== "" && form.name !== nameOf(form.model);
  return { model, name: isOwn ? form.name : nameOf(model) };
}

/** "openai/gpt-4o-mini" is called "gpt-4o-mini". */
function nameOf(model: string): string {
  return model.trim().split("/").at(-1) ?? "";
}

/** Fields that are folded at first. */
export const MORE_FIELDS = [
  ...PRICE_FIELDS.map(({ name }) => name),
  ...LIMIT_FIELDS.map(({ name }) => name),
  "parameters",
] as const;

export function hasMore({ prices, limits, recordTokens, parameters }: ModelForm): boolean {
  const typed = [...Object.values(prices), ...Object.values(limits), parameters];
  return recordTokens || typed.some((text) => text.trim() !== "");
}

export type FormErrors = Partial<Record<string, string>>;

export function checkForm(form: ModelForm): FormErrors {
  const errors: FormErrors = {};
  if (form.name.trim() === "") errors.name = "Give the model a name.";
  if (form.model.trim() === "") errors.litellm_model = "Enter the model.";
  if (form.source === "endpoint" && !/^https?:\/\/\S+$/.test(form.baseUrl.trim())) {
    errors.base_url = "Enter an address that starts with http:// or https://.";
  }
  if (form.keySource === "env" && form.keyEnv.trim() === "") {
    errors.api_key_env = "Enter the variable that holds the key.";
  }
  if (form.keySource === "value" && form.keyValue === "" && !form.hasStoredKey) {
    errors.api_key = "Enter the key.";
  }
  for (const { name } of PRICE_FIELDS) {
    const price = form.prices[name];
    if (price !== "" && !(Number(price) >= 0))
      errors[name] = "A price must be a number of dollars.";
  }
  for (const { name, least, most } of LIMIT_FIELDS) {
    const limit = form.limits[name];
    const isWhole = name !== "max_attempts" || Number.isInteger(Number(limit));
    if (limit !== "" && !(isWhole && Number(limit) >= least && Number(limit) <= most))
      errors[name] = `From ${least} to ${most.toLocaleString("en")}.`;
  }
  if (readParameters(form.parameters) === null) {
    errors.parameters = 'Enter a JSON object, such as {"temperature": 0}.';
  }
  return errors;
}

export function toModelIn(form: ModelForm): ModelIn {
  const model = form.model.trim();
  const isEndpoint = form.source === "endpoint";
  return {
    name: form.name.trim(),
    litellm_model:
      isEndpoint && !model.startsWith(ENDPOINT_PREFIX) ? `${ENDPOINT_PREFIX}${model}` : model,
    base_url: isEndpoint ? form.baseUrl.trim() : "",
    api_key_env: form.keySource === "env" ? form.keyEnv.trim() : "",
    api_key: keyToSend(form),
    parameters: readParameters(form.parameters) ?? {},
    input_price: readPrice(form.prices.input_price),
    cache_read_price: readPrice(form.prices.cache_read_price),
    cache_write_price: readPrice(form.prices.cache_write_price),
    output_price: readPrice(form.prices.output_price),
    silence_seconds: limitOf(form.limits.silence_seconds),
    deadline_seconds: limitOf(form.limits.deadline_seconds),
    max_attempts: limitOf(form.limits.max_attempts),
    record_tokens: form.recordTokens,
  };
}

/** `null` keeps the stored key, "" removes it. */
function keyToSend(form: ModelForm): string | null {
  if (form.keySource !== "value") return "";
  return form.keyValue === "" ? null : form.keyValue;
}

function readPrice(typed: string): number | null {
  return typed === "" ? null : microDollars(Number(typed));
}

function limitOf(typed: string): number | null {
  return typed === "" ? null : Number(typed);
}

const object = v.record(v.string(), v.unknown());

function readParameters(text: string): Record<string, unknown> | null {
  if (text.trim() === "") return {};
  try {
    const value: unknown = JSON.parse(text);
    const parsed = v.safeParse(object, value);
    return parsed.success && !Array.isArray(value) ? parsed.output : null;
  } catch {
    return null;
  }
}
