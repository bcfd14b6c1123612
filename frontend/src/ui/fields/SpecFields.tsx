/** What differs between two agents: sentences for parts that came, went or moved; else fields. */
import { describeKind } from "@/lib/definedKind";
import { isObject, type JsonObject } from "@/lib/json";
import { visibleText } from "@/lib/visibleText";
import type { Field } from "@/ui/fields/field";
import { FieldList } from "@/ui/fields/FieldList";

interface SpecFieldsProps {
  fields: readonly Field[];
  isUnified: boolean;
  most?: number;
}

export function SpecFields({ fields, ...shown }: SpecFieldsProps) {
  const sentences = fields.map(sayChange);
  return (
    <>
      {sentences.map((sentence, at) => sentence !== "" && <p key={at}>{visibleText(sentence)}</p>)}
      <FieldList fields={fields.filter((_, at) => sentences[at] === "")} {...shown} />
    </>
  );
}

/** Of the agent itself or of one of its members. */
const PART = /^(?:subagents\.([^.]*)\.)*(kinds|nodes|subagents)(?:\.[^.]*| \(order\))$/;

/** "Kind added: Verdict, a thought: reason (text)"; empty for what is no part, or has changed. */
function sayChange({ path, op, old, new: now }: Field): string {
  const [, member = "", parts = ""] = PART.exec(path) ?? [];
  const known = PARTS[parts];
  if (known === undefined) return "";
  const where = member === "" ? "" : ` in ${member}`;
  if (path.endsWith(" (order)")) {
    return Array.isArray(now) ? `New order of ${parts}${where}: ${now.join(", ")}` : "";
  }
  const part = op === "added" ? now : old;
  if (op === "changed" || !isObject(part)) return "";
  const [title, describe] = known;
  return `${title} ${op}${where}: ${describe(part)}`;
}

const PARTS: Readonly<Record<string, [string, (part: JsonObject) => string]>> = {
  kinds: ["Kind", describeKind],
  nodes: ["Node", describeNode],
  subagents: ["Subagent", ({ name }) => String(name)],
};

/** "plan (builders.MonoNode): steps ["Plan"]". */
function describeNode({ name, type, ...settings }: JsonObject): string {
  const set = Object.entries(settings).map(([key, value]) => `${key} ${JSON.stringify(value)}`);
  return `${String(name)} (${String(type)})${set.length === 0 ? "" : `: ${set.join(", ")}`}`;
}
