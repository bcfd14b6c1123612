// Requests what the tape at this address shows first, and the files that draw it, while the shell
// is still loading. `src/api/client.ts` uses the answers; unused ones are dropped.
// `plugins/tapeFiles.ts` lists the files.
(function () {
  const found = /^\/t\/([0-9a-f-]{36})\/?$/.exec(window.location.pathname);
  if (found === null) return;
  const tape = window.location.origin + "/api/v1/tapes/" + found[1];
  const step = Number(new URLSearchParams(window.location.search).get("step")) || 0;
  const startOf = (size) => Math.floor(step / size) * size;
  const headers = {};
  try {
    const named = new URLSearchParams(window.location.search).get("project");
    const project = named || window.localStorage.getItem("studio.project");
    if (project) headers["X-Project"] = project;
  } catch {
    // Storage may be blocked; then no project is chosen.
  }
  const addresses = [
    tape,
    tape + "/steps?start=" + startOf(50) + "&limit=50",
    tape + "/outline?start=" + startOf(1000) + "&count=1000",
  ];
  window.earlyAnswers = new Map(
    addresses.map((address) => [address, fetch(address, { headers, credentials: "same-origin" })]),
  );
  const { tapeFiles = "" } = document.currentScript.dataset;
  for (const href of tapeFiles.split(" ").filter(Boolean)) {
    // Must match how the page itself requests the file, or it would be loaded twice.
    const kind = href.endsWith(".css") ? { rel: "preload", as: "style" } : { rel: "modulepreload" };
    const link = document.createElement("link");
    document.head.append(Object.assign(link, { ...kind, crossOrigin: "", href }));
  }
  // Unused answers become outdated.
  setTimeout(() => delete window.earlyAnswers, 10_000);
  // A failure is reported when the page repeats the request.
  for (const answer of window.earlyAnswers.values()) answer.catch(() => undefined);
})();
