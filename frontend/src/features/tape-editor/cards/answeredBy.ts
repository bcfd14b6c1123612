/** What the metadata of an observation says of its answer: who gave it, and what was planted. */
import type { StepJson } from "@/features/tape-editor/draft";
import { isObject, type JsonObject } from "@/lib/json";
import { visibleText } from "@/lib/visibleText";

export interface AnswerMark {
  label: string;
  /** More about it. */
  title: string;
  tone: "accent" | "bad";
}

export function listAnswerMarks(body: StepJson | undefined): AnswerMark[] {
  const metadata = body?.["metadata"];
  const other = isObject(metadata) ? metadata["other"] : undefined;
  if (!isObject(other)) return [];
  const { planted, tool_rule: rule, emulated } = other;
  const marks: AnswerMark[] = [];
  if (typeof planted === "string") {
    marks.push({ label: "planted instruction", title: visibleText(planted), tone: "bad" });
  }
  if (typeof rule === "string") {
    marks.push({ label: "by a tool rule", title: visibleText(rule), tone: "accent" });
  }
  if (isObject(emulated)) {
    marks.push({ label: "emulated", title: emulatedBy(emulated), tone: "accent" });
  }
  return marks;
}

function emulatedBy({ model }: JsonObject): string {
  const by = typeof model === "string" ? `The model ${visibleText(model)}` : "A script";
  return `${by} answered; the tool was not called`;
}
