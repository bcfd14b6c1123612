// Runs before the first paint so that a dark page never flashes white.
(function () {
  let choice = "auto";
  try {
    choice = window.localStorage.getItem("mantine-color-scheme-value") || "auto";
  } catch {
    // Storage may be blocked; then the system's preference is the best guess.
  }
  const dark =
    choice === "dark" ||
    (choice !== "light" && window.matchMedia("(prefers-color-scheme: dark)").matches);
  document.documentElement.setAttribute("data-mantine-color-scheme", dark ? "dark" : "light");
})();
