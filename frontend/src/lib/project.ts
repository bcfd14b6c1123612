/** The project that this page shows: the address names it, else it is the last one used. */

const KEY = "studio.project";
const PARAMETER = "project";

/** Fixed while the page is open: another tab may show another project. */
let chosen = namedProject() || lastProject();

/** The project that the server chose, once it has answered: this page then stays in it. */
let answered = "";

/** Whether addresses name the project; those of somebody who has a single one need not. */
let isNamed = false;

function namedProject(): string {
  return new URLSearchParams(window.location.search).get(PARAMETER) ?? "";
}

function lastProject(): string {
  try {
    return window.localStorage.getItem(KEY) ?? "";
  } catch {
    return "";
  }
}

/** The project to send with requests: a person removed from it must not land in another one. */
export function askedProject(): string {
  return chosen || answered;
}

/** Remember the project that the server answered for; with several, addresses name it. */
export function stayInProject(id: string, { isOneOfSeveral = false } = {}): void {
  answered = id;
  isNamed = isOneOfSeveral;
  try {
    window.localStorage.setItem(KEY, id);
  } catch {
    // Storage may be blocked; then the server chooses.
  }
}

/** Show another project. This reloads the page: nothing of the old project may stay. */
export function openProject(id: string): void {
  window.location.assign(addressOfProject(id));
}

export function addressOfProject(id: string): string {
  return `/tapes?${PARAMETER}=${encodeURIComponent(id)}`;
}

/** Let the server choose again, unless this page's project was not the last one used. */
export function forgetProject(): void {
  const left = askedProject();
  chosen = "";
  answered = "";
  try {
    if (lastProject() === left) window.localStorage.removeItem(KEY);
  } catch {
    // Storage may be blocked; then nothing is stored there.
  }
}

/** Name the project in the address bar, so that the address can be given to others. */
export function nameProjectInAddress(): void {
  if (!isNamed || namedProject() === askedProject()) return;
  window.history.replaceState(window.history.state, "", linkTo(window.location.href));
}

/** An address with the project of this page, for links that are given to others. */
export function linkTo(address: string): URL {
  const link = new URL(address, window.location.origin);
  const project = askedProject();
  if (project !== "") link.searchParams.set(PARAMETER, project);
  return link;
}

/** The address with the project in its query, for downloads and sockets, which send no headers. */
export function withProject(address: string): string {
  if (chosen === "") return address;
  return `${address}${address.includes("?") ? "&" : "?"}${PARAMETER}=${encodeURIComponent(chosen)}`;
}
