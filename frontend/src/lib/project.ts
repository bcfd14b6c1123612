/** The project that this browser looks at, on a server with several. */

const KEY = "studio.project";

/** The one that the server chose, once it has said so: from then on this page stays in it. */
let answered = "";

/** "" means the server's choice. */
export function currentProject(): string {
  try {
    return window.localStorage.getItem(KEY) ?? "";
  } catch {
    return "";
  }
}

/** What requests ask for: nobody who is removed from a project finds themselves in another one. */
export function askedProject(): string {
  return currentProject() || answered;
}

export function stayInProject(id: string): void {
  answered = id;
}

export function chooseProject(id: string): void {
  window.localStorage.setItem(KEY, id);
}

/** Leave the choice to the server again. */
export function forgetProject(): void {
  answered = "";
  try {
    window.localStorage.removeItem(KEY);
  } catch {
    // Storage may be blocked; then nothing is kept there.
  }
}

/** The address with the project in it, for links and sockets, which carry no headers. */
export function withProject(address: string): string {
  const project = currentProject();
  if (project === "") return address;
  return `${address}${address.includes("?") ? "&" : "?"}project=${encodeURIComponent(project)}`;
}
