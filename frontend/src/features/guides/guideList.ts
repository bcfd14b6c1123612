/** The guides, in the order in which they are listed; a test holds the titles to the documents. */

export interface Guide {
  /** Of its document: `docs/NAME.md`, and of its address: `/guides/NAME`. */
  name: string;
  title: string;
}

export const FIRST_GUIDE = "first-steps";

export const GUIDE_GROUPS: readonly { group: string; guides: readonly Guide[] }[] = [
  {
    group: "Start",
    guides: [
      { name: FIRST_GUIDE, title: "First steps" },
      { name: "import-and-export", title: "Tapes in and out" },
      { name: "your-own-agent", title: "Your own agent" },
      { name: "teams", title: "Teams" },
    ],
  },
  {
    group: "Work with tapes",
    guides: [
      { name: "find-tapes", title: "Find tapes" },
      { name: "tables-and-lenses", title: "Customize the table of tapes" },
      { name: "many-tapes-at-once", title: "Many tapes at once" },
      { name: "batches", title: "Tasks, outcomes and batches" },
      { name: "datasets", title: "Datasets" },
      { name: "annotation", title: "Judging tapes together" },
    ],
  },
  {
    group: "Train and evaluate",
    guides: [
      { name: "training", title: "Training a student" },
      { name: "distillation", title: "Distillation, from a teacher to a tiny student" },
      { name: "evaluation", title: "Evaluation: which one is better, and how sure is that" },
      { name: "coming-from-openai", title: "Coming from OpenAI Evals" },
      { name: "statistics", title: "Statistics: which number is computed how" },
    ],
  },
  {
    group: "Script and operate",
    guides: [
      { name: "http", title: "The studio from a script" },
      { name: "python", title: "The studio from Python" },
      { name: "accounts", title: "People and accounts" },
      { name: "operator-desk", title: "The operator's desk" },
      { name: "operations", title: "Backup, upgrade and faults" },
      { name: "more-machines", title: "Training on more machines" },
    ],
  },
  {
    group: "Look up",
    guides: [
      { name: "commands", title: "Commands" },
      { name: "requests", title: "Requests over HTTP" },
      { name: "queries", title: "Query language" },
      { name: "settings", title: "Settings" },
      { name: "glossary", title: "Glossary" },
      { name: "architecture", title: "Architecture" },
      { name: "reference-differences", title: "Where the studio differs from TapeAgents" },
    ],
  },
];

export const GUIDES: readonly Guide[] = GUIDE_GROUPS.flatMap(({ guides }) => guides);
