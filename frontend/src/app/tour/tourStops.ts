/** The stops of the tour, each at something that is really on the screen. */

export interface TourStop {
  /** `data-tour` of what the stop is about. */
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
    text: "These sample tapes were recorded by two small agents that need no key and no network. The next stop opens one that has a mistake in it.",
  },
  {
    anchor: "map",
    place: "tape",
    title: "One line a step",
    text: "The map shows the whole tape. Find looks through the full text of all steps.",
    keys: ["j", "k", "/"],
  },
  {
    anchor: "tape",
    place: "tape",
    title: "Change what was said",
    text: "Edit any step in place. What follows goes grey, since it was recorded under the old step; nothing runs yet, and nothing recorded is ever lost.",
    keys: ["e", "mod+z"],
  },
  {
    anchor: "inspector",
    place: "tape",
    title: "What lies behind a step",
    text: "The exact prompt and answer, what each token class cost, the views of the agents, and where the step came from.",
    keys: ["Enter", "1"],
  },
  {
    anchor: "run",
    place: "tape",
    title: "Go on from the edit",
    text: "Resume lets the agent go on from there in a branch of its own, while you watch. The sample agents answer at once.",
    keys: ["mod+Enter"],
  },
  {
    anchor: "header",
    place: "tape",
    title: "Keep and compare branches",
    text: "Branches stand on a map above the steps as soon as there are two. Compare any of them, pin the good ones and archive the rest.",
    keys: ["d", "s"],
  },
  {
    anchor: "rail",
    place: "tape",
    title: "Everything else is one key away",
    text: "The palette does and finds anything, and ? shows the keys of the screen. When you have a key or a server of your own, add a model.",
    keys: ["mod+k", "?"],
  },
];
