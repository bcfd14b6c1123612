/** What the tests of annotation start with. */
import type { Queue } from "@/api/types";
import { uuid } from "@/testing/builders";

export const QUEUE: Queue = {
  id: uuid(1),
  name: "Turns",
  mode: "single",
  rubric_id: uuid(2),
  rubric_name: "Short",
  rubric_version: 1,
  rubric: {
    description: "",
    score: { rule: "none", item: "" },
    items: [
      {
        kind: "binary",
        key: "good",
        question: "Good?",
        help: "",
        is_required: true,
        sets_outcome: false,
      },
      { kind: "text", key: "why", question: "Why?", help: "", is_required: false },
    ],
  },
  annotators_per_item: 2,
  audit_percent: 0,
  lock_minutes: 30,
  people: [],
  item_count: 2,
  done_count: 1,
  answer_count: 2,
  pair_count: 1,
  agreeing_count: 0,
  created_at: "2026-01-01T00:00:00Z",
};
