/** The documents that the palette offers by title; a test checks them against `docs/`. */

export interface Guide {
  /** The name of the document, `docs/NAME.md`, and of its address. */
  name: string;
  title: string;
}

/** Return the address of a guide in the built documentation; its name may include an anchor. */
export function addressOfGuide(name: string): string {
  const [page = "", anchor] = name.split("#");
  return `/help/${page}/${anchor === undefined ? "" : `#${anchor}`}`;
}

export const GUIDES: readonly Guide[] = [
  { name: "first-steps", title: "First steps" },
  { name: "import-and-export", title: "Import and export" },
  { name: "live-control", title: "Live control: pause, step, steer" },
  { name: "your-own-agent", title: "Your own agent" },
  { name: "agent-editor", title: "Edit an agent" },
  { name: "tool-rules", title: "Tool rules" },
  { name: "red-team", title: "Red team: instructions planted into what tools answer" },
  { name: "mcp", title: "Tools of MCP servers" },
  { name: "code", title: "Code" },
  { name: "documents-and-search", title: "Documents and search" },
  { name: "web-browser", title: "A web browser" },
  { name: "web-tasks", title: "Tasks on web pages" },
  { name: "questions", title: "Questions that take several documents" },
  { name: "improver", title: "A tape about a tape" },
  { name: "builders", title: "Builders" },
  { name: "teams", title: "Teams" },
  { name: "find-tapes", title: "Find tapes" },
  { name: "tables-and-lenses", title: "Customize the table of tapes" },
  { name: "many-tapes-at-once", title: "Many tapes at once" },
  { name: "batches", title: "Tasks, outcomes and batches" },
  { name: "datasets", title: "Datasets" },
  { name: "annotation", title: "Judging tapes together" },
  { name: "training", title: "Training a student" },
  { name: "distillation", title: "Distillation, from a teacher to a tiny student" },
  { name: "form-filler", title: "The form filler, from nothing to a report" },
  { name: "evaluation", title: "Evaluation: which one is better, and how certain is that" },
  { name: "coming-from-openai", title: "Coming from OpenAI Evals" },
  { name: "statistics", title: "Statistics: how each number is computed" },
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
  { name: "why", title: "Why tapes" },
];
