import type { StepJson } from "@/features/tape-editor/draft";
import { type TapeModel, useTapeModel } from "@/features/tape-editor/editor";
import { visibleText } from "@/lib/visibleText";

/** Which of the agents that were called together answered, which were cancelled, and the rule. */
export function JoinWords({ index, body }: { index: number; body: StepJson }) {
  const model = useTapeModel();
  const answered = namesOf(model, index, body["answered"]);
  const cancelled = namesOf(model, index, body["cancelled"]);
  const rule = findCall(model, index);
  return (
    <div className="ts-stack">
      <p>
        {listWords(answered)} answered
        {cancelled.length > 0 &&
          `; ${listWords(cancelled)} ${cancelled.length > 1 ? "were" : "was"} cancelled`}
        .
      </p>
      {rule !== "" && <p className="ts-hint">Called: {visibleText(rule)}.</p>}
    </div>
  );
}

function namesOf({ lanes }: TapeModel, index: number, numbers: unknown): string[] {
  const above = lanes.at(index)?.path;
  const found = Array.isArray(numbers) ? numbers.filter((one) => typeof one === "number") : [];
  return found.map((number) => {
    const path = above === undefined ? `${number}` : `${above}/${number}`;
    const lane = lanes.all.findLast((one) => one.path === path && one.last < index);
    return lane === undefined || lane.member === ""
      ? `lane ${path}`
      : `${visibleText(lane.member)} (lane ${path})`;
  });
}

/** The outline's line of the step that called them. */
function findCall({ slots, outline, lanes }: TapeModel, index: number): string {
  const path = lanes.at(index)?.path;
  for (let at = index - 1; at >= 0; at -= 1) {
    const origin = slots[at]?.origin ?? null;
    const row = origin === null ? undefined : outline.at(origin);
    if (row?.kind === "call_together" && lanes.at(at)?.path === path) return row.gist;
  }
  return "";
}

/** "a, b and c" */
function listWords(words: readonly string[]): string {
  const last = words.at(-1) ?? "nobody";
  return words.length > 1 ? `${words.slice(0, -1).join(", ")} and ${last}` : last;
}
