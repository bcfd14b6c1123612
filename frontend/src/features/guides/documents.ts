/** The texts and pictures of the guides, taken from `docs/` when the front end is built. */

const TEXTS = import.meta.glob<string>("../../../../docs/*.md", {
  eager: true,
  query: "?raw",
  import: "default",
});
const PICTURES = import.meta.glob<string>("../../../../docs/screens/*.png", {
  eager: true,
  query: "?url",
  import: "default",
});

const FOLDER = "../../../../docs/";

export const DOCUMENTS: ReadonlyMap<string, string> = new Map(
  Object.entries(TEXTS).map(([path, text]) => [path.slice(FOLDER.length, -".md".length), text]),
);

/** Return the address of a picture that a document names, such as `screens/tape.png`. */
export const findPicture = (path: string): string | undefined => PICTURES[FOLDER + path];
