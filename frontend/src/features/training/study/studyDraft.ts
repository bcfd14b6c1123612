/** The form of a new study as typed, and the settings made from it. */
import type { StudySettings } from "@/api/types";
import type { Typed } from "@/lib/typed";

export type Size = "tiny" | "small" | "whole";

/** The numbers that the form asks for. */
export type CountField =
  | "made_up"
  | "train_width"
  | "openings"
  | "per_behaviour"
  | "whole_dialogues"
  | "base_steps"
  | "base_width"
  | "base_layers"
  | "seed";

export interface StudyDraft {
  size: Size;
  name: string;
  asked: StudySettings["asked"];
  /** The name of a model; empty: the script. */
  teacher: string;
  /** The name of a base; empty: the tiny one. */
  student: string;
  /** What was typed; the others are as the size has them. */
  counts: Partial<Record<CountField, Typed>>;
  /** The teacher's mistakes, in percent. */
  mistakes: Typed;
}

export const EMPTY_STUDY: StudyDraft = {
  size: "small",
  name: "form-study",
  asked: "test",
  teacher: "",
  student: "",
  counts: {},
  mistakes: 7,
};

export const COUNTS: readonly { name: CountField; label: string; title: string; min: number }[] = [
  {
    name: "made_up",
    label: "Made-up companies",
    title: "To learn from, beside the three that ship; nothing about them can be learnt by heart",
    min: 0,
  },
  {
    name: "train_width",
    label: "Tree width",
    title: "The most dialogues at each depth, of each company to learn from",
    min: 1,
  },
  {
    name: "openings",
    label: "Openings",
    title: "First messages with their answers, of each company, to learn how a form is chosen",
    min: 0,
  },
  {
    name: "per_behaviour",
    label: "Turns asked",
    title: "Partial dialogues of the examination, for each of 19 behaviours",
    min: 1,
  },
  {
    name: "whole_dialogues",
    label: "Whole dialogues",
    title: "From the first message to the end; a student that fails takes minutes for each",
    min: 0,
  },
  { name: "base_steps", label: "Steps of the base", title: "Of the tiny base's training", min: 1 },
  {
    name: "base_width",
    label: "Width of the base",
    title: "Numbers that it keeps of each token, in steps of 32",
    min: 32,
  },
  { name: "base_layers", label: "Layers of the base", title: "Of the tiny base", min: 1 },
  { name: "seed", label: "Seed", title: "Another one gives other users and mistakes", min: 0 },
];

/** The settings of a draft, or what is still missing from it. */
export function readStudy(
  draft: StudyDraft,
  usual: StudySettings,
): { settings: StudySettings } | { problem: string } {
  if (draft.name.trim() === "") return { problem: "Give it a name." };
  if (typeof draft.mistakes !== "number") {
    return { problem: "Enter how many of the teacher's answers have a mistake." };
  }
  const counts: Partial<Record<CountField, number>> = {};
  for (const { name, label } of COUNTS) {
    const typed = draft.counts[name] ?? usual[name];
    if (typeof typed !== "number") return { problem: `Enter a number: ${label.toLowerCase()}.` };
    counts[name] = typed;
  }
  return {
    settings: {
      ...usual,
      ...counts,
      name: draft.name.trim(),
      asked: draft.asked,
      teacher: draft.teacher,
      student: draft.student,
      error_rate: draft.mistakes / 100,
    },
  };
}
