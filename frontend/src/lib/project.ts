/** The project that this browser shows, on a server with several. */

const KEY = "studio.project";

/** The project that the server chose, once it has answered: this page then stays in it. */
let answered = "";

/** "" means the server's choice. */
export function currentProject(): string {
  try {
    return window.localStorage.getItem(KEY) ?? "";
  } catch {
    return "";
  }
}

/** The project to send with requests: a person removed from it must not land in another one. */
export function askedProject(): string {
  return currentProject() || answered;
}

export function stayInProject(id: string): void {
  answered = id;
}

export function chooseProject(id: string): void {
  window.localStorage.setItem(KEY, id);
}

/** Let the server choose again. */
export function forgetProject(): void {
  answered = "";
  try {
    window.localStorage.removeItem(KEY);
  } catch {
    // Storage may be blocked; then nothing is stored there.
  }
}

/** The address with the project in its query, for links and sockets, which cannot send headers. */
export function withProject(address: string): string {
  const project = currentProject();
  if (project === "") return address;
  return `${address}${address.includes("?") ? "&" : "?"}project=${encodeURIComponent(project)}`;
}
