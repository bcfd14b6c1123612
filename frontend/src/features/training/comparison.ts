/** Comparing finetunes: which ones, and where their options differ. */
import { isObject, type JsonObject } from "@/lib/json";

export const MOST_COMPARED = 4;

export function compareAddress(ids: readonly string[]): string {
  return `/training/compare?${new URLSearchParams(ids.map((id) => ["run", id]))}`;
}

export function readCompared(address: URLSearchParams): string[] {
  return [...new Set(address.getAll("run"))].slice(0, MOST_COMPARED);
}

export interface OptionRow {
  /** Such as `lora.rank`. */
  name: string;
  /** As JSON, one per finetune; empty where it has no such option. */
  values: string[];
  isEqual: boolean;
}

/** All options of the given finetunes by name, differing ones first. */
export function compareOptions(configs: readonly JsonObject[]): OptionRow[] {
  const flat = configs.map((config) => new Map(flatten(config, "")));
  const names = [...new Set(flat.flatMap((options) => [...options.keys()]))];
  return names
    .map((name) => {
      const values = flat.map((options) => options.get(name) ?? "");
      return { name, values, isEqual: values.every((value) => value === values[0]) };
    })
    .toSorted((one, other) => Number(one.isEqual) - Number(other.isEqual));
}

function flatten(object: JsonObject, prefix: string): [string, string][] {
  return Object.entries(object).flatMap(([name, value]) =>
    isObject(value)
      ? flatten(value, `${prefix}${name}.`)
      : [[`${prefix}${name}`, typeof value === "string" ? value : JSON.stringify(value)]],
  );
}
