/** The project that this browser looks at, on a server with several. */

const KEY = "studio.project";

/** "" means the server's choice. */
export function currentProject(): string {
  try {
    return window.localStorage.getItem(KEY) ?? "";
  } catch {
    return "";
  }
}

export function chooseProject(id: string): void {
  window.localStorage.setItem(KEY, id);
}

/** The address with the project in it, for links and sockets, which carry no headers. */
export function withProject(address: string): string {
  const project = currentProject();
  if (project === "") return address;
  return `${address}${address.includes("?") ? "&" : "?"}project=${encodeURIComponent(project)}`;
}
