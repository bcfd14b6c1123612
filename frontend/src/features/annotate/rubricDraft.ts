/** A rubric while it is edited: pure changes, and the problems that prevent saving it. */
import type { Rubric, RubricItem } from "@/api/types";

export interface RubricDraft {
  name: string;
  rubric: Rubric;
}

export const ITEM_WORDS: Record<RubricItem["kind"], string> = {
  binary: "Yes or no",
  scale: "Scale",
  choice: "Choice",
  text: "Text",
  preference: "Left or right",
};

export const SCORE_WORDS: Record<Rubric["score"]["rule"], string> = {
  none: "No score",
  all: "1 if every yes-or-no item is yes",
  mean: "Mean of yes-or-no items and scales, from 0 to 1",
  sum: "Sum of their values",
  item: "The value of one item",
};

export const EMPTY_DRAFT: RubricDraft = {
  name: "",
  rubric: {
    description: "",
    items: [
      {
        kind: "binary",
        key: "good",
        question: "Good?",
        help: "",
        is_required: true,
        sets_outcome: false,
      },
    ],
    score: { rule: "all", item: "" },
  },
};

const MOST_ITEMS = 30;

/** An item of a kind with a key that no other item has. */
export function newItem(kind: RubricItem["kind"], items: readonly RubricItem[]): RubricItem {
  const common = {
    key: freeKey(kind, items),
    question: "",
    help: "",
    is_required: kind !== "text",
  };
  switch (kind) {
    case "scale":
      return { ...common, kind, minimum: 1, maximum: 5 };
    case "choice":
      return { ...common, kind, options: ["", ""] };
    case "binary":
      return { ...common, kind, sets_outcome: false };
    case "text":
    case "preference":
      return { ...common, kind };
  }
}

function freeKey(kind: string, items: readonly RubricItem[]): string {
  const taken = new Set(items.map(({ key }) => key));
  for (let number = 1; ; number += 1) {
    const key = number === 1 ? kind : `${kind}_${number}`;
    if (!taken.has(key)) return key;
  }
}

export function moved(items: readonly RubricItem[], from: number, by: -1 | 1): RubricItem[] {
  const item = items[from];
  const to = from + by;
  if (item === undefined || to < 0 || to >= items.length) return [...items];
  return items.toSpliced(from, 1).toSpliced(to, 0, item);
}

/** The draft with changed items. */
export function withItems(
  draft: RubricDraft,
  change: (items: readonly RubricItem[]) => RubricItem[],
): RubricDraft {
  return { ...draft, rubric: { ...draft.rubric, items: change(draft.rubric.items) } };
}

/** The draft as it is saved: blank options are removed. */
export function tidied({ name, rubric }: RubricDraft): RubricDraft {
  const items = rubric.items.map((item) =>
    item.kind === "choice"
      ? { ...item, options: item.options.map((one) => one.trim()).filter((one) => one !== "") }
      : item,
  );
  return { name: name.trim(), rubric: { ...rubric, items } };
}

export interface DraftProblems {
  name: string | null;
  score: string | null;
  /** By index; `null` for an item without a problem. */
  items: readonly (string | null)[];
  hasAny: boolean;
}

export function findProblems(draft: RubricDraft): DraftProblems {
  const { name, rubric } = tidied(draft);
  const items = rubric.items.map((item) => problemOf(item, rubric.items));
  const found = {
    name: name === "" ? "Give the rubric a name." : null,
    score: scoreProblem(rubric),
    items,
  };
  const hasAny =
    found.name !== null || found.score !== null || items.some((problem) => problem !== null);
  return { ...found, hasAny };
}

const KEY = /^[a-z][a-z0-9_]{0,39}$/;

function problemOf(item: RubricItem, items: readonly RubricItem[]): string | null {
  if (item.question.trim() === "") return "Write the question.";
  if (!KEY.test(item.key)) return "A key has only lowercase letters, digits and underscores.";
  if (items.filter(({ key }) => key === item.key).length > 1) {
    return `Two items share the key ${item.key}.`;
  }
  if (item.kind === "scale" && item.maximum <= item.minimum) {
    return "A scale must go from a lower to a higher number.";
  }
  if (item.kind === "scale" && item.maximum - item.minimum > 100) {
    return "A scale can have at most 101 points.";
  }
  if (item.kind === "choice") {
    if (item.options.length < 2) return "Enter at least two options.";
    if (new Set(item.options).size < item.options.length) return "Two options are identical.";
  }
  return null;
}

function scoreProblem({ items, score }: Rubric): string | null {
  if (items.length === 0) return "Add an item.";
  if (items.length > MOST_ITEMS) return `A rubric can have at most ${MOST_ITEMS} items.`;
  const counting = items.filter(({ kind }) => kind === "binary" || kind === "scale");
  switch (score.rule) {
    case "none":
      return null;
    case "all":
      return items.some(({ kind }) => kind === "binary")
        ? null
        : "This score needs a yes-or-no item.";
    case "mean":
    case "sum":
      return counting.length > 0 ? null : "This score needs a yes-or-no item or a scale.";
    case "item":
      return counting.some(({ key }) => key === score.item) ? null : "Choose the item.";
  }
}
