/** What a web agent sees of a page: its accessibility tree as text, parsed line by line.
 *
 * Reads the formats of TapeAgents (`BID:a12 link Home`), BrowserGym (`[12] link 'Home'`),
 * Playwright (`- link "Home" [ref=e2]`) and Chrome's tools (`uid=1_2 link "Home"`).
 */

export interface TreeLine {
  depth: number;
  /** How the agent names the element in an action; empty if it cannot. */
  id: string;
  /** Empty for plain text on the page. */
  role: string;
  name: string;
  /** Other attributes: "focused, required". */
  state: string;
}

const ID = /^(?:BID:\S+|\[\w{1,12}\]|uid=\S+)\s+/;
const LETTERS = /^[A-Za-z]+/;
const ROLES = new Set(
  (
    "RootWebArea WebArea StaticText InlineTextBox LabelText LineBreak Section Iframe iframe document " +
    "generic none presentation text paragraph heading strong emphasis link button textbox searchbox " +
    "combobox listbox option checkbox radio radiogroup switch slider spinbutton progressbar meter " +
    "navigation main banner complementary contentinfo region search form group article section " +
    "list listitem ListMarker DescriptionList table rowgroup row cell gridcell columnheader rowheader " +
    "grid tree treeitem menu menubar menuitem menuitemcheckbox menuitemradio tab tablist tabpanel " +
    "toolbar tooltip dialog alertdialog alert status log timer image img figure caption code time " +
    "note blockquote separator HeaderAsNonLandmark FooterAsNonLandmark"
  ).split(" "),
);
/** Containers; without a name they carry no information. */
const WRAPPERS = new Set(["generic", "none", "presentation", "Section", "section", ""]);

const LOOKED_AT = 3000;
const FEWEST_LINES = 4;

/** Whether a text is an accessibility tree, judged by its beginning. */
export function isAccessibilityTree(text: string): boolean {
  const lines = text.slice(0, LOOKED_AT).split("\n").filter(isSaying);
  if (lines.slice(0, 3).some((line) => /^\s*(uid=\S+ )?RootWebArea\b/.test(line))) return true;
  if (lines.length < FEWEST_LINES) return false;
  const known = lines.filter((line) => ROLES.has(partsOf(line).role));
  const hasIds = lines.some((line) => ID.test(bare(line)) || / \[ref=\w+\]/.test(line));
  return hasIds && known.length * 2 >= lines.length;
}

/** The lines that carry information; mere containers are dropped, and their children move up. */
export function readAccessibilityTree(text: string): TreeLine[] {
  const lines: TreeLine[] = [];
  /** The indentation of the lines around the current one, and whether each is shown. */
  const around: { indent: number; isShown: boolean }[] = [];
  for (const line of text.split("\n")) {
    if (line.trim() === "") continue;
    const indent = line.length - line.trimStart().length;
    while ((around.at(-1)?.indent ?? -1) >= indent) around.pop();
    const parts = partsOf(line);
    const isShown = !(WRAPPERS.has(parts.role) && parts.name === "" && parts.id === "");
    if (isShown) {
      lines.push({ depth: around.filter((one) => one.isShown).length, ...parts });
    }
    around.push({ indent, isShown });
  }
  return lines;
}

function isSaying(line: string): boolean {
  return line.trim() !== "" && !/^\s*(-|=+.*=+)\s*$/.test(line);
}

/** Without indentation, and without the list marker that Playwright writes. */
function bare(line: string): string {
  const text = line.trim();
  return text === "-" ? "" : text.replace(/^- /, "");
}

/** Longer lines are plain text, whatever is at their end. */
const LONGEST_SPLIT = 600;
const STATES =
  /(?:,\s*|\s+)(?:[A-Za-z]+=(?:'[^']*'|"[^"]*"|[^\s,'"]+)|\[[\w-]+(?:=[^\]]*)?\]|focused|focusable|atomic|clickable|visible|required|disabled|checked|selected|expanded|modal|busy|multiline)$/;

function partsOf(line: string): Omit<TreeLine, "depth"> {
  const text = bare(line);
  const id = ID.exec(text)?.[0] ?? "";
  const rest = text.slice(id.length);
  const first = LETTERS.exec(rest)?.[0] ?? "";
  const after = rest.charAt(first.length);
  const isRole = ROLES.has(first) && (after === "" || /[\s,:]/.test(after));
  const content = isRole ? rest.slice(first.length) : rest;
  const end = isRole ? lengthOfName(content) : content.length;
  return {
    id: id.trim(),
    role: isRole ? first : "",
    name: unquoted(content.slice(0, end)),
    state: content.slice(end).replace(/^[,\s]+|:$/g, ""),
  };
}

/** Where the name ends and the other attributes begin. */
function lengthOfName(content: string): number {
  let rest = content.length > LONGEST_SPLIT ? "" : content.replace(/:$/, "");
  if (rest === "") return content.length;
  for (let found = STATES.exec(rest); found !== null; found = STATES.exec(rest)) {
    rest = rest.slice(0, found.index);
  }
  return rest.length;
}

function unquoted(name: string): string {
  const text = name.replace(/^:\s*/, "").trim();
  const first = text.charAt(0);
  return text.length > 1 && /['"]/.test(first) && text.endsWith(first) ? text.slice(1, -1) : text;
}
