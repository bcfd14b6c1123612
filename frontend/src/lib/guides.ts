/** The documents that the palette offers by title; a test holds them to `docs/`. */

export interface Guide {
  /** Of its document, `docs/NAME.md`, and of its address. */
  name: string;
  title: string;
}

/** Return the address of a guide in the built documentation; its name may carry an anchor. */
export function addressOfGuide(name: string): string {
  const [page = "", anchor] = name.split("#");
  return `/help/${page}/${anchor === undefined ? "" : `#${anchor}`}`;
}

export const GUIDES: readonly Guide[] = [
  { name: "first-steps", title: "First steps" },
  { name: "import-and-export", title: "Tapes in and out" },
  { name: "live-control", title: "Live control: pause, step, steer" },
  { name: "your-own-agent", title: "Your own agent" },
  { name: "teams", title: "Teams" },
  { name: "find-tapes", title: "Find tapes" },
  { name: "tables-and-lenses", title: "Customize the table of tapes" },
  { name: "many-tapes-at-once", title: "Many tapes at once" },
  { name: "batches", title: "Tasks, outcomes and batches" },
  { name: "datasets", title: "Datasets" },
  { name: "annotation", title: "Judging tapes together" },
  { name: "training", title: "Training a student" },
  { name: "distillation", title: "Distillation, from a teacher to a tiny student" },
  { name: "evaluation", title: "Evaluation: which one is better, and how sure is that" },
  { name: "coming-from-openai", title: "Coming from OpenAI Evals" },
  { name: "statistics", title: "Statistics: which number is computed how" },
  { name: "http", title: "The studio from a script" },
  { name: "python", title: "The studio from Python" },
  { name: "accounts", title: "People and accounts" },
  { name: "operator-desk", title: "The operator's desk" },
  { name: "operations", title: "Backup, upgrade and faults" },
  { name: "more-machines", title: "Working on more machines" },
  { name: "commands", title: "Commands" },
  { name: "requests", title: "Requests over HTTP" },
  { name: "queries", title: "Query language" },
  { name: "settings", title: "Settings" },
  { name: "glossary", title: "Glossary" },
  { name: "architecture", title: "Architecture" },
  { name: "reference-differences", title: "Where the studio differs from TapeAgents" },
];
