/** The stops of the tour, each at a real element of the screen. */

export interface TourStop {
  /** `data-tour` of the element that the stop is about. */
  anchor: string;
  /** The list of tapes, or any one tape. */
  place: "list" | "tape";
  title: string;
  text: string;
  /** Shortcuts to try, written as in `lib/keys`. */
  keys?: readonly string[];
}

export const TOUR_STOPS: readonly TourStop[] = [
  {
    anchor: "tapes",
    place: "list",
    title: "A tape is everything an agent did",
    text: "These sample tapes were recorded by two small agents that need no key and no network. The next stop opens one with a mistake in it.",
  },
  {
    anchor: "map",
    place: "tape",
    title: "One line per step",
    text: "The map shows the whole tape. Find searches the full text of all steps.",
    keys: ["j", "k", "/"],
  },
  {
    anchor: "tape",
    place: "tape",
    title: "Change what was said",
    text: "Edit any step in place. The steps after it turn gray because they were recorded under the old step; nothing runs yet, and recordings are never lost.",
    keys: ["e", "mod+z"],
  },
  {
    anchor: "inspector",
    place: "tape",
    title: "Inspect a step",
    text: "The exact prompt and answer, the cost of each token class, what each agent saw, and where the step came from.",
    keys: ["Enter", "1"],
  },
  {
    anchor: "run",
    place: "tape",
    title: "Continue from the edit",
    text: "Resume lets the agent continue from there in a new branch while you watch. The sample agents answer immediately.",
    keys: ["mod+Enter"],
  },
  {
    anchor: "header",
    place: "tape",
    title: "Keep and compare branches",
    text: "As soon as there are two branches, a map above the steps shows them. Compare any of them, pin the good ones and archive the rest.",
    keys: ["d", "s"],
  },
  {
    anchor: "rail",
    place: "tape",
    title: "Everything else is one key away",
    text: "The command palette runs commands and searches everything, and ? shows the keyboard shortcuts of the page. When you have an API key or a server, add a model.",
    keys: ["mod+k", "?"],
  },
];
